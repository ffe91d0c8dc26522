"""`spark bench growth`: what a larger repository and a longer session cost.

Repositories are made up: files of one function each, a hundred in a folder. Sessions are of exact edits that
were turned down, one after the other. Times are processor time, which other work on the machine hardly
changes; only listing the files, which git does, is by the clock.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from threading import Event as StopFlag
from typing import Any

from spark_tui.bench import enter
from spark_tui.bench.measuring.reporting import Report, percentile
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.session.exact.exact_turn import PROGRAM
from spark_tui.session.session import Session
from spark_tui.session.storage.session_index import SessionIndex
from spark_tui.session.tree.file_finder import FileFinder
from spark_tui.workspace.git import git

FILES, QUICK_FILES = (1_000, 10_000, 100_000), (1_000, 10_000)
TURNS, QUICK_TURNS = (10, 100, 1_000), (10, 100)
MESSAGES = 12
"""Timed in each repository and after each number of turns."""
_FOLDER_FILES = 100
_MOST_BYTES = 4_000_000
_SETTLED = 2.1
"""Seconds after which a file that was written is not read again at each message."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", choices=("repository", "session"), help="measure only this")


def measure(args: argparse.Namespace) -> Report:
    report = Report("growth")
    if args.only != "session":
        for count in QUICK_FILES if args.quick else FILES:
            report.rows.append(repository_row(count))
    if args.only != "repository":
        report.rows += session_rows(QUICK_TURNS if args.quick else TURNS)
    return report


def repository_row(count: int) -> dict[str, Any]:
    """One repository of so many files."""
    with tempfile.TemporaryDirectory(prefix="spark-bench-") as folder:
        root, home = Path(folder) / "tree", Path(folder) / "home"
        write_files(root, count)
        git(root, "init", "-q")
        finder = FileFinder(root, _MOST_BYTES)
        begun = time.perf_counter()
        files = finder.files()
        listed = time.perf_counter() - begun
        with enter.opened_session(root, home) as session:
            loaded, _ = _timed(lambda: session.reader.load(StopFlag()))
            time.sleep(_SETTLED)
            warm = [enter.answered(session, _asked(number)) for number in range(MESSAGES)]
        with enter.opened_session(root, home) as session:
            again, _ = _timed(lambda: session.reader.load(StopFlag()))
        return {
            "what": "repository",
            "files": count,
            "list files, ms": round(1000 * listed, 1),
            "listed": len(files),
            "read first, s": round(loaded, 2),
            "read again, s": round(again, 2),
            "Enter → last hunk, p50 ms": round(percentile([item.ms for item in warm], 50), 1),
            "of it looking at files": round(percentile([item.stages["files"] for item in warm], 50), 1),
            "planning": round(percentile([item.stages["planning"] for item in warm], 50), 1),
            "checks": round(percentile([item.stages["checks"] for item in warm], 50), 1),
        }


def write_files(root: Path, count: int) -> None:
    """Files of one function, each with a name of its own."""
    for number in range(count):
        if number % _FOLDER_FILES == 0:
            folder = root / f"part_{number // _FOLDER_FILES:04}"
            folder.mkdir(parents=True)
        text = f"def work_{number}(width):\n    return width * {number}\n"
        (folder / f"file_{number:06}.py").write_text(text, encoding="utf-8")


def _asked(number: int) -> ContextRequest:
    path = f"part_0000/file_{number:06}.py"
    return ContextRequest(f"rename width to height_{number} in work_{number}", in_view=path)


def session_rows(lengths: tuple[int, ...]) -> Iterator[dict[str, Any]]:
    """One session that grows. Each length: the next message, opening the session again, and the index."""
    with tempfile.TemporaryDirectory(prefix="spark-bench-") as folder:
        root, home, done = Path(folder) / "tree", Path(folder) / "home", 0
        write_files(root, MESSAGES)
        session_id = ""
        for length in lengths:
            with enter.opened_session(root, home, session_id) as session:
                session_id = session.id
                while done < length:
                    enter.answered(session, _asked(done % MESSAGES))
                    done += 1
                warm = [enter.answered(session, _asked(number)).ms for number in range(MESSAGES)]
                done += MESSAGES
                journal = (session.folder / "journal.jsonl").stat().st_size
            reopen = partial(Session, root, PROGRAM, Settings(), home / "state", session_id=session_id)
            opened, again = _timed(reopen)
            again.close()
            with SessionIndex(home / "state") as index:
                indexed, _ = _timed(index.refresh)
            yield {
                "what": "session",
                "turns": done,
                "journal KB": round(journal / 1000, 1),
                "Enter → last hunk, p50 ms": round(percentile(warm, 50), 1),
                "open again, ms": round(1000 * opened, 1),
                "index, ms": round(1000 * indexed, 1),
            }


def _timed(action: Callable[[], Any]) -> tuple[float, Any]:
    """Processor seconds of this process, and the result."""
    begun = time.process_time()
    found = action()
    return time.process_time() - begun, found
