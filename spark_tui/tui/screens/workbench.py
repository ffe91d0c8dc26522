"""The workbench: holds widgets and helpers, and passes messages to them."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Offset
from textual.screen import Screen
from textual.widget import Widget

from spark_tui.config.settings import Settings
from spark_tui.errors import SparkError
from spark_tui.tui import messages
from spark_tui.tui.background_work import start_work
from spark_tui.tui.page_text import welcome_rows
from spark_tui.tui.screens import status_view
from spark_tui.tui.screens.edits.edit_offers import EditOffers
from spark_tui.tui.screens.edits.file_typing import FileTyping
from spark_tui.tui.screens.lists.background_jobs import LOOK_SECONDS, BackgroundJobs
from spark_tui.tui.screens.lists.check_list import CheckList
from spark_tui.tui.screens.navigation.disk_watch import LOOK_SECONDS as DISK_LOOK_SECONDS
from spark_tui.tui.screens.navigation.disk_watch import DiskWatch
from spark_tui.tui.screens.navigation.hunk_navigation import HunkNavigation
from spark_tui.tui.screens.navigation.open_file import OpenFile
from spark_tui.tui.screens.pickers.overlay import Overlay
from spark_tui.tui.screens.quit import leave
from spark_tui.tui.screens.session_opener import open_session
from spark_tui.tui.screens.turns.prompts import Prompts
from spark_tui.tui.screens.turns.turn_changes import TurnChanges
from spark_tui.tui.screens.workbench_actions import perform
from spark_tui.tui.settings.keys import Keymap, Place
from spark_tui.tui.settings.startup import Reopen, Startup
from spark_tui.tui.settings.themes import Palette, ThemeSwitcher
from spark_tui.tui.terminal import clipboard
from spark_tui.tui.terminal.frame_clock import PaintsOnTime
from spark_tui.tui.terminal.partial_repaint import PaintsPartially
from spark_tui.tui.turns.controller import TurnController
from spark_tui.tui.turns.session_access import one_line_error
from spark_tui.tui.turns.touched import Touched
from spark_tui.tui.view_state import Confirmations, ViewState, counts, why_not
from spark_tui.tui.widgets.code_view import CodeView
from spark_tui.tui.widgets.hunk_list import HunkList
from spark_tui.tui.widgets.prompt import PromptBox
from spark_tui.tui.widgets.status_bar import StatusBar
from spark_tui.tui.widgets.transcript import Transcript
from spark_tui.tui.widgets.typeahead import Typeahead
from spark_tui.tui.widgets.wafer_panel import WaferPanel

if TYPE_CHECKING:
    from spark_tui.tui.tour import Tour

DRAWN = (StatusBar, CodeView, HunkList, Transcript, WaferPanel)
"""Widgets that draw every cell of their lines."""
NARROW_CELLS = 100
SHORT_ROWS = 30
TINY_ROWS = 20


class Workbench(PaintsOnTime, Screen[None], inherit_bindings=False):
    """The one screen that is always there."""

    AUTO_FOCUS = "#prompt"

    def __init__(
        self,
        start: Startup,
        keymap: Keymap,
        themes: ThemeSwitcher,
        write_terminal: Callable[[str], None],
        set_mouse: Callable[[bool], None],
        clock: Callable[[], float],
        typeahead: Typeahead,
    ) -> None:
        super().__init__()
        self._compositor = PaintsPartially(DRAWN)
        self.code, self.list, self.prompt = CodeView(id="code"), HunkList(id="hunks"), PromptBox(id="prompt")
        self.typeahead = typeahead
        for pane in (self.code, self.list, self.prompt):
            pane.typeahead = typeahead
        self.transcript, self.wafer = Transcript(id="transcript"), WaferPanel(id="wafer")
        self.prompts = Prompts(self)
        self.controller = TurnController(self._changed, self.show_message, self.prompts.give_back, clock)
        self.start = start
        self.preferences = start.preferences()
        self.write_terminal, self.set_mouse = write_terminal, set_mouse
        self.open_file, self.navigation = OpenFile(self), HunkNavigation(self)
        self.edit_offers = EditOffers(self)
        self.disk_watch = DiskWatch(self, self.edit_offers)
        self.edit_offers.on_write = self.disk_watch.wrote
        self.tour: Tour | None = None
        if start.tour:
            from spark_tui.tui.tour import Tour

            self.tour = Tour(keymap)
        self.file_typing, self.turn_changes = FileTyping(self, self.edit_offers), TurnChanges(self)
        self.keymap, self.themes = keymap, themes
        self.background_jobs, self.check_list = BackgroundJobs(self), CheckList(self)
        self.message: tuple[str, bool] = ("", False)
        self._prompt_when_told = ""
        self.asked = Confirmations()
        self.kept_session = ""
        self._transcript_tall = False
        self._last_pane: Widget | None = None
        self._ready = False
        self._fresh = False  # the status was painted since a tick

    def compose(self) -> ComposeResult:
        yield StatusBar(id="header")
        with Horizontal(id="body"):
            with Horizontal(id="left-pane"):
                yield self.list
                yield StatusBar(id="divider", fill="pane.rule", rule="│")
            with Vertical(id="stage"):
                yield StatusBar(id="title", fill="title")
                yield self.code
        yield self.wafer
        yield StatusBar(id="transcript-edge", fill="pane.rule", rule="─")
        yield self.transcript
        yield StatusBar(id="edge", fill="pane.rule", rule="─")
        with Horizontal(id="ask"):
            yield StatusBar(id="ask-sign")
            yield self.prompt
        yield StatusBar(id="status")
        yield StatusBar(id="footer", group=2)

    def on_mount(self) -> None:
        self.wafer.on_look = self.transcript.on_move = self.paint_status
        self.wafer.model = self.start.settings.wafer_model
        self.controller.on_start = self._turn_begins
        # Held: while the screen closes, the last events of a turn may come in.
        self._bars = {bar.id: bar for bar in self.query(StatusBar)}
        self.set_keymap(self.keymap)
        self.code.view = self.start.settings.view
        self.code.welcome = welcome_rows(self.keymap, self.start.root.name)
        self.bar("ask-sign").show([(" › ", "pane.key")])
        self._paint_with(self.palette)
        if self.tour:
            self.prompt.suggest(self.tour.prompt)
        self._ready = True
        self._changed(Touched(transcript=True))
        self.set_interval(LOOK_SECONDS, lambda: self.start_task(self.background_jobs.look))
        self.set_interval(0.25, self._tick)
        self.set_interval(DISK_LOOK_SECONDS, self.disk_watch.look)
        self.set_interval(DISK_LOOK_SECONDS, self.prompts.look)
        self.start_task(partial(open_session, self))

    def get_widget_and_offset_at(self, x: int, y: int) -> tuple[Widget | None, Offset | None]:
        """Where the mouse selects. The code pane knows its contents; Textual would read them from what is
        drawn."""
        widget, offset = super().get_widget_and_offset_at(x, y)
        if isinstance(widget, CodeView):
            offset = widget.pointed_at(x - widget.region.x, y - widget.region.y)
        return widget, offset

    def bar(self, name: str) -> StatusBar:
        return self._bars[name]

    def set_keymap(self, keymap: Keymap) -> None:
        self.keymap = keymap
        for widget in (self.code, self.list, self.prompt):
            widget.keymap = keymap
        self.wafer.bind(keymap.shown("wafer"), keymap.shown("wafer.model"))

    def _paint_with(self, palette: Palette) -> None:
        for widget in self.query("*"):
            if isinstance(widget, DRAWN):
                widget.set_palette(palette)

    def apply_theme(self, name: str | None = None) -> None:
        """The theme of this name, else the next one."""
        theme = self.themes.next() if name is None else self.themes.named(name)
        if theme is None:
            self.show_message(self.themes.catalog.problems[-1], True)
        else:
            self._paint_with(theme.palette)
            self.show_message(f"theme: {theme.title}; {self.keymap.shown('settings')} keeps one")

    def apply_settings(self, before: Settings) -> None:
        """The settings changed from these."""
        from spark_tui.tui.screens import settings_effects

        settings_effects.apply(self, before)

    @property
    def palette(self) -> Palette:
        return self.themes.theme.palette

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < NARROW_CELLS, "-narrow")
        self.fit(event.size.height)
        self.paint_status()

    def fit(self, height: int = 0) -> None:
        """How many rows transcript and prompt have."""
        height = height or self.size.height
        short = height < SHORT_ROWS and not self._transcript_tall
        self.set_class(short, "-short")
        self.set_class(height < TINY_ROWS or (short and self.wafer.display), "-tiny")
        self.prompt.fit(height - self.wafer.rows_of(height))

    def toggle_transcript(self) -> None:
        self._transcript_tall = not self._transcript_tall
        self.transcript.unfold(self._transcript_tall)
        self.set_class(self._transcript_tall, "-tall")
        self.fit()

    def _turn_begins(self) -> None:
        self.turn_changes.stop_check()
        self.wafer.step_log.turn()

    def _changed(self, touched: Touched) -> None:
        """On the loop, after every change of the turn state."""
        if self._ready:
            self.prompts.read_ahead()
            self.turn_changes.show(touched)
            self.check_list.turn_changed(touched)

    def start_task(self, function: Callable[[], Awaitable[None]]) -> None:
        """Run a coroutine in the background. An error in it is shown and ends nothing else."""

        async def task() -> None:
            try:
                await function()
            except SparkError as error:
                self.show_message(one_line_error(error), problem=True)

        if self.is_attached:
            start_work(self, task, "ours")

    def _tick(self) -> None:
        busy = self.controller.turn_state.busy or self.controller.loading is not None
        if busy and not self._fresh:
            self.paint_status()
        self._fresh = False
        self.turn_changes.suggest()

    def view_state(self, place: Place | None = None) -> ViewState:
        return status_view.view_state(self, place)

    def paint_status(self) -> None:
        if self._ready:
            self._fresh = True
            status_view.paint(self)

    def show_message(self, text: str, problem: bool = False) -> None:
        """A message on the status line until the next key; a problem that does not fit also goes to the
        transcript."""
        fitting, cut = status_view.fit(text, self.size.width)
        self.message, self._prompt_when_told = (fitting, problem), self.prompt.text
        if problem and cut:
            self.controller.turn_state.add_line("error", text)
            self.transcript.show_lines(self.controller.lines)
        self.paint_status()

    def slash_command(self, text: str) -> bool:
        """Carry out a command that came as a prompt; whether it was one."""
        from spark_tui.tui.screens import overlays

        return overlays.run_command(self, text)

    async def show_overlay(self, action: str) -> None:
        """Imported late, not for the first frame."""
        from spark_tui.tui.screens import overlays

        await overlays.show(self, action)

    async def on_submitted(self, message: messages.Submitted) -> None:
        if message.later:
            self.prompts.queue(message.text)
        else:
            await self.prompts.submit(message.text)

    def on_draft_changed(self) -> None:
        if self.prompt.text != self._prompt_when_told:  # else it was told later
            self._acted()
        self.prompts.draft_changed()
        self.paint_status()

    def on_view_moved(self) -> None:
        row = self.code.row_at_cursor()
        if row.hunk and row.hunk != self.navigation.current_id:
            self.navigation.pick(row.hunk)
            self.open_file.show_hunks()
        self.paint_status()

    def on_text_typed(self, message: messages.TextTyped) -> None:
        self.file_typing.typed(message)
        self._acted()
        self.paint_status()

    def on_copy_requested(self, message: messages.CopyRequested) -> None:
        self.copy(message.text)

    async def on_hunk_picked(self, message: messages.HunkPicked) -> None:
        if message.hunk_id < 0:
            await self.file_typing.visit(message.hunk_id)
            return
        await self.navigation.go_to(self.controller.turn_state.hunks[message.hunk_id])

    def on_problem_picked(self, message: messages.ProblemPicked) -> None:
        self.check_list.picked(message.number, message.fix)

    @property
    def pane(self) -> Widget:
        """Where the keys are, or will be once no other window has them."""
        return self.focused or self._last_pane or self.prompt

    def on_descendant_focus(self) -> None:
        self._last_pane = self.focused
        self.paint_status()

    def on_key(self, event: events.Key) -> None:
        """Keys that no pane has taken."""
        if self.typeahead.takes(event):
            return
        action = self.keymap.action("anywhere", event.key)
        if action is not None:
            event.stop()
            self.typeahead.ask(self, action)
        elif event.is_printable:
            self._acted()
            every, leave = self.keymap.shown("help.short"), self.keymap.shown("quit")
            self.show_message(f"{event.character} is no key here: {every} lists every key, {leave} quits")

    async def on_intent(self, message: messages.Intent) -> None:
        try:
            # A letter typed before the screen that was asked for lay over this one was not meant for it.
            if self.app.screen is self:
                self._acted(message.action)
                if counts(message.action, self.view_state()):
                    await perform(self, message.action)
                    self.paint_status()
                elif self.controller.opening:
                    self.show_message("the session is still opening")
                else:
                    self.show_message(why_not(message.action, self.view_state()))
        finally:
            self.typeahead.release(message)

    def _acted(self, action: str = "") -> None:
        """The person did this, or something else than what was asked about."""
        self.asked.forget(but=action)
        self.message = ("", False)

    def push_overlay(self, screen: Screen[Any], take: Callable[[Any], None] | None = None) -> None:
        """Another screen on top of this one; `take` gets its result."""

        def taken(value: Any) -> None:
            try:
                if take is not None:
                    take(value)
            finally:
                self.typeahead.release(screen)

        if isinstance(screen, Overlay):
            screen.typeahead = self.typeahead
        self.app.push_screen(screen, taken)

    def copy(self, text: str) -> None:
        """Copy to the clipboard, through the terminal and directly."""
        self.write_terminal(clipboard.sequence(text))
        self.start_task(partial(self.controller.run_in_order, clipboard.copy_beside, text, os.environ))
        lines = text.count("\n") + (not text.endswith("\n"))
        self.show_message(f"copied {lines} line{'s' if lines > 1 else ''}")

    def exit_with(self, result: int | SparkError | Reopen) -> None:
        """Nothing is drawn any more; the app ends with this."""
        self._ready = False
        self.app.exit(result)

    def on_unmount(self) -> None:
        self._ready = False
        self.prompts.close()
        self.check_list.close()
        self.kept_session = leave(self)
        self.controller.close()
