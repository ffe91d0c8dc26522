"""The edits that an instruction may have meant, laid over the code: a key takes one."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical

from spark_tui.events import Choices as Offered
from spark_tui.tui.screens.navigation.hunk_navigation import NavigationHost
from spark_tui.tui.screens.pickers.overlay import Overlay
from spark_tui.tui.settings.themes import Palette
from spark_tui.tui.widgets.choice_list import ChoiceRow, Choices
from spark_tui.tui.widgets.status_bar import StatusBar

_SEVERAL = "several edits may be meant"
_UNSURE = "not sure what you mean; possible edits"
_REST = "not done yet"


def choose(host: NavigationHost) -> None:
    """Lay the choices over the workbench, and take the one that is picked."""

    def picked(number: int | None) -> None:
        if number is not None:
            take(host, str(number))

    state = host.controller.turn_state
    title = _SEVERAL if state.metrics.exact and len(state.choices) > 2 else _UNSURE
    title = _REST if Offered(state.choices).is_rest else title
    host.push_overlay(EditChoices(state.choices, host.palette, title), picked)


def take(host: NavigationHost, number: str) -> None:
    """Take one of the choices by its number, as it was typed."""
    controller = host.controller
    count = len(controller.turn_state.choices)
    if not number.isdecimal():
        host.show_message("say which one: /take 1", True)
    elif controller.running or not count:
        host.show_message("nothing to choose from", True)
    elif not 1 <= int(number) <= count:
        host.show_message(f"there is no choice {number}: choose 1 to {count}", True)
    else:
        host.open_file.expect_answer()
        controller.choose(int(number))


class EditChoices(Overlay[int | None], inherit_bindings=False):
    """Closes with the number that was taken, with None on Esc. A letter or a function key closes it and goes
    to what is below."""

    DEFAULT_CSS = "EditChoices { background: $background 20%; } EditChoices Choices { height: auto; }"

    def __init__(self, titles: Sequence[str], palette: Palette, title: str) -> None:
        super().__init__(palette)
        self._shown_title = title
        self._title, self._keys = StatusBar(fill="pane.rule", rule="─"), StatusBar(group=2)
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
        count = len(self.rows.found)
        self._title.show([("─ ", "pane.rule"), (f"{self._shown_title} ", "pane.key")])
        self._keys.show_keys(((f"1–{count}", "choose"), ("↑↓ Enter", "select"), ("Esc", "cancel")))

    def press(self, event: events.Key) -> None:
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
            case _ if event.is_printable or self.is_for_below(event):
                self.leave(None, [event])

    def _move(self, by: int) -> None:
        found = self.rows.found
        self.rows.show(found, (self.rows.at + by) % len(found), "")

    def on_choices_clicked(self) -> None:
        self.leave(self.rows.at + 1)
