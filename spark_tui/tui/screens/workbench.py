"""The workbench: composes the widgets, takes their messages, paints what changed.

Comes in: a session, a keymap, themes. Goes out: an exit code when the person quits. It owns no logic of
editing. Must not know: how a turn runs, how files are written.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Offset
from textual.screen import Screen
from textual.widget import Widget

from spark_tui.config.settings import Settings
from spark_tui.errors import SparkError
from spark_tui.tui import clipboard, desktop_notification
from spark_tui.tui.frame_clock import PaintsOnTime
from spark_tui.tui.keys import Keymap, Place
from spark_tui.tui.messages import (
    CopyRequested,
    DraftChanged,
    HunkPicked,
    Intent,
    Queued,
    Submitted,
    TextTyped,
    ViewMoved,
)
from spark_tui.tui.page_text import welcome_rows
from spark_tui.tui.partial_repaint import PaintsPartially
from spark_tui.tui.screens import status_view
from spark_tui.tui.screens.background_jobs import LOOK_SECONDS, BackgroundJobs
from spark_tui.tui.screens.file_typing import FileTyping
from spark_tui.tui.screens.hunk_navigation import HunkNavigation
from spark_tui.tui.screens.open_file import OpenFile
from spark_tui.tui.screens.prompt_saver import PromptSaver
from spark_tui.tui.screens.workbench_actions import load_overlays, perform
from spark_tui.tui.startup import Reopen, Startup, ThemesAndKeys
from spark_tui.tui.step_log import listening
from spark_tui.tui.themes import Palette, Theme
from spark_tui.tui.tour import Tour
from spark_tui.tui.turn_controller import TurnController
from spark_tui.tui.turn_state import TouchedFile
from spark_tui.tui.view_state import ViewState, counts, why_not
from spark_tui.tui.widgets.code_editor import HunkEditor
from spark_tui.tui.widgets.code_view import CodeView
from spark_tui.tui.widgets.divider import Divider
from spark_tui.tui.widgets.hunk_list import HunkList
from spark_tui.tui.widgets.prompt import PromptBox
from spark_tui.tui.widgets.status_bar import StatusBar
from spark_tui.tui.widgets.transcript import Transcript
from spark_tui.tui.widgets.wafer_panel import WaferPanel

DRAWN = (StatusBar, CodeView, HunkList, Transcript, Divider, WaferPanel)
"""What draws every cell of its lines itself."""
NARROW_CELLS = 100
SHORT_ROWS = 30


class Workbench(PaintsOnTime, Screen[None], inherit_bindings=False):
    """The one screen that is always there."""

    AUTO_FOCUS = "#prompt"

    def __init__(
        self,
        start: Startup,
        keymap: Keymap,
        theme: Theme,
        themes: ThemesAndKeys,
        write_terminal: Callable[[str], None],
        set_mouse: Callable[[bool], None],
        clock: Callable[[], float],
    ) -> None:
        super().__init__()
        self._compositor = PaintsPartially(DRAWN)
        self.conductor = TurnController(self._changed, self.say, self._given_back, clock)
        self.start = start
        self.preferences = start.preferences()
        self.write_terminal, self.set_mouse = write_terminal, set_mouse
        self.walk, self.stage, self.typing = HunkNavigation(self), OpenFile(self), FileTyping(self)
        self.keymap, self.themes = keymap, themes
        self._theme = theme
        self.background = BackgroundJobs(self)
        self.message: tuple[str, bool] = ("", False)
        self.quit_asked = self.back_asked = False
        self.tour = Tour(keymap) if start.tour else None
        self._transcript_tall = False
        self._last_pane: Widget | None = None
        self._ready = False

    # What is there

    def compose(self) -> ComposeResult:
        yield StatusBar(id="header")
        with Horizontal(id="body"):
            with Horizontal(id="rim-left"):
                yield HunkList(id="hunks")
                yield Divider(id="divider")
            with Vertical(id="stage"):
                yield StatusBar(id="title", fill="title")
                yield CodeView(id="code")
        yield WaferPanel(id="wafer")
        yield StatusBar(id="said-edge", fill="rim.rule", rule="─")
        yield Transcript(id="transcript")
        yield StatusBar(id="edge", fill="rim.rule", rule="─")
        with Horizontal(id="ask"):
            yield StatusBar(id="ask-sign")
            yield PromptBox(id="prompt")
        yield StatusBar(id="status")
        yield StatusBar(id="footer", group=2)

    def on_mount(self) -> None:
        self.code, self.list = self.query_one(CodeView), self.query_one(HunkList)
        self.prompt, self.transcript = self.query_one(PromptBox), self.query_one(Transcript)
        self.wafer = self.query_one(WaferPanel)
        self.wafer.bind(self.keymap.shown("wafer"), self.keymap.shown("wafer.model"))
        self.wafer.on_look, self.wafer.model = self.paint_rim, self.start.settings.wafer_model
        self.conductor.on_start = self.wafer.tape.turn
        # Held, not looked up: while the screen closes, the last events of a turn may still come in.
        self._bars = {bar.id: bar for bar in self.query(StatusBar)}
        for widget in (self.code, self.list, self.prompt):
            widget.keymap = self.keymap
        self.code.view = self.start.settings.view
        self.code.welcome = welcome_rows(self.keymap, self.start.root.name)
        self.bar("ask-sign").show([(" › ", "rim.key")])
        self.wear(self._theme)
        self._ready = True
        self._changed(TouchedFile(said=True))
        self.keeper = PromptSaver(self)
        self.set_interval(LOOK_SECONDS, lambda: self.later(self.background.look))
        self.set_interval(0.25, self._tick)
        self.call_after_refresh(lambda: self.later(self._open))

    async def _open(self) -> None:
        """Behind the first frame. What cannot be opened ends the app with the error as its result."""
        try:
            session = await self.conductor.open(
                partial(listening, self.start.open, self.wafer.tape), self.start.past
            )
        except SparkError as error:
            self.end(error)
            return
        # Of a kept session or a job: what is to decide is in view.
        await self.walk.enter()
        self.walk.chosen = False
        self.keeper.remember(session.root)
        await self.background.remember(session.root)
        if self.tour and not self.prompt.text:
            self.prompt.replace_text(self.tour.prompt)
        self.code.welcome = welcome_rows(self.keymap, session.root.name)
        self.code.refresh()
        await self.conductor.look_at_tree()
        await self.conductor.away(load_overlays)
        await self.conductor.greet()

    def get_widget_and_offset_at(self, x: int, y: int) -> tuple[Widget | None, Offset | None]:
        """Where the mouse selects. The code pane knows what stands where; Textual would read it off what is
        drawn."""
        widget, offset = super().get_widget_and_offset_at(x, y)
        if isinstance(widget, CodeView):
            offset = widget.pointed_at(x - widget.region.x, y - widget.region.y)
        return widget, offset

    def bar(self, name: str) -> StatusBar:
        return self._bars[name]

    def wear(self, theme: Theme) -> None:
        self._theme = theme
        for widget in self.query("*"):
            if isinstance(widget, DRAWN):
                widget.set_palette(theme.palette)

    def wear_named(self, name: str) -> None:
        theme = self.themes.named(name)
        if theme is None:
            self.say(f"the theme {name} cannot be used: {self.themes.problem()}", True)
        else:
            self.wear(theme)
            self.say(f"theme: {theme.title}")

    def apply_settings(self, before: Settings) -> None:
        """The settings are others than these now."""
        from spark_tui.tui.screens import settings_effects

        settings_effects.apply(self, before)

    @property
    def palette(self) -> Palette:
        return self._theme.palette

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < NARROW_CELLS, "-narrow")
        self.set_class(event.size.height < SHORT_ROWS and not self._transcript_tall, "-short")
        self.paint_rim()

    def toggle_transcript(self) -> None:
        self._transcript_tall = not self._transcript_tall
        self.set_class(self._transcript_tall, "-tall")
        self.set_class(self.size.height < SHORT_ROWS and not self._transcript_tall, "-short")

    # What changed

    def _changed(self, touched: TouchedFile) -> None:
        """Called on the loop after every change of the board."""
        if not self._ready:
            return
        board = self.conductor.board
        self.stage.changed(touched)
        if touched.said:
            self.transcript.show_lines(board.lines)
        if self.tour and self.tour.see(board):
            self._suggest(self.tour)
        over = touched.ended and not self.conductor.running
        if over and not self.app.app_focus and board.meter.seconds() >= desktop_notification.LONG_SECONDS:
            self.write_terminal(desktop_notification.sequence(f"{self.start.root.name}: the turn is done"))
        if touched.ended:
            self.wafer.look()
        if touched.ended or touched.paths:
            self.walk.chosen = False
            self.later(self.conductor.look_at_tree)
        self.paint_rim()

    def _suggest(self, tour: Tour) -> None:
        """What the tour would have said next, ready to be sent."""
        if not tour.holds_back:
            self.conductor.let_go()
        if not self.prompt.text:
            self.prompt.replace_text(tour.prompt)
            if self.code.editor is None:
                self.prompt.focus()

    def show_hunks(self) -> None:
        self.stage.show_hunks()

    async def show_file(self, path: str) -> None:
        await self.stage.show_file(path)

    def follow(self) -> None:
        """Look where the model writes again."""
        self.code.following, self.walk.chosen = True, False
        self._changed(TouchedFile(hunks={self.walk.current_id}))

    def later(self, function: Callable[[], Awaitable[None]]) -> None:
        """Run a coroutine of ours without holding up the keys."""
        if self.is_attached:
            self.run_worker(function(), group="ours")

    def _tick(self) -> None:
        if self.conductor.board.busy or self.conductor.loading is not None:
            self.paint_rim()

    def situation(self, place: Place | None = None) -> ViewState:
        return status_view.situation(self, place)

    def paint_rim(self) -> None:
        if self._ready:
            status_view.paint(self)

    def say(self, text: str, problem: bool = False) -> None:
        """A sentence at the rim, until the next key."""
        self.message = (text, problem)
        self.paint_rim()

    # What the person does

    async def on_submitted(self, message: Submitted) -> None:
        if isinstance(self.code.editor, HunkEditor):
            # Of a hunk that gives way to what is said now, what was typed in it would be left in the air.
            await self.walk.finish_edit()
        if message.text.startswith("/"):
            from spark_tui.tui.screens import model_picker

            if model_picker.said(self, message.text):
                return
        self.code.following, self.walk.chosen = True, False
        self.keeper.sent(message.text)
        self.later(partial(self.stage.show_named, message.text))
        self.stage.tell_place()
        self.conductor.submit(message.text)

    def on_queued(self, message: Queued) -> None:
        self.keeper.sent(message.text)
        self.conductor.enqueue(message.text)

    def _given_back(self, text: str) -> None:
        """A message that was not delivered returns to where it was typed."""
        self.prompt.give_back(text)
        self.say("not sent: your message is back in the prompt")

    def on_draft_changed(self, message: DraftChanged) -> None:
        del message
        self.keeper.typed()
        self.stage.tell_place()
        self.conductor.warm(self.prompt.text)
        self.quit_asked = self.back_asked = False
        self.walk.keep_asked = 0
        self.message = ("", False)
        self.paint_rim()

    def on_view_moved(self, message: ViewMoved) -> None:
        del message
        row = self.code.row_at_cursor()
        if row.hunk and row.hunk != self.walk.current_id:
            self.walk.pick(row.hunk)
            self.show_hunks()
        self.paint_rim()

    def on_text_typed(self, message: TextTyped) -> None:
        self.typing.typed(message)

    def on_copy_requested(self, message: CopyRequested) -> None:
        self.copy(message.text)

    async def on_hunk_picked(self, message: HunkPicked) -> None:
        if message.hunk_id < 0:
            await self.typing.visit(message.hunk_id)
            return
        await self.walk.go_to(self.conductor.board.hunks[message.hunk_id])

    @property
    def pane(self) -> Widget:
        """Where the keys are; while another window has them, where they will be again."""
        return self.focused or self._last_pane or self.prompt

    def on_descendant_focus(self) -> None:
        self._last_pane = self.focused
        self.paint_rim()

    def on_key(self, event: events.Key) -> None:
        """Keys that no pane has taken."""
        action = self.keymap.action("anywhere", event.key)
        if action is not None:
            event.stop()
            self.post_message(Intent(action))

    async def on_intent(self, message: Intent) -> None:
        action = message.action
        if self.app.screen is not self:
            # A letter that was typed before the screen that was asked for lay over this one: it was not meant
            # for here.
            self.hand_over(self.app.screen)
            return
        if action not in ("quit", "interrupt"):
            self.quit_asked = False
        if action != "stop":
            self.back_asked = False
        if action != "accept":
            self.walk.keep_asked = 0
        self.message = ("", False)
        if not counts(action, self.situation()):
            self.say(why_not(action, self.situation()))
            self.hand_over(None)
            return
        try:
            await perform(self, action)
        finally:
            # To where the keys are now: what was typed since has waited for it.
            self.hand_over(self.focused)
        self.paint_rim()

    def lay_over(self, screen: Screen[Any], take: Callable[[Any], None] | None = None) -> None:
        """Another screen on top of this one; what was typed meanwhile is for it."""
        self.app.push_screen(screen, take)
        self.hand_over(screen)

    def hand_over(self, taker: Widget | None) -> None:
        """Keys that waited in a pane."""
        for pane in (self.prompt, self.code, self.list):
            pane.hand_over(taker)

    def copy(self, text: str) -> None:
        """To the clipboard, through the terminal and beside it."""
        self.write_terminal(clipboard.sequence(text))
        self.later(partial(self.conductor.away, clipboard.copy_beside, text, os.environ))
        lines = text.count("\n") + (not text.endswith("\n"))
        self.say(f"copied {lines} line{'s' if lines > 1 else ''}")

    def end(self, result: int | SparkError | Reopen) -> None:
        """Nothing is drawn any more; the app ends with this."""
        self._ready = False
        self.app.exit(result)

    def on_unmount(self) -> None:
        self._ready = False
        self.keeper.close()
        self.conductor.close()
