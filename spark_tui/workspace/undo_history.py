"""Undo and redo over checkpoints, by hunk and by change.

A checkpoint moves from one set of undone hunks to another. What the user changed since is merged; where that
is not possible, nothing is done and both versions are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from spark_tui.errors import NothingToDo, UsageError
from spark_tui.workspace.apply import ChangedMeanwhile, ConflictedFile, Merge, MergeConflict, WantedFile
from spark_tui.workspace.checkpoints import (
    Checkpoint,
    CheckpointNote,
    CheckpointStore,
    FileContent,
    Kind,
    Side,
    UndoMove,
    contents,
)

Without = Callable[[Checkpoint, frozenset[int]], dict[str, FileContent]]
"""A checkpoint's files with some, but not all, of its hunks left out."""
Now = Callable[[str, bool], FileContent]
"""A file as it is on the disk; with True, a link that has this name is not followed."""

WHOLE = 0
"""Stands for the whole of a checkpoint that has no hunks."""


@dataclass(frozen=True, slots=True)
class UndoStep:
    """What an undo or redo does: the files to write, and the note of the checkpoint that records it."""

    kind: Kind
    wanted: tuple[WantedFile, ...]
    moves: tuple[UndoMove, ...]


class UndoHistory:
    """One session's changes, read fresh from the store."""

    def __init__(
        self,
        store: CheckpointStore,
        session: str,
        now: Now,
        merge: Merge,
        without: Without,
        reversing: Container[str] = (),
    ) -> None:
        """`reversing` are the turns that took an edit back by another one."""
        self.store, self._reversing = store, reversing
        self._now, self._merge, self._without = now, merge, without
        self.checkpoints = store.list(session)
        self._by_number = {checkpoint.number: checkpoint for checkpoint in self.checkpoints}
        self._out: dict[int, frozenset[int]] = {}
        self._redo: list[tuple[UndoMove, ...]] = []
        for item in self.checkpoints:
            self._replay(item.note)

    def _replay(self, note: CheckpointNote) -> None:
        for move in note.moves:
            self._out[move.number] = frozenset(move.now)
        if note.kind == "undo":
            self._redo.append(note.moves)
        elif note.kind == "redo" and self._redo:
            self._redo.pop()
        elif note.kind == "apply":
            self._redo.clear()

    # -- looking

    @property
    def newest(self) -> int:
        """The number of the newest checkpoint."""
        return max(self._by_number, default=0)

    @property
    def applies(self) -> list[Checkpoint]:
        return [checkpoint for checkpoint in self.checkpoints if checkpoint.note.kind == "apply"]

    def undone(self, checkpoint: Checkpoint) -> frozenset[int]:
        """Ids of its hunks that are undone now."""
        return self._out.get(checkpoint.number, frozenset())

    def standing(self) -> list[Checkpoint]:
        """Changes that are not undone in full, oldest first."""
        return [apply for apply in self.applies if self.undone(apply) != every(apply)]

    def moved_since(self, number: int) -> list[tuple[Checkpoint, frozenset[int], frozenset[int]]]:
        """Each change that is otherwise than it was after the checkpoint of this number: which of its hunks
        were out of the files then, and which are now. What went out since comes first, the newest first."""
        then = {apply.number: every(apply) for apply in self.applies if apply.number > number}
        for item in self.checkpoints:
            if item.number <= number:
                then |= {move.number: frozenset(move.now) for move in item.note.moves}
        moved = [(item, then.get(item.number, frozenset()), self.undone(item)) for item in self.applies]
        went_out = [one for one in moved if one[1] < one[2]]
        return [*reversed(went_out), *(one for one in moved if not one[1] <= one[2])]

    def _reversed(self) -> dict[int, int]:
        """The standing changes that left the files as they were before an earlier one and were made to take
        it back, by their numbers, with the number of that."""
        out: dict[int, int] = {}
        others: list[Checkpoint] = []
        for item in self.standing():
            after = {file.path: file.key("after") for file in item.files}
            found = [one for one in others if {f.path: f.key("before") for f in one.files} == after]
            if found and item.note.turn in self._reversing:
                out[item.number] = found[-1].number
                others.remove(found[-1])
            else:
                others.append(item)
        return out

    def to_undo(self) -> list[Checkpoint]:
        """The changes that stand and were not taken back by another one, oldest first."""
        gone = self._reversed()
        return [one for one in self.standing() if one.number not in {*gone, *gone.values()}]

    @property
    def last_reversal(self) -> Checkpoint | None:
        """The last change that stands, if it took an edit back and no undo came since."""
        last = next(reversed(self.standing()), None)
        return last if last is not None and not self._redo and last.number in self._reversed() else None

    @property
    def can_redo(self) -> bool:
        return bool(self._redo) or self.last_reversal is not None

    # -- going

    def undo_last(self) -> UndoStep:
        """Undo the last change that is not undone in full, nor taken back."""
        standing = self.to_undo()
        if not standing:
            raise NothingToDo("nothing left to undo")
        last = standing[-1]
        return self._go("undo", [(last, self.undone(last), every(last))])

    def undo_hunks(self, checkpoint: Checkpoint, ids: Collection[int]) -> UndoStep:
        """Undo some hunks of one change."""
        unknown = set(ids) - every(checkpoint)
        if unknown:
            raise UsageError(f"checkpoint {checkpoint.id} has no hunk {min(unknown)}")
        was = self.undone(checkpoint)
        target = was | frozenset(ids)
        if target == was:
            raise NothingToDo("these hunks are already undone")
        return self._go("undo", [(checkpoint, was, target)])

    def redo(self) -> UndoStep:
        """Take the last undo back."""
        if (last := self.last_reversal) is not None:
            return self._go("undo", [(last, self.undone(last), every(last))])
        if not self._redo:
            raise NothingToDo("nothing left to redo")
        legs = [
            (self._by_number[move.number], frozenset(move.now), frozenset(move.was))
            for move in reversed(self._redo[-1])
            if move.number in self._by_number
        ]
        return self._go("redo", legs)

    def restore(self, checkpoint: Checkpoint) -> UndoStep:
        """Restore a checkpoint's files to what they were before it. Later edits of other lines stay."""
        was = self.undone(checkpoint)
        if checkpoint.note.kind == "apply" and was == every(checkpoint):
            raise NothingToDo("this change is already undone")
        journey = self._go("restore", [(checkpoint, was, every(checkpoint))])
        if checkpoint.note.kind == "apply":
            return journey
        # To take an undo or a restore back is to bring back what it had taken out.
        moves = tuple(
            UndoMove(move.number, tuple(sorted(self._out.get(move.number, ()))), move.was)
            for move in reversed(checkpoint.note.moves)
        )
        return UndoStep("restore", journey.wanted, moves)

    def _go(self, kind: Kind, legs: Sequence[tuple[Checkpoint, frozenset[int], frozenset[int]]]) -> UndoStep:
        """Walk the legs in memory, each on what the one before left."""
        disk: dict[tuple[str, bool], FileContent] = {}
        current: dict[tuple[str, bool], FileContent] = {}
        clashes: list[ChangedMeanwhile] = []
        stays: dict[str, str] = {}
        made = {folder for one in self.checkpoints for folder in one.note.made or ()}
        for checkpoint, was, target in legs:
            stays |= _folders_that_stay(checkpoint, made)
            old, new = self.contents(checkpoint, was), self.contents(checkpoint, target)
            links = {file.path for file in checkpoint.files if file.is_link}
            for path in {**old, **new}:
                name = (path, path in links)
                if name not in current:
                    current[name] = disk[name] = self._now(*name)
                here = current[name]
                nothing = FileContent(None, here.mode)
                moved, found = _shifted(here, old.get(path, nothing), new.get(path, nothing), self._merge)
                if moved is None:
                    clashes.append(ChangedMeanwhile(path, tuple(found), gone=here.data is None))
                else:
                    current[name] = moved
        if clashes:
            hint = "Nothing was written. Take your change back first, or edit by hand."
            raise ConflictedFile(clashes, since="spark wrote it", hint=hint)
        wanted = tuple(
            WantedFile(name[0], disk[name].data, one.data, one.mode, name[1], stays.get(name[0], ""))
            for name, one in current.items()
            if one.data != disk[name].data or (one.data is not None and one.mode != disk[name].mode)
        )
        moves = (UndoMove(one.number, tuple(sorted(was)), tuple(sorted(now))) for one, was, now in legs)
        return UndoStep(kind, wanted, tuple(moves))

    def contents(self, checkpoint: Checkpoint, out: frozenset[int]) -> dict[str, FileContent]:
        """A checkpoint's files with these hunks left out: none of them, all, or some."""
        if out and out != every(checkpoint):
            return self._without(checkpoint, out)
        side: Side = "before" if out else "after"
        return contents(self.store, checkpoint.files, side)


def every(checkpoint: Checkpoint) -> frozenset[int]:
    """All hunk ids of a change; `WHOLE` where it has none."""
    return frozenset(checkpoint.note.hunk_ids) or frozenset({WHOLE})


def _folders_that_stay(checkpoint: Checkpoint, made: Container[str]) -> dict[str, str]:
    """For each file that a change made, the innermost folder that no change has `made`."""
    new = [file.path for file in checkpoint.files if not file.before and checkpoint.note.made is not None]
    folders = ((path, map(str, PurePosixPath(path).parents)) for path in new)
    return {path: next(one for one in above if one not in made) for path, above in folders}


def _shifted(
    here: FileContent, old: FileContent, new: FileContent, merge: Merge
) -> tuple[FileContent | None, Sequence[MergeConflict]]:
    """Make the step from old to new on what is here."""
    mode = new.mode if here.mode == old.mode or here.data is None else here.mode
    if here.data == old.data:
        return FileContent(new.data, mode), ()
    if here.data == new.data or old.data == new.data:
        return FileContent(here.data, mode), ()
    if here.data is None or old.data is None or new.data is None:
        return None, ()
    merged, clashes = merge(old.data, here.data, new.data)
    return (None, clashes) if merged is None else (FileContent(merged, mode), ())
