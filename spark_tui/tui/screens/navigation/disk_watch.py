"""Looks at what other programs do to the tree: to the file in view, to files with hunks, to the branch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from spark_tui.errors import SparkError
from spark_tui.tui.code.hunk_view import PENDING
from spark_tui.tui.code.unsaved_edits import made
from spark_tui.tui.screens.navigation.open_file import OpenFile
from spark_tui.tui.screens.protocols import WorkbenchHost
from spark_tui.tui.text.safe_text import one_line

LOOK_SECONDS = 0.5


class Listener(Protocol):
    """What is told of the texts that a person and other programs write."""

    @property
    def previewing(self) -> bool: ...
    def opened(self, path: str, lines: Sequence[str]) -> None: ...
    def changed_on_disk(self, path: str, lines: Sequence[str]) -> None: ...


class DiskWatchHost(WorkbenchHost, Protocol):
    @property
    def open_file(self) -> OpenFile: ...


class DiskWatch:
    """A look asks for the times of files only, and reads those that have changed."""

    def __init__(self, host: DiskWatchHost, listener: Listener) -> None:
        self._host, self._listener = host, listener
        self._looking, self._asked = False, False
        """Whether a look goes on, and whether another was asked for since it began."""
        self._seen: tuple[str, object] = ("", None)
        """The file in view that was looked at last, and its stamp then; None where there was none."""
        self._told: tuple[str, object] = ("", None)
        """The same while it is typed into: a change can only be told then."""

        self._last_text: tuple[str, bool] | None = None
        """The message that only the last text of a file is left, as it is shown; None once it is back."""
        self._branch: str | None = None
        """The branch that was checked out at the last look."""

    def look(self) -> None:
        """Show the file in view again where another program has written it, mark hunks that it has taken the
        place of, and show another branch."""
        if not self._host.controller.opening:
            self._host.start_task(self._look)

    def wrote(self) -> None:
        """The files changed on disk, not by another program."""
        self._seen = self._told = ("", None)
        self.look()  # at once: a formatter may soon change what was written

    async def _look(self) -> None:
        self._asked = True
        if self._looking:
            return
        self._looking = True
        try:
            while self._asked:
                self._asked = False
                changed = await self._look_at_hunks()
                if self._host.code.file.path:
                    await self._look_at(self._host.code.file.path, changed)
                await self._look_at_head()
        finally:
            self._looking = False

    async def _look_at_head(self) -> None:
        controller = self._host.controller
        if not await controller.run_in_order(controller.session.tree.head_moved):
            return
        await controller.refresh_git_state()
        known, self._branch = self._branch, controller.branch
        if known not in (None, controller.branch):
            # What was accepted may have no place there.
            refusal = await controller.review.refusal()
            told = f"now on {one_line(controller.branch)}: {refusal}" if refusal else ""
            self._host.show_message(told, bool(refusal))

    async def _look_at_hunks(self) -> bool:
        """Mark the hunks whose lines were changed; whether files with hunks were."""
        host, controller = self._host, self._host.controller
        pending: dict[str, list[int]] = {}
        for hunk in controller.turn_state.in_view():
            if hunk.state in PENDING:
                # One that streams cannot be compared yet.
                pending.setdefault(hunk.path, []).extend([hunk.id] if hunk.state != "streaming" else ())
        paths = await controller.run_in_order(controller.session.tree.written_files, pending)
        if paths:
            await host.open_file.mark_stale(paths)
        return bool(paths)

    async def _look_at(self, path: str, changed: bool) -> None:
        host, controller = self._host, self._host.controller
        tree, code = controller.session.tree, host.code
        stamp = await controller.run_in_order(tree.stamp, path)
        if self._seen == (path, stamp) or self._listener.previewing or path != code.file.path:
            return
        if code.editor is not None and self._told == (path, stamp):
            return
        try:
            lines = await controller.run_in_order(tree.read_lines, path)
        except SparkError as error:  # it is binary, too large or out of reach now
            self._seen = path, stamp
            # Of hunks the message about them says more, and one that was opened so has had its message.
            if code.file.lines and not controller.turn_state.of_file(path):
                told = f"{one_line(path)} changed on disk, this is its last text: {one_line(error.what)}"
                self._show_last_text(told)
            return
        if path != code.file.path or self._listener.previewing:
            return
        draft = controller.unsaved_files.drafts.get(path)
        if code.editor is not None:
            before, self._told = self._told if self._told[0] == path else self._seen, (path, stamp)
            if before[0] == path and (draft is None or lines is None or tuple(lines) != draft.base):
                told = "changed on disk: shown once you leave the text"
                if lines is None:
                    told = "was deleted on disk: your text stays here"
                host.show_message(f"{one_line(path)} {told}")
            return
        before, self._seen = self._seen, (path, stamp)
        known = before[0] == path
        hunks = controller.turn_state.of_file(path)
        if lines is None:
            named = any(hunk.stale and hunk.state in PENDING for hunk in hunks)
            # A file that a hunk creates was never there; of others the message about their hunks says more.
            was_there = before[1] is not None if known else bool(code.file.lines) and not hunks
            if was_there and not named:
                self._show_last_text(f"{one_line(path)} was deleted on disk: this is its last text")
                await controller.refresh_git_state()
            return
        if self._last_text == host.message:
            host.show_message("")  # it is back
        self._last_text = None
        written = [hunk for hunk in hunks if hunk.state == "written" and hunk.kind == "edit"]
        shown = draft.base if draft else made(code.file.lines, written)
        if list(lines) == list(shown):
            if not known:
                self._listener.opened(path, lines)
            return
        if known and not any(hunk.state in PENDING for hunk in hunks):
            self._listener.changed_on_disk(path, lines)
        await host.open_file.read_again(path)
        if not changed and draft is not None and tuple(draft.base) != tuple(lines):
            keys = host.keymap
            host.show_message(
                f"{one_line(path)} changed on disk in lines that you typed: {keys.shown('save')} would be"
                f" refused, {keys.shown('type.undo')} while typing undoes yours",
                True,
            )
        await controller.refresh_git_state()

    def _show_last_text(self, told: str) -> None:
        self._host.show_message(told, True)
        self._last_text = self._host.message
