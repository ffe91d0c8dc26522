"""Moves from hunk to hunk, and to what one would break, and carries out decisions about the current one."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from spark_tui.tui.code.hunk_view import DOUBT_MARK, OPEN, WITHOUT_LINES, HunkView, left_out
from spark_tui.tui.screens.navigation.open_file import OpenFile
from spark_tui.tui.screens.protocols import WorkbenchHost
from spark_tui.tui.text.safe_text import one_line
from spark_tui.tui.widgets.code_editor import HunkEditor


class NavigationHost(WorkbenchHost, Protocol):
    """Shows hunks in a file."""

    open_file: OpenFile


class HunkNavigation:
    """Which hunk is current. `chosen`: the user went there, so the stream does not move it."""

    def __init__(self, host: NavigationHost) -> None:
        self._host = host
        self.current_id = 0
        self.chosen = False
        self._breaks_shown = (0, 0)
        """A hunk, and how many of the places that it would break were shown."""

    @property
    def current(self) -> HunkView | None:
        hunk = self._host.controller.turn_state.hunks.get(self.current_id)
        # An answer may have one that changes nothing, which is not on the screen.
        return None if hunk is not None and hunk.state in OPEN and hunk.changes_nothing else hunk

    @property
    def choosing(self) -> HunkView | None:
        """The hunk of which lines are being left out."""
        choice = self._host.code.choice
        return self._host.controller.turn_state.hunks.get(choice.hunk_id) if choice else None

    def ordered(self) -> list[HunkView]:
        turn_state = self._host.controller.turn_state
        files = (turn_state.of_file(path) for path in turn_state.paths())
        return [hunk for hunks in files for hunk in sorted(hunks, key=lambda h: (h.start, h.id))]

    def rewind_points(self) -> list[HunkView]:
        """The hunks of the last turn that can be rewound to: whole ones, as they came."""
        turn = self._host.controller.turn_state.turn
        whole = [h for h in self.ordered() if not h.name and h.state not in ("partial", *WITHOUT_LINES)]
        return [hunk for hunk in whole if hunk.turn == turn]

    def pick(self, hunk_id: int) -> None:
        """Make this hunk current without moving the view."""
        self.current_id, self.chosen = hunk_id, True

    def pick_in(self, path: str) -> None:
        """Make the first hunk of a file current, or none: no key decides about a hunk that is not on the
        screen."""
        first = min(self._host.controller.turn_state.of_file(path), key=lambda h: h.start, default=None)
        self.pick(first.id if first else 0)

    async def go_to(self, hunk: HunkView) -> None:
        host = self._host
        self.pick(hunk.id)
        host.code.following = False
        if hunk.path != host.code.file.path:
            await host.open_file.show_file(hunk.path)
        host.open_file.show_hunks()
        if any(shown.id == hunk.id for shown in host.code.file.hunks):
            host.code.reveal(hunk.id)
        else:  # in a file that is typed into, or that changed, what is written is text
            listed = host.controller.unsaved_files.hunks(hunk.path, listed=True)
            place = next((one.start for one in listed if one.id == hunk.id), hunk.start)
            host.code.show_row(host.code.layout_rows.row_of_line(place - 1))
        host.paint_status()

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
        turn_state = self._host.controller.turn_state
        paths, here = turn_state.paths(), self._host.code.file.path
        if paths:
            path = paths[(paths.index(here) + by) % len(paths) if here in paths else 0]
            await self.go_to(min(turn_state.of_file(path), key=lambda h: h.start))

    async def step_breaks(self) -> None:
        """To the next place that the current hunk would break, which stays the current one; after the last
        place, back to the hunk."""
        host, hunk = self._host, self.current
        if hunk is None or not hunk.breaks:
            return
        number = self._breaks_shown[1] if self._breaks_shown[0] == hunk.id else 0
        if number >= len(hunk.breaks):
            self._breaks_shown = (hunk.id, 0)
            await self.go_to(hunk)
            return
        self._breaks_shown = (hunk.id, number + 1)
        place = hunk.breaks[number]
        self.pick(hunk.id)
        await host.open_file.show_line(place.path, place.line)
        last = number + 1 == len(hunk.breaks)
        then = f"back to hunk {hunk.label}" if last else "the next place"
        host.show_message(f"{one_line(place.reason)}; {host.keymap.shown('breaks')}: {then}", True)

    async def enter(self) -> None:
        """From the prompt into the review: the first open hunk, of the last turn if it has one; unless one
        was chosen or the model writes."""
        turn_state = self._host.controller.turn_state
        still_open = [hunk for hunk in self.ordered() if hunk in turn_state.open_hunks()]
        if still_open and not self.chosen and not turn_state.busy:
            of_turn = (hunk for hunk in still_open if hunk.turn == turn_state.turn)
            await self.go_to(next(of_turn, still_open[0]))

    async def accept_all(self, hunks: list[HunkView], action: str) -> None:
        """Accept the open ones of these; marked ones only if the same key has just reported that it left
        them out."""
        host = self._host
        marked = [hunk for hunk in hunks if hunk.mark == DOUBT_MARK and hunk.id not in host.asked.marked]
        host.asked.marked, host.asked.marked_by = frozenset(hunk.id for hunk in marked), action
        again = f"; {host.keymap.shown(action)} again accepts {'them' if len(marked) > 1 else 'it'} too"
        note = left_out(len(marked)) + again if marked else ""
        await self.decide([hunk for hunk in hunks if hunk not in marked], True, note)

    async def decide(self, hunks: list[HunkView], accept: bool, note: str = "") -> None:
        """Accept or reject the open ones of these, then go to the next open one. Partial ones are not
        accepted. The note is shown with any other message."""
        host = self._host
        if stuck := (await host.open_file.in_conflict(hunks)) if accept else []:
            hunks = [hunk for hunk in hunks if hunk not in stuck]
        choice = host.code.end_choice() if host.code.choice else None
        if choice and accept and [hunk.id for hunk in hunks] == [choice.hunk_id]:
            done = await host.controller.review.choose_lines(hunks[0], choice)
        else:
            done = bool(await host.controller.review.decide(hunks, accept))
        if done:
            await self.step(1, only_open=True)
            host.open_file.show_hunks()
        if accept and (partial := [hunk.label for hunk in hunks if hunk.state == "partial"]):
            message = f"hunk {', '.join(partial)} is partial and was not accepted"
            note = f"{message}; {note}" if note else message
        if done and accept:
            note = await self._with_refusal(hunks, note)
        if not (done or note or stuck or any(hunk.state in OPEN for hunk in hunks)):
            note = "no hunk of this file is undecided"
        if note:
            host.show_message(note)

    async def _with_refusal(self, hunks: Collection[HunkView], note: str = "") -> str:
        """The note, and that `write` will refuse these accepted hunks if their files are read-only."""
        controller, key = self._host.controller, self._host.keymap.shown("write")
        paths = {hunk.path for hunk in hunks}
        found = await controller.run_in_order(controller.session.tree.read_only, paths)
        names = f"{one_line(', '.join(found))} {'is' if len(found) == 1 else 'are'}"
        refusal = f"{names} read-only: {key} will be refused" if found else ""
        return "; ".join(filter(None, (note, refusal)))

    async def accept(self, hunk: HunkView) -> None:
        """Accept one hunk; a partial one only after the user was told what that does to the file."""
        host = self._host
        if hunk.state == "rejected" and not host.code.choice:
            await self._change(hunk, True)
        elif hunk.state != "partial":
            await self.decide([hunk], True)
        elif host.asked.keep != hunk.id and not await host.open_file.in_conflict([hunk]):
            host.asked.keep = hunk.id
            host.show_message(
                f"hunk {hunk.label} is partial; {host.keymap.shown('accept')} again {hunk.outcome}"
            )
        elif host.asked.keep == hunk.id and await host.controller.review.keep(hunk):
            await self._go_on(hunk, True)

    async def reject(self, hunk: HunkView) -> None:
        """Reject one hunk, also one that is accepted and not written."""
        if hunk.state in ("accepted", "edited"):
            await self._change(hunk, False)
        else:
            await self.decide([hunk], False)

    async def _change(self, hunk: HunkView, accept: bool) -> None:
        host = self._host
        if accept and await host.open_file.in_conflict([hunk]):
            return
        if host.code.choice:
            host.code.end_choice()
        if await host.controller.review.change(hunk, accept):
            await self._go_on(hunk, accept)

    async def _go_on(self, hunk: HunkView, accepted: bool) -> None:
        """To the next open hunk, after this one was decided."""
        await self.step(1, only_open=True)
        self._host.open_file.show_hunks()
        if accepted and (note := await self._with_refusal([hunk])):
            self._host.show_message(note)

    async def split(self, hunk: HunkView) -> None:
        ids = await self._host.controller.review.split(hunk)
        if not ids:
            self._host.show_message("this hunk cannot be split further; Space chooses lines")
            return
        await self.go_to(self._host.controller.turn_state.hunks[ids[0]])

    async def finish_edit(self) -> None:
        """Leave the editor and accept the hunk with what was typed."""
        editor = self._host.code.end_edit()
        if not isinstance(editor, HunkEditor):
            return
        hunk = self._host.controller.turn_state.hunks.get(editor.hunk_id)
        if hunk and editor.buffer.changed and await self._host.controller.review.edited(hunk, editor.text):
            note = await self._with_refusal([hunk], f"hunk {hunk.label} is accepted with your edit")
            self._host.show_message(note)
        await self._host.controller.unsaved_files.keep()
        self._host.open_file.show_hunks()


class ReviewHost(NavigationHost, Protocol):
    """Goes from hunk to hunk too."""

    navigation: HunkNavigation
