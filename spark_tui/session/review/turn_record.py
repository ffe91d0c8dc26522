"""The turns of a session in this process, and the turn of each hunk."""

from __future__ import annotations

import contextlib
import json
import sys
import threading
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from spark_tui.backends.base import Backend
from spark_tui.context.shown_context import ContextRequest
from spark_tui.edits.edit_failures import EditFailures
from spark_tui.errors import UsageError
from spark_tui.session.storage.index_rows import EXACT_BACKEND, JOB_BACKEND
from spark_tui.session.turn import Turn
from spark_tui.workspace.files import Tree


@dataclass(slots=True)
class TurnRecord:
    """One turn: the files as it read them, and its part of the conversation."""

    turn_id: str
    tree: Tree
    ask: ContextRequest
    turn: Turn
    leg_from: int
    """The first hunk of its last leg."""
    answer: str = ""
    """The text of its last leg: after a steer the model writes the whole edit again."""
    messages: list[tuple[int, str]] = field(default_factory=list)
    """The messages spliced into it, each with the first hunk that came after it."""
    failures: EditFailures = field(default_factory=EditFailures)
    """The edits of its last leg that did not fit."""
    choices: tuple[str, ...] = ()
    """The titles of the edits that it offered."""
    retried: bool = False
    """Another turn took its place."""
    written_by: str = ""
    """The name of the backend, where another process ran the turn."""
    kept: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Its hunks that earlier instructions made, by their ids: the instructions of each."""
    asked: tuple[str, ...] = ()
    """The instructions that made its other hunks, where it amends an edit."""

    @property
    def instruction(self) -> str:
        return self.ask.instruction

    @property
    def author(self) -> str:
        """The name of the backend that wrote it."""
        return self.written_by or self.turn.backend.name

    @property
    def failed_at_once(self) -> bool:
        """Whether it failed before any output."""
        return self.turn.reason == "failed" and not (self.turn.emitted or self.turn.uses_tools)

    def is_by(self, backend: Backend) -> bool:
        """Whether this backend can continue it: one model's tokens mean nothing to another."""
        if self.author == EXACT_BACKEND or self.turn.backend is not backend:
            return False
        # Which model a server has is unknown until it was asked something.
        known = self.written_by and getattr(backend, "model", "?")
        return not known or same_model(self.written_by, backend.name)

    def check_author(self, backend: Backend) -> None:
        """Raises UsageError where another model wrote it."""
        if self.author == EXACT_BACKEND:
            hint = "Send what to change as a new instruction."
            raise UsageError("an exact edit cannot be continued", hint=hint)
        if not self.is_by(backend):
            raise UsageError(
                f"the turn was written by {self.author}, but {backend.name} is in use",
                hint="Switch back to that model, or send the instruction again.",
            )

    def remember_asked(self, folder: Path) -> None:
        """Look up in the session's folder what made the hunks, where another process ran the turn."""
        if self.written_by != EXACT_BACKEND or self.asked:
            return
        with contextlib.suppress(OSError, ValueError, LookupError, TypeError):
            row = json.loads((folder / "edits" / f"{self.turn_id}.json").read_bytes())["edits"][0]
            self.asked = tuple(row["asked"])
            self.kept = {self.leg_from + item["hunk"]["id"] - 1: tuple(item["asked"]) for item in row["kept"]}

    def asked_for(self, hunk_ids: Collection[int]) -> list[str]:
        """The instructions and messages that led to one of these hunks."""
        ends = [first for first, _ in self.messages[1:]] + [sys.maxsize]
        spans = zip(self.messages, ends, strict=False)
        own = self.asked or (self.instruction,)
        asked = [text for known in hunk_ids for text in self.kept.get(known, own)]
        if self.author == EXACT_BACKEND:
            asked = [text.removeprefix("/") for text in asked]
        elif self.author == JOB_BACKEND:
            asked = [line for text in asked for line in text.splitlines()]
        return [
            *dict.fromkeys(asked),
            *(text for (first, text), end in spans if any(first <= known < end for known in hunk_ids)),
        ]


class TurnRecords:
    """The turns of a session, oldest first. `lock` guards them and the decisions about their hunks; it may be
    taken again by the thread that holds it."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.last_hunk_id = 0
        self._records: list[TurnRecord] = []
        self._of_hunk: dict[int, TurnRecord] = {}
        self._hunks: dict[int, dict[int, None]] = {}
        """By the identity of a record: the ids of its hunks, in the order of their coming."""

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[TurnRecord]:
        return iter(self._records)

    @property
    def last(self) -> TurnRecord | None:
        return self._records[-1] if self._records else None

    def require_last(self, act: str) -> TurnRecord:
        """The last turn. Raises UsageError if there is none to `act` on."""
        if not self._records:
            raise UsageError(f"nothing to {act}", hint="Send an instruction first.")
        return self._records[-1]

    def add(self, record: TurnRecord) -> None:
        with self.lock:
            self._records.append(record)

    def count_hunk(self, hunk_id: int) -> None:
        """The numbers of later hunks are above this one."""
        self.last_hunk_id = max(self.last_hunk_id, hunk_id)

    def assign(self, hunk_id: int, record: TurnRecord) -> None:
        """The turn that a hunk of the model came from."""
        if (before := self._of_hunk.get(hunk_id)) is not None:
            del self._hunks[id(before)][hunk_id]
        self._of_hunk[hunk_id] = record
        self._hunks.setdefault(id(record), {})[hunk_id] = None

    def of_hunk(self, source_id: int) -> TurnRecord | None:
        """The turn of a hunk as the model gave it; parts of a split hunk are looked up by their source."""
        return self._of_hunk.get(source_id)

    def hunk_ids(self, record: TurnRecord) -> list[int]:
        """The hunks that the model gave in a turn."""
        return list(self._hunks.get(id(record), ()))


def same_model(other: str, name: str) -> bool:
    """Whether two backend names mean the same model, whatever serves it and at whatever pace. A recording
    matches any other recording."""
    other, name = (text.partition(" at ")[0] for text in (other, name))
    if other.startswith("replay") and name.startswith("replay"):
        return True
    return other.rpartition("/")[2] == name.rpartition("/")[2]
