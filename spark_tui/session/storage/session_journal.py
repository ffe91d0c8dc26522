"""Everything a session stores about itself: its events, and what another process needs to continue it."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from spark_tui import events
from spark_tui.backends.base import Request
from spark_tui.context.shown_context import ContextRequest
from spark_tui.errors import SparkError
from spark_tui.events import Event
from spark_tui.session.storage.archive import JournaledTurn, turns_of
from spark_tui.session.storage.journal import Journal
from spark_tui.session.storage.turn_storage import (
    TYPING,
    Leg,
    StoredTurn,
    TurnStorage,
    read_typed_hunk,
    read_typing,
    stored_turns,
    write_typing,
)
from spark_tui.workspace.files import Tree

OPEN = ".open"
"""A file that is there while the session is open, and stays where its process was killed."""
_FROM_PARSER = (
    events.Prose,
    events.Reasoning,
    events.HunkOpened,
    events.HunkText,
    events.HunkClosed,
    events.HunkFailed,
    events.ToolCalled,
)


def may_be_killed(own: Path) -> bool:
    """Whether a session beside this one is not closed, or this one was killed while something was typed."""
    others = (path for path in own.parent.glob(f"[!.]*/{OPEN}") if path.parent != own)
    return any(others) or (own / TYPING).exists()


@dataclass(frozen=True, slots=True)
class PastTurn:
    """One turn of a stored session."""

    journaled: JournaledTurn
    stored: StoredTurn

    @property
    def tokens(self) -> list[events.Token]:
        return [event for event in self.journaled.all_events if isinstance(event, events.Token)]

    @property
    def parsed_after_last_token(self) -> int:
        """How many of the events that the last token leads to are in the journal."""
        count = 0
        for event in reversed(self.journaled.all_events):
            if isinstance(event, events.Token):
                break
            count += isinstance(event, _FROM_PARSER)
        return count

    @property
    def leg(self) -> Leg | None:
        """The last leg that counts: one that begins with a steer that was never journaled does not. Of two
        at the same place the later one was asked."""
        steers = sum(isinstance(event, events.Steered) for event in self.journaled.all_events)
        tokens = len(self.tokens)
        counting = [leg for leg in self.stored.legs if leg.steers <= steers and leg.tokens <= tokens]
        return counting[-1] if counting else None


class SessionJournal:
    """The journal of one session and the files next to it, all in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.events = Journal(folder / "journal.jsonl")
        self.turns = TurnStorage(folder)
        """What is stored of each turn besides its events."""
        self.clock: Callable[[], float] = time.time
        self._replaying = False
        with contextlib.suppress(OSError):
            (folder / OPEN).touch(0o600)

    def record(self, event: Event) -> None:
        """Append an event. Returns once the operating system has it; nothing is appended during a replay."""
        if not self._replaying:
            self.events.append(event, self.clock())

    def keep_file(self, turn_id: str, tree: Tree, path: str) -> None:
        """Store a file as the turn read it. A file that may not be read has nothing to store."""
        if self._replaying:
            return
        try:
            file = tree.file(path)
        except SparkError:
            return
        self.turns.add_file(turn_id, path, file)

    @contextlib.contextmanager
    def replaying(self) -> Iterator[None]:
        """Inside, events are read from the journal, and none is appended."""
        self._replaying = True
        try:
            yield
        finally:
            self._replaying = False

    def past_turns(self) -> list[PastTurn]:
        """The turns so far, oldest first. Raises MalformedInput where the journal is damaged."""
        stored = stored_turns(self.folder)
        return [
            PastTurn(turn, stored.get(turn.turn_id) or _only_journaled(turn))
            for turn in turns_of(self.folder)
        ]

    def take_typed_hunk(self) -> int:
        """Where spark was killed while the person typed into a hunk, that is an edit of it. The hunk's id."""
        if (typed := read_typed_hunk(self.folder)) is None:
            return 0
        self.record(typed)
        write_typing(self.folder, read_typing(self.folder))
        return typed.hunk_id

    def last_turn(self) -> list[Event]:
        return list(turns_of(self.folder)[-1].all_events)

    def leave(self) -> None:
        """Close the files, and leave all as a killed process does."""
        self.events.close()
        self.turns.close()

    def close(self) -> None:
        """Close the files; the folder of a session in which nothing happened is removed. What was typed and
        not saved is kept elsewhere by now, or given up."""
        for name in (TYPING, OPEN):
            (self.folder / name).unlink(missing_ok=True)
        self.leave()
        if self._is_empty():
            shutil.rmtree(self.folder, ignore_errors=True)

    def _is_empty(self) -> bool:
        """Nothing was asked, typed, named or left to deliver, so there is nothing to list or continue."""
        if not self.events.path.is_file():
            return False
        own = ("journal.jsonl", "turns.jsonl", "files")
        others = [path for path in self.folder.iterdir() if path.name not in own]
        return not others and self.events.path.stat().st_size == 0


def _only_journaled(turn: JournaledTurn) -> StoredTurn:
    prompt = turn.started.prompt
    return StoredTurn((Request(prompt),), ContextRequest(prompt))
