"""The workbench as its helpers see it. Those that need another helper too say so in a protocol that extends
this one, so that no helper imports the screen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from textual.app import App
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget

from spark_tui.config.settings import Settings
from spark_tui.errors import SparkError
from spark_tui.tui.settings.keys import Keymap, Place
from spark_tui.tui.settings.live_settings import LiveSettings
from spark_tui.tui.settings.startup import Reopen, Startup
from spark_tui.tui.settings.themes import Palette, ThemeSwitcher
from spark_tui.tui.turns.controller import TurnController
from spark_tui.tui.view_state import Confirmations, ViewState
from spark_tui.tui.widgets.code_view import CodeView
from spark_tui.tui.widgets.hunk_list import HunkList
from spark_tui.tui.widgets.prompt import PromptBox
from spark_tui.tui.widgets.status_bar import StatusBar
from spark_tui.tui.widgets.transcript import Transcript
from spark_tui.tui.widgets.wafer_panel import WaferPanel

if TYPE_CHECKING:
    from spark_tui.tui.tour import Tour


class WorkbenchHost(Protocol):
    """Its widgets, its turn, its settings, and what it does for its helpers."""

    asked: Confirmations
    code: CodeView
    controller: TurnController
    keymap: Keymap
    list: HunkList
    message: tuple[str, bool]
    preferences: LiveSettings
    prompt: PromptBox
    set_mouse: Callable[[bool], None]
    start: Startup
    themes: ThemeSwitcher
    tour: Tour | None
    transcript: Transcript
    wafer: WaferPanel
    write_terminal: Callable[[str], None]

    @property
    def palette(self) -> Palette: ...
    @property
    def pane(self) -> Widget: ...
    def apply_settings(self, before: Settings) -> None: ...
    def apply_theme(self, name: str | None = None) -> None: ...
    def bar(self, name: str) -> StatusBar: ...
    def copy(self, text: str) -> None: ...
    def exit_with(self, result: int | SparkError | Reopen) -> None: ...
    def paint_status(self) -> None: ...
    def push_overlay(self, screen: Screen[Any], take: Callable[[Any], None] | None = None) -> None: ...
    def set_keymap(self, keymap: Keymap) -> None: ...
    def show_message(self, text: str, problem: bool = False) -> None: ...
    def slash_command(self, text: str) -> bool: ...
    def start_task(self, function: Callable[[], Awaitable[None]]) -> None: ...
    def view_state(self, place: Place | None = None) -> ViewState: ...

    # What every screen of Textual has.

    @property
    def app(self) -> App[object]: ...
    @property
    def focused(self) -> Widget | None: ...
    @property
    def size(self) -> Size: ...
    def clear_selection(self) -> None: ...
    @property
    def selections(self) -> Mapping[Widget, object]: ...
    def get_selected_text(self) -> str | None: ...
    def has_class(self, *class_names: str) -> bool: ...
    def post_message(self, message: Message) -> bool: ...
    def set_focus(self, widget: Widget | None) -> None: ...
    def set_timer(self, delay: float, callback: Callable[[], Any]) -> Timer: ...
