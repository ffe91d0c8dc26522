"""A list to choose from by typing a few letters: files, symbols, commands, models, prompts, themes. A list
that is too long to search between two keys is searched on a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event as StopFlag
from typing import TypeVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical

from spark_tui.errors import SparkError
from spark_tui.tui.background_work import start_work
from spark_tui.tui.screens.pickers.overlay import Overlay
from spark_tui.tui.screens.protocols import WorkbenchHost
from spark_tui.tui.settings.model_switch import run_in_daemon
from spark_tui.tui.settings.themes import Palette
from spark_tui.tui.text.fuzzy_match import FuzzyFinder, score
from spark_tui.tui.text.safe_text import one_line, shorten
from spark_tui.tui.turns.session_access import one_line_error
from spark_tui.tui.widgets.choice_list import STEPS, ChoiceRow, Choices
from spark_tui.tui.widgets.line_input import without_last_word
from spark_tui.tui.widgets.status_bar import StatusBar

__all__ = ["ChoiceRow", "Picker"]

T = TypeVar("T")
_STEPS = STEPS | {"ctrl+j": 1, "ctrl+k": -1}
AT_ONCE = 3_000
"""This many choices are searched within the key press."""
MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class PickerKey:
    """A key of the list besides Enter: how it is written, and what it does with the choice. A letter is one
    as long as nothing is typed."""

    key: str
    shown: str
    what: str


class Picker(Overlay[str | None], inherit_bindings=False):
    """Letters narrow, arrows move, Enter takes, Esc leaves. `pressed` is the key that took the choice."""

    def __init__(
        self,
        title: str,
        choices: Iterable[ChoiceRow],
        palette: Palette,
        *,
        also: Callable[[str], ChoiceRow | None] | None = None,
        takes: str = "select",
        keys: Sequence[PickerKey] = (),
        nothing: str = "no match",
        later: Callable[[str], bool] = lambda _: True,
        query: str = "",
        whole: bool = False,
        words: Collection[str] = (),
        table: bool = False,
    ) -> None:
        """`query` is the initial text. `also` makes a choice from the typed text; `later`: whether
        choices that arrive by `add` count for a query; `whole`: a space or Enter after a complete name
        takes it and goes on to the prompt, and leaves where nothing matches; `words`: takes these names only.
        """
        super().__init__(palette)
        self._title_text = title
        self._first = [(choice.searched, choice) for choice in choices]
        self._more: list[tuple[str, ChoiceRow]] = []
        self._also, self._later = also, later
        self._takes, self._keys = takes, tuple(keys)
        self.typed, self._whole, self._words = query, whole, words
        self._note = ""
        self._finders: tuple[FuzzyFinder[ChoiceRow], FuzzyFinder[ChoiceRow]] = (FuzzyFinder(), FuzzyFinder())
        self._given_up = StopFlag()
        self._searching = self._grown = False
        """While a search runs, whether choices came in that it does not look at."""
        self._looking = False
        """What there is to choose from is still to come, all at once."""
        self.coming = False
        """What there is to choose from is still to come, and may be long in coming: Enter does not wait."""
        self._total = 0
        self._moved = False
        """By a key, away from where the list started."""
        self._enter = ""
        """Enter came before its answer did."""
        self.pressed = "enter"
        # Held, not looked up: what is found may come while this is being taken away.
        self._query_bar, self.rows = StatusBar(id="picker-query"), Choices(palette, nothing, table=table)
        self._keys_bar = StatusBar(id="picker-keys", group=2)
        self._there = self._unneeded = False
        """From the first frame until something is chosen; there was nothing to choose from before that."""

    def compose(self) -> ComposeResult:
        with Vertical():
            yield self._query_bar
            yield StatusBar(id="picker-rule", fill="pane.rule", rule="─")
            yield self.rows
            yield self._keys_bar

    def on_mount(self) -> None:
        self._there = True
        if self._unneeded:
            self.call_after_refresh(self.close_list)
        self._narrow()

    def add(self, choices: Iterable[ChoiceRow], *, first: bool = False) -> None:
        """Append choices; the current one stays current."""
        (self._first if first else self._more).extend((choice.searched, choice) for choice in choices)
        self.coming = False
        if self._searching:
            self._grown = True  # started again each time, it would never end
        elif self._there:
            self._narrow(stay=True)

    def looking(self) -> None:
        """What there is to choose from is being looked for; `fill` ends that. Enter waits for it."""
        self._looking = True
        self.say("looking …")

    def fill(self, choices: Sequence[ChoiceRow], note: str = "") -> None:
        """Set all choices, and the message if there are none."""
        self._looking, self._note = False, ""
        self.rows.nothing = note or self.rows.nothing or "no match"
        self._enter = self._enter if choices else ""
        self.add(choices)

    def say(self, note: str) -> None:
        """A word about what is still being looked for."""
        self._note = note
        if self._there:
            self._count()

    # Searching

    def _narrow(self, *, stay: bool = False) -> None:
        self._given_up.set()
        self._given_up = given_up = StopFlag()
        self._searching, self._grown = len(self._first) + len(self._more) > AT_ONCE, False
        self._count()
        if not self._searching:
            self._show(self._found(given_up), stay)
        else:
            self.rows.wait(True)
            start_work(self, partial(self._search, given_up, stay), "search", exclusive=True)

    async def _search(self, given_up: StopFlag, stay: bool) -> None:
        found = await asyncio.to_thread(self._found, given_up)
        if found is not None and self._there and not given_up.is_set():
            self._searching = False
            self._show(found, stay)
            if self._grown and self._there:
                self._narrow(stay=True)

    def _found(self, given_up: StopFlag) -> tuple[list[ChoiceRow], int] | None:
        query, total = self.typed, 0
        out: list[ChoiceRow] = []
        made = self._also(query) if self._also and query.strip() else None
        if made is not None:
            out, total = [made], 1
        groups = [(self._finders[0], self._first)]
        if self._later(query):
            groups.append((self._finders[1], self._more))
        for finder, items in groups:
            # A list of its own: what is added meanwhile belongs to the next search.
            got = finder.find(query, items[:], MOST_SHOWN, given_up.is_set)
            if got is None:
                return None
            out += got[0]
            total += got[1]
        if query:
            # Stable: what came first stands first where both are as likely.
            out.sort(
                key=lambda choice: (
                    choice is not made or choice.last,
                    query not in (choice.label, choice.label.removeprefix("/")),
                    -(score(query, choice.searched) or 0.0),
                )
            )
        return [*out[: MOST_SHOWN - 1], *out[MOST_SHOWN - 1 :][-1:]], total

    def _show(self, found: tuple[list[ChoiceRow], int] | None, stay: bool) -> None:
        if found is None:
            return
        choices, total = found
        before = self.rows.chosen
        current = next((at for at, choice in enumerate(choices) if choice.current), None)
        if current is not None and not self.typed and not self._moved:
            at = current
        else:
            at = choices.index(before) if stay and before in choices else 0
        self._count(total)
        self.rows.wait(self.coming)
        self.rows.show(choices, at, self.typed)
        self._show_keys()
        if self._enter:
            self.choose(self._enter)

    def _show_keys(self) -> None:
        chosen = self.rows.chosen
        takes = "send" if self._is_complete else (chosen and chosen.takes) or self._takes
        hints = [("Enter", takes), *((key.shown, key.what) for key in self._keys)]
        able = self._looking or chosen is not None
        self._keys_bar.show_keys([*(hints if able else ()), ("Esc", "cancel")])

    def _count(self, found: int | None = None) -> None:
        everything = len(self._first) + len(self._more)
        if found is not None:
            self._total = found
        count = "… " if self._searching else f"{self._total:,} of {everything:,} " if everything else ""
        note, title = f"{self._note}  " if self._note else "", f" {self._title_text} "
        room = self._query_bar.size.width - cell_len(f"{title}› ▏ {note}{count}")
        # Before the first frame it has no width.
        typed = shorten(self.typed, room, keep_end=True) if room > 0 else one_line(self.typed)
        self._query_bar.show(
            [(title, "pane.soft"), (f"› {typed}", "pane"), ("▏", "pane.accent")],
            [(note, "pane.key"), (count, "pane.faint")],
        )

    @property
    def _is_complete(self) -> bool:
        """Whether the whole name is typed: what follows is meant for the prompt."""
        chosen = self.rows.chosen
        return self._whole and chosen is not None and chosen.value == self.typed

    # Keys

    def press(self, event: events.Key) -> None:
        if any(key.key == event.key for key in self._keys) and not (event.is_printable and self.typed):
            self.choose(event.key)
            return
        match event.key:
            case "escape" | "ctrl+c":
                self._leave(None)
            case _ if event.key == "ctrl+q" or self.is_for_below(event):
                self._leave(None, [event])
            case "enter" if self._is_complete:
                self._leave(self.typed, [event])
            case "enter" | "tab":
                self.choose()
            case _ if event.key in _STEPS:
                self._moved = True
                self.rows.move(_STEPS[event.key])
                self._show_keys()
            case "backspace":
                self._ask(self.typed[:-1])
            case "ctrl+u":
                self._ask("")
            case "ctrl+w" | "alt+backspace":
                self._ask(without_last_word(self.typed))
            case "space" if self.typed in self._words:
                self._leave(self.typed)
            case "space" if self._is_complete:
                self.choose()
            case "space" if self._whole and self.rows.chosen is None and not self._searching:
                self._leave(None, [event])
            case _ if event.is_printable and event.character:
                self._ask(self.typed + event.character)

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self._ask(self.typed + one_line(event.text))

    def _ask(self, query: str) -> None:
        self.typed = query
        self._enter = ""
        self._narrow()

    def on_choices_clicked(self) -> None:
        self.choose()

    def on_click(self, event: events.Click) -> None:
        """Beside the list: leave it."""
        if not self.query_one(Vertical).region.contains(event.screen_x, event.screen_y):
            self.close_list()

    def close_list(self) -> None:
        """There is nothing to choose from."""
        if self._there:
            self._leave(None)
        self._unneeded = True

    def choose(self, pressed: str = "enter") -> None:
        """Take what is jumped to. While the search still runs, it is what that finds first."""
        if self._searching or self._looking:
            self._enter = pressed
            return
        chosen = self.rows.chosen
        if chosen is None and self.typed and not self._whole:
            return
        self.pressed = pressed
        self._leave(chosen.value if chosen else None)

    def _leave(self, value: str | None, keys: Sequence[events.Key] = ()) -> None:
        self._there = False
        self._given_up.set()
        self.leave(value, keys)

    def on_unmount(self) -> None:
        self._there = False
        self._given_up.set()


def push_list(
    host: WorkbenchHost,
    picker: Picker,
    look: Callable[[Path], Sequence[T]],
    take: Callable[[T], None],
    choice: Callable[[T], ChoiceRow],
    nothing: str,
) -> None:
    """Open an empty picker over the workbench and fill it with the result of `look`, which runs on a thread
    once the session is open, and gets its root. `take` gets the choice; `nothing` is shown if there is
    nothing to choose."""
    rows: dict[str, T] = {}

    def chosen(value: str | None) -> None:
        if value is not None:
            take(rows[value])

    async def fill() -> None:
        try:
            session = await host.controller.opened()
            found = await run_in_daemon(partial(look, session.root))
        except SparkError as error:
            picker.fill((), one_line_error(error))
            return
        choices = [choice(row) for row in found]
        rows.update(zip((choice.value for choice in choices), found, strict=True))
        picker.fill(choices, "" if choices else nothing)

    picker.looking()
    host.push_overlay(picker, chosen)
    host.start_task(fill)
