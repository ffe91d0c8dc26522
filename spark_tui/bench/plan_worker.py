"""One plan in a process of its own: `python -m spark_tui.bench.plan_worker ROOT CALL` prints processor time
and memory."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from spark_tui.codemods import registry
from spark_tui.codemods.plan import Plan
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.tree import DiskTree

_KINDS = ("method", "function", "class")


def main(root: Path, call: str) -> dict[str, Any]:
    if call == "--pick":
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
    peak = _peak_megabytes()
    edits = len(found.edits) + len(found.unfollowed)
    return {"cold": round(cold, 3), "warm": round(warm, 3), "megabytes": round(peak), "places": edits}


def _peak_megabytes() -> float:
    """The most memory that this program has used. `getrusage` counts the process that started it, too."""
    try:
        lines = Path("/proc/self/status").read_text("utf-8").splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))
    except (OSError, StopIteration, ValueError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def pick(root: Path) -> list[str]:
    """For each kind of symbol the rename of the one whose name the most files mention, and that plans."""
    repo = Repository(DiskTree(root))
    mentions: Counter[str] = Counter()
    for summary in repo.index.summaries.values():
        mentions.update(summary.words)
    out = []
    for kind in _KINDS:
        found = [
            (mentions[one.name], path, one)
            for path, summary in repo.index.summaries.items()
            for one in summary.symbols
            if one.kind == kind and not one.name.startswith("__")
        ]
        for _, path, one in sorted(found, key=lambda each: (-each[0], each[1]))[:50]:
            call = f"rename {path}::{one.qualname}@{one.line} zz_renamed"
            if isinstance(registry.parse(call).plan(repo), Plan):
                out.append(call)
                break
    return out


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), sys.argv[2])))
