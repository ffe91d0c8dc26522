"""Goes from a hunk to the places that it would break, and back. The hunk stays the current one."""

from __future__ import annotations

from typing import Protocol

from spark_tui.tui.code.code_layout import CodeLayout
from spark_tui.tui.screens.navigation.hunk_navigation import HunkNavigation
from spark_tui.tui.screens.navigation.open_file import OpenFile
from spark_tui.tui.screens.protocols import MessageHost
from spark_tui.tui.text.safe_text import one_line
from spark_tui.tui.widgets.code_view import CodeView

_ROWS_AROUND = 5


class BreakHost(MessageHost, Protocol):
    """Shows files, and knows the current hunk."""

    code: CodeView
    navigation: HunkNavigation
    open_file: OpenFile


class BreakNavigation:
    """Remembers which place of a hunk was shown last."""

    def __init__(self, host: BreakHost) -> None:
        self._host = host
        self._shown = (0, 0)
        """A hunk, and how many of its places were shown."""

    async def step(self) -> None:
        """Go to the next place that the current hunk would break; after the last one, back to the hunk."""
        host, hunk = self._host, self._host.navigation.current
        if hunk is None or not hunk.breaks:
            return
        number = self._shown[1] if self._shown[0] == hunk.id else 0
        if number >= len(hunk.breaks):
            self._shown = (hunk.id, 0)
            await host.navigation.go_to(hunk)
            return
        self._shown = (hunk.id, number + 1)
        place = hunk.breaks[number]
        await self._show(hunk.id, place.path, place.line)
        key, last = host.keymap.shown("breaks"), number + 1 == len(hunk.breaks)
        then = f"back to hunk {hunk.label}" if last else "the next place"
        host.show_message(f"{one_line(place.reason)}; {key}: {then}", True)

    async def _show(self, hunk_id: int, path: str, line: int) -> None:
        host = self._host
        host.navigation.pick(hunk_id)
        host.code.following = False
        if path != host.code.file.path:
            await host.open_file.show_file(path)
        if host.code.folded:
            host.code.set_folded(False)
        host.open_file.show_hunks()
        host.code.go_to(row_of_number(host.code.layout_rows, line), around=_ROWS_AROUND)


def row_of_number(rows: CodeLayout, number: int) -> int:
    """The row of a line of the edited file: the last one whose number in the gutter is no larger."""
    found = 0
    for y in range(rows.height):
        row = rows.row(y)
        if row.kind in ("same", "new", "pair") and row.number == number:
            return y
        if row.kind in ("same", "new", "pair") and row.number < number:
            found = y
    return found
