"""Typing in a file on the workbench: beginning, leaving, saving, and ghost text."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from threading import Event as StopFlag

from textual.timer import Timer

from spark_tui.tui.background_work import call_on_loop
from spark_tui.tui.messages import TextTyped
from spark_tui.tui.screens.edits.edit_offers import EditOffers
from spark_tui.tui.screens.navigation.hunk_navigation import ReviewHost
from spark_tui.tui.text.buffer import TextBuffer
from spark_tui.tui.view_state import counts
from spark_tui.tui.widgets.code_editor import FileEditor

PAUSE_SECONDS = 0.12
KEEP_SECONDS = 1.0
"""What is typed is stored this often; a killed process loses no more."""
_READ_BEFORE, _READ_AFTER = 2_000, 1_000
"""Lines around the caret that ghost text is asked with."""


class FileTyping:
    """Begins, saves and ends typing in the file in view. At most one question for ghost text is open; the
    next key cancels it."""

    def __init__(self, host: ReviewHost, offers: EditOffers) -> None:
        self._host, self._offers = host, offers
        self._timer: asyncio.TimerHandle | None = None
        self._keeping: Timer | None = None
        self._stop = StopFlag()
        self._asking = threading.Lock()
        """Held while the model is asked: a question waits here until the one before has ended, within a
        pass."""

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
        self.cancel_ghost()
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
            await unsaved_files.keep()

    def typed(self, message: TextTyped) -> None:
        """After every key that went into the text."""
        host = self._host
        editor = host.code.editor
        self.cancel_ghost()
        if message.changed:
            self._offers.typed()
            if self._keeping is None:
                self._keeping = host.set_timer(KEEP_SECONDS, self._keep)
        if isinstance(editor, FileEditor):
            buffer = editor.buffer
            if message.pause and buffer.selection is None and not buffer.line[buffer.column :].strip():
                # Ask once the text stays as it is for a moment.
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(PAUSE_SECONDS, self._ask_for_ghost, buffer)
            host.open_file.show_hunks()

    def _keep(self) -> None:
        self._keeping = None
        keep, hunk = self._host.controller.unsaved_files.keep, self._host.code.typed_hunk
        self._host.start_task(partial(keep, hunk))

    def cancel_ghost(self) -> None:
        """Drop the open question."""
        self._stop.set()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ask_for_ghost(self, buffer: TextBuffer) -> None:
        """Ask off the event loop; an answer that comes too late is dropped."""
        self._timer = None
        self._stop = stop = StopFlag()
        host, controller = self._host, self._host.controller
        loop, version, at = asyncio.get_running_loop(), buffer.version, buffer.at
        first = max(at[0] - _READ_BEFORE, 0)
        lines = buffer.lines[first : at[0] + _READ_AFTER]

        def show(text: str) -> None:
            editor = host.code.editor
            current = isinstance(editor, FileEditor) and editor.buffer is buffer
            if current and not stop.is_set() and (buffer.version, buffer.at) == (version, at):
                host.code.show_ghost(text)
                host.paint_status()

        def ask() -> None:
            with self._asking:
                if stop.is_set():
                    return
                path, ghost = controller.unsaved_files.typing, controller.session.ghost
                text = ghost.fill(path, lines, at[0] - first, at[1], stop=stop)
            if text and not stop.is_set():
                call_on_loop(loop, show, text)

        threading.Thread(target=ask, name="spark-ghost", daemon=True).start()

    async def visit(self, number: int) -> None:
        """Go to one of the stretches that are not saved, by its number in the list."""
        own = {hunk.id: hunk for hunk in self._host.controller.unsaved_files.own_hunks()}
        if (hunk := own.get(number)) is not None:
            await self._host.open_file.show_at(hunk.path, hunk.start)
