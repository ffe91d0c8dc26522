"""Going from hunk to hunk and deciding about them.

Comes in: what the person wants to see or decide. Goes out: calls of the conductor, and the hunk in view.
Must not know: keys, how anything is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spark_tui.tui.hunk_view import OPEN, HunkView
from spark_tui.tui.widgets.code_editor import HunkEditor

if TYPE_CHECKING:
    from spark_tui.tui.screens.workbench import Workbench


class HunkNavigation:
    """Which hunk is current. `chosen` says that the person went there, so that the stream does not lead
    away."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self.current_id = 0
        self.chosen = False
        self.keep_asked = 0
        """The partial hunk of which the rim says what keeping it does: the same key again keeps it."""

    @property
    def current(self) -> HunkView | None:
        return self._bench.conductor.board.hunks.get(self.current_id)

    def ordered(self) -> list[HunkView]:
        board = self._bench.conductor.board
        return [
            h for path in board.paths() for h in sorted(board.of_file(path), key=lambda h: (h.start, h.id))
        ]

    def behind(self) -> list[HunkView]:
        """The hunks of the last turn that one can go back behind: whole ones, as they came."""
        turn = self._bench.conductor.board.turn
        return [
            h
            for h in self.ordered()
            if h.turn == turn and not h.name and h.state not in ("partial", "failed")
        ]

    def pick(self, hunk_id: int) -> None:
        """The person is at this hunk, without a move of the view."""
        self.current_id, self.chosen = hunk_id, True

    async def go_to(self, hunk: HunkView) -> None:
        bench = self._bench
        self.pick(hunk.id)
        bench.code.following = False
        if hunk.path != bench.code.file.path:
            await bench.show_file(hunk.path)
        bench.show_hunks()
        bench.code.reveal(hunk.id)
        bench.paint_rim()

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
        board = self._bench.conductor.board
        paths, here = board.paths(), self._bench.code.file.path
        if paths:
            path = paths[(paths.index(here) + by) % len(paths) if here in paths else 0]
            await self.go_to(min(board.of_file(path), key=lambda h: h.start))

    async def enter(self) -> None:
        """From the prompt into the review: the first open hunk, unless one was chosen or the model writes."""
        board = self._bench.conductor.board
        still_open = [hunk for hunk in self.ordered() if hunk in board.open_hunks()]
        if still_open and not self.chosen and not board.busy:
            await self.go_to(still_open[0])

    async def judge(self, hunks: list[HunkView], accept: bool) -> None:
        """Accept or reject what is open of these, then on to the next open one. Partial ones are not
        accepted."""
        bench = self._bench
        if accept and (stuck := bench.stage.stuck(hunks)):
            hunks = [hunk for hunk in hunks if hunk not in stuck]
        choice = bench.code.end_choice() if bench.code.choice else None
        if choice and accept and [hunk.id for hunk in hunks] == [choice.hunk_id]:
            done = await bench.conductor.choose_lines(hunks[0], choice)
        else:
            done = bool(await bench.conductor.decide(hunks, accept))
        if done:
            await self.step(1, only_open=True)
            bench.show_hunks()
        if accept and (partial := [hunk.label for hunk in hunks if hunk.state == "partial"]):
            bench.say(f"hunk {', '.join(partial)} is partial and was not accepted")

    async def accept(self, hunk: HunkView) -> None:
        """Accept one hunk; a partial one only after the person was told what that does to the file."""
        bench = self._bench
        if hunk.state != "partial":
            await self.judge([hunk], True)
        elif self.keep_asked != hunk.id and not bench.stage.stuck([hunk]):
            self.keep_asked = hunk.id
            bench.say(f"hunk {hunk.label} is partial; {bench.keymap.shown('accept')} again {hunk.outcome}")
        elif self.keep_asked == hunk.id and await bench.conductor.keep(hunk):
            await self.step(1, only_open=True)
            bench.show_hunks()

    async def split(self, hunk: HunkView) -> None:
        ids = await self._bench.conductor.split(hunk)
        if not ids:
            self._bench.say("this hunk cannot be split further; Space chooses lines")
            return
        await self.go_to(self._bench.conductor.board.hunks[ids[0]])

    async def finish_edit(self) -> None:
        """Leave the editor; what was typed stands as the person's own."""
        editor = self._bench.code.end_edit()
        if not isinstance(editor, HunkEditor):
            return
        hunk = self._bench.conductor.board.hunks.get(editor.hunk_id)
        if hunk and editor.buffer.changed and await self._bench.conductor.edited(hunk, editor.text):
            self._bench.say(f"hunk {hunk.label} is accepted with your edit")
        self._bench.show_hunks()
