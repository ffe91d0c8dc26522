"""The turns of a session: start, resume, steer, branch, retry."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Event as StopFlag
from typing import TYPE_CHECKING

from spark_tui import events
from spark_tui.backends.base import takes_corrections
from spark_tui.context.shown_context import ContextRequest
from spark_tui.errors import NoFileShown, UsageError
from spark_tui.events import Event
from spark_tui.pysource.garbage_collection import no_collection
from spark_tui.session.held_leg import ends_leg
from spark_tui.session.model.edit_correction import can_be_corrected
from spark_tui.session.model.setup import ModelSetup
from spark_tui.session.reader.no_hunk_reason import has_code
from spark_tui.session.reader.offered_readings import ForModel, keeping_edits, with_readings
from spark_tui.session.review.decisions import Decisions
from spark_tui.session.review.messages import Outbox, withdrawals
from spark_tui.session.review.turn_record import TurnRecord, TurnRecords
from spark_tui.session.steering.planner import SteerPlanner
from spark_tui.session.storage.index_rows import EXACT_BACKEND, JOB_BACKEND
from spark_tui.session.storage.session_journal import SessionJournal
from spark_tui.session.turn_builder import TurnBuilder, follow_up
from spark_tui.session.turn_execution import TurnExecution, with_warnings

if TYPE_CHECKING:
    from spark_tui.session.reader.read_turns import ReadTurns


@dataclass
class Turns:
    """What a user can do with turns. Iterating runs the turn; each event is journaled before it is
    yielded."""

    _setup: ModelSetup
    _records: TurnRecords
    _decisions: Decisions
    _journal: SessionJournal
    _outbox: Outbox
    _builder: TurnBuilder
    _execution: TurnExecution
    planner: SteerPlanner
    _reader: Callable[[], ReadTurns]
    _reads: Callable[[], bool]
    """Whether the reader is asked before the language model."""
    _reads_all: Callable[[], bool]
    _clashes: Callable[[TurnRecord], bool]
    """Whether hunks of a turn cannot be written any more: their lines changed on disk."""

    # -- new turns

    def start(self, ask: ContextRequest, *, stop: StopFlag) -> Iterator[Event]:
        self._setup.begin(stop)
        asked = time.monotonic()
        self._execution.check_idle()
        ask = self._builder.expanded(ask)
        for record in tuple(self._records):
            if record.instruction == ask.instruction and self._clashes(record):
                yield from self._decisions.withdraw(record, accepted=True)
        answered: Iterator[Event] | ForModel = ForModel(ask)
        if self._reads():
            with no_collection():
                answered = self._reader().answer(ask, stop, only_sure=not self._reads_all())
                if not isinstance(answered, ForModel):
                    yield from answered
                    return
        yield from self._answered(answered, stop, asked)

    def choose(self, number: int, *, stop: StopFlag) -> Iterator[Event]:
        """A turn with one of the choices of the last turn, counted from 1, or with what it left undone."""
        asked = time.monotonic()
        self._execution.check_idle()
        last = self._records.require_last("choose from")
        title = last.choices[number - 1] if 1 <= number <= len(last.choices) else ""
        if title.startswith(events.GO_ON):
            rest = replace(last.ask, instruction=title.removeprefix(events.GO_ON))
            yield from self._answered(ForModel(rest, may_offer=True), stop, asked)
            return
        answered = self._reader().choose(number, stop=stop)
        again = isinstance(answered, ForModel) and last.author != EXACT_BACKEND
        if again:
            yield from self._decisions.withdraw(last)
        yield from self._answered(answered, stop, asked, seed=len(self._records) * again)

    def _answered(
        self, answered: Iterator[Event] | ForModel, stop: StopFlag, asked: float = 0.0, seed: int = 0
    ) -> Iterator[Event]:
        if not isinstance(answered, ForModel):
            yield from answered
            return
        try:
            least = self._setup.settings.least_confidence / 100 if answered.may_offer else 0.0
            record = self._builder.build(answered.ask, seed=seed, least_confidence=least)
        except NoFileShown as error:
            offer = self._reader().offer(answered.ask, stop) if answered.may_offer else None
            if offer is not None:
                yield from offer
                return
            if answered.chosen or not self._reads_all():
                raise
            yield from self._reader().decline(answered.ask, answered.without_model(error), stop)
            return
        record.turn.asked = asked or time.monotonic()
        stream = with_warnings(record.turn.start(stop), self._builder.shown.told)

        def offers(doubt: float) -> Sequence[str]:
            return self._reader().offers(record, stop, doubt) if answered.may_offer else ()

        hunks = partial(self._decisions.hunks_of, record)
        stream = with_readings(answered, record.turn, stream, offers, hunks)
        yield from self._corrected(record, self._execution.run(record, stream, stop), stop)

    def follow(self, instruction: str, *, files: Sequence[str] = (), stop: StopFlag) -> Iterator[Event]:
        """A new turn about the files of the last one, unless it or `files` name others."""
        last = self._records.last
        if last is not None and not files:
            yield from self.start(follow_up(last, instruction), stop=stop)
        else:
            yield from self.start(ContextRequest(instruction, files=tuple(files)), stop=stop)

    @property
    def can_correct(self) -> bool:
        """Whether edits of the last answer did not fit, and the model can be told."""
        last = self._records.last
        if last is None or not takes_corrections(self._setup.backend) or not self.planner.can_steer(last):
            return False
        nowhere = not last.turn.changes and has_code(last.answer)
        return last.turn.reason == "stop" and bool(last.failures.left or nowhere)

    def retry(self, *, stop: StopFlag) -> Iterator[Event]:
        """Ask the last turn again, as a new one; its undecided hunks are rejected first.

        A turn that was stopped or failed is asked the same way; one that finished is sampled: greedy decoding
        would repeat it. If edits of a connected model did not fit or had no place, the model is told
        so instead, in the same turn.
        """
        record = self._records.require_last("retry")
        if record.author == JOB_BACKEND:
            hint = "Its hunks came from a job, or are what you typed: decide them."
            raise UsageError("there is no instruction to send again", hint=hint)
        if self.can_correct:
            message = self._builder.correction(record, record.failures.left)
            yield from self._steered(record, message, stop)
            return
        clashes = self._clashes(record)
        if record.author == EXACT_BACKEND:
            # Words are taken otherwise, unless files changed; else the model is asked.
            self._execution.check_idle()
            sure = not self._reads_all()
            answered = self._reader().retry(record, stop=stop, anew=clashes, only_sure=sure)
            if isinstance(answered, ForModel):
                yield from self._decisions.withdraw(record, accepted=clashes)
            yield from self._answered(answered, stop)
            return
        finished = record.turn.reason not in ("interrupted", "failed", "")
        sampled = finished and record.is_by(self._setup.backend)
        yield from self._decisions.withdraw(record, accepted=clashes)
        record.retried = True
        yield from self._answered(ForModel(record.ask), stop, seed=len(self._records) * sampled)

    # -- the last turn

    @property
    def can_resume(self) -> bool:
        """Whether the last turn is unfinished and this backend can continue it."""
        last = self._records.last
        return last is not None and last.turn.can_resume and last.is_by(self._setup.backend)

    @property
    def stopped(self) -> bool:
        """Whether the last turn was stopped or broke, whoever wrote it."""
        return self._records.last is not None and self._records.last.turn.can_resume

    @property
    def failed_at_once(self) -> bool:
        """Whether the last turn failed before any output."""
        return self._records.last is not None and self._records.last.failed_at_once

    def check_resume(self) -> TurnRecord:
        """The turn that a resume continues with; raises what `resume` would raise."""
        record = self._records.require_last("resume")
        if not (record.turn.can_resume or record.failed_at_once):
            raise UsageError("nothing to resume", hint="The last turn is complete.")
        record.check_author(self._setup.backend)
        return record

    def resume(self, *, stop: StopFlag) -> Iterator[Event]:
        """Go on with the last turn. If nothing of it came, it starts again. Raises UsageError where there is
        nothing to resume."""
        if self.failed_at_once:
            yield from self.retry(stop=stop)
            return
        last = self._records.last
        if last and last.author == EXACT_BACKEND and self._reader().is_undone(last):
            yield from self.start(last.ask, stop=stop)
            return
        record = self.check_resume()
        yield from self._execution.run(record, record.turn.resume(stop), stop)

    def shown_before(self) -> list[Event]:
        """The events of the last turn so far, as if it had not been stopped."""
        if not len(self._records):
            return []
        shown = self._journal.last_turn()
        if not self.can_resume:
            return shown
        return [event for event in shown if not ends_leg(event)]

    def steer(self, message: str, *, stop: StopFlag) -> Iterator[Event]:
        """Splice a message into the last turn, which must be stopped. It takes effect with `Steered`.

        Complete hunks stay, the open one is dropped, and hunks that the new ones overlap are withdrawn (with
        a `Decided` event). If the turn cannot be steered, a new one follows it, after the message is read
        completely. Of several windows, only those that the message is for get it. A message that could not be
        delivered is in `outbox.take_returned()`.
        """
        message_id = self._outbox.accept(message, "steer")
        with self._delivering(message_id):
            record = self._records.last
            if record is not None and record.author == EXACT_BACKEND and self._reader().is_undone(record):
                yield from self.start(record.ask, stop=stop)
                if stop.is_set():
                    return
                record = self._records.last
            ask = follow_up(record, message) if record else ContextRequest(message)
            if record is None or not self.planner.can_steer(record):
                if record is not None:
                    yield from self._without_open_hunk(record)
                stream = self.start(ask, stop=stop)
            elif self._reads_all():
                stream = self._followed(record, ask, stop)
            else:
                stream = self._steered(record, message, stop)
            yield from self._delivered(stream, message_id)

    def _without_open_hunk(self, record: TurnRecord) -> Iterator[Event]:
        """Drop the hunk inside which a turn was stopped, as a steer does."""
        for decided in withdrawals(self._decisions.hunks_of(record)):
            if decided.decision == "dropped":
                yield from (decided, *self._decisions.decide(decided.hunk_id, decided.decision))

    def _followed(self, record: TurnRecord, ask: ContextRequest, stop: StopFlag) -> Iterator[Event]:
        """What the reader makes of a message about this turn, or else the model that wrote it. An answer that
        was stopped is first written to its end, where the message changes only a part of it, and stays as it
        is if no edit comes of the message. What the model declines ends in the edits that may be meant."""
        reader = self._reader()
        if self.can_resume and reader.amends(ask, stop):
            yield from (event for event in self.resume(stop=stop) if not ends_leg(event) or stop.is_set())
            if stop.is_set():
                return
        found = reader.follow(ask, stop)
        if found is not None:
            yield from found
            return
        half, declined = self.can_resume, False
        for event in self._steered(record, ask.instruction, stop, half=half, keeps=True):
            declined = isinstance(event, events.Finished) and event.reason == "cannot"
            yield event
        if declined and not half:
            yield from reader.offer(ask, stop) or ()

    def _steered(
        self, record: TurnRecord, message: str, stop: StopFlag, *, half: bool = False, keeps: bool = False
    ) -> Iterator[Event]:
        record.turn.asked = time.monotonic()
        route = self.planner.plan(record, message)
        for request in route.windows:
            self._journal.keep_file(record.turn_id, record.tree, request.files[0].path)
        leg = record.turn.steer(message, stop, route, for_an_edit=half)
        if keeps:
            leg = keeping_edits(leg, record.turn, partial(self._decisions.hunks_of, record))
        yield from self._execution.run(record, leg, stop)

    def branch_at(self, hunk_id: int, message: str, *, stop: StopFlag) -> Iterator[Event]:
        """Rewind the last turn to the end of a hunk and go on there with another message.
        Undecided hunks after it are rejected."""
        record = self._records.require_last("branch")
        record.check_author(self._setup.backend)
        review = self._decisions.review
        source = review.source(hunk_id) if hunk_id in review.ids else hunk_id
        later = set(record.turn.hunks_after(source))
        message_id = self._outbox.accept(message, "steer")
        with self._delivering(message_id):
            stream = self._execution.run(record, record.turn.branch(source, message, stop), stop, later)
            yield from self._delivered(stream, message_id)

    # -- inside

    def _corrected(self, record: TurnRecord, stream: Iterator[Event], stop: StopFlag) -> Iterator[Event]:
        """The events of a turn. If edits did not fit, the model is told so once, automatically; the turn
        ends with that leg."""
        for event in stream:
            failed = [failure for failure in record.failures.left if can_be_corrected(failure)]
            again = isinstance(event, events.Finished) and event.reason == "stop" and failed
            if again and not stop.is_set() and takes_corrections(self._setup.backend):
                # Only the end of the last leg is told; the journal has both.
                for _ in stream:
                    pass
                yield from self._steered(record, self._builder.correction(record, failed), stop)
                return
            yield event

    @contextlib.contextmanager
    def _delivering(self, message_id: int) -> Generator[None, None, None]:
        """Whatever happens, the message is committed or comes back."""
        try:
            yield
        finally:
            if self._outbox[message_id].state == "accepted":
                self._outbox.give_back(message_id)

    def _delivered(self, stream: Iterator[Event], message_id: int) -> Iterator[Event]:
        for event in stream:
            begins = isinstance(event, (events.Steered, events.TurnStarted))
            if begins and self._outbox[message_id].state == "accepted":
                self._outbox.commit(message_id)
            yield event
