"""`spark bench apply`: how long it takes to read, place and write many hunks, and to take a checkpoint of
a large tree.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from spark_tui.bars import at_most
from spark_tui.bench.measuring.reporting import Report, Spread
from spark_tui.edits.parser import Parser
from spark_tui.session.tree.decided_text import merge_changed_file, wanted_files
from spark_tui.session.tree.writer import TreeWriter
from spark_tui.workspace.apply import apply, plan
from spark_tui.workspace.checkpoints import ChangedContents, CheckpointNote, FileContent
from spark_tui.workspace.files import Tree
from spark_tui.workspace.repository import create_repository

LINES, HUNKS, FILES = 50_000, 500, 100_000
APPLY_SECONDS, SNAPSHOT_SECONDS = 2.0, 0.3
_TOUCHED = 3
_PIECE = 64
"""This many characters arrive at once, as from a fast model."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--files", type=int, metavar="N", default=None, help=f"files of the tree (default: {FILES})"
    )


def measure(args: argparse.Namespace) -> Report:
    report = Report("apply")
    rounds = 2 if args.quick else 5
    files = args.files or (FILES // 10 if args.quick else FILES)
    slowest = 0.0
    for name in ("lines", "search_replace", "apply_patch", "udiff", "whole"):
        runs = [_edit(name) for _ in range(rounds)]
        fastest = min(runs, key=lambda run: run.cpu)
        slowest = max(slowest, fastest.cpu)
        report.rows.append(
            {
                "what": f"{HUNKS} hunks in {LINES} lines, {name}",
                "parse s": round(fastest.parse, 3),
                "apply s": round(fastest.apply, 3),
                "both s": round(fastest.parse + fastest.apply, 3),
                "cpu s": round(fastest.cpu, 3),
            }
        )
    report.bars.append(at_most("parse_and_apply_cpu_seconds", round(slowest, 3), APPLY_SECONDS))
    with tempfile.TemporaryDirectory(prefix="spark-bench-") as folder:
        seconds = _checkpoints(Path(folder), files, max(rounds, 3))
    report.rows.append(
        {"what": f"checkpoint of {_TOUCHED} files among {files}", "both s": round(seconds.median, 3)}
    )
    report.bars.append(at_most("checkpoint_seconds", round(seconds.low, 3), SNAPSHOT_SECONDS))
    report.notes.append(
        "Bars use CPU time, because others share the cores; wall time is shown too. Checkpoints: first"
        " quartile."
    )
    report.notes.append(
        "A checkpoint holds the files that a turn touches, so its time does not grow with the tree."
    )
    return report


def stream(name: str, lines: list[str]) -> str:
    """An answer that changes every hundredth line, in one format."""
    step = len(lines) // HUNKS
    places = range(step // 2, len(lines), step)
    if name == "whole":
        new = [f"{line}  # changed" if at % step == step // 2 else line for at, line in enumerate(lines)]
        return "big.py\n```\n" + "\n".join(new) + "\n```\n"
    if name == "lines":
        return "*** big.py\n" + "".join(f"@@ {at + 1},{at + 2}\n+{lines[at]}  # changed\n" for at in places)
    parts = [_stretch(name, lines, at) for at in places]
    if name == "apply_patch":
        return "*** Begin Patch\n*** Update File: big.py\n" + "".join(parts) + "*** End Patch\n"
    return ("--- a/big.py\n+++ b/big.py\n" if name == "udiff" else "big.py\n```\n") + "".join(parts)


def _stretch(name: str, lines: list[str], at: int) -> str:
    above, below, line = lines[at - 2 : at], lines[at + 1 : at + 3], lines[at]
    if name == "search_replace":
        old, new = [*above, line, *below], [*above, line + "  # changed", *below]
        return "<<<<<<< SEARCH\n" + "\n".join(old) + "\n=======\n" + "\n".join(new) + "\n>>>>>>> REPLACE\n"
    head = "@@\n" if name == "apply_patch" else f"@@ -{at - 1},5 +{at - 1},5 @@\n"
    around = ["".join(f" {item}\n" for item in side) for side in (above, below)]
    return f"{head}{around[0]}-{line}\n+{line}  # changed\n{around[1]}"


class ApplyTimes(NamedTuple):
    """Seconds of one round; `cpu` is of both parts."""

    parse: float
    apply: float
    cpu: float


def _edit(name: str) -> ApplyTimes:
    with tempfile.TemporaryDirectory(prefix="spark-bench-") as scratch:
        folder = Path(scratch)
        root = folder / "tree"
        root.mkdir()
        lines = [f"value_{at} = compute({at % 97}, {at})" if at % 3 else "" for at in range(LINES)]
        (root / "big.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
        text = stream(name, lines)
        begin, cpu = time.perf_counter(), time.process_time()
        tree = Tree(root)
        parser = Parser(name, tree.read_lines)
        for at in range(0, len(text), _PIECE):
            for _ in parser.feed(text[at : at + _PIECE]):
                pass
        for _ in parser.finish():
            pass
        between = time.perf_counter()
        apply(plan(root, wanted_files(parser.hunks, tree), merge_changed_file), folder / "journal")
        end = time.perf_counter()
        if len(parser.hunks) != HUNKS or parser.failures:
            raise AssertionError(f"{name}: {len(parser.hunks)} hunks, {list(parser.failures)[:1]}")
        return ApplyTimes(between - begin, end - between, time.process_time() - cpu)


def _checkpoints(folder: Path, files: int, rounds: int) -> Spread:
    """Seconds for one checkpoint, with everything it takes; the first one is not counted."""
    root = folder / "tree"
    for number in range(files):
        if number % 1000 == 0:
            (root / f"part{number // 1000}").mkdir(parents=True)
        (root / f"part{number // 1000}" / f"file{number}.txt").write_bytes(b"line one\nline two\n")
    create_repository(root, message="a large tree")
    seconds = []
    for round_number in range(rounds + 1):
        ledger = TreeWriter(root, folder / "state", "bench")
        tree = Tree(root)
        names = [f"part{part}/file{part * 1000 + round_number}.txt" for part in range(_TOUCHED)]
        text = "".join(f"*** {name}\n@@ 1,2\n+new\n" for name in names)
        parser = Parser("lines", tree.read_lines)
        for _ in (*parser.feed(text), *parser.finish()):
            pass
        ready = ledger.plan(parser.hunks, tree)
        before = {change.path: FileContent(change.before, change.before_mode) for change in ready.changes}
        after = {change.path: FileContent(change.after, change.after_mode) for change in ready.changes}
        begin = time.perf_counter()
        ledger.store.save("bench", CheckpointNote(at=begin), ChangedContents(before, after))
        seconds.append(time.perf_counter() - begin)
    return Spread.of(seconds[1:])
