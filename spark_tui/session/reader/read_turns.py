"""Turns that the built-in reader answers without a language model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from threading import Event as StopFlag

from spark_tui import events
from spark_tui.context.shown_context import ContextRequest
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import UsageError
from spark_tui.events import Event
from spark_tui.intent.answering.earlier import UNREAD
from spark_tui.intent.context.situation import Done
from spark_tui.intent.followups.counted_hunks import counted_hunks
from spark_tui.intent.words.readings import Reads
from spark_tui.problems.describe import read_fix_request
from spark_tui.pysource.repository import Repository
from spark_tui.session.exact.edit_commands import is_edit_command
from spark_tui.session.exact.exact_turns import EditRefused, ExactTurns
from spark_tui.session.reader.instruction_reader import InstructionReader
from spark_tui.session.reader.no_hunk_reason import no_such_hunk
from spark_tui.session.reader.offered_readings import ForModel
from spark_tui.session.reader.read_instruction import Ending, ReadInstruction, ReadWay
from spark_tui.session.reader.reader_edits import Base, ReaderEdit, ReaderEdits, StandingEdit
from spark_tui.session.reader.written_edits import asked_for_an_edit, was_stopped, with_last_edit
from spark_tui.session.review.decisions import Decisions
from spark_tui.session.review.turn_record import TurnRecord, TurnRecords
from spark_tui.session.storage.index_rows import EXACT_BACKEND
from spark_tui.session.storage.session_journal import SessionJournal

ASK_MODEL = "ask the model"
ASK_AGAIN = "ask the model again"
"""The last of the choices, before the model was asked and after."""
_CHANGED = (
    "The last edit cannot be taken back: {} changed in the same lines since. Take that change back first, or"
    " edit by hand."
)
_CLASHES = (
    "The last edit cannot be changed: {} changed in the same lines since. Take that change back first, or say"
    " the whole instruction again."
)
_STANDS = {"open", "partial", "accepted", "edited", "applied"}


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
    ) -> None:
        self._exact, self._records, self._decisions = exact, records, decisions
        self._reader = InstructionReader(reader, lambda: tries and not exact.stopped)
        self._edits = ReaderEdits(journal.folder)
        self._ways: tuple[TurnRecord, tuple[ReadWay, ...]] | None = None
        """The turn that offered choices last in this process, and their edits."""

    def load(self, stop: StopFlag) -> None:
        """Read the weights, the operations and the repository ahead."""
        from spark_tui.codemods.registry import operations

        operations()
        self._reader.load()
        self._exact.load(stop)

    def answer(self, ask: ContextRequest, stop: StopFlag) -> Iterator[Event] | ForModel:
        """The turn that answers this, or that a language model has to."""
        if (counted := self._counted(ask, stop)) is not None:
            return counted
        try:
            found = self._read(ask, stop)
        except EditRefused:
            if not stop.is_set():
                raise
            found = ReadInstruction("write")
        if found.ending == "write" and stop.is_set():
            found = ReadInstruction("interrupted")
        if found.ending == "write":
            return ForModel(ask, found.sentence, unread=found.unread, may_offer=True)
        return self._run(ask, found, stop)

    def offers(self, record: TurnRecord, stop: StopFlag, doubt: float) -> Sequence[str]:
        """The choices next to an answer of the language model, which was asked because no reading is
        certain enough: the titles of edits, with the model last. None if there is no edit."""
        ways = self._offered(record.ask, self._before(record), stop, doubt)
        if not ways:
            return ()
        self._ways = record, ways
        return [*(way.title for way in ways), ASK_AGAIN]

    def offer(self, ask: ContextRequest, stop: StopFlag) -> Iterator[Event] | None:
        """A turn with the same choices if the model cannot be asked; None if there is no edit."""
        ways = self._offered(ask, self._records, stop)
        return self._run(ask, ReadInstruction("choices", ways), stop) if ways else None

    def decline(self, ask: ContextRequest, sentence: str, stop: StopFlag) -> Iterator[Event]:
        """A turn that says why nothing is done."""
        return self._run(ask, ReadInstruction("cannot", sentence=sentence), stop)

    def _offered(
        self, ask: ContextRequest, past: Iterable[TurnRecord], stop: StopFlag, doubt: float = 1.0
    ) -> tuple[ReadWay, ...]:
        try:
            with self._exact.reading(ask, stop) as edits:
                return self._reader.offers(ask, edits, self._base(edits.repo, past), doubt)
        except EditRefused:
            return ()

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

    def retry(self, record: TurnRecord, *, stop: StopFlag, anew: bool) -> Iterator[Event] | ForModel:
        """The last turn again: a command is planned anew; words too where that is said, else they are taken
        otherwise."""
        if is_edit_command(record.instruction):
            turn = self._exact.retry(record, stop=stop)
            return self._withdrawing([record], turn) if anew else turn
        tried = None if anew else self._edits.of(record)
        turned_down = (*tried.done.turned_down, str(tried.done.calls)) if tried is not None else ()
        found = self._read(record.ask, stop, turned_down)
        if turned_down and found.ending in ("cannot", "no_edit"):
            # Nothing else can be meant by them that the reader knows.
            found = ReadInstruction("write", sentence=found.sentence)
        record.retried = True
        if found.ending == "write":
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
            found = self._read(ask, stop, amending=True)
        except EditRefused:
            return None
        answers = found.ending in ("stop", "choices") or found.withdrawn or found.final
        return self._run(ask, found, stop) if answers else None

    def _counted(self, ask: ContextRequest, stop: StopFlag) -> Iterator[Event] | None:
        """The turn of a message that takes back one hunk by its number or place: in the last edit with hunks
        if that has several, else among all that are not written."""
        last = self._decisions.unwritten(earlier=True)
        every = last if len(last) > 1 else self._decisions.unwritten_of_all()
        found = counted_hunks(ask.instruction, every)
        return self._take_back(ask, every, found, stop) if found is not None else None

    def _take_back(
        self, ask: ContextRequest, every: Sequence[Hunk], gone: Sequence[Hunk], stop: StopFlag
    ) -> Iterator[Event]:
        sentence = no_such_hunk(every)
        for hunk in gone:
            self._decisions.decide(hunk.id, "rejected")
            yield events.Decided(hunk.id, "rejected")
            sentence = f"Hunk {hunk.id} is rejected ({hunk.path}:{hunk.old_start})."
        ending: Ending = "stop" if gone else "cannot"
        yield from self._run(ask, ReadInstruction(ending, sentence=sentence), stop)

    def amends(self, ask: ContextRequest, stop: StopFlag) -> bool:
        """Whether a message asks to change the last edit: then all of that has to be known."""
        try:
            with self._exact.reading(ask, stop) as edits:
                return self._reader.amends(ask, self._base(edits.repo, self._records))
        except EditRefused:
            return False

    def _base(self, disk: Repository, past: Iterable[TurnRecord], asks_for_fix: bool = False) -> Base:
        """The state on which a follow-up is read. The last edit may come from any writer and may have
        been rejected; what it was about is worked out only if the message is about it."""
        records = list(past)
        base = self._edits.base(records, self._states, self._decisions.turns_with(("open",)), disk)
        if base.last is not None:
            return base
        hunks = ((record, self._decisions.hunks_of(record)) for record in reversed(records))
        last = next(((one, found) for one, found in hunks if found or asked_for_an_edit(one)), None)
        if last is None:
            return base
        known, reader = self._edits.of(last[0]), None if asks_for_fix else self._reader.load()
        return with_last_edit(base, *last, known, reader, self._reader.roles)

    def _standing(self, base: Base) -> Base:
        """The state on which an undo message is read: the last turn has hunks that were not rejected."""
        records = list(self._records)
        standing = self._decisions.turns_with(_STANDS)
        while records and records[-1].turn_id not in standing:
            records.pop()
        if base.last is not None and records and records[-1] is base.last.record:
            return base
        found = self._base(base.disk, records, asks_for_fix=True)
        if found.last is None and records:
            states, known = {*self._states(records[-1])}, self._edits.of(records[-1])
            done = known.done if known and found.changed else Done(UNREAD if found.changed else "", {}, ())
            last = StandingEdit(records[-1], ReaderEdit(done, {}, {}, {}), written="applied" in states)
            # Of one that is not written the hunks are turned down, also if some of them were.
            if found.changed or states.isdisjoint(("edited", "applied")):
                found = replace(found, last=last)
        return found

    def _read(
        self,
        ask: ContextRequest,
        stop: StopFlag,
        turned_down: tuple[str, ...] = (),
        *,
        past: Iterable[TurnRecord] | None = None,
        amending: bool = False,
    ) -> ReadInstruction:
        with self._exact.reading(ask, stop) as edits:
            asks_for_fix = read_fix_request(ask.instruction) is not None
            base = self._base(edits.repo, self._records if past is None else past, asks_for_fix)
            standing = self._standing(base)
            if standing.changed and standing.last is not None:
                takes_back = self._reader.takes_back(ask, standing)
                if takes_back and standing.last.written:
                    return ReadInstruction("cannot", sentence=_CHANGED.format(standing.changed), final=True)
                base = standing if takes_back else base
                if base.changed and not takes_back and self._reader.only_amends(ask, standing):
                    return ReadInstruction("cannot", sentence=_CLASHES.format(base.changed), final=True)
            if amending and base.last is None:
                return ReadInstruction("write")
            found = self._reader.read(ask, edits, base, turned_down, standing)
            if edits.partly and not found.ways:
                sentence = " ".join((found.sentence, edits.partly)).strip()
                found = replace(found, sentence=sentence, unread=edits.partly)
        return found

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
            found = self._read(record.ask, stop, past=self._before(record)).ways
        found = found or self._offered(record.ask, self._before(record), stop)
        way = next((way for way in found if way.title == title), None)
        if way is None:
            what = "the files have changed, and this edit is not found in them any more"
            raise UsageError(what, hint="Send the instruction again.")
        return way

    def _states(self, record: TurnRecord) -> Sequence[str]:
        return [state for _, state in self._decisions.hunks_of(record)]

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
        if way.edit is not None:
            self._edits.add(record.turn_id, way.edit)
        try:
            yield from self._withdrawing(way.replaced, self._exact.run_record(record, stop))
        finally:
            self._edits.store(record.turn_id)  # the hunks need not wait for it

    def _withdrawing(self, records: Sequence[TurnRecord], turn: Iterator[Event]) -> Iterator[Event]:
        """A turn that replaces others: what is not written of them is rejected first."""
        for record in records:
            yield from self._decisions.withdraw(record, accepted=True)
        yield from turn
