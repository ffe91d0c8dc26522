"""Turns that the built-in reader answers without a language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from threading import Event as StopFlag

from spark_tui import events
from spark_tui.context.shown_context import ContextRequest
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import UsageError
from spark_tui.events import Event
from spark_tui.intent.followups.picked_choice import picked_choice
from spark_tui.intent.words.readings import Reads
from spark_tui.session.exact.edit_commands import is_edit_command
from spark_tui.session.exact.exact_turns import EditRefused, ExactTurns
from spark_tui.session.reader.message_reader import MessageReader
from spark_tui.session.reader.no_hunk_reason import no_such_hunk
from spark_tui.session.reader.offered_readings import ForModel
from spark_tui.session.reader.read_ahead import Kept, ReadAhead
from spark_tui.session.reader.read_instruction import Ending, ReadInstruction, ReadWay
from spark_tui.session.reader.reader_edits import ReaderEdits
from spark_tui.session.reader.written_edits import was_stopped
from spark_tui.session.review.decisions import Decisions
from spark_tui.session.review.turn_record import TurnRecord, TurnRecords
from spark_tui.session.storage.index_rows import EXACT_BACKEND
from spark_tui.session.storage.session_journal import SessionJournal

ASK_MODEL = "ask the model"
ASK_AGAIN = "ask the model again"
"""The last of the choices, before the model was asked and after."""


class ReadTurns:
    """The reader's turns of a session. Its methods plan immediately; iterating the result runs the turn."""

    def __init__(
        self,
        exact: ExactTurns,
        records: TurnRecords,
        decisions: Decisions,
        journal: SessionJournal,
        reader: Reads | None = None,
        tries: bool = True,
        ahead: ReadAhead | None = None,
    ) -> None:
        self._exact, self._records, self._decisions = exact, records, decisions
        self._edits = edits = ReaderEdits(journal.folder)
        self._messages = MessageReader(exact, records, decisions, edits, reader, tries, ahead)
        self._ahead = ahead
        self._ways: tuple[TurnRecord, tuple[ReadWay, ...]] | None = None
        """The turn that offered choices last in this process, and their edits."""

    def load(self, stop: StopFlag) -> None:
        """Read the weights, the operations and the repository ahead."""
        from spark_tui.codemods.registry import operations

        operations()
        self._messages.load()
        self._exact.load(stop)

    def read_ahead(self, draft: ContextRequest, stop: StopFlag) -> Kept | None:
        """What Enter would come to, with the state for which that holds; None where it has to wait for it."""
        return self._messages.read_ahead(draft, stop)

    def answer(
        self, ask: ContextRequest, stop: StopFlag, *, only_sure: bool = False
    ) -> Iterator[Event] | ForModel:
        """The turn that answers this, or that a language model has to. `only_sure`: of all else than an edit
        without a mark."""
        if self._ahead is not None:
            self._ahead.begin(ask)
        if (counted := self._counted(ask, stop)) is not None:
            return counted
        try:
            found = self._messages.read(ask, stop)
        except EditRefused:
            if not stop.is_set():
                raise
            found = ReadInstruction("write")
        if found.ending == "write" and stop.is_set():
            found = ReadInstruction("interrupted")
        if only_sure and found.ending != "interrupted" and not found.is_sure:
            return ForModel(ask)
        if found.ending == "write":
            return ForModel(ask, found.sentence, unread=found.unread, may_offer=True)
        return self._run(ask, found, stop)

    def offers(self, record: TurnRecord, stop: StopFlag, doubt: float) -> Sequence[str]:
        """The choices next to an answer of the language model, which was asked because no reading is
        certain enough: the titles of edits, with the model last. None if there is no edit."""
        ways = self._messages.offered(record.ask, self._before(record), stop, doubt)
        if not ways:
            return ()
        self._ways = record, ways
        return [*(way.title for way in ways), ASK_AGAIN]

    def offer(self, ask: ContextRequest, stop: StopFlag) -> Iterator[Event] | None:
        """A turn with the same choices if the model cannot be asked; None if there is no edit."""
        ways = self._messages.offered(ask, self._records, stop)
        return self._run(ask, ReadInstruction("choices", ways), stop) if ways else None

    def decline(self, ask: ContextRequest, sentence: str, stop: StopFlag) -> Iterator[Event]:
        """A turn that says why nothing is done."""
        return self._run(ask, ReadInstruction("cannot", sentence=sentence), stop)

    def amends(self, ask: ContextRequest, stop: StopFlag) -> bool:
        """Whether a message asks to change the last edit: then all of that has to be known."""
        return self._messages.amends(ask, stop)

    def _before(self, record: TurnRecord) -> Iterator[TurnRecord]:
        return takewhile(lambda item: item is not record, self._records)

    def choose(self, number: int, *, stop: StopFlag) -> Iterator[Event] | ForModel:
        """Take one of the choices of the last turn, counted from 1. The last is the language model."""
        record = self._records.last
        if record is None or not record.choices:
            raise UsageError("nothing to choose from", hint="Send the instruction again.")
        count = len(record.choices)
        if not 1 <= number <= count:
            raise UsageError(f"there is no choice {number}", hint=f"Choose 1 to {count}.")
        if number == count:
            return ForModel(record.ask, chosen=number, choices=count)
        way = self._way(record, record.choices[number - 1], stop)
        shown = self._show(record.ask, way, stop, events.Chosen(number, count))
        return shown if record.author == EXACT_BACKEND else self._withdrawing([record], shown)

    def retry(
        self, record: TurnRecord, *, stop: StopFlag, anew: bool, only_sure: bool = False
    ) -> Iterator[Event] | ForModel:
        """The last turn again: a command is planned anew; words too where that is said, else they are taken
        otherwise. `only_sure` as in `answer`."""
        if is_edit_command(record.instruction):
            turn = self._exact.retry(record, stop=stop)
            return self._withdrawing([record], turn) if anew else turn
        tried = None if anew else self._edits.of(record)
        turned_down = (*tried.done.turned_down, str(tried.done.calls)) if tried is not None else ()
        found = self._messages.read(record.ask, stop, turned_down)
        if turned_down and found.ending in ("cannot", "no_edit"):
            # Nothing else can be meant by them that the reader knows.
            found = ReadInstruction("write", sentence=found.sentence)
        record.retried = True
        if found.ending == "write" or (only_sure and not found.is_sure):
            return ForModel(record.ask, found.sentence)
        return self._withdrawing([record], self._run(record.ask, found, stop))

    @staticmethod
    def is_undone(record: TurnRecord) -> bool:
        """Whether a turn of the reader was stopped while it read: nothing was made of the words."""
        return was_stopped(record) and not is_edit_command(record.instruction)

    def follow(self, ask: ContextRequest, stop: StopFlag) -> Iterator[Event] | None:
        """The turn of a message about the last edit, whoever made that edit; None if the reader has neither
        an edit for it nor several to choose from."""
        if (counted := self._counted(ask, stop)) is not None:
            return counted
        try:
            found = self._messages.read(ask, stop, amending=True)
        except EditRefused:
            return None
        answers = found.ending in ("stop", "choices") or found.withdrawn or found.final
        return self._run(ask, found, stop) if answers else None

    def _counted(self, ask: ContextRequest, stop: StopFlag) -> Iterator[Event] | None:
        """The turn of a message that takes back hunks by number or place, or takes one of the choices of the
        last turn by what only that one names."""
        record = self._records.last
        if record is not None and record.choices and not self._decisions.hunks_of(record):
            number = picked_choice(ask.instruction, record.choices)
            chosen = self.choose(number, stop=stop) if number else None
            if chosen is not None and not isinstance(chosen, ForModel):
                return chosen
        found = self._messages.counted(ask)
        return self._take_back(ask, *found, stop) if found is not None else None

    def _take_back(
        self, ask: ContextRequest, every: Sequence[Hunk], gone: Sequence[Hunk], stop: StopFlag
    ) -> Iterator[Event]:
        sentence = no_such_hunk(every)
        for hunk in gone:
            others = self._decisions.decide(hunk.id, "rejected")
            yield from (events.Decided(hunk.id, "rejected"), *others)
        if gone:
            numbers = " and ".join(str(hunk.id) for hunk in gone)
            many = f"Hunks {numbers} are" if len(gone) > 1 else f"Hunk {numbers} is"
            sentence = f"{many} rejected ({gone[0].path}:{gone[0].old_start})."
        ending: Ending = "stop" if gone else "cannot"
        yield from self._run(ask, ReadInstruction(ending, sentence=sentence), stop)

    def _way(self, record: TurnRecord, title: str, stop: StopFlag) -> ReadWay:
        """The choice with this title, on the files as they are now: it is read again if they have changed
        since, or if another process offered it."""
        known = self._ways[1] if self._ways is not None and self._ways[0] is record else ()
        with self._exact.reading(record.ask, stop) as edits:
            kept = next((way for way in known if way.title == title and way.disk is edits.repo), None)
        if kept is not None:
            return kept
        found = tuple[ReadWay, ...]()
        if record.author == EXACT_BACKEND:
            found = self._messages.read(record.ask, stop, past=self._before(record)).ways
        found = found or self._messages.offered(record.ask, self._before(record), stop)
        way = next((way for way in found if way.title == title), None)
        if way is None:
            what = "the files have changed, and this edit is not found in them any more"
            raise UsageError(what, hint="Send the instruction again.")
        return way

    def _run(self, ask: ContextRequest, found: ReadInstruction, stop: StopFlag) -> Iterator[Event]:
        if found.ways and found.ending == "stop":
            yield from self._show(ask, found.ways[0], stop)
            return
        titles = [*(way.title for way in found.ways), ASK_MODEL] if found.ending == "choices" else []
        record = self._exact.say(ask, found.sentence, titles, found.ending, found.seconds)
        if titles:
            self._ways = record, found.ways
        yield from self._withdrawing(found.withdrawn, self._exact.run_record(record, stop))

    def _show(
        self, ask: ContextRequest, way: ReadWay, stop: StopFlag, chosen: events.Chosen | None = None
    ) -> Iterator[Event]:
        record = self._exact.record(way.planned, ask, chosen)
        record.kept = {record.leg_from + number - 1: item.asked for number, item in way.planned.kept.items()}
        if way.takes_back:
            self._edits.undos.add(record.turn_id)
        if way.edit is not None:
            record.asked = way.edit.asked
            self._edits.add(record.turn_id, way.edit)
        try:
            accepted = self._accepted(way.replaced)
            turn = self._withdrawing(way.replaced, self._exact.run_record(record, stop))
            yield from self._accepting(accepted, turn)
        finally:
            self._edits.store(record.turn_id)  # the hunks need not wait for it

    def _withdrawing(self, records: Sequence[TurnRecord], turn: Iterator[Event]) -> Iterator[Event]:
        """A turn that replaces others: what is not written of them is rejected first."""
        for record in records:
            yield from self._decisions.withdraw(record, accepted=True)
        yield from turn

    def _accepted(self, records: Sequence[TurnRecord]) -> set[Hunk]:
        """The hunks of turns that are accepted and not written."""
        every = (found for record in records for found in self._decisions.hunks_of(record))
        return {replace(hunk, id=0) for hunk, state in every if state == "accepted"}

    def _accepting(self, accepted: set[Hunk], turn: Iterator[Event]) -> Iterator[Event]:
        """A turn whose hunks are accepted again where it has them as the turn that it replaces had."""
        done = list[int]()
        for event in turn:
            if isinstance(event, events.HunkClosed) and accepted:
                hunk = self._decisions.review.hunk(event.hunk_id)
                done += [event.hunk_id] if replace(hunk, id=0) in accepted else []
            if isinstance(event, events.Finished):
                for hunk_id in done:
                    self._decisions.decide(hunk_id, "accepted")
                    yield events.Decided(hunk_id, "accepted")
            yield event
