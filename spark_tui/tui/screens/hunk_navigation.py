"""Going from hunk to hunk and deciding about them.

Comes in: what the person wants to see or decide. Goes out: calls of the conductor, and the hunk in view.
Must not know: keys, how anything is drawn.
"""

from __future__ import annotations

from typing import Protocol

from spark_tui.tui.confirmations import Confirmations
from spark_tui.tui.hunk_view import OPEN, HunkView
from spark_tui.tui.screens.open_file import OpenFile
from spark_tui.tui.screens.protocols import MessageHost
from spark_tui.tui.turn_controller import TurnController
from spark_tui.tui.widgets.code_editor import HunkEditor
from spark_tui.tui.widgets.code_view import CodeView


class NavigationHost(MessageHost, Protocol):
    """Shows hunks in a file."""

    conductor: TurnController
    code: CodeView
    stage: OpenFile
    asked: Confirmations


class HunkNavigation:
    """Which hunk is current. `chosen` says that the person went there, so that the stream does not lead
    away."""

    def __init__(self, host: NavigationHost) -> None:
        self._host = host
        self.current_id = 0
        self.chosen = False

    @property
    def current(self) -> HunkView | None:
        return self._host.conductor.board.hunks.get(self.current_id)

    def ordered(self) -> list[HunkView]:
        board = self._host.conductor.board
        return [
            h for path in board.paths() for h in sorted(board.of_file(path), key=lambda h: (h.start, h.id))
        ]

    def behind(self) -> list[HunkView]:
        """The hunks of the last turn that one can go back behind: whole ones, as they came."""
        turn = self._host.conductor.board.turn
        return [
            h
            for h in self.ordered()
            if h.turn == turn and not h.name and h.state not in ("partial", "failed")
        ]

    def pick(self, hunk_id: int) -> None:
        """The person is at this hunk, without a move of the view."""
        self.current_id, self.chosen = hunk_id, True

    async def go_to(self, hunk: HunkView) -> None:
        host = self._host
        self.pick(hunk.id)
        host.code.following = False
        if hunk.path != host.code.file.path:
            await host.stage.show_file(hunk.path)
        host.stage.show_hunks()
        host.code.reveal(hunk.id)
        host.paint_rim()

    async def step(self, by: int, *, only_open: bool = False) -> None:
        """To the next or previous hunk, round the end."""
        hunks = self.ordered()
        ids = [hunk.id for hunk in hunks]
        at = ids.index(self.current_id) if self.current_id in ids else (-1 if by > 0 else 0)
        for offset in range(1, len(hunks) + 1):
            hunk = hunks[(at + by * offset) % len(hunks)]
            if not only_open or (hunk.state in OPEN and hunk.state != "streaming"):
                return await self.go_to(hunk)

    async def step_file(self, by: int) -> None:
        board = self._host.conductor.board
        paths, here = board.paths(), self._host.code.file.path
        if paths:
            path = paths[(paths.index(here) + by) % len(paths) if here in paths else 0]
            await self.go_to(min(board.of_file(path), key=lambda h: h.start))

    async def enter(self) -> None:
        """From the prompt into the review: the first open hunk, unless one was chosen or the model writes."""
        board = self._host.conductor.board
        still_open = [hunk for hunk in self.ordered() if hunk in board.open_hunks()]
        if still_open and not self.chosen and not board.busy:
            await self.go_to(still_open[0])

    async def judge(self, hunks: list[HunkView], accept: bool) -> None:
        """Accept or reject what is open of these, then on to the next open one. Partial ones are not
        accepted."""
        host = self._host
        if accept and (stuck := host.stage.stuck(hunks)):
            hunks = [hunk for hunk in hunks if hunk not in stuck]
        choice = host.code.end_choice() if host.code.choice else None
        if choice and accept and [hunk.id for hunk in hunks] == [choice.hunk_id]:
            done = await host.conductor.choose_lines(hunks[0], choice)
        else:
            done = bool(await host.conductor.decide(hunks, accept))
        if done:
            await self.step(1, only_open=True)
            host.stage.show_hunks()
        if accept and (partial := [hunk.label for hunk in hunks if hunk.state == "partial"]):
            host.say(f"hunk {', '.join(partial)} is partial and was not accepted")

    async def accept(self, hunk: HunkView) -> None:
        """Accept one hunk; a partial one only after the person was told what that does to the file."""
        host = self._host
        if hunk.state != "partial":
            await self.judge([hunk], True)
        elif host.asked.keep != hunk.id and not host.stage.stuck([hunk]):
            host.asked.keep = hunk.id
            host.say(f"hunk {hunk.label} is partial; {host.keymap.shown('accept')} again {hunk.outcome}")
        elif host.asked.keep == hunk.id and await host.conductor.keep(hunk):
            await self.step(1, only_open=True)
            host.stage.show_hunks()

    async def split(self, hunk: HunkView) -> None:
        ids = await self._host.conductor.split(hunk)
        if not ids:
            self._host.say("this hunk cannot be split further; Space chooses lines")
            return
        await self.go_to(self._host.conductor.board.hunks[ids[0]])

    async def finish_edit(self) -> None:
        """Leave the editor; what was typed stands as the person's own."""
        editor = self._host.code.end_edit()
        if not isinstance(editor, HunkEditor):
            return
        hunk = self._host.conductor.board.hunks.get(editor.hunk_id)
        if hunk and editor.buffer.changed and await self._host.conductor.edited(hunk, editor.text):
            self._host.say(f"hunk {hunk.label} is accepted with your edit")
        self._host.stage.show_hunks()
