"""What a turn with a connected model must survive: a stream that stalls or drops, many turns before it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from spark_tui.bench.measuring.reporting import Bar, Report
from spark_tui.bench.sessions import long_session
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
from spark_tui.session.session import Session
from spark_tui.session.session_opener import open_backend

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
    report.bars.append(Bar("a broken stream ends by itself, s", round(longest, 2), ENDS_SECONDS, "lower"))
    report.bars.append(Bar("broken streams that keep what came", kept, len(_BROKEN)))
    if quick:
        report.notes.append(f"--quick: a stall ends after {limit} s (model.stall_seconds), not the default.")


def _broken(root: Path, state: Path, parts: list[Part], limit: int) -> tuple[float, int]:
    """Seconds to the end of the turn, and its whole hunks."""
    with scripted_server(ScriptedServer(lambda _: parts)) as server:
        settings = Settings(
            connect=server.url, model="scripted", api="chat", pace="off", exact=False, stall_seconds=limit
        )
        session = Session(root, open_backend(settings), settings, state)
        try:
            begun = time.monotonic()
            for _ in session.turn("change a.py", stop=threading.Event()):
                pass
            return time.monotonic() - begun, len(session.decisions.offered())
        finally:
            session.close()


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
        words = [
            sys.executable,
            "-m",
            "spark_tui.bench.sessions.long_session",
            server.url,
            str(root),
            str(turns),
        ]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode or turn != turns - 1:
        raise NoBackend(f"the long session ended after turn {turn}: {done.stderr[-500:]}")
    memory = json.loads(done.stdout.splitlines()[-1])
    largest = max(server.prompt_tokens)
    row = {"step": "long session", "steps": turns, "largest prompt, tokens": largest, "window": WINDOW}
    report.rows.append({**row, "MB now": round(memory["now"]), "MB at most": round(memory["peak"])})
    report.bars.append(Bar(f"{turns} turns: largest prompt, tokens", largest, WINDOW, "lower"))
    report.bars.append(Bar(f"{turns} turns: memory at most, MB", round(memory["peak"]), MEGABYTES, "lower"))


def _steps_since_asked(messages: list[dict[str, Any]]) -> int:
    last = max(at for at, one in enumerate(messages) if one["role"] == "user")
    return sum(message["role"] == "tool" for message in messages[last:])
