"""Writes hunks to the tree, with a checkpoint before each change, and undoes them."""

from __future__ import annotations

import contextlib
import stat
import time
from collections.abc import Callable, Collection, Container, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from spark_tui import events
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import Misfit, NoPlace, NothingToDo, SparkError, TreeChanged, UsageError
from spark_tui.session.tree.decided_text import merge_changed_file, wanted_files
from spark_tui.session.tree.moved_hunks import beside_written, placed
from spark_tui.workspace import apply as workspace_apply
from spark_tui.workspace import checkpoints, repository
from spark_tui.workspace.apply import ApplyPlan, ConflictedFile, Ignored, WantedFile
from spark_tui.workspace.checkpoints import ChangedContents, Checkpoint, CheckpointNote, FileContent
from spark_tui.workspace.commit import CommitPiece, Says, check, commit
from spark_tui.workspace.commit_finisher import finish_killed
from spark_tui.workspace.disk import cannot_write
from spark_tui.workspace.files import MOST_BYTES, FileText, Tree
from spark_tui.workspace.git_checkpoints import open_store
from spark_tui.workspace.git_index import names_in
from spark_tui.workspace.path_guard import check_path
from spark_tui.workspace.undo_history import UndoHistory, UndoStep

_TRIES = 8


@dataclass(frozen=True, slots=True)
class WriteResult:
    """What a change did. The `merged` files had changed elsewhere since they were read."""

    paths: tuple[str, ...]
    checkpoint: str
    merged: tuple[str, ...] = ()
    hunks: tuple[int, ...] = ()


class TreeWriter:
    """Writes the changes of one session. `state` is the private folder of the tree, outside of it."""

    def __init__(
        self,
        root: Path,
        state: Path,
        session: str,
        *,
        clock: Callable[[], float] = time.time,
        ignored: bool = False,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self.root = root.resolve()
        self.session = checkpoints.safe_session(session)
        self.journal_dir = state / "apply"
        self.most_bytes = most_bytes
        self._clock = clock
        self._allow_ignored = ignored
        self.reversing: Container[str] = ()
        """The turns that took an edit back."""
        self.repo = repository.find_repository(self.root)
        self.store = open_store(self.repo, state / "checkpoints")

    def recover(self) -> None:
        """Finish or roll back what a killed process began. Call it before the tree is read."""
        workspace_apply.recover(self.root, self.journal_dir)
        if self.repo is not None:
            finish_killed(self.repo)

    # -- forwards

    def one_writer(self) -> AbstractContextManager[None]:
        """Wait for other processes that write in this tree; inside, what `plan` found holds until `write`."""
        return workspace_apply.one_writer(self.journal_dir)

    def plan(self, hunks: Sequence[Hunk], tree: Tree) -> ApplyPlan:
        """What applying would do. Raises every refusal and conflict; nothing is written."""
        made = self._plan(wanted_files(hunks, tree), ignored=None if self._allow_ignored else self._ignored)
        if self.repo is not None:
            new = (change.real for change in made.changes if change.before is None)
            repository.check_checked_out(self.repo, [self._prefix() + path for path in new])
        return made

    def _plan(self, wants: Sequence[WantedFile], ignored: Ignored = None) -> ApplyPlan:
        repository.check_writable(self.root)
        return workspace_apply.plan(
            self.root, wants, merge_changed_file, ignored=ignored, most_bytes=self.most_bytes
        )

    def unwritable(self, path: str) -> str:
        """Why no edit of this file is ever written; empty where one may be."""
        try:
            with check_path(self.root, path) as spot:
                hidden = not self._allow_ignored and self._ignored([spot.real])
        except SparkError as error:
            return error.what
        return "git ignores this file" if hidden else ""

    def _ignored(self, paths: Sequence[str]) -> set[str]:
        if self.repo is None:
            return set()
        prefix = self._prefix()
        found = repository.ignored(self.repo, [prefix + path for path in paths])
        return {path.removeprefix(prefix) for path in found}

    def _prefix(self) -> str:
        """The path from the root of the repository to this tree."""
        if self.repo is None or self.repo.root.resolve() == self.root:
            return ""
        return self.root.relative_to(self.repo.root.resolve()).as_posix() + "/"

    def apply(
        self,
        hunks: Sequence[Hunk],
        tree: Tree,
        *,
        turn: str = "",
        label: str = "",
        standing: Sequence[Hunk] = (),
    ) -> WriteResult:
        """Take a checkpoint, then write everything or nothing. `standing` are hunks from the same reading
        of the tree that are already in the files: the new ones go next to them, even if they touch."""
        hunks, tree = beside_written(standing, hunks, tree)
        return self._again(lambda: self.write(self.plan(hunks, tree), hunks, tree, turn=turn, label=label))

    def _again(self, write: Callable[[], WriteResult]) -> WriteResult:
        for tries_left in reversed(range(_TRIES)):
            try:
                with self.one_writer():
                    return write()
            except ConflictedFile:
                raise
            except TreeChanged:
                # Someone wrote between plan and write: the next plan merges with their change.
                if not tries_left:
                    raise
        raise AssertionError  # the last try has returned or raised

    def check_apply(self, hunks: Sequence[Hunk], tree: Tree, standing: Sequence[Hunk] = ()) -> None:
        """Raises what `apply` would; nothing is written."""
        self.plan(*beside_written(standing, hunks, tree))

    def places(
        self, hunks: Sequence[Hunk], tree: Tree, standing: Sequence[Hunk]
    ) -> dict[int, tuple[int, bool]]:
        """The line of each hunk in its file as it is on disk, and whether its lines changed there."""
        now = Tree(self.root, most_bytes=self.most_bytes)
        return {hunk.id: (hunk.old_start, touched) for hunk, touched in placed(hunks, tree, standing, now)}

    def write(
        self, ready: ApplyPlan, hunks: Sequence[Hunk], tree: Tree, *, turn: str = "", label: str = ""
    ) -> WriteResult:
        note = CheckpointNote(
            "apply", turn, label, self._clock(), hunks=tuple(events.to_dict(hunk.closed()) for hunk in hunks)
        )
        bases = {
            change.path: file.data
            for change in ready.changes
            if change.merged and (file := tree.file(change.path))
        }
        return self._write(ready, note, bases)

    def _write(
        self, ready: ApplyPlan, note: CheckpointNote, bases: dict[str, bytes] | None = None, session: str = ""
    ) -> WriteResult:
        before = {change.path: FileContent(change.before, change.before_mode) for change in ready.changes}
        after = {change.path: FileContent(change.after, change.after_mode) for change in ready.changes}
        sides = ChangedContents(before, after, bases or {})
        note = replace(note, folder=self._prefix(), made=ready.made)
        try:
            checkpoint = self.store.save(session or self.session, note, sides)
        except OSError as error:
            what, where = "the checkpoint cannot be written", str(error.filename or self.journal_dir.parent)
            raise cannot_write(error, what, where, "Nothing was written.") from error
        try:
            paths = self._put(ready)
        except BaseException:
            # Nothing was written, so there is nothing to undo; unless the next start finishes it.
            if not workspace_apply.unfinished(self.journal_dir):
                self.store.remove([checkpoint])
            raise
        return WriteResult(paths, checkpoint.id, ready.merged, note.hunk_ids)

    def _put(self, ready: ApplyPlan) -> tuple[str, ...]:
        """Write a plan whose checkpoint is taken."""
        return workspace_apply.apply(ready, self.journal_dir)

    def is_written(self, checkpoint: Checkpoint) -> bool:
        """Whether a change was carried out whose process was killed. All of its files were written, or none
        was, so one that is as before tells."""
        with contextlib.suppress(SparkError):
            before = checkpoints.contents(self.store, checkpoint.files, "before")
            for file in checkpoint.files:
                with contextlib.suppress(SparkError):
                    if self.now(file.path, file.is_link) == before[file.path]:
                        return False
        return True

    # -- backwards

    @property
    def history(self) -> UndoHistory:
        return self._history_of(self.session)

    def _history_of(self, session: str) -> UndoHistory:
        return UndoHistory(self.store, session, self.now, merge_changed_file, self.without, self.reversing)

    def undo_last(self) -> WriteResult:
        """Undo the last change that stands."""
        return self._travel(self.history.undo_last())

    def undo_hunks(self, ids: Collection[int]) -> WriteResult:
        """Undo some hunks of one change, the newest that has them."""
        history = self.history
        for checkpoint in reversed(history.applies):
            if set(ids) <= set(checkpoint.note.hunk_ids):
                return self._travel(history.undo_hunks(checkpoint, ids))
        raise UsageError("these hunks were not written together")

    def redo(self) -> WriteResult:
        """Write again what the last undo took out."""
        return self._travel(self.history.redo())

    def restore(self, checkpoint_id: str) -> WriteResult:
        """Restore the files of a checkpoint to what they were before it."""
        checkpoint = checkpoints.get(self.store, checkpoint_id)
        journey = self._history_of(checkpoint.session).restore(checkpoint)
        if not journey.wanted:
            raise NothingToDo("the files are already as they were before this change")
        return self._travel(journey, checkpoint.session)

    def _travel(self, journey: UndoStep, session: str = "") -> WriteResult:
        note = CheckpointNote(journey.kind, at=self._clock(), moves=journey.moves)

        def write() -> WriteResult:
            # What the person took back already, as `git checkout` does, is undone without writing.
            ready = self._plan(journey.wanted) if journey.wanted else ApplyPlan(self.root, ())
            return self._write(ready, note, session=session)

        return self._again(write)

    def now(self, path: str, itself: bool = False) -> FileContent:
        """A file as it is on the disk; with `itself`, a link that has this name is not followed."""
        file = Tree(self.root, most_bytes=self.most_bytes).now(path, follow=not itself)
        return FileContent(None) if file is None else FileContent(file.data, file.mode)

    def without(self, checkpoint: Checkpoint, out: frozenset[int]) -> dict[str, FileContent]:
        """The files of a change without some of its hunks."""
        known: dict[str, FileText | None] = {}
        before = checkpoints.contents(self.store, checkpoint.files, "before")
        for path, base in checkpoints.contents(self.store, checkpoint.files, "base").items():
            known[path] = None if base.data is None else FileText(path, base.data, base.mode)
        kept = [hunk for hunk in (_hunk(record) for record in checkpoint.note.hunks) if hunk.id not in out]
        contents = dict(before)
        for want in wanted_files(kept, Tree(self.root, known=known)):
            target = want.target
            here = before[want.path]
            if (
                here.data != want.base
                and target is not None
                and want.base is not None
                and here.data is not None
            ):
                target, _ = merge_changed_file(want.base, here.data, target)
                if target is None:
                    raise Misfit(
                        "this hunk cannot be undone alone", where=want.path, hint="Undo the whole turn."
                    )
            contents[want.path] = FileContent(target, here.mode if want.mode is None else want.mode)
        return contents

    # -- the user's own history

    def commit(self, since: int, message: str, says: Says = None) -> str:
        """Commit what was written or undone since the checkpoint of this number, and nothing else. Returns
        the commit's short id, on no branch how to keep it, and which files it is without."""
        left, prefix = self.left_out(since), self._prefix()
        pieces = [piece for piece in self._pieces(since) if piece.path.removeprefix(prefix) not in left]
        repo = repository.require_repository(self.root)
        made = commit(repo, pieces, message, merge_changed_file, says)[:12]
        told = made if repo.branch else f"{made} on no branch (git branch NAME {made} keeps it)"
        names = ", ".join(sorted(left))
        return f"{told} without {names} (commit the whole file first)" if left else told

    def left_out(self, since: int) -> set[str]:
        """The files of which `commit` cannot commit a part, as no commit has them. Empty where there are no
        others: then it refuses."""
        if self.repo is None:
            return set()
        firsts = {piece.path: piece for piece in reversed(self._pieces(since))}
        there = [path for path, piece in firsts.items() if piece.before is not None]
        repo = repository.require_repository(self.root)
        left = set(there) - names_in(repo, repo.head, there)
        return {path.removeprefix(self._prefix()) for path in left} if len(left) < len(firsts) else set()

    def check_commit(self, since: int, coming: Sequence[tuple[Sequence[Hunk], Tree]]) -> None:
        """Raises what `commit` would raise after the coming changes."""
        pieces = self._pieces(since)
        for hunks, tree in coming:
            for change in self.plan(hunks, tree).changes:
                path = self._prefix() + change.real
                old = FileContent(change.before, change.before_mode)
                pieces.append(_piece(path, old, FileContent(change.after, change.after_mode)))
        check(repository.require_repository(self.root), pieces, merge_changed_file)

    def _pieces(self, since: int) -> list[CommitPiece]:
        if self.repo is None:
            raise NoPlace("this is not a git repository", where=str(self.root), hint="Run git init first.")
        pieces = []
        prefix = self._prefix()
        history = self.history
        for checkpoint, was, now in history.moved_since(since):
            before, after = history.contents(checkpoint, was), history.contents(checkpoint, now)
            for file in checkpoint.files:
                # Git knows a link's target by its own name.
                with check_path(self.root, file.path, follow=not file.is_link) as spot:
                    path = prefix + spot.real
                pieces.append(_piece(path, before[file.path], after[file.path]))
        return pieces


def _piece(path: str, old: FileContent, new: FileContent) -> CommitPiece:
    was_executable, executable = bool(old.mode & 0o111), bool(new.mode & 0o111)
    links = stat.S_ISLNK(old.mode), stat.S_ISLNK(new.mode)
    return CommitPiece(path, old.data, new.data, was_executable, executable, *links)


def _hunk(record: object) -> Hunk:
    event = events.from_dict(record) if isinstance(record, dict) else None
    if not isinstance(event, events.HunkClosed):
        raise UsageError("this checkpoint's hunks cannot be read")
    return Hunk.of(event)
