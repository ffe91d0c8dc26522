"""Typing on the workbench: into the file and out again, saving, ghost text.

Comes in: the workbench, and what keys ask for. Goes out: calls of the typist and the code pane. Must not
know: how text changes, how it is saved.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event as StopFlag
from typing import Protocol

from textual.widget import Widget

from spark_tui.tui.ghost_text import GhostWriter
from spark_tui.tui.keys import Place
from spark_tui.tui.messages import TextTyped
from spark_tui.tui.screens.hunk_navigation import HunkNavigation
from spark_tui.tui.screens.open_file import OpenFile
from spark_tui.tui.screens.protocols import MessageHost
from spark_tui.tui.text_buffer import TextBuffer
from spark_tui.tui.turn_controller import TurnController
from spark_tui.tui.view_state import ViewState, counts
from spark_tui.tui.widgets.code_editor import FileEditor
from spark_tui.tui.widgets.code_view import CodeView


class FileTypingHost(MessageHost, Protocol):
    """Has a file in view that can be typed into."""

    conductor: TurnController
    code: CodeView
    walk: HunkNavigation
    stage: OpenFile

    def set_focus(self, widget: Widget | None) -> None: ...

    def situation(self, place: Place | None = None) -> ViewState: ...


class FileTyping:
    """The person at the text."""

    def __init__(self, host: FileTypingHost) -> None:
        self._host = host
        self.ghost = GhostWriter(self._propose, self._show_ghost)

    async def begin(self) -> None:
        """Keys go into the file; on a new line of a hunk into the hunk."""
        host, code = self._host, self._host.code
        host.set_focus(code)
        hunk = host.conductor.board.hunks.get(code.row_at_cursor().hunk)
        if code.row_at_cursor().kind == "new" and hunk is not None:
            host.walk.pick(hunk.id)
            if counts("edit", host.situation("code")):
                code.edit(hunk)
                return
        path, typist = code.file.path, host.conductor.typist
        if not path:
            host.say(f"no file is open: {host.keymap.shown('open')} opens one")
        else:
            typist.typing = path
            draft = await typist.begin(path, *code.where_to_type())
            if draft is not None and code.file.path == path:
                await host.stage.show_file(path)
                code.type_into(draft)
                host.paint_rim()
                return
            typist.typing = ""
        code.wait_for_text(False)

    async def leave(self) -> None:
        """Out of the text; what was typed stays, saved or not."""
        host, typist = self._host, self._host.conductor.typist
        self.ghost.cancel()
        if not isinstance(host.code.editor, FileEditor):
            await host.walk.finish_edit()
            return
        path, typist.typing = typist.typing, ""
        host.code.end_edit()
        if typist.let_go(path):
            host.conductor.forget(path)
        await host.stage.show_file(path)
        if typist.unsaved:
            host.say(f"not saved: {host.keymap.shown('save')} saves what you typed")

    async def save(self) -> None:
        """What the person typed, in every file, and nothing else."""
        host, typist = self._host, self._host.conductor.typist
        texts = typist.texts()
        if await host.conductor.save(texts):
            host.say("saved " + ", ".join(texts))

    def typed(self, message: TextTyped) -> None:
        """After every key that went into the text."""
        host = self._host
        editor = host.code.editor
        self.ghost.cancel()
        if isinstance(editor, FileEditor):
            if message.pause:
                self.ghost.typed(editor.buffer)
            host.stage.show_hunks()

    def _propose(self, lines: Sequence[str], row: int, column: int, stop: StopFlag) -> str:
        """Called away from the loop."""
        conductor = self._host.conductor
        return conductor.session.fill(conductor.typist.typing, lines, row, column, stop=stop)

    def _show_ghost(self, buffer: TextBuffer, text: str) -> None:
        editor = self._host.code.editor
        if isinstance(editor, FileEditor) and editor.buffer is buffer:
            self._host.code.show_ghost(text)
            self._host.paint_rim()

    async def visit(self, number: int) -> None:
        """Go to one of the stretches that are not saved, by its number in the list."""
        host = self._host
        own = {hunk.id: hunk for hunk in host.conductor.typist.own_hunks()}
        if (hunk := own.get(number)) is not None:
            host.code.following = False
            if hunk.path != host.code.file.path:
                await host.stage.show_file(hunk.path)
            host.code.go_to(host.code.layout_rows.row_of_line(hunk.start - 1))
