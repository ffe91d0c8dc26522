"""Decisions about the hunks of a session's turns."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial

from spark_tui import events
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.patch import build_text
from spark_tui.edits.review import Review
from spark_tui.session.review.messages import withdrawals
from spark_tui.session.review.replaced_hunks import follow_from
from spark_tui.session.review.turn_record import TurnRecord, TurnRecords
from spark_tui.session.storage.session_journal import SessionJournal
from spark_tui.session.tree.decided_text import file_of
from spark_tui.session.tree.moved_hunks import UNWRITTEN, waiting


class KeptReview(Review):
    """A review that reports when a hunk was split, because the numbers of the parts are needed again."""

    def __init__(self, on_split: Callable[[int], None]) -> None:
        super().__init__()
        self._on_split = on_split

    def split(self, hunk_id: int) -> tuple[int, ...]:
        with self.unless_it_fails():
            parts = super().split(hunk_id)
            if len(parts) > 1:
                self._on_split(hunk_id)
        return parts


class Decisions:
    """The review of a session, with each decision journaled. Safe to use from several threads."""

    def __init__(self, records: TurnRecords, log: SessionJournal) -> None:
        self.review: Review = KeptReview(lambda hunk_id: log.record(events.Decided(hunk_id, "split")))
        self._records = records
        self._log = log

    def offered(self, *, last_turn: bool = False) -> tuple[Hunk, ...]:
        """The complete hunks that are still undecided."""
        with self._records.lock:
            found = tuple(hunk for hunk in self.review.undecided() if not hunk.partial)
            if not last_turn:
                return found
            return tuple(hunk for hunk in found if self._record_of(hunk.id) is self._records.last)

    def unwritten(self, *, earlier: bool = False) -> tuple[Hunk, ...]:
        """Whole hunks of the last turn that are undecided or accepted, and not in the files. With `earlier`
        of the last turn that has hunks."""
        with self._records.lock:
            last = self.hunks_of(self._records.last) if self._records.last else []
            if earlier:
                last = next(filter(None, map(self.hunks_of, reversed(list(self._records)))), [])
            return tuple(h for h, state in last if state in UNWRITTEN and not h.partial)

    def unwritten_of_all(self) -> tuple[Hunk, ...]:
        """The same of all turns."""
        with self._records.lock:
            turns = self.turns_with(UNWRITTEN)
            records = (record for record in self._records if record.turn_id in turns)
            every = [found for record in records for found in self.hunks_of(record)]
            return tuple(h for h, state in every if state in UNWRITTEN and not h.partial)

    def beneath_last(self) -> list[Hunk]:
        """Hunks of earlier turns that the model of the last one was shown as if they were made."""
        with self._records.lock:
            last = self._records.last
            if last is None or not last.turn.sees_pending:
                return []
            earlier = (item for item in self._records if item is not last)
            every = (waiting(self.hunks_of(item), item.tree, last.tree) for item in earlier)
            return [hunk for found in every for hunk, _ in found]

    def decide(self, hunk_id: int, decision: events.Decision, text: str = "") -> tuple[events.Decided, ...]:
        """Decide about a hunk; `text` is the new side of an edited one. A decision that cannot be journaled
        is not made. Returns what it decides about others: of hunks in the same lines only one is wanted."""
        with self._records.lock:
            self._decide(decided := events.Decided(hunk_id, decision, text))
            return tuple(self._following(decided))

    def complete(self, past: Sequence[events.Event]) -> None:
        """Decide what follows from the last of these events, where the process was killed before it could."""
        with self._records.lock:
            last = itertools.takewhile(lambda event: isinstance(event, events.Decided), reversed(past))
            run = [event for event in last if isinstance(event, events.Decided)]
            taken = next((one for one in run if one.decision in ("accepted", "edited", "open")), None)
            for decided in dict.fromkeys(filter(None, (taken, *run[:1]))):
                known = decided.hunk_id in self.review.ids
                if known and self.review.state(decided.hunk_id) == decided.decision:
                    for _ in self._following(decided):
                        pass

    def _following(self, decided: events.Decided) -> Iterator[events.Decided]:
        return follow_from(decided, self.review, self._records, self.hunks_of, self._decide)

    def _decide(self, decided: events.Decided) -> None:
        with self.review.unless_it_fails():
            self.replay(decided)
            if decided.decision != "split":  # the review has reported that one itself
                self._log.record(decided)

    def withdraw(self, record: TurnRecord, *, accepted: bool = False) -> Iterator[events.Event]:
        """Reject the undecided hunks of a turn, and drop the one that was cut off; with `accepted` also
        reject those that are accepted and not written."""
        for decided in withdrawals(self.hunks_of(record), accepted=accepted):
            others = self.decide(decided.hunk_id, decided.decision)
            yield from (decided, *others)

    def replay(self, decided: events.Decided) -> None:
        """Make a decision that is in the journal, or is put there by the caller."""
        acts: dict[events.Decision, Callable[[int], object]] = {
            "accepted": self.review.accept,
            "rejected": partial(self._reject, decided.text),
            "open": self.review.reopen,
            "kept": self.review.keep,
            "dropped": self.review.drop,
            "edited": lambda chosen: self.review.edit(chosen, decided.text),
            "split": self.review.split,
        }
        acts[decided.decision](decided.hunk_id)

    def _reject(self, by: str, hunk_id: int) -> None:
        if by:
            self.review.replace(hunk_id, map(int, by.split()))
        else:
            self.review.reject(hunk_id)

    def add(self, hunk: Hunk, record: TurnRecord) -> None:
        """A hunk of a turn, open for decisions."""
        self.review.add(hunk)
        self._records.assign(hunk.id, record)

    def mark_written(self, hunk_ids: Iterable[int], *, written: bool) -> None:
        """These hunks were written, or taken out of the files again. Unknown ones are passed over."""
        known = [hunk_id for hunk_id in hunk_ids if hunk_id in self.review.ids]
        (self.review.mark_applied if written else self.review.mark_undone)(known)

    def patch(self, hunk_ids: Iterable[int] | None = None) -> str:
        """A git patch of these hunks, or of the accepted ones that are not written yet."""
        with self._records.lock:
            chosen = None if hunk_ids is None else [self.review.hunk(item) for item in hunk_ids]
            groups = self.by_turn(self.review.accepted() if chosen is None else chosen)
        return "".join(
            build_text(group, partial(file_of, record.tree), record.tree.newline_for)
            for record, group in groups
        )

    def by_turn(self, hunks: Iterable[Hunk]) -> list[tuple[TurnRecord, list[Hunk]]]:
        """The hunks, grouped by the turn that they came from."""
        groups: dict[str, tuple[TurnRecord, list[Hunk]]] = {}
        for hunk in hunks:
            record = self._record_of(hunk.id)
            groups.setdefault(record.turn_id, (record, []))[1].append(hunk)
        return list(groups.values())

    def hunks_of(self, record: TurnRecord) -> list[tuple[Hunk, str]]:
        """The hunks of a turn, or the parts that they were split into, with their states."""
        return [
            (self.review.hunk(known), self.review.state(known))
            for source in self._records.hunk_ids(record)
            for known in self.review.standing(source)
        ]

    def turns_with(self, states: Collection[str]) -> set[str]:
        """The ids of the turns of which a hunk, or a part of one, is in one of these states."""
        return {self._record_of(known).turn_id for known in self.review.ids_in(states)}

    def _record_of(self, hunk_id: int) -> TurnRecord:
        record = self._records.of_hunk(self.review.source(hunk_id))
        if record is None:
            raise KeyError(hunk_id)
        return record
