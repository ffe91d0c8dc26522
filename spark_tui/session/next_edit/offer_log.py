"""Which next edits were shown, taken, dismissed and undone in a repository. It stays on the machine."""

from __future__ import annotations

import contextlib
import json
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Literal

OfferEvent = Literal["shown", "taken", "dismissed", "undone"]
EVENTS: tuple[OfferEvent, ...] = ("shown", "taken", "dismissed", "undone")
_FILE = "next-edits.jsonl"
_REMEMBERED_SECONDS = 14 * 24 * 3600


class OfferLog:
    """One line for each event, in the state folder of the repository. A log that cannot be written is
    skipped."""

    def __init__(self, state: Path, clock: Callable[[], float] = time.time) -> None:
        self._file = state / _FILE
        self._clock = clock

    def add(self, event: OfferEvent, words: str) -> None:
        line = json.dumps({"event": event, "words": words, "time": round(self._clock(), 3)})
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("a", encoding="utf-8") as out:
                out.write(line + "\n")

    def counts(self) -> dict[str, int]:
        """How often each event happened."""
        found = Counter(event for event, _, _ in self._entries())
        return {event: found[event] for event in EVENTS}

    def dismissed(self) -> frozenset[str]:
        """What the person did not want in the last two weeks, by its words, and did not take since."""
        oldest = self._clock() - _REMEMBERED_SECONDS
        out: set[str] = set()
        for event, words, when in self._entries():
            if event == "dismissed" and when >= oldest:
                out.add(words)
            elif event == "taken":
                out.discard(words)
        return frozenset(out)

    def _entries(self) -> list[tuple[str, str, float]]:
        out = []
        with contextlib.suppress(OSError):
            for line in self._file.read_text("utf-8").splitlines():
                with contextlib.suppress(ValueError, TypeError, KeyError):
                    entry = json.loads(line)
                    out.append((str(entry["event"]), str(entry["words"]), float(entry["time"])))
        return out
