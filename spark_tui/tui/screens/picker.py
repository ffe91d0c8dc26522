"""A list to choose from by typing a few letters: files, commands, earlier prompts, themes.

Comes in: choices. Goes out: the value of the chosen one, or None. Must not know: what a value is for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget

from spark_tui.tui.frame_clock import OnTime
from spark_tui.tui.fuzzy import best
from spark_tui.tui.paint import Piece, bar
from spark_tui.tui.printable import one_line, shorten
from spark_tui.tui.themes import Palette
from spark_tui.tui.widgets.bar import Bar


@dataclass(frozen=True, slots=True)
class Choice:
    """What is searched and shown, what stands beside it, and what choosing it gives."""

    label: str
    value: str
    detail: str = ""


class Choices(Widget, can_focus=True):
    """The rows that fit; the chosen one is always among them."""

    DEFAULT_CSS = "Choices { height: 1fr; }"

    def __init__(self, palette: Palette) -> None:
        super().__init__(id="choices")
        self._palette = palette
        self.found: Sequence[Choice] = ()
        self.at = 0

    def show(self, found: Sequence[Choice], at: int) -> None:
        self.found, self.at = found, at
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width, style = self.size.width, self._palette.styles
        height = self.size.height
        first = max(min(self.at - height // 2, len(self.found) - height), 0)
        index = first + y
        if index >= len(self.found):
            empty: list[Piece] = [("  nothing like it", style["rim.faint"])] if not self.found and y == 0 else []
            return Strip(bar(empty, [], width, style["rim"]), width)
        choice = self.found[index]
        fill = style["rim.current"] if index == self.at else style["rim"]
        detail = shorten(choice.detail, max(width // 3, 8)) if choice.detail else ""
        is_path = "/" in choice.label and " " not in choice.label
        label = shorten(choice.label, width - cell_len(detail) - 6, keep_end=is_path)
        mark = "▸ " if index == self.at else "  "
        quiet = style["rim.faint"] if index != self.at else fill
        return Strip(bar([(f" {mark}{label}", fill)], [(f"{detail} ", quiet)] if detail else [], width, fill), width)

    def on_click(self, event: events.Click) -> None:
        first = max(min(self.at - self.size.height // 2, len(self.found) - self.size.height), 0)
        if first + event.y < len(self.found):
            self.at = first + event.y
            picker = self.screen
            if isinstance(picker, Picker):
                picker.choose()


class Picker(OnTime, ModalScreen[str | None], inherit_bindings=False):
    """Letters narrow, arrows move, Enter takes, Esc leaves."""

    DEFAULT_CSS = """
    Picker { align: center top; background: $background 40%; }
    Picker > Vertical { width: 80%; max-width: 100; height: 70%; max-height: 24; margin-top: 2; background: $surface;
                        border: round $rule; }
    Picker:ansi { background: ansi_default; }
    """

    def __init__(
        self, title: str, choices: Sequence[Choice], palette: Palette, *, on_move: Callable[[str], None] | None = None
    ) -> None:
        super().__init__()
        self._title_text, self._choices, self._palette = title, choices, palette
        self._on_move = on_move
        self._query = ""

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Bar(id="picker-query")
            yield Bar(id="picker-rule", fill="rim.rule", rule="─")
            yield Choices(self._palette)

    def on_mount(self) -> None:
        for part in self.query(Bar):
            part.set_palette(self._palette)
        self._narrow()

    @property
    def list(self) -> Choices:
        return self.query_one(Choices)

    def _narrow(self) -> None:
        found = best(self._query, ((f"{c.label} {c.detail}" if c.detail else c.label, c) for c in self._choices))
        self.list.show(found, 0)
        self.query_one("#picker-query", Bar).show(
            [(f" {self._title_text} ", "rim.soft"), (f"› {one_line(self._query)}", "rim"), ("▏", "rim.accent")],
            [(f"{len(found)} of {len(self._choices)} ", "rim.faint")],
        )

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        match event.key:
            case "escape" | "ctrl+c" | "ctrl+q":
                self.dismiss(None)
            case "enter" | "tab":
                self.choose()
            case "down" | "ctrl+n" | "ctrl+j":
                self._move(1)
            case "up" | "ctrl+p" | "ctrl+k":
                self._move(-1)
            case "pagedown":
                self._move(10)
            case "pageup":
                self._move(-10)
            case "backspace":
                self._query = self._query[:-1]
                self._narrow()
            case "ctrl+u":
                self._query = ""
                self._narrow()
            case _ if event.is_printable and event.character:
                self._query += event.character
                self._narrow()

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self._query += one_line(event.text)
        self._narrow()

    def _move(self, by: int) -> None:
        found = self.list.found
        if found:
            self.list.show(found, min(max(self.list.at + by, 0), len(found) - 1))
            if self._on_move:
                self._on_move(found[self.list.at].value)

    def choose(self) -> None:
        found = self.list.found
        self.dismiss(found[self.list.at].value if found else None)
