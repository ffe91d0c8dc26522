"""Looking for text in the code pane: the view goes with every letter to the next place, and back again with
Esc.

Comes in: keys while a search stands. Goes out: where the view is, `ViewMoved`. Must not know: the session,
the rim.
"""

from __future__ import annotations

from textual import events

from spark_tui.tui.keys import Keymap, keymap
from spark_tui.tui.messages import Intent, TextTyped, ViewMoved
from spark_tui.tui.safe_text import one_line, width
from spark_tui.tui.text_search import SearchOrigin, TextSearch
from spark_tui.tui.widgets.file_view import MINIMAP_CELLS, FilePane

_LOOKS_AHEAD = 4
"""Cells that stay in view behind a place."""


class CodeSearch(FilePane):
    """The stage with a search in it."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.keymap: Keymap = keymap()
        self._asked = ""
        """What was looked for last."""

    def begin_find(self) -> None:
        """Letters are what is looked for from now on; where the view is now, Esc goes back to."""
        if self.find is not None and self.find.typing:
            self._step(1)
            return
        rows, offset = self.layout_rows, self.scroll_offset
        origin = SearchOrigin(rows.row(self.cursor), rows.row(offset.y), offset.x, self.following)
        self.find, self.following, self.ghost = TextSearch(origin), False, ""
        self.update()
        self.post_message(ViewMoved() if self.editor is None else TextTyped(False))

    def end_find(self) -> None:
        """Nothing is marked any more: back to where it began while it is typed, else the view stays."""
        find, self.find = self.find, None
        if find is None:
            return
        self._asked = find.query or self._asked
        self.update()
        if find.typing:
            self.following = find.origin.following
            self.cursor = self.layout_rows.find(find.origin.cursor)
            self.scroll_to(find.origin.left, self.layout_rows.find(find.origin.top), animate=False)
            self._repaint()
        else:
            self.go_to(self.cursor)
        self.post_message(ViewMoved())

    def find_step(self, by: int) -> None:
        """To the next place, from where the keys are."""
        if self.find is not None:
            self._step(by)

    def _step(self, by: int) -> None:
        find = self.find
        if find is None:
            return
        find.look(self.layout_rows, self._painter.line_text)
        if find.hit is not None and find.hit.y == self.cursor:
            self._go(find.number + by)
        else:
            self._go(find.from_row(self.cursor + (by > 0)) - (by < 0))

    def _ask(self, query: str) -> None:
        """The first place from where the search began; where there is none, back to there."""
        find = self.find
        if find is None:
            return
        find.ask(query)
        find.look(self.layout_rows, self._painter.line_text)
        begin = self.layout_rows.find(find.origin.cursor)
        number = find.from_row(begin)
        self._go(number, begin)

    def _go(self, number: int, otherwise: int = -1) -> None:
        find = self.find
        hit = find.go(number) if find else None
        if hit is not None:
            self.show_row(hit.y)
            text = self._painter.line_text(hit.new, hit.line, hit.hunk)
            self._bring_in(width(text[: hit.start]), width(text[: hit.end]))
        elif otherwise >= 0:
            self.show_row(otherwise)
        self._repaint()
        self.post_message(ViewMoved())

    def _bring_in(self, start: int, end: int) -> None:
        """These cells of a line, with as little of a move as there can be; the left edge where that will
        do."""
        room = self.size.width - MINIMAP_CELLS - self._painter.gutter
        room = room // 2 - self._painter.gutter if self.split else room
        left = self.scroll_offset.x
        if end + _LOOKS_AHEAD <= room:
            left = 0
        elif not left <= start <= end <= left + room - _LOOKS_AHEAD:
            left = max(start - room // 2, 0)
        if left != self.scroll_offset.x:
            self.scroll_to(x=left, animate=False)

    def show_row(self, y: int) -> None:
        """The keys are on this row; where it was not in view, it comes a third from the top."""
        top, height = self.scroll_offset.y, self.size.height
        self.cursor = y
        if not top <= y < top + height:
            self.scroll_to(y=max(y - height // 3, 0), animate=False)

    def stay(self) -> None:
        """What was typed stands: letters are commands again, and the places stay marked."""
        find = self.find
        if find is None:
            return
        if not find.query and self._asked:
            # Enter alone looks for the same again.
            find.ask(self._asked)
            find.look(self.layout_rows, self._painter.line_text)
            self._go(find.from_row(self.cursor + 1))
        find.typing = False
        self._asked = find.query
        if not find.total:
            self.end_find()
        self.post_message(ViewMoved())

    def press_find(self, event: events.Key) -> bool:
        """What a key does while something is looked for; False when it is for what is below."""
        find = self.find
        if find is None:
            return False
        if not find.typing:
            action = self.keymap.action("found", event.key)
            if self.editor is not None or action not in ("find.next", "find.previous"):
                return False
            self._step(1 if action == "find.next" else -1)
            return True
        action = self.keymap.action("anywhere", event.key)
        if action == "find" or event.key == "down":
            self._step(1)
        elif action is not None:
            self.post_message(Intent(action))
        elif event.key == "up":
            self._step(-1)
        elif event.key == "enter":
            self.stay()
        elif event.key == "backspace":
            self._ask(find.query[:-1])
        elif event.key == "ctrl+u":
            self._ask("")
        elif event.character and event.is_printable:
            self._ask(find.query + event.character)
        return True

    def paste_find(self, text: str) -> bool:
        """The first line of it is looked for; False when nothing is."""
        if self.find is None or not self.find.typing:
            return False
        lines = text.splitlines()
        self._ask(self.find.query + (one_line(lines[0]) if lines else ""))
        return True
