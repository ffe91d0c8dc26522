"""Typing on the workbench: into the file and out again, saving, ghost text.

Comes in: the workbench, and what keys ask for. Goes out: calls of the typist and the code pane. Must not
know: how text changes, how it is saved.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event as StopFlag
from typing import TYPE_CHECKING

from spark_tui.tui.ghost_text import GhostWriter
from spark_tui.tui.messages import TextTyped
from spark_tui.tui.text_buffer import TextBuffer
from spark_tui.tui.view_state import counts
from spark_tui.tui.widgets.code_editor import FileEditor

if TYPE_CHECKING:
    from spark_tui.tui.screens.workbench import Workbench


class FileTyping:
    """The person at the text."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self.ghost = GhostWriter(self._propose, self._show_ghost)

    async def begin(self) -> None:
        """Keys go into the file; on a new line of a hunk into the hunk."""
        bench, code = self._bench, self._bench.code
        bench.set_focus(code)
        hunk = bench.conductor.board.hunks.get(code.row_at_cursor().hunk)
        if code.row_at_cursor().kind == "new" and hunk is not None:
            bench.walk.pick(hunk.id)
            if counts("edit", bench.situation("code")):
                code.edit(hunk)
                return
        path, typist = code.file.path, bench.conductor.typist
        if not path:
            bench.say(f"no file is open: {bench.keymap.shown('open')} opens one")
        else:
            typist.typing = path
            draft = await typist.begin(path, *code.where_to_type())
            if draft is not None and code.file.path == path:
                await bench.show_file(path)
                code.type_into(draft)
                bench.paint_rim()
                return
            typist.typing = ""
        code.wait_for_text(False)

    async def leave(self) -> None:
        """Out of the text; what was typed stays, saved or not."""
        bench, typist = self._bench, self._bench.conductor.typist
        self.ghost.cancel()
        if not isinstance(bench.code.editor, FileEditor):
            await bench.walk.finish_edit()
            return
        path, typist.typing = typist.typing, ""
        bench.code.end_edit()
        if typist.let_go(path):
            bench.conductor.forget(path)
        await bench.show_file(path)
        if typist.unsaved:
            bench.say(f"not saved: {bench.keymap.shown('save')} saves what you typed")

    async def save(self) -> None:
        """What the person typed, in every file, and nothing else."""
        bench, typist = self._bench, self._bench.conductor.typist
        texts = typist.texts()
        if await bench.conductor.save(texts):
            bench.say("saved " + ", ".join(texts))

    def typed(self, message: TextTyped) -> None:
        """After every key that went into the text."""
        bench = self._bench
        editor = bench.code.editor
        self.ghost.cancel()
        if isinstance(editor, FileEditor):
            if message.pause:
                self.ghost.typed(editor.buffer)
            bench.stage.show_hunks()
        bench.quit_asked = False
        bench.message = ("", False)
        bench.paint_rim()

    def _propose(self, lines: Sequence[str], row: int, column: int, stop: StopFlag) -> str:
        """Called away from the loop."""
        conductor = self._bench.conductor
        return conductor.session.fill(conductor.typist.typing, lines, row, column, stop=stop)

    def _show_ghost(self, buffer: TextBuffer, text: str) -> None:
        editor = self._bench.code.editor
        if isinstance(editor, FileEditor) and editor.buffer is buffer:
            self._bench.code.show_ghost(text)
            self._bench.paint_rim()

    async def visit(self, number: int) -> None:
        """Go to one of the stretches that are not saved, by its number in the list."""
        bench = self._bench
        own = {hunk.id: hunk for hunk in bench.conductor.typist.own_hunks()}
        if (hunk := own.get(number)) is not None:
            bench.code.following = False
            if hunk.path != bench.code.file.path:
                await bench.show_file(hunk.path)
            bench.code.go_to(bench.code.layout_rows.row_of_line(hunk.start - 1))
