"""Restores a session to the end of its journal: when it is opened, and after a failed write to the
journal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from spark_tui import events
from spark_tui.events import Event
from spark_tui.session.model.setup import ModelSetup
from spark_tui.session.review.changes import Changes
from spark_tui.session.review.decisions import Decisions
from spark_tui.session.review.messages import withdrawals
from spark_tui.session.review.turn_record import TurnRecord, TurnRecords
from spark_tui.session.storage.session_journal import PastTurn, SessionJournal
from spark_tui.session.turn_builder import TurnBuilder
from spark_tui.session.turn_execution import TurnExecution


@dataclass
class TurnRestore:
    """Reads the journal back into the other parts of a session."""

    _setup: ModelSetup
    _records: TurnRecords
    _decisions: Decisions
    _changes: Changes
    _journal: SessionJournal
    _builder: TurnBuilder
    _execution: TurnExecution

    def replay(self) -> None:
        """Stand where the journal ends. A turn that was killed is ended here, as one that was stopped."""
        past, written = None, set[str]()
        with self._journal.replaying():
            for past in self._journal.past_turns():
                written |= self._replay_turn(past)
        if past is not None:
            for _ in self._stand(self._records.require_last("resume"), past):
                pass
            self._changes.record_missing(written)
            self._decisions.complete(past.journaled.all_events)

    def _replay_turn(self, past: PastTurn) -> set[str]:
        """Returns the checkpoints of what was written during the turn."""
        record, written = self._builder.rebuild(past), set[str]()
        for event in past.journaled.all_events:
            if isinstance(event, (events.Applied, events.Undone)):
                written.add(event.checkpoint)
            if isinstance(event, events.Applied):
                self._decisions.mark_written(event.hunks, written=True)
            elif isinstance(event, events.Undone):
                self._decisions.mark_written(event.hunks, written=event.redo)
            else:
                self._execution.note(event, record)
        reason = past.journaled.reason
        record.turn.recall(past.journaled.all_events)
        if past.leg is not None:
            record.turn.restore(past.leg.position, past.journaled.started.format, (), reason)
        record.turn.emitted, record.turn.reason = len(past.tokens), reason
        return written

    def catch_up(self) -> Iterator[Event]:
        """Return to the end of the journal after a failed write. Returns the lost events, without the end
        of the leg."""
        record = self._execution.unjournaled
        if record is None:
            return
        past = next(
            (turn for turn in self._journal.past_turns() if turn.journaled.turn_id == record.turn_id), None
        )
        for event in self._stand(record, past) if past else ():
            if not isinstance(event, (events.Interrupted, events.Finished)):
                yield event
        self._execution.unjournaled = None

    def _stand(self, record: TurnRecord, past: PastTurn) -> Iterator[Event]:
        """Put the last turn where it can continue. Returns the events that the journal lacked."""
        leg, last_hunk_id, started = past.leg, self._records.last_hunk_id, past.journaled.started
        reason = past.journaled.reason
        if leg is not None:
            self._records.last_hunk_id = leg.first_hunk - 1
            # The token limit of this process counts, not that of the one before.
            max_tokens = self._setup.settings.max_tokens
            requests = tuple(replace(request, max_tokens=max_tokens) for request in leg.position.requests)
            recall = getattr(self._setup.backend, "recall", None)
            if recall is not None:
                recall(past.tokens)
            done = record.turn.recall(past.journaled.all_events)
            tokens = past.tokens[max(leg.tokens, done) :]
            position = replace(leg.position, requests=requests)
            record.turn.restore(position, started.format, tokens[:-1], reason)
            given = [event for token in tokens[-1:] for event in record.turn.read_again(token)]
            self._records.last_hunk_id, record.turn.emitted = last_hunk_id, len(past.tokens)
            if not reason:
                # Killed between a steer or a token and what follows from it: that is made up for.
                before = [
                    (hunk, state)
                    for hunk, state in self._decisions.hunks_of(record)
                    if hunk.id < record.leg_from and state == "partial"
                ]
                for event in (*withdrawals(before), *given[past.parsed_after_last_token :]):
                    yield from self._execution.take(event, record)
        if not reason:
            for event in record.turn.cut_off():
                yield from self._execution.take(event, record)
