"""Search in the code pane: every letter moves the view to the next match, and Esc moves it back."""

from __future__ import annotations

from collections.abc import Callable

from textual import events

from spark_tui.tui.code.text_search import SearchOrigin, TextSearch
from spark_tui.tui.messages import TextTyped, ViewMoved
from spark_tui.tui.text.safe_text import one_line, width
from spark_tui.tui.widgets.file_view import FilePane


class CodeSearch:
    """The search of one pane. `on_keep` is called when a person keeps what was found, and types commands
    again."""

    def __init__(self, pane: FilePane, on_keep: Callable[[], None]) -> None:
        self._pane = pane
        self._on_keep = on_keep
        self._asked = ""
        """What was looked for last."""

    def begin(self) -> None:
        """Letters are what is looked for from now on; where the view is now, Esc goes back to."""
        if self._pane.find is not None and self._pane.find.typing:
            self.step(1)
            return
        rows, offset = self._pane.layout_rows, self._pane.scroll_offset
        origin = SearchOrigin(rows.row(self._pane.cursor), rows.row(offset.y), offset.x, self._pane.following)
        self._pane.find, self._pane.following, self._pane.ghost = TextSearch(origin), False, ""
        self._pane.update()
        self._pane.post_message(TextTyped(False) if self._pane.editor else ViewMoved())

    def end(self) -> None:
        """Nothing is marked any more: back to where it began while it is typed, else the view stays."""
        find, self._pane.find = self._pane.find, None
        if find is None:
            return
        self._asked = find.query or self._asked
        self._pane.update()
        if find.typing:
            self._pane.following = find.origin.following
            self._pane.go_back_to(find.origin.cursor, find.origin.top, find.origin.left)
        else:
            self._pane.go_to(self._pane.cursor)
        self._pane.post_message(ViewMoved())

    def step(self, by: int) -> None:
        """To the next place, from where the keys are."""
        find = self._pane.find
        if find is None:
            return
        find.look(self._pane.layout_rows, self._pane.line_text)
        if find.hit is not None and find.hit.y == self._pane.cursor:
            self._go(find, find.number + by)
        else:
            self._go(find, find.from_row(self._pane.cursor + (by > 0)) - (by < 0))

    def _ask(self, find: TextSearch, query: str) -> None:
        """The first match from where the search began; without a match, back to there."""
        find.ask(query)
        find.look(self._pane.layout_rows, self._pane.line_text)
        begin = self._pane.layout_rows.find(find.origin.cursor)
        self._go(find, find.from_row(begin), begin)

    def _go(self, find: TextSearch, number: int, otherwise: int = -1) -> None:
        hit = find.go(number)
        if hit is not None:
            self._pane.show_row(hit.y)
            text = self._pane.line_text(hit.new, hit.line, hit.hunk)
            self._pane.show_cells(width(text[: hit.start]), width(text[: hit.end]))
        elif otherwise >= 0:
            self._pane.show_row(otherwise)
        self._pane.repaint()
        self._pane.post_message(ViewMoved())

    def keep(self) -> None:
        """Keep the search: letters are commands again, and the matches stay marked."""
        find = self._pane.find
        if find is None:
            return
        if not find.query and self._asked:
            # Enter alone looks for the same again.
            find.ask(self._asked)
            find.look(self._pane.layout_rows, self._pane.line_text)
            self._go(find, find.from_row(self._pane.cursor + 1))
        find.typing = False
        self._asked = find.query
        if not find.total:
            self.end()
        self._pane.post_message(ViewMoved())
        self._on_keep()

    def press(self, event: events.Key) -> bool:
        """What a key does while something is looked for; False when it is for what is below."""
        find = self._pane.find
        if find is None:
            return False
        if not find.typing:
            action = self._pane.keymap.action("found", event.key)
            if self._pane.editor is not None or action not in ("find.next", "find.previous"):
                return False
            self.step(1 if action == "find.next" else -1)
            return True
        action = self._pane.keymap.action("anywhere", event.key)
        if action == "find" or event.key == "down":
            self.step(1)
        elif action is not None:
            self._pane.typeahead.ask(self._pane, action)
        elif event.key == "up":
            self.step(-1)
        elif event.key == "enter":
            self.keep()
        elif event.key == "backspace":
            self._ask(find, find.query[:-1])
        elif event.key == "ctrl+u":
            self._ask(find, "")
        elif event.character and event.is_printable:
            self._ask(find, find.query + event.character)
        return True

    def paste(self, text: str) -> bool:
        """The first line of it is looked for; False when nothing is."""
        find = self._pane.find
        if find is None or not find.typing:
            return False
        lines = text.splitlines()
        self._ask(find, find.query + (one_line(lines[0]) if lines else ""))
        return True
