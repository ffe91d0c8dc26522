"""The next edit on the workbench: asked for at a pause in typing, shown in one line, previewed as hunks,
taken or dismissed. It never moves the cursor, and no key waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

from spark_tui.tui.background_work import call_on_loop
from spark_tui.tui.code.hunk_view import OPEN, HunkView
from spark_tui.tui.screens.navigation.hunk_navigation import ReviewHost
from spark_tui.tui.settings.keys import Keymap
from spark_tui.tui.widgets.code_editor import FileEditor

if TYPE_CHECKING:
    from spark_tui.session.exact.exact_turn import PlannedEdit
    from spark_tui.session.next_edit.offers import Offered

PAUSE_SECONDS = 0.3
State = Literal["", "offered", "preview"]


class EditOffers:
    """At most one offer at a time."""

    def __init__(self, host: ReviewHost) -> None:
        self._host = host
        self._timer: asyncio.TimerHandle | None = None
        self._offered: Offered | None = None
        self._turn = 0
        """The turn that previews the offer."""
        self._said_off = False
        """The status line says that an offer is off: the next one takes its place."""
        self._left_out = 0
        """Places of the offer that have no hunk."""
        self._question: object = None
        """The one that is open: another's answer is about a text from before."""
        self._opened: set[str] = set()
        self._begun = False
        self._planned: PlannedEdit | None = None
        """The offer that is shown or taken, until it is written."""
        self._written: PlannedEdit | None = None
        self._taken: dict[int, str] = {}
        """The hunks that were taken, with the words of their offer."""
        self._jumps: list[tuple[str, int]] = []
        self.on_write: Callable[[], None] = lambda: None
        """Called when the files changed on disk, not by another program."""

    @property
    def state(self) -> State:
        return "" if self._offered is None else "preview" if self._turn else "offered"

    def line(self, keymap: Keymap) -> str:
        """The text for the status line; empty without an offer."""
        if self._offered is None:
            return ""
        take, leave = keymap.shown("ghost.take"), keymap.shown("stop")
        if self._turn:
            left = f"; {self._left_out} left out: not saved, or changed since" if self._left_out else ""
            return f"↹ {self._offered.words}: {take} takes all of it, {leave} takes it back{left}"
        return f"↹ {self._offered.line}"

    @property
    def _wanted(self) -> bool:
        settings = self._host.controller.settings
        return settings is not None and settings.next_edit

    # -- asking

    def opened(self, path: str, lines: Sequence[str]) -> None:
        """Typing begins in a file; this is its text before."""
        if self._wanted and path not in self._opened:
            self._opened.add(path)
            self._begun = True
            self._host.controller.session.next_edits.opened(path, _text(lines))

    def typed(self) -> None:
        """The text has changed: what was offered is off, and something else may follow."""
        if self._turn and (hunks := self._hunks()):
            self._host.start_task(partial(self._take_back, hunks))
        self._clear()
        self._said_off = False
        if self._wanted and isinstance(self._host.code.editor, FileEditor):
            self._timer = asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._ask)

    def _ask(self) -> None:
        self._timer = None
        editor, controller = self._host.code.editor, self._host.controller
        path = controller.unsaved_files.typing
        if not isinstance(editor, FileEditor) or not path or controller.running:
            return
        controller.session.next_edits.typed(path, _text(editor.buffer.lines), self._deliverer())

    @property
    def previewing(self) -> bool:
        """Whether the hunks of an offer are shown."""
        return bool(self._turn)

    def changed_on_disk(self, path: str, lines: Sequence[str]) -> None:
        """Another program has written a file: ask what follows from that."""
        self._clear()
        if self._wanted:
            self._host.controller.session.next_edits.saved({path: _text(lines)}, self._deliverer())

    def wrote(self) -> None:
        """Hunks were written or undone, so nobody typed what is in the files now. An offer among them
        becomes an example for the next one."""
        self._clear()
        self._opened.clear()
        self._written, self._planned = self._planned if self._taken else None, None
        self.saved()

    def saved(self) -> None:
        """The files changed on disk, not by another program. While typed text is unsaved, written text is
        not used for a request, because half of a change is misleading."""
        self.on_write()
        unsaved = self._host.controller.unsaved_files.unsaved
        if self._begun:
            texts = {draft.path: _text(draft.lines) for draft in unsaved}
            self._host.controller.session.next_edits.wrote(texts)
            if self._question is not None:
                self._ask()  # what was told has overtaken the question
        if self._written is not None and self._wanted and not unsaved:
            taken = self._host.controller.session.next_edits.taken
            self._host.start_task(partial(asyncio.to_thread, taken, self._written, self._deliverer()))
            self._written = None

    def _deliverer(self) -> partial[None]:
        self._question = question = object()
        return partial(call_on_loop, asyncio.get_running_loop(), self._show, question)

    def _show(self, question: object, offered: Offered | None) -> None:
        if question is not self._question:
            return
        self._question = None
        if offered is None or not self._wanted or self._host.controller.running:
            return
        self._set(offered)
        self._host.controller.session.next_edits.log.add("shown", offered.words)
        if self._said_off:
            self._host.show_message("")
        self._host.paint_status()

    def _clear(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._question is not None:
            self._host.controller.session.next_edits.cancel()
            self._question = None
        self._set(None)

    def _set(self, offered: Offered | None) -> None:
        self._offered, self._turn = offered, 0
        self._host.code.offered = offered is not None

    # -- answering

    async def take(self) -> None:
        """Show the offer as hunks; when they are shown, accept them."""
        host, offered = self._host, self._offered
        if offered is None:
            return
        if not self._turn:
            await self._preview(offered)
            return
        hunks = self._hunks()
        host.controller.session.next_edits.log.add("taken", offered.words)
        self._set(None)
        await host.controller.review.decide(hunks, True)
        self._taken |= {hunk.id: offered.words for hunk in hunks}
        self._jumps = []
        host.open_file.show_hunks()
        keys = host.keymap
        write, jump = keys.shown("write"), keys.shown("offer.jump")
        host.show_message(f"taken: {write} in the code writes the hunks, {jump} goes to what is likely next")

    async def _preview(self, offered: Offered) -> None:
        host, controller = self._host, self._host.controller
        if controller.running:
            host.show_message(f"the model is writing: {host.keymap.shown('stop')} stops it")
            return
        drafts = controller.unsaved_files.drafts
        await controller.unsaved_files.keep_up([path for path in offered.texts if path in drafts])
        planned = await asyncio.to_thread(controller.session.next_edits.planned, offered)
        if self._offered is not offered or controller.running:
            return
        typed = [path for path in offered.texts if path in drafts]
        if others := [path for path in typed if _text(drafts[path].lines) != offered.texts[path]]:
            for path in others:  # what another program made of it, the person did not
                controller.session.next_edits.opened(path, _text(drafts[path].base))
            self.typed()
            host.open_file.show_hunks()
            host.show_message("another program changed the file: the offer for the text before is off")
            self._said_off = True
            return
        if not planned.hunks:
            self._clear()
            host.show_message("every place changed since, or is in a line that you changed and did not save")
            return
        self._planned = planned
        self._left_out = len(offered.plan.edits) - len(planned.plan.edits)
        self._turn = controller.turn_state.turn + 1
        host.code.following = host.navigation.chosen = False
        session = controller.session
        controller.show_turn(lambda stop: session.exact.run(planned, stop=stop), host.paint_status)

    async def dismiss(self) -> None:
        """Take the offer away, and do not make it again."""
        host, offered = self._host, self._offered
        if offered is None:
            return
        hunks = self._hunks() if self._turn else []
        self._planned = None
        self._set(None)
        host.controller.session.next_edits.dismiss(offered.words)
        await self._take_back(hunks)

    async def _take_back(self, hunks: Sequence[HunkView]) -> None:
        await self._host.controller.review.decide(hunks, False)
        self._host.open_file.show_hunks()
        self._host.paint_status()

    def _hunks(self) -> list[HunkView]:
        hunks = self._host.controller.turn_state.hunks.values()
        return [hunk for hunk in hunks if hunk.turn == self._turn and hunk.state in OPEN]

    def undone(self) -> None:
        """A write was undone: count the offers that were in it."""
        hunks = self._host.controller.turn_state.hunks
        undone = [item for item in self._taken if item in hunks and hunks[item].state == "undone"]
        for words in {self._taken.pop(item) for item in undone}:
            self._host.controller.session.next_edits.log.add("undone", words)

    # -- afterwards

    async def jump(self) -> None:
        """To the next place that the hunk, or the line of the keys, makes likely: left places, callers,
        tests, docs."""
        host, controller = self._host, self._host.controller
        if not self._jumps:
            hunk = host.navigation.current
            path = hunk.path if hunk is not None else host.code.file.path
            line = hunk.start if hunk is not None else host.code.place()[0]
            found = await asyncio.to_thread(controller.session.next_edits.likely_next, path, line)
            self._jumps = list(found)
        if not self._jumps:
            host.show_message("nothing seems to follow from here")
            return
        path, line = self._jumps.pop(0)
        await host.open_file.show_at(path, line)
        more = f", {len(self._jumps)} more" if self._jumps else ""
        host.show_message(f"{path}:{line}{more}")


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
