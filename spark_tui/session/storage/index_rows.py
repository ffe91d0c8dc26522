"""The rows of one session in the index, from its journal.

A hunk that was split is counted as its parts: each is decided, written and undone on its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from spark_tui import events
from spark_tui.edits.hunk import Hunk, edited
from spark_tui.edits.hunk_split import split
from spark_tui.edits.review import FIRST_OWN_ID
from spark_tui.session.storage.journal import JournalEntry

Row = tuple[object, ...]
JOB_BACKEND = "job"
"""The backend name of a turn that only delivers the hunks of a job."""
EXACT_BACKEND = "exact edit"
"""The backend name of a turn that a program made, without a model."""
CUT_OFF = "killed"
"""The reason of a turn that has no end."""


@dataclass(slots=True)
class _Turn:
    id: str
    prompt: str
    backend: str
    format: str
    at: float
    answer_texts: list[str] = field(default_factory=list)
    reason: str = CUT_OFF
    tokens: int = 0


@dataclass(slots=True)
class _IndexedHunk:
    """A hunk and its state. `original` is the hunk as the model gave it."""

    turn: int
    hunk: Hunk
    original: Hunk
    state: str


class IndexRows:
    """Builds the rows of each table."""

    def __init__(self, session_id: str, entries: Iterable[JournalEntry]) -> None:
        self._session = session_id
        self._turns: list[_Turn] = []
        self._hunks: dict[int, _IndexedHunk] = {}
        self._own_ids = count(FIRST_OWN_ID)
        self._own = True
        """Whether the turn was asked here, and not in the session that this one was forked from."""
        self.decisions: list[Row] = []
        self.metrics: list[Row] = []
        self.writes: list[Row] = []
        self.choices: list[Row] = []
        for entry in entries:
            self._add(entry.event, entry.at)

    @property
    def turns(self) -> list[Row]:
        rows: list[Row] = []
        for number, t in enumerate(self._turns, start=1):
            asked, model = (t.id, t.prompt, "".join(t.answer_texts)), (t.backend, t.format)
            rows.append((self._session, number, *asked, *model, t.at, t.reason, t.tokens))
        return rows

    @property
    def hunks(self) -> list[Row]:
        rows: list[Row] = []
        for hunk_id, known in self._hunks.items():
            hunk = known.hunk
            size = len(hunk.old_lines), len(hunk.new_lines)
            rows.append((self._session, hunk_id, known.turn, hunk.path, hunk.old_start, *size, known.state))
        return rows

    def _add(self, event: events.Event, at: float) -> None:
        if isinstance(event, events.TurnStarted):
            self._turns.append(_Turn(event.turn_id, event.prompt, event.backend, event.format, at))
            self._own = event.turn_id.startswith(self._session)
        elif isinstance(event, events.HunkClosed):
            hunk = Hunk.of(event)
            if not hunk.changes_nothing:
                state = "partial" if event.partial else "open"
                self._hunks[event.hunk_id] = _IndexedHunk(len(self._turns), hunk, hunk, state)
        elif isinstance(event, events.Decided):
            self._decided(event, at)
        elif isinstance(event, events.Applied):
            self._set_state(event.hunks, at, "applied")
            self._wrote(event.timing, at)
        elif isinstance(event, events.Undone):
            self._set_state(event.hunks, at, "applied" if event.redo else "undone")
            self._wrote(event.timing, at)
        elif self._turns:
            self._in_turn(event, at)

    def _in_turn(self, event: events.Event, at: float) -> None:
        turn = self._turns[-1]
        if isinstance(event, events.Token):
            turn.answer_texts.append(event.text)
            turn.tokens += 1
        elif isinstance(event, events.Steered):
            turn.answer_texts.append(f"\n{event.message}\n")
        elif isinstance(event, events.Chosen):
            if self._own:
                self.choices.append((self._session, at, event.number, event.choices))
        elif isinstance(event, events.Failed):
            turn.reason = "failed"
        elif isinstance(event, events.Finished):
            turn.reason = event.reason
            # A turn that hands over a job, or that a program made, was not generated: its times mean nothing.
            generated = turn.backend not in (JOB_BACKEND, EXACT_BACKEND)
            if self._own and (generated or event.usage.prompt_tokens):
                self._measure(event, at)

    def _decided(self, event: events.Decided, at: float) -> None:
        known = self._hunks.get(event.hunk_id)
        if event.decision == "split":
            if known is not None:
                self._split(event.hunk_id, known)
            return
        if known is not None and event.decision == "edited":
            lines = tuple(event.text.removesuffix("\n").split("\n")) if event.text else ()
            known.hunk = edited(known.hunk, lines)
        elif known is not None and event.decision == "kept":
            known.hunk = replace(known.hunk, partial=False)
        elif known is not None and event.decision == "open":
            known.hunk = known.original
        self._set_state((event.hunk_id,), at, event.decision)

    def _split(self, hunk_id: int, known: _IndexedHunk) -> None:
        """Numbered as a review numbers them."""
        parts = split(known.hunk, lambda: next(self._own_ids))
        if len(parts) > 1:
            del self._hunks[hunk_id]
            self._hunks.update({part.id: _IndexedHunk(known.turn, part, part, "open") for part in parts})

    def _set_state(self, hunk_ids: Sequence[int], at: float, state: str) -> None:
        for hunk_id in hunk_ids:
            if self._own:
                self.decisions.append((self._session, at, hunk_id, state))
            if hunk_id in self._hunks:
                known = self._hunks[hunk_id]
                known.state = {"kept": "open", "open": "partial" if known.hunk.partial else "open"}.get(
                    state, state
                )

    def _measure(self, event: events.Finished, at: float) -> None:
        usage, timing = event.usage, event.timing
        counts = usage.prompt_tokens, usage.reused_tokens, usage.output_tokens, usage.accepted_tokens
        ended = timing.first_token, timing.generation, event.reason
        waits = timing.queue, timing.network, timing.prefill
        later = usage.reasoning_tokens, usage.cost, usage.file_tokens
        self.metrics.append((self._session, len(self._turns), at, *counts, *ended, *waits, *later))

    def _wrote(self, timing: events.Timing, at: float) -> None:
        if self._own and timing.apply:
            self.writes.append((self._session, at, timing.apply))
