"""The reader's edits in a session, on which follow-ups build, also in another process."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from spark_tui.codemods.families.names.rename import Rename
from spark_tui.codemods.hunks import text_hunks
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import MalformedCall
from spark_tui.edits.merge import merge
from spark_tui.errors import SparkError
from spark_tui.intent.followups.amendments.by_call import GOES_ON, kind_of_amended
from spark_tui.intent.planning.answers import FOLLOW_UP, UNSURE, is_about_choice
from spark_tui.intent.words.doubts import DoubtKind, is_of
from spark_tui.pysource.repository import Repository
from spark_tui.session.exact.kept_hunks import KeptHunk, own_marks
from spark_tui.session.reader.placed_marks import changed_lines, placed_marks
from spark_tui.session.reader.reader_edit import ReaderEdit, Texts, from_json, to_json
from spark_tui.session.reader.undo_turns import UndoTurns
from spark_tui.session.review.turn_record import TurnRecord
from spark_tui.session.storage.index_rows import EXACT_BACKEND
from spark_tui.session.storage.turn_storage import write_atomically

STANDS_WHOLE = frozenset(("open", "accepted"))
"""States of the hunks of an edit on which the next one builds, before it is written."""
_MOST_STORED = 2_000_000
"""Characters. Of a larger edit another process knows the hunks only."""


@dataclass(frozen=True)
class StandingEdit:
    """An edit that was not rejected or undone: `written` is false while its hunks are undecided."""

    record: TurnRecord
    edit: ReaderEdit
    written: bool = False
    waits: bool = False
    """Whether other hunks of a written one are not."""
    partial: bool = False
    """Whether its turn was stopped before all of it was written."""

    @property
    def asked(self) -> tuple[str, ...]:
        return self.edit.asked or (self.record.instruction,)

    def marks_of_amended(self, after: Texts, marked: Collection[str] = ()) -> list[str]:
        """Its marks that stay where an amendment comes to these texts: of lines that stay as they were, words
        that neither uses, and where it is at the same lines, which nobody accepted, that another edit may be
        meant. What is `marked` as a follow-up is not said to be unsure as well."""
        changed = changed_lines(self.edit.before, self.edit.after)
        same = not self.written and changed == changed_lines(self.edit.before, after)
        said = {FOLLOW_UP, UNSURE} if FOLLOW_UP in marked else {FOLLOW_UP}
        placed = placed_marks(self.edit.marked, self.edit.before, self.edit.after, after)
        return [*placed] + [
            mark
            for mark in self.edit.marked
            if is_of(mark, DoubtKind.UNUSED) or (same and mark not in said and is_about_choice(mark))
        ]


@dataclass(frozen=True)
class Base:
    """The repository on which a message is read: the current files with the edits that apply. `last` is
    the edit that a follow-up is about, `changed` where the lines of a written one changed since."""

    disk: Repository
    pending: tuple[StandingEdit, ...] = ()
    last: StandingEdit | None = None
    changed: str = ""

    @cached_property
    def repo(self) -> Repository:
        """The repository with every edit that applies."""
        return self._with([item.edit.after for item in self.pending])

    @cached_property
    def before(self) -> Repository:
        """Without the last one."""
        if self.last is None:
            return self.repo
        others = [item.edit.after for item in self.pending if item is not self.last]
        return self._with([*others, self.last.edit.before])

    @property
    def with_turned_down(self) -> Repository | None:
        """With the last one, where that was turned down."""
        if self.last is None or self.last.written or self.last in self.pending:
            return None
        return self._with([*(item.edit.after for item in self.pending), self.last.edit.after])

    @property
    def as_one(self) -> Base:
        """The base with the last edit and the one that it came to as one edit."""
        last = self.last
        if last is None or last.edit.whole is None or last not in self.pending:
            return self
        done = kind_of_amended(replace(last.edit.done, intent=GOES_ON), last.edit.earlier)
        both = replace(last, edit=replace(last.edit, before=last.edit.whole, done=done, whole=None))
        return replace(self, last=both, pending=tuple(both if one is last else one for one in self.pending))

    def as_written(self, title: str) -> str:
        """The title of an edit, with the name that a rename which is written already has given."""
        for call in self.last.edit.done.calls if self.last is not None and self.last.written else ():
            if isinstance(call, Rename):
                owner, dot, _ = call.target.name.rpartition(".")
                title = title.replace(f" {call.target.name} →", f" {owner}{dot}{call.new} →")
        return title

    def _with(self, texts: Iterable[Texts]) -> Repository:
        changed = {path: text for item in texts for path, text in item.items()}
        return self.disk.with_changes(changed) if changed else self.disk

    def joined(self, plan: Plan, *, in_place_of_last: bool) -> JoinedEdit:
        """The whole edit that a plan makes together with the edits that it takes in: those that touch the
        same files, and with `in_place_of_last` the last one, which it replaces."""
        repo = self.before if in_place_of_last else self.repo
        texts = plan.texts(repo)
        taken = [item for item in self.pending if not texts.keys().isdisjoint(item.edit.after)]
        kept = [item for item in taken if not (in_place_of_last and item is self.last)]
        after: dict[str, str | None] = {path: text for item in kept for path, text in item.edit.after.items()}
        if in_place_of_last and self.last is not None:
            after |= self.last.edit.before
            if (self.last.waits or not self.last.written) and self.last not in taken:
                taken.append(self.last)
        after |= texts
        return JoinedEdit(
            after,
            {path: repo.index.text(path) for path in after},
            tuple(item.record for item in taken),
            tuple(self._earlier(kept, in_place_of_last)),
        )

    def _earlier(self, kept: Iterable[StandingEdit], in_place_of_last: bool) -> Iterator[KeptHunk]:
        for item in kept:
            hunks = text_hunks(item.edit.after, self.disk)
            yield from own_marks(hunks, item.asked, item.edit.marked, item.edit.kept)
        if in_place_of_last and self.last is not None:
            yield from self.last.edit.kept


@dataclass(frozen=True)
class JoinedEdit:
    """The texts before the last instruction and after it, the turns that it replaces, and their hunks."""

    after: Texts
    before: Texts
    replaced: tuple[TurnRecord, ...]
    earlier: tuple[KeptHunk, ...]


class ReaderEdits:
    """The edits of a session by turn. They are stored next to its journal."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "edits"
        self._known: dict[str, ReaderEdit | None] = {}
        self.undos = UndoTurns(self._folder)

    def add(self, turn_id: str, edit: ReaderEdit) -> None:
        self._known[turn_id] = edit

    def store(self, turn_id: str) -> None:
        """Keep the edit of a turn for other processes."""
        edit = self._known.get(turn_id)
        if edit is None:
            return
        if text := to_json(edit, _MOST_STORED):
            with contextlib.suppress(SparkError):  # on a full disk the turn itself says so
                write_atomically(self._folder / f"{turn_id}.json", text.encode())

    def of(self, record: TurnRecord) -> ReaderEdit | None:
        """The edit of a turn, where it was one of the reader's."""
        if record.turn_id not in self._known:
            self._known[record.turn_id] = self._stored(record.turn_id)
        return self._known[record.turn_id]

    def _stored(self, turn_id: str) -> ReaderEdit | None:
        try:
            return from_json((self._folder / f"{turn_id}.json").read_bytes())
        except (OSError, ValueError, LookupError, TypeError, MalformedCall):
            return None

    def base(
        self,
        records: Sequence[TurnRecord],
        states: Callable[[TurnRecord], Sequence[str]],
        unwritten: Collection[str],
        disk: Repository,
    ) -> Base:
        """The current files with what these turns (oldest first) still contribute. `unwritten` are the ids of
        those with a hunk that is open, or accepted and not written."""
        pending: list[StandingEdit] = []
        for record in records:
            edit = self.of(record) if record.turn_id in unwritten else None
            if edit is not None and STANDS_WHOLE.issuperset(states(record)) and _has(disk, edit.base):
                pending.append(StandingEdit(record, edit))
        # A sentence or a choice since does not end what a follow-up may be about; a model's answer does.
        spoken = (record for record in reversed(records) if record.author != EXACT_BACKEND or states(record))
        last = next(spoken, None)
        if last is None:
            return Base(disk, tuple(pending))
        for standing in pending:
            if standing.record is last:
                return Base(disk, tuple(pending), standing)
        edit = self.of(last)
        if edit is not None and "applied" in (found := {*states(last)}):
            now = on_disk(edit.before, edit.after, disk)
            if not isinstance(now, str):
                edit = replace(edit, before=now[0], after=now[1])
                return Base(
                    disk, tuple(pending), StandingEdit(last, edit, True, bool(found & {"open", "accepted"}))
                )
        return Base(disk, tuple(pending))


def _has(disk: Repository, texts: Texts) -> bool:
    try:
        return all(disk.index.text(path) == text for path, text in texts.items())
    except SparkError:
        return False


def on_disk(before: Texts, after: Texts, disk: Repository) -> tuple[Texts, Texts] | str:
    """The files as they are now without a written edit, and with it. A place where they changed in the same
    lines, or nothing if the edit is not in them any more."""
    without: dict[str, str | None] = {}
    try:
        now = {path: disk.index.text(path) for path in after}
    except SparkError:
        return ""
    for path, here in now.items():
        was, then = before[path], after[path]
        if here != then:
            if here is None or was is None or then is None:
                return "" if here == was else path
            was, line = merged(then, here, was)
            if line:
                return f"{path}:{line}"
        without[path] = was
    return (without, now) if without != now or not after else ""


def on_changed(before: Texts, after: Texts, disk: Repository) -> tuple[Texts, Texts] | str:
    """An edit that is not written, made on the files as they are now: without it, and with it. A place where
    they changed in the same lines."""
    now = {path: disk.index.text(path) for path in before}
    moved = dict(after)
    for path, here in now.items():
        was, then = before[path], after[path]
        if here == was:
            continue
        if here is None or was is None or then is None:
            return path
        moved[path], line = merged(was, here, then)
        if line:
            return f"{path}:{line}"
    return now, moved


def merged(base: str, here: str, target: str) -> tuple[str, int]:
    """The merge of two texts of one base, or the first line in which they conflict."""
    found = merge(*(text.encode("utf-8", "surrogateescape") for text in (base, here, target)))
    if found.data is None:
        return "", found.conflicts[0].line
    return found.data.decode("utf-8", "surrogateescape"), 0
