"""What earlier turns left in the journals: find one, turn it into a recording.

Comes in: the state folder of a repository. Goes out: turns, newest first, and recordings. Must not know: doors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from spark_tui import events
from spark_tui.backends.recording import FORMATS, Piece, Recording
from spark_tui.errors import MalformedInput, NothingToDo
from spark_tui.session import journal
from spark_tui.session.journal import Entry


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """One turn as the journal has it, from its `TurnStarted` on."""

    turn_id: str
    started: events.TurnStarted
    entries: tuple[Entry, ...]


def journals(state: Path) -> list[Path]:
    """Journals of a repository, newest first."""
    found = list((state / "sessions").glob("*/journal.jsonl"))
    return sorted(found, key=lambda path: path.parent.name, reverse=True)


def kept_turns(state: Path) -> Iterator[KeptTurn]:
    """Turns of all sessions, the newest first."""
    for path in journals(state):
        turns: list[tuple[events.TurnStarted, list[Entry]]] = []
        for entry in journal.read(path):
            if isinstance(entry.event, events.TurnStarted):
                turns.append((entry.event, []))
            if turns:
                turns[-1][1].append(entry)
        for started, entries in reversed(turns):
            yield KeptTurn(started.turn_id, started, tuple(entries))


def find_turn(state: Path, turn_id: str = "") -> KeptTurn:
    """The named turn, or the newest one that got an answer."""
    known: list[str] = []
    for turn in kept_turns(state):
        known.append(turn.turn_id)
        if turn.turn_id == turn_id:
            return turn
        if not turn_id and any(isinstance(entry.event, events.Token) for entry in turn.entries):
            return turn
    if turn_id:
        near = ", ".join(known[:5]) or "none"
        raise MalformedInput(f"no turn {turn_id!r} in this repository", hint=f"The newest are: {near}.")
    raise NothingToDo("no turn of this repository has an answer to record", hint='Run one: spark exec "…"')


def as_recording(turn: KeptTurn, *, name: str) -> Recording:
    """The turn's text as it arrived, timed from when it was asked."""
    begin = turn.entries[0].at
    pieces = [
        Piece(max(0.0, entry.at - begin), entry.event.text)
        for entry in turn.entries
        if isinstance(entry.event, events.Token)
    ]
    if turn.started.format not in FORMATS:
        raise MalformedInput(f"turn {turn.turn_id} has no edit format to record", where=turn.turn_id)
    paths = [entry.event.path for entry in turn.entries if isinstance(entry.event, events.HunkOpened)]
    return Recording(
        name=name,
        instruction=turn.started.prompt,
        format=turn.started.format,
        pieces=tuple(pieces),
        path=paths[0] if paths else "",
        note=f"recorded from {turn.started.backend}",
    )
