"""The edits of a session on which a message is read: which one is the last, and what stands of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from spark_tui.intent.answering.earlier import UNREAD
from spark_tui.intent.context.situation import Done
from spark_tui.pysource.repository import Repository
from spark_tui.session.reader.instruction_reader import InstructionReader
from spark_tui.session.reader.reader_edit import ReaderEdit
from spark_tui.session.reader.reader_edits import STANDS_WHOLE, Base, ReaderEdits, StandingEdit
from spark_tui.session.reader.written_edits import asked_for_an_edit, with_last_edit
from spark_tui.session.review.decisions import Decisions
from spark_tui.session.review.turn_record import TurnRecord, TurnRecords
from spark_tui.session.storage.index_rows import EXACT_BACKEND

_STANDS = {"open", "partial", "accepted", "edited", "applied"}


@dataclass(frozen=True)
class LastEdits:
    """Changes nothing. `edits` are those of the reader by turn."""

    _records: TurnRecords
    _decisions: Decisions
    _edits: ReaderEdits
    _reader: InstructionReader

    def base(self, disk: Repository, past: Iterable[TurnRecord], asks_for_fix: bool = False) -> Base:
        """The state on which a follow-up is read. The last edit may come from any writer and may have
        been rejected; what it was about is worked out only if the message is about it."""
        records = list(past)
        base = self._edits.base(records, self._states, self._decisions.turns_with(STANDS_WHOLE), disk)
        if base.last is not None:
            return base
        hunks = ((record, self._decisions.hunks_of(record)) for record in reversed(records))
        last = next(((one, found) for one, found in hunks if found or asked_for_an_edit(one)), None)
        if last is None:
            return base
        known, reader = self._edits.of(last[0]), None if asks_for_fix else self._reader.load()
        return with_last_edit(base, *last, known, reader, self._reader.roles)

    def before_unmade(self, base: Base, past: Iterable[TurnRecord]) -> Base | None:
        """The state before the last turns if no edit came of them: what cannot be meant for what they asked
        for may be for the edit that stands."""
        if base.last is None or base.last.edit.after:
            return None
        records = list(past)
        while records and not self._decisions.hunks_of(records[-1]):
            records.pop()
        found = self.base(base.disk, records) if records else base
        return found if found.last is not None and found.last.edit.after else None

    def standing(self, base: Base) -> Base:
        """The state on which an undo message is read: the last turn has hunks that were not rejected, and no
        written turn took them back."""
        records = list(self._records)
        standing, taken_back = self._decisions.turns_with(_STANDS), 0
        while records:
            stands = records[-1].turn_id in standing
            written = stands and set(self._states(records[-1])) == {"applied"}
            if written and self._takes_back(records[-1]):
                taken_back += 1
            elif stands and taken_back:
                edit = self._edits.of(records[-1])
                taken_back -= not (edit is not None and edit.instead)
            elif stands:
                break
            records.pop()
        if base.last is not None and records and records[-1] is base.last.record:
            return base
        found = self.base(base.disk, records, asks_for_fix=True)
        if found.last is None and records:
            states, known = {*self._states(records[-1])}, self._edits.of(records[-1])
            done = known.done if known and found.changed else Done(UNREAD if found.changed else "", {}, ())
            last = StandingEdit(records[-1], ReaderEdit(done, {}, {}, {}), written="applied" in states)
            # Of one that is not written the hunks are turned down, also if some of them were.
            if found.changed or states.isdisjoint(("edited", "applied")):
                found = replace(found, last=last)
        return found

    def _takes_back(self, record: TurnRecord) -> bool:
        """Whether a turn took an edit back; sessions of before 29 November 2026 hold only what was shown."""
        shown = record.author == EXACT_BACKEND and record.answer.startswith("→ undo: ")
        return shown or record.turn_id in self._edits.undos

    def state(self) -> object:
        """What differs if a turn came since, or a decision."""
        return [(one.turn_id, one.turn.reason, self._decisions.hunks_of(one)) for one in self._records]

    def _states(self, record: TurnRecord) -> Sequence[str]:
        return [state for _, state in self._decisions.hunks_of(record)]
