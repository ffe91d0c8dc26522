"""Models that wait at a place in their text, so that a test has all the time it needs while they write."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from spark_tui.backends.base import Backend, Request
from spark_tui.config import paths
from spark_tui.events import Event, Token

_FOR_EVER = 3600.0
_PIECES_A_SECOND = 200.0


def held(folder: Path, name: str, behind: str, *, rate: float = 0.0) -> Path:
    """Copy the recordings; once its text ends with `behind`, `name` waits for ever, or goes on at this
    rate."""
    shutil.copytree(paths.recordings_dir(), folder, ignore=shutil.ignore_patterns("answers", "*.py", "*.md"))
    played = folder / f"{name}.jsonl"
    header, *pieces = played.read_text(encoding="utf-8").splitlines()
    out, text, due, come = [header], "", 0.0, False
    for line in pieces:
        piece = json.loads(line)["text"]
        out.append(json.dumps({"t": round(due, 4), "text": piece}))
        text += piece
        due += 1 / (rate if come and rate else _PIECES_A_SECOND)
        if not come and text.endswith(behind):
            come = True
            due += 0 if rate else _FOR_EVER
    assert come, f"no piece of {name} ends with {behind!r}"
    played.write_text("\n".join(out) + "\n", encoding="utf-8")
    return folder


class Served(NamedTuple):
    """A model far away, and what lets it go on."""

    url: str
    gate: threading.Event


Far = Callable[[str], Served]


class Gated:
    """The backend that it wraps, which waits after a text until the gate is open."""

    def __init__(self, inner: Backend, behind: str) -> None:
        self._inner, self._behind = inner, behind
        self.gate = threading.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def stream(self, request: Request, stop: threading.Event) -> Iterator[Event]:
        text = ""
        for event in self._inner.stream(request, stop):
            yield event
            text += event.text if isinstance(event, Token) else ""
            while self._behind in text and not self.gate.wait(0.005):
                if stop.is_set():
                    return
