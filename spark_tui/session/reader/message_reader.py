"""Reads messages on the current files and the last edits, ahead of Enter where that can be."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from threading import Event as StopFlag

from spark_tui.context.shown_context import ContextRequest
from spark_tui.edits.hunk import Hunk
from spark_tui.intent.followups.counted_hunks import counted_hunks
from spark_tui.intent.words.readings import Reads
from spark_tui.problems.describe import read_fix_request
from spark_tui.pysource.garbage_collection import no_collection
from spark_tui.session.exact.exact_turns import EditRefused, ExactTurns
from spark_tui.session.reader.earlier_names import name_of_earlier
from spark_tui.session.reader.hunk_comments import Commented, at_hunk, commented, no_hunk_there, with_number
from spark_tui.session.reader.hunk_places import hunk_places
from spark_tui.session.reader.instruction_reader import InstructionReader
from spark_tui.session.reader.last_edits import LastEdits
from spark_tui.session.reader.read_ahead import Kept, ReadAhead
from spark_tui.session.reader.read_instruction import ReadInstruction, ReadWay
from spark_tui.session.reader.reader_edits import Base, ReaderEdits
from spark_tui.session.review.decisions import Decisions
from spark_tui.session.review.turn_record import TurnRecord, TurnRecords
from spark_tui.session.tree.exact_edits import ExactEdits

_CHANGED = (
    "The last edit cannot be taken back: {} changed in the same lines since. Take that change back first, or"
    " edit by hand."
)
_CLASHES = (
    "The last edit cannot be changed: {} changed in the same lines since. Take that change back first, or say"
    " the whole instruction again."
)
_OF_EARLIER = (
    "{} was changed by an earlier edit, and words take back the last one. Reject the hunks of that edit, or"
    " say which hunk to drop."
)

_WAIT_SECONDS = 0.1


class MessageReader:
    """`edits` are those of the reader by turn. `tries`: whether code of the repository may be run to try
    repairs; that never happens ahead of Enter, whose answers `ahead` keeps."""

    def __init__(
        self,
        exact: ExactTurns,
        records: TurnRecords,
        decisions: Decisions,
        edits: ReaderEdits,
        reader: Reads | None,
        tries: bool,
        ahead: ReadAhead | None,
    ) -> None:
        self._exact, self._records, self._decisions = exact, records, decisions
        self._tries, self._ahead = tries, ahead
        self._would_try: bool | None = None
        """Whether code would have been run; None for what was sent."""
        self._reader = InstructionReader(reader, self._may_try)
        self._last = LastEdits(records, decisions, edits, self._reader)

    def load(self) -> None:
        self._reader.load()

    def read(
        self,
        ask: ContextRequest,
        stop: StopFlag,
        turned_down: tuple[str, ...] = (),
        *,
        past: Iterable[TurnRecord] | None = None,
        amending: bool = False,
    ) -> ReadInstruction:
        """What is meant by a message. `turned_down` are calls that were offered for it before; `past` are the
        turns before it, by default all. `amending`: it can only be about the last edit."""
        begun = time.monotonic()
        with self._exact.reading(ask, stop) as edits:
            if self._ahead is not None and past is None and not (turned_down or amending):
                kept = self._ahead.kept(ask, partial(self._state, edits))
                if kept is not None:
                    return kept.had_in(time.monotonic() - begun)
            return self._read(ask, edits, turned_down, self._records if past is None else past, amending)

    def read_ahead(self, ask: ContextRequest, stop: StopFlag) -> Kept | None:
        """What Enter would come to, with the state for which that holds; None where it has to wait for it."""
        if ask.instruction.startswith("/") or self.counted(ask) is not None:
            return None
        while not self._exact.indexed:
            if stop.wait(_WAIT_SECONDS):
                return None
        with no_collection(), self._exact.reading(ask, stop) as edits:
            state = self._state(edits)
            if self._ahead is not None and (kept := self._ahead.kept(ask, lambda: state)) is not None:
                return ask, state, kept
            self._would_try = False
            try:
                found = self._read(ask, edits, (), self._records)
                return None if self._would_try else (ask, state, found)
            finally:
                self._would_try = None

    def _state(self, edits: ExactEdits) -> object:
        return edits.repo, self._last.state()

    def _may_try(self) -> bool:
        if self._would_try is None:
            return self._tries and not self._exact.stopped
        self._would_try = self._tries
        return False

    def _read(
        self,
        ask: ContextRequest,
        edits: ExactEdits,
        turned_down: tuple[str, ...],
        past: Iterable[TurnRecord],
        amending: bool = False,
    ) -> ReadInstruction:
        past, about, said, ask = list(past), self._commented(ask), ask.instruction, at_hunk(ask)
        earlier_turn = about is not None and self._is_earlier(about, past)
        if about is not None and earlier_turn:
            past = past[: past.index(about.record) + 1]
        base = self._last.base(edits.repo, past, read_fix_request(ask.instruction) is not None)
        standing = base if earlier_turn else self._last.standing(base)
        if said != ask.instruction and (not_done := self._not_of_hunk(ask, about, said, base, standing)):
            return ReadInstruction("cannot", sentence=not_done, final=True)
        if standing.changed and standing.last is not None:
            takes_back = self._reader.takes_back(ask, standing)
            if takes_back and standing.last.written:
                return ReadInstruction("cannot", sentence=_CHANGED.format(standing.changed), final=True)
            base = standing if takes_back else base
            if base.changed and not takes_back and self._reader.only_amends(ask, standing):
                return ReadInstruction("cannot", sentence=_CLASHES.format(base.changed), final=True)
        name = name_of_earlier(ask.instruction, base.last.edit) if base.last is not None else ""
        if name and self._reader.takes_back(ask, base):
            return ReadInstruction("cannot", sentence=_OF_EARLIER.format(name), final=True)
        if amending and base.last is None:
            return ReadInstruction("write")
        found = self._reader.read(ask, edits, base, turned_down, standing)
        earlier = self._last.before_unmade(base, past) if found.ending != "stop" and not turned_down else None
        if earlier is not None:
            behind = self._reader.read(ask, edits, earlier, turned_down, standing)
            found = behind if behind.ending == "stop" else found
        if edits.partly and not found.ways:
            sentence = " ".join((found.sentence, edits.partly)).strip()
            found = replace(found, sentence=sentence, unread=edits.partly)
        return found

    def _commented(self, ask: ContextRequest) -> Commented | None:
        return commented(ask.instruction, self._records, self._decisions.hunks_of)

    def _is_earlier(self, about: Commented, past: Sequence[TurnRecord]) -> bool:
        """Whether the hunk that a comment is about is of a turn behind which another edit came."""
        later = past[past.index(about.record) + 1 :] if about.record in past else ()
        return any(map(self._decisions.hunks_of, later))

    def _not_of_hunk(
        self, ask: ContextRequest, about: Commented | None, comment: str, base: Base, standing: Base
    ) -> str:
        """Why a comment on one hunk is not done: it would change others."""
        if self._reader.takes_back(ask, standing):
            return about.not_taken_back if about is not None else no_hunk_there(comment)
        of_earlier = about.of_earlier if about is not None else ""
        return of_earlier if of_earlier and self._reader.only_amends(ask, base) else ""

    def offered(
        self, ask: ContextRequest, past: Iterable[TurnRecord], stop: StopFlag, doubt: float = 1.0
    ) -> tuple[ReadWay, ...]:
        """The edits to choose from, where none is sure enough and a model has none."""
        try:
            with self._exact.reading(ask, stop) as edits:
                return self._reader.offers(at_hunk(ask), edits, self._last.base(edits.repo, past), doubt)
        except EditRefused:
            return ()

    def amends(self, ask: ContextRequest, stop: StopFlag) -> bool:
        """Whether a message asks to change the last edit: then all of that has to be known."""
        try:
            with self._exact.reading(ask, stop) as edits:
                return self._reader.amends(at_hunk(ask), self._last.base(edits.repo, self._records))
        except EditRefused:
            return False

    def counted(self, ask: ContextRequest) -> tuple[Sequence[Hunk], Sequence[Hunk]] | None:
        """The hunks that a message takes back by number or place, behind all that it may mean: those of
        the last edit with hunks if that has several, else all that are not written."""
        last, about = self._decisions.unwritten(earlier=True), self._commented(ask)
        stands = about is not None and about.stands
        every = last if len(last) > 1 and not stands else self._decisions.unwritten_of_all()
        record = self._records.last
        read = record.tree.read_lines if record is not None else lambda _path: None
        text = with_number(ask.instruction, about.hunk) if about is not None and stands else ask.instruction
        found = counted_hunks(text, every, lambda: hunk_places(every, read))
        return None if found is None else (every, found)
