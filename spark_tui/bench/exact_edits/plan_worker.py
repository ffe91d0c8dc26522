"""One plan in a process of its own.

`python -m spark_tui.bench.exact_edits.plan_worker ROOT CALL` prints processor time and memory.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

from spark_tui.bench.measuring.processes import resident_megabytes
from spark_tui.codemods import registry
from spark_tui.codemods.checks.harm import checked
from spark_tui.codemods.plan import Plan
from spark_tui.pysource.files.tree import DiskTree
from spark_tui.pysource.repository import Repository

PICK = "--pick"
"""In place of a call: which calls to make."""
_CALLS = 2
_KINDS = ("method", "function", "class")


def main(root: Path, call: str) -> dict[str, Any]:
    if call == PICK:
        return {"calls": pick(root)}
    operation = registry.parse(call)
    repo = Repository(DiskTree(root))
    begin = time.process_time()
    found = operation.plan(repo)
    cold = time.process_time() - begin
    # Warm: files and index as they are, one file changed, as it is while somebody works.
    changed = repo.with_changes({"changed_meanwhile.py": "x = 1\n"})
    begin = time.process_time()
    again = operation.plan(changed)
    warm = time.process_time() - begin
    if not isinstance(found, Plan) or found != again:
        raise SystemExit(f"no plan, or not twice the same: {found}")
    peak = resident_megabytes(peak=True)
    begin = time.process_time()
    checked(again, changed)
    checks = time.process_time() - begin
    return {
        "cold": round(cold, 3),
        "warm": round(warm, 3),
        "checks": round(checks, 3),
        "megabytes": round(peak),
        "places": len(found.edits) + len(found.unfollowed),
    }


def pick(root: Path) -> list[str]:
    """For each kind of symbol the renames of those whose names the most files mention, and that plan; and a
    parameter more for the functions and methods among them."""
    repo = Repository(DiskTree(root))
    mentions: Counter[str] = Counter()
    for summary in repo.index.summaries.values():
        mentions.update(summary.words)
    out = []
    for kind in _KINDS:
        found = [
            (mentions[symbol.name], path, symbol)
            for path, summary in repo.index.summaries.items()
            for symbol in summary.symbols
            if symbol.kind == kind and not symbol.name.startswith("__")
        ]
        ordered = sorted(found, key=lambda item: (-item[0], item[1]))[:50]
        symbols = {one.name: f"{path}::{one.qualname}@{one.line}" for _, path, one in reversed(ordered)}
        calls = [f"rename {symbol} zz_renamed" for symbol in reversed(symbols.values())]
        out += _planned(repo, calls)
        if kind != "class":
            out += _planned(
                repo, [f"add_parameter {symbol} zz value=None" for symbol in reversed(symbols.values())]
            )
    return out


def _planned(repo: Repository, calls: list[str]) -> list[str]:
    plans = (call for call in calls if isinstance(registry.parse(call).plan(repo), Plan))
    return list(islice(plans, _CALLS))


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), sys.argv[2])))
