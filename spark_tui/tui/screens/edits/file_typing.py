"""Typing in a file on the workbench: beginning, leaving, saving, and ghost text."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event as StopFlag

from spark_tui.tui.ghost_text import GhostWriter
from spark_tui.tui.messages import TextTyped
from spark_tui.tui.screens.edits.edit_offers import EditOffers
from spark_tui.tui.screens.navigation.hunk_navigation import ReviewHost
from spark_tui.tui.text.buffer import TextBuffer
from spark_tui.tui.view_state import counts
from spark_tui.tui.widgets.code_editor import FileEditor


class FileTyping:
    """Begins, saves and ends typing in the file in view."""

    def __init__(self, host: ReviewHost, offers: EditOffers) -> None:
        self._host, self._offers = host, offers
        self.ghost = GhostWriter(self._propose, self._show_ghost)

    async def begin(self) -> None:
        """Keys go into the file; on a new line of a hunk into the hunk."""
        host, code = self._host, self._host.code
        host.set_focus(code)
        hunk = host.controller.turn_state.hunks.get(code.row_at_cursor().hunk)
        if code.row_at_cursor().kind == "new" and hunk is not None:
            host.navigation.pick(hunk.id)
            if counts("edit", host.view_state("code")):
                code.edit(hunk)
                return
        path, unsaved_files = code.file.path, host.controller.unsaved_files
        if not path:
            host.show_message(f"no file is open: {host.keymap.shown('open')} opens one")
        else:
            unsaved_files.typing = path
            draft = await unsaved_files.begin(path, *code.where_to_type())
            if draft is not None and code.file.path == path:
                self._offers.opened(path, draft.lines)
                await host.open_file.show_file(path)
                code.type_into(draft)
                host.paint_status()
                return
            unsaved_files.typing = ""

    async def leave(self) -> None:
        """Out of the text; what was typed stays, saved or not."""
        host, unsaved_files = self._host, self._host.controller.unsaved_files
        self.ghost.cancel()
        if not isinstance(host.code.editor, FileEditor):
            await host.navigation.finish_edit()
            return
        path, unsaved_files.typing = unsaved_files.typing, ""
        host.code.end_edit()
        if unsaved_files.let_go(path):
            host.controller.forget(path)
        await host.open_file.show_file(path)
        if unsaved_files.unsaved:
            host.show_message(f"not saved: {host.keymap.shown('save')} saves what you typed")

    async def save(self) -> None:
        """What the person typed, in every file, and nothing else."""
        host, unsaved_files = self._host, self._host.controller.unsaved_files
        texts = {draft.path: tuple(draft.lines) for draft in unsaved_files.unsaved}
        if await host.controller.review.save(texts):
            host.show_message("saved " + ", ".join(texts))

    def typed(self, message: TextTyped) -> None:
        """After every key that went into the text."""
        host = self._host
        editor = host.code.editor
        self.ghost.cancel()
        if message.changed:
            self._offers.typed()
        if isinstance(editor, FileEditor):
            if message.pause:
                self.ghost.typed(editor.buffer)
            host.open_file.show_hunks()

    def _propose(self, lines: Sequence[str], row: int, column: int, stop: StopFlag) -> str:
        """Called away from the loop."""
        controller = self._host.controller
        return controller.session.ghost.fill(controller.unsaved_files.typing, lines, row, column, stop=stop)

    def _show_ghost(self, buffer: TextBuffer, text: str) -> None:
        editor = self._host.code.editor
        if isinstance(editor, FileEditor) and editor.buffer is buffer:
            self._host.code.show_ghost(text)
            self._host.paint_status()

    async def visit(self, number: int) -> None:
        """Go to one of the stretches that are not saved, by its number in the list."""
        own = {hunk.id: hunk for hunk in self._host.controller.unsaved_files.own_hunks()}
        if (hunk := own.get(number)) is not None:
            await self._host.open_file.show_at(hunk.path, hunk.start)
