"""Turns in the journals: found, exported as recordings, Markdown and JSON."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from spark_tui import events
from spark_tui.backends.recording import FORMATS, Recording, TimedText
from spark_tui.errors import MalformedInput, NothingToDo
from spark_tui.events import Event
from spark_tui.session.storage import journal
from spark_tui.session.storage.journal import JournalEntry

_ENDED = {
    "": "killed",
    "stop": "done",
    "cannot": "declined",
    "choices": "several edits offered",
    "interrupted": "stopped",
    **dict.fromkeys(events.CUT_OFF, "cut off"),
    "no_edit": "no edit",
}
"""How a turn ended, in words; *failed* stays."""


@dataclass(frozen=True, slots=True)
class JournaledTurn:
    """One turn as the journal has it, from its `TurnStarted` on."""

    started: events.TurnStarted
    entries: tuple[JournalEntry, ...]

    @property
    def turn_id(self) -> str:
        return self.started.turn_id

    @property
    def all_events(self) -> tuple[Event, ...]:
        return tuple(entry.event for entry in self.entries)

    @property
    def reason(self) -> str:
        """How its last leg ended; empty where the process was killed before it could end."""
        reason = ""
        for event in self.all_events:
            if isinstance(event, events.Finished):
                reason = event.reason
            elif isinstance(event, events.Failed):
                reason = "failed"
            elif isinstance(
                event, (events.TurnStarted, events.Steered, events.PrefillProgress, events.Token)
            ):
                reason = ""
        return reason


def turns_of(folder: Path) -> list[JournaledTurn]:
    """The turns of one session, oldest first."""
    turns: list[tuple[events.TurnStarted, list[JournalEntry]]] = []
    for entry in journal.read(folder / "journal.jsonl"):
        if isinstance(entry.event, events.TurnStarted):
            turns.append((entry.event, []))
        if turns:
            turns[-1][1].append(entry)
    return [JournaledTurn(started, tuple(entries)) for started, entries in turns]


def journaled_turns(state: Path) -> Iterator[JournaledTurn]:
    """Turns of all sessions, the newest first; one that a fork copied comes once."""
    seen: set[str] = set()
    for path in journal.journals(state):
        with contextlib.suppress(MalformedInput):  # a damaged session hides no other
            for turn in reversed(turns_of(path.parent)):
                if turn.turn_id not in seen:
                    seen.add(turn.turn_id)
                    yield turn


def recordable_turns(state: Path) -> Iterator[JournaledTurn]:
    """Those with an answer in an edit format, the newest first: not a turn that delivered a job's hunks."""
    for turn in journaled_turns(state):
        answered = any(isinstance(entry.event, events.Token) for entry in turn.entries)
        if answered and turn.started.format in FORMATS:
            yield turn


def find_turn(state: Path, turn_id: str = "") -> JournaledTurn:
    """The named turn, or the newest one that can be recorded."""
    if not turn_id:
        if (newest := next(recordable_turns(state), None)) is not None:
            return newest
        raise NothingToDo(
            "no turn of this repository has an answer to record", hint='Start one: spark exec "…"'
        )
    known: list[str] = []
    for turn in journaled_turns(state):
        if turn.turn_id == turn_id:
            return turn
        known.append(turn.turn_id)
    near = ", ".join(known[:5]) or "none"
    raise MalformedInput(f"no turn {turn_id!r} in this repository", hint=f"The newest are: {near}.")


def as_recording(turn: JournaledTurn, *, name: str) -> Recording:
    """The text of a turn as it arrived, timed from its start, up to its first steer: what follows answers
    another question. Pauses between a stop and a resume are left out."""
    begin = turn.entries[0].at
    pieces: list[TimedText] = []
    steer, last = "", begin
    for entry in turn.entries:
        if isinstance(entry.event, events.Steered):
            steer = entry.event.message
            break
        if isinstance(entry.event, (events.Finished, events.Failed)):
            last = -1.0
        elif isinstance(entry.event, events.Token):
            if last < 0:
                begin += max(0.0, entry.at - begin - (pieces[-1].t if pieces else 0.0))
            last = entry.at
            pieces.append(TimedText(max(pieces[-1].t if pieces else 0.0, entry.at - begin), entry.event.text))
    if turn.started.format not in FORMATS:
        raise MalformedInput("this turn has hunks, but no answer that could be recorded", where=turn.turn_id)
    paths = [entry.event.path for entry in turn.entries if isinstance(entry.event, events.HunkOpened)]
    note = f"recorded from {turn.started.backend}"
    return Recording(
        name=name,
        instruction=turn.started.prompt,
        format=turn.started.format,
        pieces=tuple(pieces),
        path=paths[0] if paths else "",
        note=f"{note}, up to where it was steered: {steer}" if steer else note,
    )


def as_json(session_id: str, turns: Sequence[JournaledTurn]) -> dict[str, Any]:
    """Every journaled event of a session, with its time."""
    return {
        "spark_session": 1,
        "id": session_id,
        "turns": [
            {
                "id": turn.turn_id,
                "events": [{"at": entry.at, **events.to_dict(entry.event)} for entry in turn.entries],
            }
            for turn in turns
        ],
    }


def as_markdown(title: str, turns: Sequence[JournaledTurn]) -> str:
    """A session for people: prompts, answers, and the hunks with their outcomes."""
    out = [f"# {title}", ""]
    for turn in turns:
        at = datetime.fromtimestamp(turn.entries[0].at, UTC).strftime("%Y-%m-%d %H:%M UTC")
        out += [
            f"## {_one_line(turn.started.prompt)}",
            "",
            f"{at}, {turn.started.backend}, {_ENDED.get(turn.reason, turn.reason)}",
            "",
        ]
        out += _turn_markdown(turn)
    return "\n".join(out).rstrip("\n") + "\n"


def _turn_markdown(turn: JournaledTurn) -> list[str]:
    out: list[str] = []
    prose = ""
    outcome: dict[int, str] = {}
    for entry in turn.entries:
        if isinstance(entry.event, events.Decided):
            outcome[entry.event.hunk_id] = entry.event.decision
        elif isinstance(entry.event, events.Applied):
            outcome |= dict.fromkeys(entry.event.hunks, "written")
        elif isinstance(entry.event, events.Undone):
            outcome |= dict.fromkeys(entry.event.hunks, "written" if entry.event.redo else "undone")
    shown = {e.event.hunk_id: e.event for e in turn.entries if isinstance(e.event, events.HunkClosed)}
    for entry in turn.entries:
        event = entry.event
        if isinstance(event, events.Prose):
            prose += event.text
            continue
        if prose.strip() and not isinstance(event, (events.Token, events.PrefillProgress)):
            out += [prose.strip(), ""]
            prose = ""
        if isinstance(event, events.Steered):
            out += [f"**↪ {_one_line(event.message)}**", ""]
        elif isinstance(event, events.Choices):
            out += [*(f"{number}. {title}" for number, title in enumerate(event.titles, 1)), ""]
        elif isinstance(event, events.Chosen):
            out += [f"Choice {event.number}", ""]
        elif isinstance(event, events.HunkFailed):
            what = "Failed" if event.code else "Left"
            out += [f"{what} at `{event.path}:{event.line}`: {event.message}", ""]
        elif isinstance(event, events.HunkClosed) and shown.get(event.hunk_id) is event:
            out += _hunk(event, outcome.get(event.hunk_id, "partial" if event.partial else "undecided"))
        elif isinstance(event, events.Failed):
            out += [f"Failed: {event.what}", ""]
    return [*out, prose.strip(), ""] if prose.strip() else out


def _hunk(hunk: events.HunkClosed, outcome: str) -> list[str]:
    if not hunk.old_lines and not hunk.new_lines and hunk.kind == "edit":
        return []
    lines = [f"-{line}" for line in hunk.old_lines] + [f"+{line}" for line in hunk.new_lines]
    fence = "```"
    while any(fence in line for line in lines):
        fence += "`"
    where = (
        f"{hunk.path}:{hunk.old_start}" if hunk.kind == "edit" else f"{hunk.kind} {hunk.path} {hunk.new_path}"
    )
    return [f"`{where.strip()}`, {outcome}", "", f"{fence}diff", *lines, fence, ""]


def _one_line(text: str) -> str:
    return " ".join(text.split())
