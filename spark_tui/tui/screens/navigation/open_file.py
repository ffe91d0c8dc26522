"""Chooses which file the code pane shows, and hands it the hunks and the draft of that file."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Protocol

from spark_tui.tui.code.hunk_view import PENDING, HunkView, hunk_names
from spark_tui.tui.code.unsaved_edits import FileViewport
from spark_tui.tui.screens.protocols import WorkbenchHost
from spark_tui.tui.text.safe_text import one_line
from spark_tui.tui.turns.touched import Touched
from spark_tui.tui.widgets.code_editor import HunkEditor

_ROWS_AROUND = 5


class CurrentHunk(Protocol):
    """Which hunk the person or the stream is at."""

    current_id: int
    chosen: bool

    async def finish_edit(self) -> None: ...


class OpenFileHost(WorkbenchHost, Protocol):
    @property
    def navigation(self) -> CurrentHunk: ...


class OpenFile:
    """Keeps the code pane and the list of hunks on the file and the hunks of the moment."""

    def __init__(self, host: OpenFileHost) -> None:
        self._host = host
        self._coming = ""
        """The file that is being read to be shown."""

    def changed(self, touched: Touched) -> None:
        """The turn state changed: follow the stream, and read again what may be another file now."""
        host, turn_state, code = self._host, self._host.controller.turn_state, self._host.code
        # What is there at once is read from its beginning; what is written, where it is written.
        newest = touched.opened[0 if turn_state.metrics.exact else -1] if touched.opened else 0
        if newest and code.following and not host.navigation.chosen:
            host.navigation.current_id = newest
        # A short answer opens and closes within one batch: it is jumped to as well.
        stream = next((h for h in turn_state.hunks.values() if h.state == "streaming"), None)
        if stream is None and newest and not host.navigation.chosen:
            stream = turn_state.hunks.get(newest)
        here = self._coming or code.file.path
        wanted = stream.path if stream and code.following and not stream.changes_nothing else here
        if not wanted and turn_state.paths():
            current = turn_state.hunks.get(host.navigation.current_id) if turn_state.metrics.exact else None
            wanted = current.path if current else turn_state.paths()[0]
        again = touched.started or wanted != here or here in touched.paths
        self._coming = wanted if again else self._coming
        drafts = set(host.controller.unsaved_files.drafts)
        typed = drafts if touched.started else drafts & touched.paths
        # What a turn goes on with after a restart names lines of the files as they were before it.
        unmoved = any(not hunk.moved for known in touched.hunks if (hunk := turn_state.hunks.get(known)))
        resumed = turn_state.turn == host.controller.reopened and (touched.ended or unmoved)
        begun = turn_state.turn + resumed if touched.started or resumed else 0
        if again or typed or begun:
            host.start_task(partial(self._read_again, wanted if again else "", typed, begun))
        elif touched.hunks or touched.ended or touched.wrote:
            self.show_hunks()

    def expect_answer(self) -> None:
        """A turn begins that is asked for: its first hunk becomes the current one, and is looked at."""
        self._host.code.following, self._host.navigation.chosen = True, False

    def follow(self) -> None:
        """Look where the model writes again."""
        host = self._host
        self.expect_answer()
        newest = list(host.controller.turn_state.hunks)[-1:]
        self.changed(Touched(hunks=set(newest), opened=newest))

    async def _read_again(self, wanted: str, typed: Collection[str], begun: int) -> None:
        await self._host.controller.unsaved_files.keep_up(typed)
        if wanted:
            try:
                gone = await self._is_gone(wanted)
            finally:
                is_newest = wanted == self._coming
                self._coming = "" if is_newest else self._coming
            if is_newest and gone:
                self._host.code.show_file(FileViewport())
                self._host.controller.in_view = ""
            elif is_newest:
                await self.show_file(wanted)
        if begun:
            await self._host.controller.review.move_to_disk(begun)
        self.show_hunks()

    async def _is_gone(self, path: str) -> bool:
        """Whether there is no file and no hunk of it, as after a new file was rejected. Reads the file."""
        controller = self._host.controller
        if await controller.lines_of(path) or controller.unsaved_files.hunks(path):
            return False
        if path in controller.unsaved_files.drafts:
            return False
        return await controller.review.read_lines(path, controller.reopened) is None

    async def read_again(self, path: str) -> None:
        """Show a file as it is on disk now. Hunks that are there, or that a turn still brings, name lines of
        the text from before."""
        controller = self._host.controller
        await controller.unsaved_files.keep_up([path])
        if not controller.turn_state.of_file(path) and not controller.running:
            controller.forget(path)
        elif path not in controller.unsaved_files.drafts:
            await controller.unsaved_files.begin(path, 0, 0)
        await self.show_file(path)

    async def show_file(self, path: str) -> None:
        """Show a file in the code pane."""
        host = self._host
        if path != host.code.file.path and isinstance(host.code.editor, HunkEditor):
            await host.navigation.finish_edit()  # the pane keeps no text of a hunk that it does not show
        if path:
            lines = await host.controller.lines_of(path, wanted=True)
            unsaved_files = host.controller.unsaved_files
            hunks, draft = unsaved_files.hunks(path), unsaved_files.drafts.get(path)
            host.code.current = host.navigation.current_id
            host.code.show_file(FileViewport(path, draft.lines if draft else lines, hunks, draft))
            host.controller.in_view = path
        self.show_hunks()
        host.paint_status()

    async def show_first(self, path: str, line: int) -> None:
        """Show the file that spark was started with."""
        if path:
            await self.show_file(path)
            self._go_to_line(line)

    def _go_to_line(self, line: int) -> None:
        code = self._host.code
        last = max(len(code.file.lines) - 1, 0)
        code.go_to(code.layout_rows.row_of_line(min(max(line - 1, 0), last)), around=_ROWS_AROUND)

    async def show_at(self, path: str, line: int, *, around: int = 0) -> None:
        """Show a line of a file as it was read, or the row that hides it."""
        code = self._host.code
        code.following = False
        if path != code.file.path:
            await self.show_file(path)
        code.go_to(code.layout_rows.row_of_line(line - 1), around=around)

    async def show_line(self, path: str, number: int) -> None:
        """Show a line of the edited file, unfolded."""
        code = self._host.code
        code.following = False
        if path != code.file.path:
            await self.show_file(path)
        if code.folded:
            code.set_folded(False)
        self.show_hunks()
        code.go_to(code.layout_rows.row_of_number(number), around=_ROWS_AROUND)

    async def show_mentioned(self, prompt: str) -> None:
        """If no file is open, open the one that the prompt names. It stays visible whatever the answer
        is, and the next message is about it."""
        from spark_tui.context.mentions import find_mentions

        host = self._host
        for mention in find_mentions(prompt):
            if host.code.file.path or host.controller.opening:
                return
            # A name without an ending may be a folder or a symbol.
            named = "." in mention.path and not mention.is_glob
            if named and await host.controller.lines_of(mention.path):
                if not host.code.file.path:
                    await self.show_file(mention.path)
                    self._go_to_line(mention.first)
                return

    def show_hunks(self) -> None:
        host = self._host
        unsaved_files, code = host.controller.unsaved_files, host.code
        code.current = host.navigation.current_id
        code.show_hunks(unsaved_files.hunks(code.file.path))
        paths = host.controller.turn_state.paths()
        listed = [hunk for path in paths for hunk in unsaved_files.hunks(path, listed=True)]
        host.list.show_hunks([*listed, *unsaved_files.own_hunks()], host.navigation.current_id)

    def report_position(self) -> None:
        """What the person looks at and has selected belongs to what is asked, in lines of the file on the
        disk."""
        host, draft = self._host, self._host.code.file.draft
        line, selection = host.code.place()
        if draft is not None:
            line = draft.back(line - 1) + 1 if line else 0
            selection = selection and (draft.back(selection[0] - 1) + 1, draft.back(selection[1] - 1) + 1)
        host.controller.cursor, host.controller.selection = line, selection

    async def in_conflict(self, hunks: Collection[HunkView]) -> list[HunkView]:
        """The hunks that conflict with what is typed, or with what another program wrote; the status line
        names them."""
        host, keys = self._host, self._host.keymap
        drafts = host.controller.unsaved_files.drafts
        doubtful = {hunk.path for hunk in hunks if hunk.stale or hunk.path in drafts}
        await host.controller.review.find_stale(doubtful)
        reject = f"{keys.shown('reject')} rejects a hunk"
        if found := host.controller.unsaved_files.in_conflict(hunks):
            both = f"your text and {hunk_names(found)} change the same lines"
            told = f"{both}: {reject}, {keys.shown('type.undo')} while typing undoes yours"
        elif found := [hunk for hunk in hunks if hunk.stale and hunk.state in PENDING]:
            told = f"{self._changed(found)}: {reject}, or send the instruction again"
        if found:
            host.show_message(f"≠ {told}", True)
        return found

    def _changed(self, stuck: Sequence[HunkView]) -> str:
        """What became of the files of these hunks."""
        tree, paths = self._host.controller.session.tree, sorted({hunk.path for hunk in stuck})
        names = " and ".join(map(one_line, paths)) if len(paths) < 3 else f"{len(paths)} files"
        if any(tree.stamp(path) is not None for path in paths):
            return f"{names} changed on disk in lines of {hunk_names(stuck)}"
        return f"{names} deleted on disk, with the place of {hunk_names(stuck)}"

    async def mark_stale(self, paths: Collection[str]) -> None:
        """Mark the hunks of files that changed on disk where a write would refuse them, and say so."""
        host = self._host
        stuck = await host.controller.review.find_stale(paths)
        self.show_hunks()
        if stuck:
            them = "it" if len(stuck) == 1 else "them"
            told = f"{self._changed(stuck)}: reject {them}, or send the instruction again"
            host.show_message(told, True)
        elif any(f" {word} on disk" in host.message[0] for word in ("changed", "deleted")):
            host.show_message("")
