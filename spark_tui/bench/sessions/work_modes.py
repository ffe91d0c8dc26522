"""The real-time mode and the thorough mode on the same tasks, with one scripted model of a given speed.

Real-time is a turn: the file is shown, the model answers with an edit, and the time is that from Enter to
the last hunk. Thorough is a job: its worktree, the check before and after, and a model that searches, reads,
edits and looks at what it did before it ends. The model does not think in either, and writes at the same
speed.
"""

from __future__ import annotations

import statistics
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from spark_tui import events
from spark_tui.bars import Bar
from spark_tui.bench.measuring.processes import variable
from spark_tui.bench.measuring.reporting import Report
from spark_tui.bench.sessions.scripted_server import Part, ScriptedCall, ScriptedServer, scripted_server
from spark_tui.config import paths
from spark_tui.config.settings import Settings
from spark_tui.errors import NoBackend
from spark_tui.jobs import job as jobs
from spark_tui.jobs.job import Job, JobTask
from spark_tui.jobs.launcher import start_job
from spark_tui.session.session import Session
from spark_tui.session.session_opener import open_backend
from spark_tui.workspace.repository import create_repository

TASKS, QUICK_TASKS = 7, 3
TOKENS_PER_SECOND = 1_000.0
RATIO = 15.0
_FILE, _CHECK = "prices.py", f"{sys.executable} -m unittest -q"
_LOOK_SECONDS = 0.01
_TEST = """\
import unittest

import prices


class Prices(unittest.TestCase):
    def test_discounts(self):
        self.assertEqual(prices.discount_0(10), 10)
"""


def measure(report: Report, home: Path, tasks: int) -> None:
    """Add both modes and their ratio to the report."""
    root = home / "shop"
    root.mkdir()
    bodies = (f"def discount_{n}(price):\n    return price - {n}\n" for n in range(tasks))
    (root / _FILE).write_text("\n\n".join(bodies))
    (root / "test_prices.py").write_text(_TEST)
    (root / ".gitignore").write_text("__pycache__/\n")
    create_repository(root, message="Start")
    server = ScriptedServer(_answer, TOKENS_PER_SECOND)
    # Jobs are kept beside the other things of the bench, not with the person's.
    with variable("XDG_STATE_HOME", home / "state"), scripted_server(server):
        turns = [_turn(root, home / "sessions", server, number) for number in range(tasks)]
        told = server.written_tokens
        done = [_job(root, server, number) for number in range(tasks)]
    for name, times, tokens in (
        ("real-time turn", turns, told),
        ("thorough job", done, server.written_tokens - told),
    ):
        report.rows.append(
            {
                "step": name,
                "steps": tasks,
                "median, s": round(statistics.median(times), 3),
                "from": round(min(times), 3),
                "to": round(max(times), 3),
                "tokens each": round(tokens / tasks),
            }
        )
    ratio = round(statistics.median(done) / statistics.median(turns), 1)
    report.bars.append(Bar("real-time ÷ thorough, times faster", ratio, RATIO))
    report.notes.append(
        f"Both modes: the same {tasks} edits by one scripted model at {TOKENS_PER_SECOND:,.0f} tokens/s,"
        " which does not think. A turn is timed to its last hunk; a job has its worktree, the check before"
        " and after, and five answers with a search, a read, an edit and a look at its diagnostics."
    )


def _edit(number: int) -> tuple[str, str]:
    name, line = f"def discount_{number}(price):\n", f"    return price - {number}\n"
    guard = '    if price < 0:\n        raise ValueError(f"the price is negative: {price}")\n'
    return name + line, name + guard + line


def _answer(body: dict[str, Any]) -> list[Part]:
    """The next answer: of a turn the edit as text, of a job its steps one after the other."""
    asked = next(item["content"] for item in reversed(body["messages"]) if item["role"] == "user")
    number = int(asked.rpartition("discount_")[2].split()[0])
    old, new = _edit(number)
    if not body.get("tools"):
        return [f"{_FILE}\n```\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```\n"]
    steps: list[list[Part]] = [
        [ScriptedCall("search", {"pattern": f"discount_{number}"})],
        [ScriptedCall("read_file", {"path": _FILE})],
        [ScriptedCall("edit", {"path": _FILE, "old": old, "new": new})],
        [ScriptedCall("diagnostics", {"paths": [_FILE]})],
        ["A negative price is refused now.\n"],
    ]
    return steps[min(sum(item["role"] == "tool" for item in body["messages"]), len(steps) - 1)]


def _ask(number: int) -> str:
    return f"raise ValueError for a negative price in discount_{number}"


def _turn(root: Path, state: Path, server: ScriptedServer, number: int) -> float:
    settings = Settings(connect=server.url, model="scripted", api="chat", tools="off", pace="off")
    with closing(Session(root, open_backend(settings), settings, state)) as session:
        begun, ended = time.monotonic(), 0.0
        for event in session.turn(_ask(number), files=[_FILE], stop=threading.Event()):
            if isinstance(event, events.HunkClosed) and event.new_lines:
                ended = time.monotonic()
        if not ended:
            raise NoBackend("the scripted turn made no edit")
        return ended - begun


def _job(root: Path, server: ScriptedServer, number: int) -> float:
    flags = {"model.connect": server.url, "model.name": "scripted", "model.api": "chat"}
    wanted = Job("", "", "", [JobTask(_ask(number), (_FILE,))], check=_CHECK, flags=flags)
    begun = time.monotonic()
    folder = start_job(root, wanted)
    while jobs.is_claimed(folder):
        time.sleep(_LOOK_SECONDS)
    took = time.monotonic() - begun
    job = jobs.read(folder)
    if job.done != 1:
        raise NoBackend(f"the scripted job made no edit: {job.note or job.tasks[0].note}")
    assert folder.is_relative_to(paths.state_dir())
    return took
