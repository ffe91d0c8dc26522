"""The rows of a picker, with the matching letters marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from spark_tui.tui.settings.themes import Palette
from spark_tui.tui.text.fuzzy_match import match_positions
from spark_tui.tui.text.safe_text import shorten
from spark_tui.tui.text.segments import Piece, bar, code_line

STEPS = {"down": 1, "ctrl+n": 1, "up": -1, "ctrl+p": -1, "pagedown": 10, "pageup": -10}
"""How far a key moves."""


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """The text that is shown and searched, the detail next to it, and the value of choosing it."""

    label: str
    value: str
    detail: str = ""
    key: str = ""
    """The key that does the same, in a column of its own."""
    by_label: bool = False
    """Only the label is searched, not the detail."""
    mark: str = ""
    """One character in front: what kind of thing it is."""
    current: bool = False
    """It is in use; the list starts on it."""
    takes: str = ""
    """What Enter does with it, where that is not what it does with the others."""
    last: bool = False
    """It is below all that is found."""
    words: str = ""
    """Searched, not shown."""

    @property
    def searched(self) -> str:
        parts = (self.label, self.detail, self.key, self.words)
        return self.label if self.by_label else " ".join(filter(None, parts))


class Choices(Widget, can_focus=True):
    """The rows that fit; the chosen one is always among them."""

    DEFAULT_CSS = "Choices { height: 1fr; }"

    class Clicked(Message):
        """The chosen one was clicked."""

    def __init__(self, palette: Palette, nothing: str, *, table: bool = False) -> None:
        """`table`: the details stand below each other beside the labels, not at the right edge."""
        super().__init__(id="choices")
        self._table = table
        self._palette, self.nothing = palette, nothing
        self.found: Sequence[ChoiceRow] = ()
        self.at = 0
        self.query_text = ""
        self.waiting = False

    @property
    def chosen(self) -> ChoiceRow | None:
        return self.found[self.at] if self.found else None

    def show(self, found: Sequence[ChoiceRow], at: int, query: str) -> None:
        self.found, self.at, self.query_text = found, at, query
        self.refresh()

    def wait(self, waiting: bool) -> None:
        """Whether it is still to be found out that there is nothing."""
        if waiting != self.waiting:
            self.waiting = waiting
            self.refresh()

    def move(self, by: int) -> None:
        """Choose a row below or above, as far as there are any."""
        if self.found:
            self.show(self.found, min(max(self.at + by, 0), len(self.found) - 1), self.query_text)

    @property
    def _top(self) -> int:
        height = self.size.height
        return max(min(self.at - height // 2, len(self.found) - height), 0)

    def render_line(self, y: int) -> Strip:
        width, style = self.size.width, self._palette
        index = self._top + y
        if index >= len(self.found):
            nothing = "looking …" if self.waiting else self.nothing
            shown = f"  {nothing}" if not self.found and y == 0 else ""
            return Strip(bar([(shown, style["pane.faint"])], [], width, style["pane"]), width)
        choice, here = self.found[index], index == self.at
        fill = style["pane.current"] if here else style["pane"]
        quiet = fill if here else style["pane.faint"]
        is_path = "/" in choice.label and " " not in choice.label
        key_cells = max(cell_len(choice.key) for choice in self.found)
        both = width - (8 if choice.mark else 6) - (key_cells + 2 if key_cells else 0)
        most = max(both * 2 // 3, both - cell_len(choice.detail), 12)
        label = shorten(choice.label, min(most, width - 6), keep_end=is_path)
        if self._table:
            widest = max(cell_len(choice.label) for choice in self.found)
            label = f"{label:<{min(widest, both // 3)}}  "
        beside = "/" in choice.detail and " " not in choice.detail
        room = both - cell_len(label)
        detail = shorten(choice.detail, room, keep_end=beside) if choice.detail and room >= 6 else ""
        left: list[Piece] = [(" ▸ " if here else "   ", fill)]
        if choice.mark:
            left.append((f"{choice.mark} ", quiet))
        found = [(at, at + 1, style["match"]) for at in match_positions(self.query_text, label)]
        left += [(text, ink or fill) for text, ink, _ in code_line(label, fill, [found], 0, cell_len(label))]
        key = f" {choice.key:<{key_cells}} " if key_cells else ""
        if self._table:
            return Strip(bar([*left, (detail, quiet)], [(key, quiet)], width, fill), width)
        return Strip(bar(left, [(f"{detail} " if detail else "", quiet), (key, quiet)], width, fill), width)

    def on_click(self, event: events.Click) -> None:
        if self._top + event.y < len(self.found):
            self.at = self._top + event.y
            self.post_message(self.Clicked())
