"""The earlier turns as a model is told about them."""

from __future__ import annotations

from dataclasses import dataclass

from spark_tui.backends.base import Exchange
from spark_tui.edits.review import Review
from spark_tui.session.model.compaction import ToldTurn, compacted
from spark_tui.session.model.context_builder import ContextBuilder
from spark_tui.session.repetition import once
from spark_tui.session.review.turn_record import TurnRecord, TurnRecords
from spark_tui.session.storage.index_rows import EXACT_BACKEND
from spark_tui.session.window_cursor import SAID_MORE

_MOST_EXACT_CHARACTERS = 2_000


@dataclass
class Conversation:
    """The history of a session: instructions, answers, and the outcome of each."""

    _records: TurnRecords
    _review: Review
    _context: ContextBuilder

    def history(self) -> tuple[Exchange, ...]:
        """The exchanges so far, without the turns that were retried, within the window of the model."""
        with self._records.lock:
            turns = [self._told(record) for record in self._records if not record.retried]
        return compacted(turns, self._context.history_tokens())

    def _told(self, record: TurnRecord) -> ToldTurn:
        ids = self._records.hunk_ids(record)
        # A hunk that was dropped is not in the review.
        known = set(self._review.ids)
        paths = dict.fromkeys(self._review.hunk(item).path for item in ids if item in known)
        asked = "; ".join([record.instruction, *record.turn.position.messages])
        return ToldTurn(self._exchanges(record), asked, tuple(paths), self._review.summary(ids))

    def _exchanges(self, record: TurnRecord) -> tuple[Exchange, ...]:
        position = record.turn.position
        messages = [record.instruction, *position.messages]
        failed = [
            f"not made, because it did not fit: {failure.path}: {failure.message}"
            for failure in record.failures.left
        ]
        outcome = "\n".join(filter(None, [self._review.summary(self._records.hunk_ids(record)), *failed]))
        if self._context.limits().small:
            # After a steer this model says the whole edit again.
            return (Exchange("\n".join(messages), _bounded(record), outcome),)
        before = [
            Exchange(words, text, SAID_MORE)
            for words, text in zip(messages, position.answer.said, strict=False)
        ]
        return (*before, Exchange(messages[-1], _bounded(record), outcome))


def _bounded(record: TurnRecord) -> str:
    """The answer. Of an exact edit, which may change any number of places, only the first ones; of one that
    repeats itself, once what it repeats: a model that reads it often goes on so."""
    if record.turn.reason == "repeats":
        return once(record.answer)
    if record.author != EXACT_BACKEND or len(record.answer) <= _MOST_EXACT_CHARACTERS:
        return record.answer
    return record.answer[:_MOST_EXACT_CHARACTERS].rpartition("*** ")[0] + "…\n"
