"""Writes, undoes, redoes and commits the changes of a session."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TypeVar

from spark_tui import events
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import NothingToDo, SparkError, UsageError
from spark_tui.session.review.decisions import Decisions
from spark_tui.session.review.turn_record import TurnRecord, TurnRecords
from spark_tui.session.review.written_parts import written_in_part
from spark_tui.session.storage.index_rows import EXACT_BACKEND
from spark_tui.session.storage.session_journal import SessionJournal
from spark_tui.session.storage.turn_storage import read_facts, write_facts
from spark_tui.session.tree.moved_hunks import UNWRITTEN
from spark_tui.session.tree.tree_reader import same_file
from spark_tui.session.tree.writer import TreeWriter, WriteResult
from spark_tui.workspace.apply import ConflictedFile
from spark_tui.workspace.commit import Says, draft_message
from spark_tui.workspace.commit_finisher import IndexNotUpdated
from spark_tui.workspace.files import Tree

T = TypeVar("T")


class Changes:
    """Writes the accepted hunks of a session and what the person typed. Each change is journaled, and can be
    undone."""

    def __init__(
        self, writer: TreeWriter, decisions: Decisions, records: TurnRecords, journal: SessionJournal
    ) -> None:
        self._writer = writer
        self._decisions = decisions
        self._records = records
        self._journal = journal
        self._committed = read_facts(journal.folder).committed
        """The newest checkpoint when the last commit was made."""
        self.uncommitted = False
        """Whether something was written or undone since the last commit."""
        self.can_undo = self.can_redo = False
        self.written_before: events.Applied | None = None
        """What the last `write` wrote, also where a later turn was refused."""
        self._look_back()

    # -- writing

    def write(self) -> events.Applied:
        """Write the accepted hunks, turn by turn, each turn all or nothing, with a checkpoint before it."""
        with self._records.lock:
            begun, self.written_before = time.monotonic(), None
            groups = self._decisions.by_turn(self._decisions.review.accepted())
            if not groups:
                raise NothingToDo("no hunk is accepted", hint="Accept a hunk first.")
            done: list[WriteResult] = []
            there: NothingToDo | None = None
            try:
                for record, hunks in groups:
                    turn, asked = record.turn_id, record.instruction
                    apply = partial(self._writer.apply, hunks, record.tree, turn=turn, label=asked)
                    try:
                        written = self._beside_written(record, apply)
                    except NothingToDo as error:
                        there = error
                        continue  # the person made the same edit
                    done.append(written)
                    self._decisions.mark_written((hunk.id for hunk in hunks), written=True)
                if there is not None and not done:
                    there.hint = "Reject what is accepted: the files have it."
                    raise there
            except SparkError as error:
                if ids := [hunk_id for written in done for hunk_id in written.hunks]:
                    count = "1 hunk was" if len(ids) == 1 else f"{len(ids)} hunks were"
                    rest = error.hint.removeprefix("Nothing was written.").strip()
                    error.hint = f"{count} written before, the others were not. {rest}".strip()
                raise
            finally:
                # What the turns before a failing one wrote is written, and is journaled.
                if done:
                    missing = " ".join(filter(None, (self._missing(record) for record, _ in groups)))
                    paths = tuple(dict.fromkeys(path for written in done for path in written.paths))
                    ids = [hunk_id for written in done for hunk_id in written.hunks]
                    applied = events.Applied(paths, done[-1].checkpoint, tuple(ids), _took(begun), missing)
                    self._record(applied)
                    self.written_before = applied
            return applied

    def check_write(self) -> None:
        """Raises what `write` would for the first turn that has accepted hunks; nothing is written."""
        with self._records.lock:
            for record, hunks in self._decisions.by_turn(self._decisions.review.accepted())[:1]:
                self._beside_written(record, partial(self._writer.check_apply, hunks, record.tree))

    def clashes(self, record: TurnRecord) -> bool:
        """Whether hunks of a turn that are not written are in conflict with files that changed since."""
        with self._records.lock:
            return any(self._clashing(record))

    def in_conflict(self, paths: Collection[str]) -> set[int]:
        """The hunks in these files that a write would refuse, because the files changed since."""
        with self._records.lock:
            return {hunk.id for record in self._records for hunk in self._clashing(record, paths)}

    def read_lines(self, path: str) -> Sequence[str] | None:
        """The lines of a file as the last turn read it, which its hunks name; None if there was none."""
        with self._records.lock:
            last = self._records.last
            return last.tree.read_lines(path) if last is not None else None

    def places(self, hunk_ids: Iterable[int], streaming: Sequence[Hunk] = ()) -> dict[int, tuple[int, bool]]:
        """The line on which each of these hunks, and of those that the last turn writes now, is in its file
        on disk, and whether its lines changed there. Those of files that cannot be read are left out."""
        found: dict[int, tuple[int, bool]] = {}
        with self._records.lock:
            review, last = self._decisions.review, self._records.last
            groups = self._decisions.by_turn(review.hunk(known) for known in hunk_ids)
            for record, hunks in [*groups, *([(last, streaming)] if last and streaming else [])]:
                moves = [hunk for hunk in self._written_by_others(record) if hunk.kind == "move"]
                with suppress(SparkError):
                    found |= self._writer.places(hunks, record.tree, [*self._written(record), *moves])
        return found

    def _clashing(self, record: TurnRecord, paths: Collection[str] | None = None) -> Iterator[Hunk]:
        """The hunks of a turn, in these files or in all, that would be in conflict if written alone."""
        for hunk, state in self._decisions.hunks_of(record):
            if state in UNWRITTEN and (paths is None or hunk.path in paths):
                try:
                    self._beside_written(record, partial(self._writer.check_apply, [hunk], record.tree))
                except ConflictedFile:
                    yield hunk
                except SparkError:
                    continue

    def _written(self, record: TurnRecord) -> list[Hunk]:
        return [hunk for hunk, state in self._decisions.hunks_of(record) if state == "applied"]

    def _beside_written(self, record: TurnRecord, act: Callable[..., T]) -> T:
        """What `act` gives beside the hunks of the turn that are in the files, or else also beside those of
        others that read the same files: they may have moved one."""
        own = self._written(record)
        try:
            return act(standing=own)
        except ConflictedFile:
            if others := self._written_by_others(record):
                with suppress(SparkError):
                    return act(standing=[*own, *others])
            raise

    def _written_by_others(self, record: TurnRecord) -> list[Hunk]:
        """Hunks of other turns that are in the files, as far as these are the ones that the turn read."""
        paths = {hunk.path for hunk, _ in self._decisions.hunks_of(record)}
        return [
            hunk
            for other in self._records
            if other is not record
            for hunk in self._written(other)
            if hunk.path in paths and same_file(other.tree, record.tree, hunk.path)
        ]

    def _missing(self, record: TurnRecord) -> str:
        """Which hunks of an exact edit are not in the files where others of it are."""
        if record.author != EXACT_BACKEND:
            return ""
        by_order: dict[str, list[tuple[Hunk, str]]] = {}
        own = (record.instruction,)
        for hunk, state in self._decisions.hunks_of(record):
            by_order.setdefault(record.kept.get(hunk.id, own)[-1], []).append((hunk, state))
        return " ".join(filter(None, (written_in_part(*order) for order in by_order.items())))

    def write_typed(self, hunks: Sequence[Hunk], tree: Tree) -> WriteResult:
        """Write what the user typed. It is undone as a whole and has no hunks of its own."""
        turn = f"{self._journal.folder.name}-by-hand-{secrets.token_hex(4)}"
        with self._records.lock, self._writer.one_writer():
            ready = self._writer.plan(hunks, tree)
            return self._writer.write(ready, (), tree, turn=turn, label="typed")

    def record_typed(self, written: WriteResult, timing: events.Timing, words: str) -> events.Applied:
        """Journal what `write_typed` wrote. `words` say what it was."""
        applied = events.Applied(written.paths, written.checkpoint, timing=timing)
        with self._records.lock:
            if not (facts := read_facts(folder := self._journal.folder)).typed:
                write_facts(folder, replace(facts, typed=words))
            self._record(applied)
        return applied

    def _record(self, event: events.Applied | events.Undone) -> None:
        self._look_back()
        self._journal.record(event)

    def record_missing(self, journaled: set[str]) -> None:
        """Journal what was written or undone by a process that was killed before it could do so, or by `spark
        checkpoints restore`, and forget the checkpoint of what was not."""
        review = self._decisions.review
        for checkpoint in self._writer.history.checkpoints:
            note, ids = checkpoint.note, checkpoint.note.hunk_ids
            if checkpoint.id in journaled or (
                note.kind == "apply"
                and not all(one in review.ids and review.state(one) in ("accepted", "edited") for one in ids)
            ):
                continue
            if not self._writer.is_written(checkpoint):
                self._writer.store.remove([checkpoint])
                self._look_back()
            elif note.kind == "apply":
                review.mark_applied(ids)
                self._record(events.Applied(checkpoint.paths, checkpoint.id, ids))
            else:
                # A restore takes a write back, or an undo.
                redo = any(len(move.now) < len(move.was) for move in note.moves)
                self._decisions.mark_written(ids, written=redo)
                self._record(events.Undone(checkpoint.paths, checkpoint.id, redo, ids))

    # -- undo

    def undo(self) -> events.Undone:
        """Undo the last write. What the person changed since stays, or it refuses."""
        return self._travel(self._writer.undo_last, redo=False)

    def undo_hunk(self, hunk_id: int) -> events.Undone:
        """Take one hunk out of the files."""
        return self._travel(lambda: self._writer.undo_hunks([hunk_id]), redo=False)

    def redo(self) -> events.Undone:
        """Write again what the last undo took out."""
        return self._travel(self._writer.redo, redo=self._writer.history.last_reversal is None)

    def _travel(self, go: Callable[[], WriteResult], *, redo: bool) -> events.Undone:
        with self._records.lock:
            begun = time.monotonic()
            try:
                written = go()
            except (NothingToDo, UsageError) as error:
                if origin := read_facts(self._journal.folder).forked_from:
                    # A change has one owner, so that two sessions cannot take it out twice.
                    hint = f"Open session {origin} to undo what was written before the fork."
                    raise type(error)(error.what, where=error.where, hint=hint) from error
                raise
            self._decisions.mark_written(written.hunks, written=redo)
            undone = events.Undone(written.paths, written.checkpoint, redo, written.hunks, _took(begun))
            self._record(undone)
            return undone

    # -- commit

    def check_commit(self, hunk_ids: Iterable[int]) -> None:
        """Raises what `commit` would, were these hunks written; nothing is written or committed."""
        with self._records.lock:
            groups = self._decisions.by_turn([self._decisions.review.hunk(item) for item in hunk_ids])
            self._writer.check_commit(self._committed, [(hunks, record.tree) for record, hunks in groups])

    def commit(self, message: str | None = None, says: Says = None) -> str:
        """Commit what was written or undone since the last commit, and no other dirty files. Returns the
        commit's short id, and on no branch how to keep it. `says` is called with a message while something
        is waited for."""
        with self._records.lock:
            if not self.uncommitted:
                raise NothingToDo(
                    "nothing was written since the last commit", hint="Write the accepted hunks first."
                )
            words = self.draft_message() if message is None else message
            try:
                made = self._writer.commit(self._committed, words, says)
            except IndexNotUpdated:
                self._keep_committed(self._writer.history.newest)
                raise
            self._keep_committed(self._writer.history.newest)
            return made

    def draft_message(self) -> str:
        """A commit message from what was asked for the hunks that are to be committed, or taken back, for the
        person to change."""
        records = {record.turn_id: record for record in self._records}
        left = self._writer.left_out(self._committed)
        every = self._writer.history.moved_since(self._committed)
        moved = [step for step in every if not left.issuperset(step[0].paths)]
        asked: list[str] = []
        for one, was, now in moved:
            if (record := records.get(one.note.turn)) is not None:
                record.remember_asked(self._journal.folder)
                for ids, undo in ((was - now, ""), (now - was, "Undo: ")):
                    sources = [self._decisions.review.source(known) for known in ids]
                    asked += [undo + text for text in record.asked_for(sources)] if ids else []
        paths = [path for one, *_ in moved for path in one.paths if path not in left]
        return draft_message(list(dict.fromkeys(asked)), paths)

    def _look_back(self) -> None:
        """See what of the writes stands."""
        history = self._writer.history
        if self._committed > history.newest:  # the checkpoints were pruned, and their numbers begin again
            self._keep_committed(history.newest)
        self.uncommitted = bool(history.moved_since(self._committed))
        self.can_undo, self.can_redo = bool(history.to_undo()), history.can_redo

    def _keep_committed(self, number: int) -> None:
        self._committed, self.uncommitted, folder = number, False, self._journal.folder
        write_facts(folder, replace(read_facts(folder), committed=number))


def _took(begun: float) -> events.Timing:
    return events.Timing(apply=time.monotonic() - begun)
