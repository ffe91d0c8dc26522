"""The edits that an instruction may have meant, laid over the code: a key takes one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical

from spark_tui.tui.screens.pickers.overlay import Overlay
from spark_tui.tui.screens.protocols import OverlayHost
from spark_tui.tui.settings.themes import Palette
from spark_tui.tui.turns.controller import TurnController
from spark_tui.tui.widgets.choice_list import ChoiceRow, Choices
from spark_tui.tui.widgets.status_bar import StatusBar

COMMAND = "/take"
_SEVERAL = "several edits may be meant"
_UNSURE = "not sure what you mean; possible edits"


class EditChoicesHost(OverlayHost, Protocol):
    """Has a turn that ended in choices."""

    controller: TurnController


def choose(host: EditChoicesHost) -> None:
    """Lay the choices over the workbench, and take the one that is picked."""
    controller = host.controller

    def take(number: int | None) -> None:
        if number is not None:
            _take(host, number)

    state = controller.turn_state
    title = _SEVERAL if state.metrics.exact and len(state.choices) > 2 else _UNSURE
    host.push_overlay(EditChoices(state.choices, host.palette, title), take)


def said(host: EditChoicesHost, text: str) -> bool:
    """Whether the text of the prompt is `/take N`, which is done."""
    word, _, number = text.strip().partition(" ")
    if word != COMMAND:
        return False
    if number.strip().isdecimal():
        _take(host, int(number))
    else:
        host.show_message(f"say which one: {COMMAND} 1", True)
    return True


def _take(host: EditChoicesHost, number: int) -> None:
    controller = host.controller
    count = len(controller.turn_state.choices)
    if controller.running or not count:
        host.show_message("nothing to choose from", True)
    elif not 1 <= number <= count:
        host.show_message(f"there is no choice {number}: choose 1 to {count}", True)
    else:
        controller.choose(number)


class EditChoices(Overlay[int | None], inherit_bindings=False):
    """Closes with the number that was taken, with None on Esc. A letter closes it and goes to what is
    below."""

    DEFAULT_CSS = """
    EditChoices { align: center bottom; background: $background 20%; }
    EditChoices > Vertical { width: 100%; max-width: 110; height: auto; margin-bottom: 5;
                             background: $surface; border: round $rule; }
    EditChoices Choices { height: auto; }
    EditChoices:ansi { background: ansi_default; }
    """

    def __init__(self, titles: Sequence[str], palette: Palette, title: str = _SEVERAL) -> None:
        super().__init__()
        self._palette, self._said = palette, title
        self._title, self._keys = StatusBar(), StatusBar(group=2)
        self.rows = Choices(palette, "")
        self.rows.styles.height = len(titles)
        rows = [ChoiceRow(f"{at}  {title}", str(at), by_label=True) for at, title in enumerate(titles, 1)]
        self.rows.show(rows, 0, "")

    def compose(self) -> ComposeResult:
        with Vertical():
            yield self._title
            yield self.rows
            yield self._keys

    def on_mount(self) -> None:
        for part in self.query(StatusBar):
            part.set_palette(self._palette)
        count = len(self.rows.found)
        self._title.show([(f" {self._said} ", "rim.soft")])
        keys = ((f"1–{count}", "choose"), ("↑↓ Enter", "select"), ("Esc", "cancel"))
        self._keys.show_keys(keys)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        if self.left:
            self.pass_on(event)
            return
        number = event.character or ""
        match event.key:
            case "escape" | "ctrl+c" | "ctrl+q":
                self.leave(None)
            case "enter":
                self.leave(self.rows.at + 1)
            case "down" | "ctrl+n" | "j" | "tab":
                self._move(1)
            case "up" | "ctrl+p" | "k" | "shift+tab":
                self._move(-1)
            case _ if number.isdecimal():
                if 1 <= int(number) <= len(self.rows.found):
                    self.leave(int(number))
            case _ if event.is_printable:
                self.leave(None, [event])

    def _move(self, by: int) -> None:
        found = self.rows.found
        self.rows.show(found, (self.rows.at + by) % len(found), "")

    def on_choices_clicked(self) -> None:
        self.leave(self.rows.at + 1)
