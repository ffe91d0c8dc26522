"""`spark bench tools`: what a tool step costs beyond the tool, how soon a stop is honoured in one, how broken
streams end, what a long session takes, and real-time turns against thorough jobs.

A scripted model calls tools through the whole session: parser, overlay, journal and all.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

from spark_tui import events
from spark_tui.backends.base import Request, WithoutModel
from spark_tui.bars import Bar, at_most
from spark_tui.bench.measuring.processes import said_by
from spark_tui.bench.measuring.reporting import Report, percentile
from spark_tui.bench.measuring.timed_stop import TimedStop
from spark_tui.bench.sessions import long_session, work_modes
from spark_tui.bench.sessions.scripted_server import (
    Drop,
    Part,
    ScriptedCall,
    ScriptedServer,
    Stall,
    scripted_server,
)
from spark_tui.config.settings import Settings
from spark_tui.errors import NoBackend
from spark_tui.events import Event
from spark_tui.session.session import Session
from spark_tui.session.session_opener import open_backend

STEP_MS, STOP_P99_MS = 5.0, 50.0
STEPS, QUICK_STEPS = 200, 60
STOPS, QUICK_STOPS = 200, 60
_PIECE_SECONDS = 0.001
_FILES, _LINES = 40, 200


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """None of its own."""
    del parser


Call = tuple[str, dict[str, object]]
"""The name of a tool and its arguments."""


class _Caller(WithoutModel):
    """A model that makes one call an answer, its arguments piece by piece."""

    name = "scripted"
    window = 100_000
    takes_tools = True

    def __init__(self, calls: list[Call], pause: float = 0.0) -> None:
        self.calls = calls
        self.pause = pause

    def format_for(self, request: Request) -> str:
        del request
        return "search_replace"

    def stream(self, request: Request, stop: threading.Event) -> Iterator[Event]:
        step = len(request.steps)
        if step >= len(self.calls):
            yield events.Token(1, "Done.")
            return
        name, given = self.calls[step]
        text = json.dumps(given)
        yield events.ToolCallStarted(f"call-{step}", name)
        for at in range(0, len(text), 8):
            if stop.wait(self.pause) if self.pause else stop.is_set():
                return
            yield events.ToolArguments(f"call-{step}", text[at : at + 8])
        yield events.ToolCallEnded(f"call-{step}")


def measure(args: argparse.Namespace) -> Report:
    report = Report("tools")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        root = home / "repository"
        root.mkdir()
        for number in range(_FILES):
            lines = (f"value_{number}_{line} = {line}\n" for line in range(_LINES))
            (root / f"m{number}.py").write_text("".join(lines))
        for name, calls in _scripts(QUICK_STEPS if args.quick else STEPS).items():
            costs = _steps(root, home / name, calls)
            row = {
                "step": name,
                "steps": len(costs),
                "ms beyond the tool": round(statistics.median(costs), 3),
            }
            report.rows.append({**row, "p95": round(percentile(costs, 95), 3)})
            typical = round(statistics.median(costs), 3)
            report.bars.append(at_most(f"{name}: a step beyond the tool, ms", typical, STEP_MS))
        for name, call in _stopped_calls().items():
            waits = _stops(root, home / name, call, QUICK_STOPS if args.quick else STOPS)
            p99 = round(percentile(waits, 99), 2)
            row = {"step": name, "steps": len(waits), "stop p50, ms": round(statistics.median(waits), 2)}
            report.rows.append({**row, "p99": p99})
            report.bars.append(at_most(f"{name}: Esc to quiet, p99, ms", p99, STOP_P99_MS))
        broken_streams(report, home, quick=args.quick)
        many_turns(report, home, QUICK_TURNS if args.quick else TURNS)
        work_modes.measure(report, home, work_modes.QUICK_TASKS if args.quick else work_modes.TASKS)
    return report


def _scripts(steps: int) -> dict[str, list[Call]]:
    return {
        "read": [
            ("read_file", {"path": "m0.py", "first": 1 + n % _LINES, "last": n + 9}) for n in range(steps)
        ],
        "edit": [_edit(n % _FILES, n // _FILES) for n in range(steps)],
    }


def _edit(file: int, line: int) -> Call:
    name = f"value_{file}_{line * 3}"
    return "edit", {"path": f"m{file}.py", "old": f"{name} = ", "new": f"{name}: int = "}


def _stopped_calls() -> dict[str, Call]:
    long = "".join(f"line_{n} = {n}\n" for n in range(400))
    return {
        "arguments": ("write_file", {"path": "new.py", "text": long}),
        "command": ("run", {"command": "echo begun; sleep 60 & wait"}),
    }


def _session(root: Path, state: Path, backend: _Caller) -> Session:
    settings = Settings(tool_run="always", tool_steps=0, tool_tokens=0, tool_seconds=0)
    return Session(root, backend, settings, state)


def _steps(root: Path, state: Path, calls: list[Call]) -> list[float]:
    """For each step the milliseconds from the last one's end to its own, without those of the tool."""
    out: list[float] = []
    with closing(_session(root, state, _Caller(calls))) as session:
        last = time.perf_counter()
        for event in session.turn("go", stop=threading.Event()):
            if isinstance(event, events.ToolFinished):
                now = time.perf_counter()
                # The seconds of an edit are those in which its arguments are read: they are no tool's own.
                tool = event.seconds if event.name != "edit" else 0.0
                out.append((now - last - tool) * 1000)
                last = now
    return out[1:]


def _stops(root: Path, state: Path, call: Call, runs: int) -> list[float]:
    """Milliseconds from a stop at a moment drawn at random to the end of the turn."""
    draw, out = random.Random(7), list[float]()
    begins = events.HunkOpened if call[0] != "run" else events.ToolOutput
    with closing(_session(root, state, _Caller([call], _PIECE_SECONDS))) as session:
        for _ in range(runs):
            stop, begun = TimedStop(draw.uniform(0.005, 0.15)), False
            for event in session.turn("go", stop=stop.flag):
                if isinstance(event, begins) and not begun:
                    begun = True
                    stop.start()
            if begun:
                out.append(stop.honoured() * 1000)
    return out


ENDS_SECONDS, MEGABYTES = 45.0, 150.0
TURNS, QUICK_TURNS = 200, 40
WINDOW = 32_768
_QUICK_STALL_SECONDS = 3
_BLOCK = "a.py\n```\n<<<<<<< SEARCH\nA = 1\n=======\nA = 2\n>>>>>>> REPLACE\n```\n"
_CALL = ScriptedCall("edit", {"path": "a.py", "old": "A = 1", "new": "A = 2"})
_BROKEN: dict[str, list[Part]] = {
    "stalled text": [_BLOCK, "And ", Stall],
    "stalled arguments": [_CALL, Stall],
    "dropped text": [_BLOCK, "And ", Drop],
    "dropped arguments": [_CALL, Drop],
}


def broken_streams(report: Report, home: Path, *, quick: bool) -> None:
    """How long a stream that stalls or drops is waited for, and whether the hunk before is kept."""
    root = home / "broken"
    root.mkdir()
    (root / "a.py").write_text("A = 1\n")
    limit = _QUICK_STALL_SECONDS if quick else Settings().stall_seconds
    with ThreadPoolExecutor(len(_BROKEN)) as pool:
        found = pool.map(lambda name: _broken(root, home / name, _BROKEN[name], limit), _BROKEN)
    longest, kept = 0.0, 0
    for name, (seconds, hunks) in zip(_BROKEN, found, strict=True):
        report.rows.append({"step": name, "ends after, s": round(seconds, 2), "hunks kept": hunks})
        longest, kept = max(longest, seconds), kept + (hunks == 1)
    report.bars.append(at_most("a broken stream ends by itself, s", round(longest, 2), ENDS_SECONDS))
    report.bars.append(Bar("broken streams that keep what came", kept, len(_BROKEN)))
    if quick:
        report.notes.append(f"--quick: a stall ends after {limit} s (model.stall_seconds), not the default.")


def _broken(root: Path, state: Path, parts: list[Part], limit: int) -> tuple[float, int]:
    """Seconds to the end of the turn, and its whole hunks."""
    with scripted_server(ScriptedServer(lambda _: parts)) as server:
        settings = Settings(
            connect=server.url, model="scripted", api="chat", pace="off", exact=False, stall_seconds=limit
        )
        with closing(Session(root, open_backend(settings), settings, state)) as session:
            begun = time.monotonic()
            for _ in session.turn("change a.py", stop=threading.Event()):
                pass
            return time.monotonic() - begun, len(session.decisions.offered())


def many_turns(report: Report, home: Path, turns: int) -> None:
    """A session of so many turns with tools: its largest prompt, and its memory."""
    root = home / "long" / "repository"
    root.mkdir(parents=True)
    long_session.fill(root)
    turn = 0

    def answer(body: dict[str, Any]) -> list[Part]:
        nonlocal turn
        asked = [item["content"] for item in body["messages"] if item["role"] == "user"][-1]
        turn = int(asked.rpartition("turn ")[2].partition(":")[0])
        return long_session.answer(turn, _steps_since_asked(body["messages"]))

    with scripted_server(ScriptedServer(answer, window=WINDOW)) as server:
        memory = said_by("spark_tui.bench.sessions.long_session", server.url, str(root), str(turns))
    if turn != turns - 1:
        raise NoBackend(f"the long session ended after turn {turn}")
    largest = max(server.prompt_tokens)
    row = {"step": "long session", "steps": turns, "largest prompt, tokens": largest, "window": WINDOW}
    report.rows.append({**row, "MB now": round(memory["now"]), "MB at most": round(memory["peak"])})
    report.bars.append(at_most(f"{turns} turns: largest prompt, tokens", largest, WINDOW))
    report.bars.append(at_most(f"{turns} turns: memory at most, MB", round(memory["peak"]), MEGABYTES))


def _steps_since_asked(messages: list[dict[str, Any]]) -> int:
    last = max(at for at, one in enumerate(messages) if one["role"] == "user")
    return sum(message["role"] == "tool" for message in messages[last:])
