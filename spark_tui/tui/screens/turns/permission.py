"""A model's question to the person, laid over the code: may it run this command?

The turn waits in its thread. Keys that were meant for the prompt when the question came up do not answer it,
and go to the prompt like all that are no answer.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from threading import Event as StopFlag

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from spark_tui.tools.permission import Answer, PermissionRequest
from spark_tui.tui.background_work import call_on_loop
from spark_tui.tui.screens.pickers.overlay import Overlay
from spark_tui.tui.screens.protocols import WorkbenchHost
from spark_tui.tui.settings.themes import Palette
from spark_tui.tui.text.safe_text import shorten, visible, wrap
from spark_tui.tui.widgets.status_bar import StatusBar

CALM_SECONDS = 0.5
"""So long no key may have come before one counts as an answer."""
_LOOK_SECONDS = 0.02
_MOST_ROWS = 12
_ROWS_AROUND = 9
"""Of a screen: what stands below the question, and its edges, title and keys."""
_CELLS_AROUND, _WIDEST, _NARROW, _NARROWEST = 8, 110, 72, 50
_STEPS = {"up": -1, "down": 1, "pageup": -_MOST_ROWS // 2, "pagedown": _MOST_ROWS // 2}


class PermissionQuestions:
    """Asks for the thread of a turn, one question at a time."""

    def __init__(self, host: WorkbenchHost, loop: asyncio.AbstractEventLoop) -> None:
        self._host, self._loop = host, loop
        # The thread of a turn knows nothing of the app, which screens look up in their context.
        self._context = contextvars.copy_context()

    def __call__(self, request: PermissionRequest, stop: StopFlag) -> Answer:
        answered = threading.Event()
        answers: list[Answer] = []
        screens: list[PermissionQuestion] = []

        def take(answer: Answer | None) -> None:
            if answer is None and not stop.is_set():
                self._host.controller.stop()
            answers.append(answer or "no")
            answered.set()

        def show() -> None:
            host = self._host
            screens.append(PermissionQuestion(request, host.palette, host.prompt.insert, self._loop.time))
            host.push_overlay(screens[0], take)
            host.paint_status()

        def hide() -> None:
            if screens and not answered.is_set() and screens[0].is_current:
                screens[0].dismiss(None)

        call_on_loop(self._loop, show, context=self._context)
        while not answered.wait(_LOOK_SECONDS):
            if stop.is_set():
                call_on_loop(self._loop, hide, context=self._context)
                return "no"
        return answers[0]


class PermissionQuestion(Overlay[Answer | None], inherit_bindings=False):
    """Closes with the answer; Esc stops the turn, as it does everywhere."""

    questions = True

    DEFAULT_CSS = """
    PermissionQuestion { background: $background 20%; }
    PermissionQuestion Static { height: auto; padding: 0 3; background: $surface; color: $foreground; }
    """

    def __init__(
        self,
        request: PermissionRequest,
        palette: Palette,
        type_on: Callable[[str], object],
        clock: Callable[[], float],
    ) -> None:
        super().__init__(palette)
        self._request, self._type_on, self._clock = request, type_on, clock
        self._title, self._keys = StatusBar(fill="pane.rule", rule="─"), StatusBar(group=2)
        self._text = Static(markup=False)
        self._top = 0
        """The first row that is shown of what it wants to run: all of it can be read before it is allowed."""
        self._last_key = clock()

    def compose(self) -> ComposeResult:
        with Vertical():
            yield self._title
            yield self._text
            yield self._keys

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        cells = min(self.size.width, _WIDEST) - _CELLS_AROUND
        rows = wrap(self._request.text, cells)
        room = max(min(self.size.height - _ROWS_AROUND, _MOST_ROWS), 1)
        self._top = max(min(self._top, len(rows) - room), 0)
        seen = rows[self._top : self._top + room]
        self._text.update("\n".join(seen))
        where = f" {self._top + 1}–{self._top + len(seen)} of {len(rows)} " if len(rows) > room else ""
        if where and cells > _NARROWEST:
            where = f" ↑↓{where}lines "
        # What is not in view must be known before the answer: the title gives way.
        asks = shorten(visible(self._request.title), self.size.width - len(where) - 4)
        self._title.show([("─ ", "pane.rule"), (f"{asks} ", "pane.key")], [(where, "pane.faint")])
        keys = (
            ("y", "once"),
            ("a", f"always {self._request.lasting}" if cells > _NARROWEST else "always"),
            ("n", "no, continue without it" if cells > _NARROW else "no"),
            ("Esc", "stop"),
        )
        self._keys.show_keys(keys)

    def press(self, event: events.Key) -> None:
        if event.key in ("escape", "ctrl+c"):
            self.dismiss(None)
            return
        if event.key in _STEPS:
            self._top += _STEPS[event.key]
            self._show()
            return
        calm = self._clock() - self._last_key >= CALM_SECONDS
        self._last_key = self._clock()
        answers: dict[str, Answer] = {"y": "once", "a": "always", "n": "no"}
        if calm and event.key in answers:
            self.dismiss(answers[event.key])
        elif event.is_printable and event.character:
            self._type_on(event.character)
