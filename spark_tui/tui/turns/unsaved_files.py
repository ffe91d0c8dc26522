"""The drafts of the files that the person types into: begun, saved, and kept up to date while the files
change on disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from spark_tui.edits.hunk import Hunk
from spark_tui.events import Decided
from spark_tui.tui.code.hunk_view import HunkView
from spark_tui.tui.code.unsaved_edits import UnsavedFile
from spark_tui.tui.turns.session_access import FAILED, SessionAccess

if TYPE_CHECKING:
    from spark_tui.session.tree.manual_edits import ManualEdits
    from spark_tui.tui.turns.state import TurnState


class UnsavedFiles:
    """The drafts of one session. A draft that is saved stays as long as hunks of its file are in view: they
    name lines of the text from before, and the draft knows where those are now."""

    def __init__(
        self, access: SessionAccess, turn_state: TurnState, read: Mapping[str, Sequence[str]]
    ) -> None:
        """`read` has the texts that the hunks of files were made for, where they are known."""
        self._access, self._turn_state, self._read = access, turn_state, read
        self.drafts: dict[str, UnsavedFile] = {}
        self.typing = ""
        """The file that keys go into now."""

    @property
    def _manual_edits(self) -> ManualEdits:
        return self._access.session.manual_edits

    @property
    def unsaved(self) -> list[UnsavedFile]:
        return [draft for draft in self.drafts.values() if draft.dirty]

    async def keep(self, hunk: Decided | None = None) -> None:
        """Store what is not saved, and the edit of a hunk, in case spark is killed."""
        texts = {draft.path: tuple(draft.lines) for draft in self.unsaved}
        await self._access.ask(self._manual_edits.keep, texts, hunk)

    async def begin(self, path: str, row: int, column: int) -> UnsavedFile | None:
        """The draft of a file, from its current bytes; None, with a message, if it cannot be typed into."""
        draft = self.drafts.get(path)
        if draft is None:
            base = await self._access.ask(self._manual_edits.begin, path)
            if not isinstance(base, (tuple, list)):
                return None
            self.drafts[path] = draft = UnsavedFile(path, base)
        draft.buffer.go_to(row, column)
        return draft

    async def keep_up(self, paths: Iterable[str]) -> None:
        """These files are others on the disk now, or were saved: what is typed rests on what they are."""
        for path in paths:
            if (draft := self.drafts.get(path)) is None:
                continue
            known = tuple(draft.lines)
            kept: Any = await self._access.ask(self._manual_edits.rebase, path, known)
            if kept is not None and kept is not FAILED:
                draft.rest_on(kept.base, kept.lines, known)
            self.let_go(path)

    def let_go(self, path: str) -> bool:
        """Drop a draft without unsaved text once no hunk needs it; whether it was dropped."""
        draft = self.drafts.get(path)
        if draft is None or path == self.typing or draft.dirty or self._turn_state.of_file(path):
            return False
        del self.drafts[path]
        return True

    def hunks(self, path: str, *, listed: bool = False) -> list[HunkView]:
        """The positions of a file's hunks in the shown text; in one that is typed into, only the list of
        hunks has those that are written."""
        draft, hunks = self.drafts.get(path), self._turn_state.of_file(path)
        if draft is None:
            return hunks
        draft.show(hunks, self._read.get(path, draft.read))
        return draft.listed if listed else draft.hunks

    def in_conflict(self, hunks: Iterable[HunkView]) -> list[HunkView]:
        """Those whose lines the person has changed: what a write would refuse."""
        typed = [draft.path for draft in self.unsaved]
        stuck = {hunk.id for path in typed for hunk in self.hunks(path) if hunk.state == "conflict"}
        return [hunk for hunk in hunks if hunk.id in stuck]

    def own_hunks(self) -> list[HunkView]:
        """What is not saved, as hunks of the list: their ids are below zero."""
        found = [(draft, mark) for draft in self.unsaved for mark in draft.marks]
        return [
            HunkView(
                Hunk(-number, draft.path, mark.row + 1, (), ()),
                mark.removed,
                state="unsaved",
                new=draft.lines[mark.row : mark.end],
            )
            for number, (draft, mark) in enumerate(found, start=1)
        ]
