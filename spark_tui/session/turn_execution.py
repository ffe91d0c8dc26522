"""Runs a turn of a session: each event is journaled, then recorded, then shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from threading import Event as StopFlag

from spark_tui import events
from spark_tui.context.shown_context import ContextRequest
from spark_tui.edits.edit_failures import EditFailures
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import ExitCode, NoPlace, SparkError, UsageError
from spark_tui.events import Event
from spark_tui.session.review.decisions import Decisions
from spark_tui.session.review.messages import lies_in, standing_against, steer_conflict, withdrawals
from spark_tui.session.review.turn_record import TurnRecord, TurnRecords
from spark_tui.session.storage.index_rows import EXACT_BACKEND, JOB_BACKEND
from spark_tui.session.storage.session_journal import SessionJournal
from spark_tui.session.tree.decided_text import wanted_files
from spark_tui.session.tree.moved_hunks import UNWRITTEN, waiting
from spark_tui.session.turn import Turn
from spark_tui.workspace.files import FileText, Tree, is_binary

_LOST = "�"
_MOST_ASKED = 60
"""Characters of another turn's instruction that a conflict shows."""
NEVER_WRITTEN = "cannot be written: "
"""Begins the reason of a doubt about a hunk of a file that no edit may change."""


class TurnExecution:
    """Runs one turn at a time, and works out what its events mean for earlier hunks."""

    def __init__(
        self,
        records: TurnRecords,
        decisions: Decisions,
        journal: SessionJournal,
        unwritable: Callable[[str], str],
    ) -> None:
        """`unwritable`: why no edit of a file is ever written; empty where one may be."""
        self._records = records
        self._decisions = decisions
        self._journal = journal
        self._unwritable = unwritable
        self._asked: dict[tuple[str, str], str] = {}
        """What it said, by turn and file."""
        self._opened: dict[int, events.HunkOpened] = {}
        self._running = False
        self.unjournaled: TurnRecord | None = None
        """A turn that is further than the journal, because the disk was full."""
        self.catch_up: Callable[[], Iterator[Event]] = lambda: iter(())
        """Returns to the end of the journal after that; called before a turn runs."""

    @property
    def next_id(self) -> str:
        return f"{self._journal.folder.name}-{len(self._records) + 1}"

    def add(self, turn: Turn, tree: Tree, ask: ContextRequest, first_hunk: int) -> TurnRecord:
        """Another turn of the session, stored and ready to run."""
        record = TurnRecord(turn.turn_id, tree, ask, turn, first_hunk)
        self._records.add(record)
        self._journal.turns.add_turn(turn.turn_id, turn.requests, ask)
        return record

    def check_idle(self) -> None:
        """Raises UsageError while a turn runs."""
        if self._running:
            raise UsageError("a turn is running", hint="Stop it first.")

    def run(
        self, record: TurnRecord, stream: Iterator[Event], stop: StopFlag, rejected: set[int] | None = None
    ) -> Iterator[Event]:
        """The events of a leg, each journaled before it is given. `rejected`: undecided hunks among these are
        rejected when the leg's steer counts."""
        yield from self.catch_up()
        with self._records.lock:
            self.check_idle()
            self._running = True
        try:
            for event in stream:
                yield from self.take(event, record, rejected)
        except GeneratorExit:
            # Nobody iterates any more: what was open is cut off here, and the journal says so.
            stop.set()
            for event in stream:
                for _ in self.take(event, record, rejected):
                    pass
            raise
        except NoPlace:
            # What could not be journaled was not shown: the turn stands where the journal ends.
            self.unjournaled, record.turn.reason = record, "failed"
            raise
        finally:
            self._running = False

    def take(self, event: Event, record: TurnRecord, rejected: set[int] | None = None) -> Iterator[Event]:
        """Journal and note an event, and give it with what follows from it."""
        with self._records.lock:
            taken = self._with_consequences(event, record, rejected or set())
            if isinstance(event, events.HunkClosed) and event in taken:
                taken = [*_unwritable_text(event, record.tree), *taken]
                if record.author != EXACT_BACKEND:
                    taken = [*self._never_written(event, record), *_lost_characters(event), *taken]
            for item in taken:
                self._journal.record(item)
                self.note(item, record)
        yield from taken

    def note(self, event: Event, record: TurnRecord) -> None:
        """Update the turn and the review with an event that is in the journal."""
        record.failures.note(event)
        if isinstance(event, events.Token):
            record.answer += event.text
        elif isinstance(event, events.Steered):
            if len(record.turn.requests) == 1:
                # Of several windows those that were not told keep their answer.
                record.answer = ""
            record.leg_from = self._records.last_hunk_id + 1
            record.failures = EditFailures()
            record.messages.append((record.leg_from, event.message))
        elif isinstance(event, events.Choices):
            record.choices = tuple(event.titles)
        elif isinstance(event, events.Decided):
            self._decisions.replay(event)
        elif isinstance(event, events.HunkOpened):
            self._records.count_hunk(event.hunk_id)
            self._opened[event.hunk_id] = event
            self._journal.keep_file(record.turn_id, record.tree, event.path)
        elif isinstance(event, events.HunkFailed):
            self._records.count_hunk(event.hunk_id)
        elif isinstance(event, events.HunkClosed):
            self._records.count_hunk(event.hunk_id)
            self._decisions.add(Hunk.of(event), record)

    def _with_consequences(self, event: Event, record: TurnRecord, rejected: set[int]) -> list[Event]:
        review = self._decisions.review
        if isinstance(event, events.Steered):
            late = {known for known in review.ids if review.source(known) in rejected}
            decided = withdrawals(self._decisions.hunks_of(record))
            return [event, *(item for item in decided if item.decision == "dropped" or item.hunk_id in late)]
        if (
            isinstance(event, (events.HunkText, events.HunkClosed, events.HunkFailed))
            and event.hunk_id in review.ids
            and review.state(event.hunk_id) != "partial"
        ):
            # The person kept or dropped it where it was cut off; that stands.
            return []
        if isinstance(event, events.Decided) and review.is_final(event.hunk_id):
            # The person wrote or dropped it while the answer went on.
            return []
        if isinstance(event, events.HunkClosed) and record.author == JOB_BACKEND:
            # Doubted before it closes: a killed process cannot leave a whole hunk without its doubt.
            return [*self._conflict(event, record), event]
        if isinstance(event, events.HunkClosed) and not event.partial and record.author != EXACT_BACKEND:
            if record.turn.steered:
                return self._among_earlier(event, self._earlier(record))
            taken = self._among_earlier(event, self._by_the_reader(record), gives_back=True)
            if event not in taken or record.turn.sees_pending:
                return taken
            return [*self._conflict(event, record, taken), *taken]
        if isinstance(event, events.Finished) and record.turn.steered:
            return [*withdrawals(self._left_without(event, record)), event]
        return [event]

    def _never_written(self, event: events.HunkClosed, record: TurnRecord) -> list[Event]:
        """A doubt about a hunk that only holds up the others: its file is one that is never written. A job
        brings none of those back."""
        if record.author == JOB_BACKEND:
            return []
        key = record.turn_id, event.new_path or event.path
        if key not in self._asked:
            self._asked[key] = self._unwritable(key[1])
        why = self._asked[key]
        return [events.Doubt(event.hunk_id, 0.0, f"{NEVER_WRITTEN}{why}")] if why else []

    def _conflict(
        self, event: events.HunkClosed, record: TurnRecord, taken: Sequence[Event] = ()
    ) -> list[Event]:
        """A doubt about a hunk whose writer did not see that hunks of other turns make something else of the
        same lines. Those count no more that are rejected for it."""
        gone = {item.hunk_id for item in taken if isinstance(item, events.Decided)}
        for other in self._records:
            if other is record:
                continue
            there = waiting(self._decisions.hunks_of(other), other.tree, record.tree, (*UNWRITTEN, "partial"))
            stand = (item for item in there if item[0].id not in gone)
            rival = standing_against(Hunk.of(event), stand)
            if rival is not None:
                asked = " ".join(other.instruction.split())[:_MOST_ASKED]
                reason = f"conflict: hunk {rival.id} ({asked}) makes something else of these lines"
                return [events.Doubt(event.hunk_id, 0.0, reason)]
        return []

    def _left_without(self, event: events.Finished, record: TurnRecord) -> list[tuple[Hunk, str]]:
        """The hunks where the answer to a message leaves nothing to do."""
        found = self._decisions.hunks_of(record)
        if len(record.turn.requests) == 1:
            return found if event.reason == "no_edit" else []
        if event.reason == "cannot":
            return []
        return [
            (hunk, state)
            for hunk, state in found
            if any(lies_in(hunk, part) for part in record.turn.taken_back)
        ]

    def _earlier(self, record: TurnRecord) -> list[tuple[Hunk, str]]:
        """The hunks of a turn from before its last message."""
        source = self._decisions.review.source
        found = self._decisions.hunks_of(record)
        return [(hunk, state) for hunk, state in found if source(hunk.id) < record.leg_from]

    def _by_the_reader(self, record: TurnRecord) -> list[tuple[Hunk, str]]:
        """The undecided hunks of the edit before it, where that was the reader's: a model was not shown
        them."""
        before = [item for item in self._records if item is not record][-1:]
        found = [item for item in before if item.author == EXACT_BACKEND]
        return [each for item in found for each in self._decisions.hunks_of(item) if each[1] == "open"]

    def _among_earlier(
        self, event: events.HunkClosed, earlier: Sequence[tuple[Hunk, str]], *, gives_back: bool = False
    ) -> list[Event]:
        """A later hunk may repeat an earlier one, replace it, or overlap the person's own text. With
        `gives_back` what it replaces is back once it is rejected."""
        review = self._decisions.review
        opened = self._opened.get(event.hunk_id)
        span = (opened.old_start, opened.old_count) if opened else (event.old_start, len(event.old_lines))
        found = steer_conflict(Hunk.of(event), span, earlier)
        if found.repeats:
            return [events.HunkClosed(event.hunk_id, event.path, event.old_start, (), ())]
        if found.blocked_by:
            what = "you changed these lines yourself; your text is kept"
            return [events.HunkFailed(event.hunk_id, event.path, what, int(ExitCode.MISFIT), event.old_start)]
        out: list[Event] = []
        for hunk_id in found.replaced:
            partial = review.state(hunk_id) == "partial"
            by = str(event.hunk_id) if gives_back and not partial else ""
            out.append(events.Decided(hunk_id, "dropped" if partial else "rejected", by))
        return [*out, event]


def with_warnings(stream: Iterator[Event], warnings: Sequence[tuple[str, str]]) -> Iterator[Event]:
    """The events of a leg, begun with `warnings` (path, why): where else the person has to look."""
    for event in stream:
        yield event
        if isinstance(event, (events.TurnStarted, events.Steered)):
            yield from (events.Prose(f"{path} {why}\n") for path, why in warnings)


def _unwritable_text(event: events.HunkClosed, tree: Tree) -> list[Event]:
    """A doubt about a hunk whose file cannot hold its new text."""
    text, why = "\n".join(event.new_lines), ""
    if text.isascii() and "\0" not in text:
        return []
    try:
        (tree.file(event.path) or FileText(event.path, b"")).encode(text)
        wanted = wanted_files([Hunk.of(event)], tree) if "\0" in text else ()
        if any(is_binary(want.target or b"") for want in wanted):
            why = "with a NUL in it the file would be binary: edit the hunk"
    except UnicodeEncodeError as error:
        lacks = f"the file's encoding cannot represent {text[error.start]!r}"
        why = f"{lacks}: edit the hunk, or change the encoding first"
    except SparkError:
        pass  # it says so itself where it is written
    return [events.Doubt(event.hunk_id, 0.0, f"{NEVER_WRITTEN}{why}")] if why else []


def _lost_characters(event: events.HunkClosed) -> list[Event]:
    """A doubt about a hunk with characters that a server lost, as it took bytes of a character apart."""
    new, old = "".join(event.new_lines), "".join(event.old_lines)
    if _LOST not in new or _LOST in old:
        return []
    return [events.Doubt(event.hunk_id, 0.0, f"a character was lost on the way: {_LOST}")]
