"""Checks the repository as it would be with an answer's hunks, and marks the hunks that break something.

The check runs when an answer is complete, in the thread that asks for it; it can be stopped and has a time
limit. Only hunks of Python files are checked.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from spark_tui import events
from spark_tui.edits.hunk import Hunk, overlaps
from spark_tui.errors import NoPlace, UsageError
from spark_tui.events import Event
from spark_tui.session.review.decisions import Decisions
from spark_tui.session.review.turn_record import TurnRecord, TurnRecords
from spark_tui.session.storage.session_journal import SessionJournal
from spark_tui.session.timing import giving_way
from spark_tui.workspace.files import Tree

if TYPE_CHECKING:
    from spark_tui.session.review.repository_checks import RepositoryChecks

CHECK_SECONDS = 10.0
"""The longest that a check may take. What it has not looked at by then is named."""
WRITE_SECONDS = 3.0
"""The longest that a write waits for what it would break."""
MOST_BREAKS = 5
"""The number of places named for each hunk."""
HALF = "another edit of this file did not fit: "
_MOST_UNFINISHED = 5
_STANDS = frozenset(("open", "accepted", "edited", "applied"))
_PENDING = _STANDS - {"applied"}
_WANTED = _STANDS - {"open"}
_PYTHON = (".py", ".pyi")


class Stopped(Exception):
    """The check is not wanted any more."""


@dataclass
class AnswerChecks:
    """The checks of a session's answers. The first one in a repository reads all of its Python files."""

    _records: TurnRecords
    _decisions: Decisions
    _journal: SessionJournal
    _check_idle: Callable[[], None]
    _repository: Callable[[], RepositoryChecks]
    _closed: threading.Event = field(default_factory=threading.Event)
    _one_at_a_time: threading.Lock = field(default_factory=threading.Lock)
    _unfinished: list[TurnRecord] = field(default_factory=list)
    """Turns that are still to be checked: the check of all but the last was stopped."""
    _said: set[tuple[str, str]] = field(default_factory=set)
    """The places that whole answers were found to break."""

    def close(self) -> None:
        """Stop the check that runs; none begins any more."""
        self._closed.set()

    def run(self, stop: threading.Event, *, seconds: float = CHECK_SECONDS) -> tuple[Event, ...]:
        """Check the hunks of the last turn, and of turns before it whose check was stopped. The events are in
        the journal when they are given; a check that is stopped, or ends while the next turn runs, gives
        none."""
        with self._one_at_a_time:
            last = self._records.last
            if last is not None and not last.turn.checked and last not in self._unfinished:
                self._unfinished = [*self._unfinished, last][-_MOST_UNFINISHED:]
            out: list[Event] = []
            for record in list(self._unfinished):
                try:
                    found = self._checked(record, stop, seconds)
                except Stopped:
                    break
                out += self._journaled(record, found)
            return tuple(out)

    def of_write(self) -> events.Doubt | None:
        """A place that the accepted hunks of a turn would break, but not all of its hunks together."""
        if not self._one_at_a_time.acquire(timeout=WRITE_SECONDS):
            return None
        try:
            for record in self._records:
                wanted, whole = self._hunks(record, _WANTED), self._hunks(record)
                if not self._hunks(record, _PENDING & _WANTED) or wanted == whole:
                    continue
                others = self._others(record, _PENDING & _WANTED)
                on_work = self._on_work(threading.Event(), WRITE_SECONDS)
                try:
                    with giving_way():
                        found = self._repository().check(
                            (wanted, record.tree), others, on_work, _together(whole, wanted)
                        )
                except Stopped:
                    return None
                except Exception as error:  # said, and pressing again writes
                    why = f"could not be checked: {type(error).__name__}: {error}"
                    return events.Doubt(wanted[0].id, 0.0, why)
                if new := [one for one in found.breaks if _place(one) not in self._said]:
                    return new[0]
            return None
        finally:
            self._one_at_a_time.release()

    def _on_work(self, stop: threading.Event, seconds: float) -> Callable[[], None]:
        from spark_tui.session.review.hunk_breaks import OutOfTime

        end = time.monotonic() + seconds

        def on_work() -> None:
            if stop.is_set() or self._closed.is_set():
                raise Stopped
            if time.monotonic() > end:
                raise OutOfTime

        return on_work

    def _checked(self, record: TurnRecord, stop: threading.Event, seconds: float) -> list[Event]:
        hunks, halves = self._hunks(record, _STANDS), self._halves(record)
        if not hunks:
            return [events.Checked(tuple(half.hunk_id for half in halves)), *halves] if halves else []
        on_work = self._on_work(stop, seconds)
        earlier = self._others(record, _PENDING)
        on_work()
        breaks: Sequence[events.Doubt] = ()
        try:
            with giving_way():
                result = self._repository().check((hunks, record.tree), earlier, on_work)
            breaks, note = result.breaks, result.note
            self._said.update(map(_place, breaks))
        except Stopped:
            raise
        except Exception as error:
            # A fault of the check is no reason to lose the answer.
            note = f"not checked: {type(error).__name__}: {error}"
        notes, doubts = [note] if note else [], list[Event]()
        for hunk in hunks:
            own = list(dict.fromkeys(doubt for doubt in breaks if doubt.hunk_id == hunk.id))
            named = own[:MOST_BREAKS]
            doubts += named
            if len(own) > len(named):
                notes.append(f"hunk {hunk.id} breaks {len(own)} places, {len(named)} of them are named")
        ids = dict.fromkeys([*(hunk.id for hunk in hunks), *(half.hunk_id for half in halves)])
        return [events.Checked(tuple(ids), "; ".join(notes)), *doubts, *halves]

    def _halves(self, record: TurnRecord) -> list[events.Doubt]:
        """Doubts about the hunks of files of which another edit did not fit, also once the model was told."""
        left = {failure.path: failure for failure in reversed(record.failures.left) if failure.path}
        with self._records.lock:
            found = self._decisions.hunks_of(record) if left else ()
        return [
            events.Doubt(hunk.id, 0.0, f"{HALF}{left[hunk.path].message}", hunk.path, left[hunk.path].line)
            for hunk, state in found
            if state in _STANDS and hunk.path in left
        ]

    def _others(self, record: TurnRecord, states: Collection[str]) -> list[tuple[list[Hunk], Tree]]:
        """The hunks of the other turns, each with the files that it read."""
        others = (item for item in self._records if item.turn_id != record.turn_id)
        return [(self._hunks(item, states), item.tree) for item in others]

    def _hunks(self, record: TurnRecord, states: Collection[str] | None = None) -> list[Hunk]:
        with self._records.lock:
            found = self._decisions.hunks_of(record)
        return [
            hunk
            for hunk, state in found
            if (states is None or state in states) and not hunk.partial and hunk.path.endswith(_PYTHON)
        ]

    def _journaled(self, record: TurnRecord, found: Sequence[Event]) -> Sequence[Event]:
        """The events of a turn are not parted by others: what is found while one runs is found again."""
        with self._records.lock:
            try:
                self._check_idle()
                if self._closed.is_set():
                    return ()
                for event in found:
                    self._journal.record(event)
            except (UsageError, NoPlace):
                return ()
            self._unfinished.remove(record)
            return found


def _together(hunks: Sequence[Hunk], first: Sequence[Hunk]) -> list[Hunk]:
    """The first hunks with those of the others that can be made with them: of two in the same lines the later
    one."""
    out = list(first)
    for hunk in reversed(hunks):
        if hunk not in out and not any(overlaps(hunk, other) for other in out):
            out.append(hunk)
    return out


def _place(doubt: events.Doubt) -> tuple[str, str]:
    """What would break, on whichever line it is."""
    return doubt.path, doubt.reason.replace(f":{doubt.line}:", ":")
