"""The settings screen: every value with its type and origin, and changing one in the person's file or the
repository's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget

from spark_tui.config.paths import with_tilde
from spark_tui.errors import SparkError
from spark_tui.tui.background_work import start_work
from spark_tui.tui.screens.pickers.picker import ChoiceRow, Picker
from spark_tui.tui.screens.protocols import WorkbenchHost
from spark_tui.tui.settings import settings_list
from spark_tui.tui.settings.live_settings import change_message
from spark_tui.tui.settings.settings_list import SettingEntry
from spark_tui.tui.settings.themes import Palette
from spark_tui.tui.terminal.frame_clock import PaintsOnTime
from spark_tui.tui.text.safe_text import shorten
from spark_tui.tui.text.segments import bar
from spark_tui.tui.widgets.line_input import LineInput
from spark_tui.tui.widgets.status_bar import StatusBar


class SettingsListing(Widget, can_focus=True):
    """The rows that fit; the one that is jumped to is among them."""

    DEFAULT_CSS = "SettingsListing { height: 1fr; }"

    def __init__(self, palette: Palette) -> None:
        super().__init__(id="settings")
        self.palette = palette
        self.entries: Sequence[SettingEntry] = ()
        self.files: dict[str, str] = {}
        self.at = 0

    @property
    def top(self) -> int:
        return max(min(self.at - self.size.height // 2, len(self.entries) - self.size.height), 0)

    def render_line(self, y: int) -> Strip:
        width, style, index = self.size.width, self.palette, self.top + y
        if index >= len(self.entries):
            return Strip(bar([], [], width, style["pane"]), width)
        before = self.entries[index - 1] if y and index else None
        named = settings_list.row(self.entries[index], before, width, index == self.at, self.files)
        if index == self.at:
            named = [(text, "pane.current") for text, _ in named]
        fill = style["pane.current"] if index == self.at else style["pane"]
        return Strip(bar([(text, style[name]) for text, name in named], [], width, fill), width)

    def on_click(self, event: events.Click) -> None:
        if self.top + event.y < len(self.entries) and isinstance(self.screen, SettingsPage):
            self.screen.go_to(self.top + event.y)


class SettingsPage(PaintsOnTime, ModalScreen[None], inherit_bindings=False):
    """Enter changes, Del takes the value out, Tab chooses the file, a letter finds, Esc closes."""

    DEFAULT_CSS = "SettingsPage { layout: vertical; } SettingsPage StatusBar { background: $surface; }"

    def __init__(self, host: WorkbenchHost) -> None:
        super().__init__()
        self._host, self._preferences = host, host.preferences
        self._shared = False
        self._field: LineInput | None = None
        self._message: tuple[str, bool] = ("", False)

    def compose(self) -> ComposeResult:
        yield StatusBar(id="page-title", fill="pane.rule", rule="─")
        yield SettingsListing(self._host.palette)
        yield StatusBar(id="settings-rule", fill="pane.rule", rule="─")
        yield StatusBar(id="settings-about")
        yield StatusBar(id="settings-more")
        yield StatusBar(id="settings-message")
        yield StatusBar(id="page-foot", group=2)

    def on_mount(self) -> None:
        self._load()
        self.listing.focus()

    def on_resize(self) -> None:
        if self.listing.entries:
            self._paint()  # the description is wrapped to the width

    @property
    def listing(self) -> SettingsListing:
        return self.query_one(SettingsListing)

    @property
    def entry(self) -> SettingEntry:
        return self.listing.entries[self.listing.at]

    def go_to(self, at: int) -> None:
        self.listing.at = min(max(at, 0), len(self.listing.entries) - 1)
        self._paint()

    def _load(self) -> None:
        listing = self.listing
        listing.entries = settings_list.entries(self._preferences.loaded)
        listing.at = min(listing.at, len(listing.entries) - 1)
        own, shared = self._preferences.file(shared=False), self._preferences.file(shared=True)
        listing.files = {str(shared): "the repository's", str(own): "yours"}
        self._paint()

    def _paint(self) -> None:
        palette = self._host.palette
        for part in self.query(StatusBar):
            part.set_palette(palette)
        self.listing.palette = palette
        self.listing.refresh()
        file = self._preferences.file(self._shared)
        whose = "the repository's file" if self._shared else "your own file"
        place = shorten(with_tilde(file), max(self.size.width - 52, 12), keep_end=True)
        self.query_one("#page-title", StatusBar).show(
            [("─ ", "pane.rule"), ("settings", "pane"), (" ", "pane.rule")],
            [(" saving to ", "pane.soft"), (f"{whose}: {place}", "pane.key"), (" ─", "pane.rule")],
        )
        first, more = settings_list.about(self.entry, self.size.width)
        self.query_one("#settings-about", StatusBar).show(first)
        self.query_one("#settings-more", StatusBar).show(more)
        message, wrong = self._message
        line = [(f" {message}", "pane.error" if wrong else "pane.key")] if message else []
        if self._field is not None:
            name = self.entry.name or self.entry.key
            label = f" {name} = " if self.entry.kind != "table" else f" {name}: name = value  › "
            line = [(label, "pane.soft"), *self._field.pieces(max(self.size.width - len(label) - 2, 8))]
        self.query_one("#settings-message", StatusBar).show(line)
        keys = [("Enter", "save"), ("Esc", "cancel")] if self._field else self._keys()
        self.query_one("#page-foot", StatusBar).show_keys(keys)

    def _keys(self) -> list[tuple[str, str]]:
        entry = self.entry
        keys = [("Enter", "add a pair" if entry.kind == "table" else "change")]
        if entry.origin:
            keys.append(("Del", "remove"))
        if self._preferences.can_share:
            keys.append(("Tab", "your own file" if self._shared else "the repository's file"))
        return [*keys, ("/", "find"), ("↑ ↓", "move"), ("Esc", "close")]

    # Keys

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        if self.app.screen is not self:  # typed faster than the list that was asked for opened
            self.app.screen.post_message(events.Key(event.key, event.character))
            return
        if self._field is not None:
            self._type(event)
            return
        listing, page = self.listing, max(self.listing.size.height - 1, 1)
        steps = {
            "down": 1,
            "j": 1,
            "up": -1,
            "k": -1,
            "pagedown": page,
            "pageup": -page,
            "ctrl+d": page,
            "ctrl+u": -page,
            "home": -9999,
            "g": -9999,
            "end": 9999,
            "G": 9999,
        }
        if event.key in steps:
            self._message = ("", False)
            self.go_to(listing.at + steps[event.key])
        elif event.key in ("escape", "q", "ctrl+c", "ctrl+q", "f5"):
            self.dismiss()
        elif event.key == "tab" and self._preferences.can_share:
            self._shared = not self._shared
            self._paint()
        elif event.key in ("enter", "space"):
            self._change()
        elif event.key in ("delete", "backspace", "x") and self.entry.origin:
            entry = self.entry
            self._do(
                partial(self._preferences.drop, entry.key, name=entry.name, shared=self._shared),
                "removed from",
            )
        elif event.is_printable and event.character:
            self._find("" if event.key == "slash" else event.character)

    def _find(self, query: str) -> None:
        """Go to a setting by a part of its name, or of what it is for."""
        choices = [
            ChoiceRow(f"{entry.key}.{entry.name}".rstrip("."), str(at), entry.doc.replace("`", ""))
            for at, entry in enumerate(self.listing.entries)
        ]

        def take(value: str | None) -> None:
            if value is not None:
                self.go_to(int(value))

        picker = Picker("setting", choices, self._host.palette, takes="go there", query=query, table=True)
        self.app.push_screen(picker, take)

    def _type(self, event: events.Key) -> None:
        field = self._field
        assert field is not None
        if event.key in ("escape", "ctrl+c"):
            self._field = None
        elif event.key == "enter":
            self._field = None
            self._typed(field.text)
        else:
            field.key(event.key, event.character)
        self._paint()

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        if self._field is not None:
            self._field.insert(event.text)
            self._paint()

    # Changing

    def _change(self) -> None:
        entry, self._message = self.entry, ("", False)
        if isinstance(entry.value, bool):
            self._put(entry.key, not entry.value)
        elif entry.choices or entry.key == "ui.theme":
            self._pick(entry, entry.choices or self._host.themes.catalog.names())
        else:
            self._field = LineInput("" if entry.kind == "table" else entry.text)
            self._paint()

    def _pick(self, entry: SettingEntry, among: Sequence[str]) -> None:
        choices = [
            ChoiceRow(item, item, "now" if item == entry.value else "", current=item == entry.value)
            for item in among
        ]

        def take(value: str | None) -> None:
            if value is not None:
                self._put(entry.key, value, entry.name)

        self.app.push_screen(Picker(entry.name or entry.key, choices, self._host.palette, takes="save"), take)

    def _typed(self, text: str) -> None:
        entry = self.entry
        if entry.kind == "table":
            name, value = settings_list.pair(text)
            if name:
                self._put(entry.key, value, name)
        else:
            self._put(entry.key, settings_list.parsed(entry, text), entry.name)

    def _put(self, key: str, value: object, name: str = "") -> None:
        self._do(partial(self._preferences.put, key, value, name=name, shared=self._shared), "saved in")

    def _do(self, change: Callable[[], None], what: str) -> None:
        start_work(self, partial(self._carry_out, change, what), "settings")

    async def _carry_out(self, change: Callable[[], None], what: str) -> None:
        before, file = self._preferences.loaded.settings, self._preferences.file(self._shared)
        key = self.entry.key
        try:
            await self._host.controller.run_in_order(change)
        except SparkError as error:
            # The title names the file already.
            self._message = (f"{error.what} — {error.hint}" if error.hint else error.what, True)
        else:
            self._host.apply_settings(before)
            message = change_message(key, self._preferences.loaded, file) or f"{what} {with_tilde(file)}"
            self._message = (message, False)
        if self.is_attached:
            self._load()
