"""Has each answer checked in the background, and shows the marks when they come."""

from __future__ import annotations

from functools import partial
from threading import Event
from typing import Protocol

from spark_tui.tui.screens.protocols import TaskHost
from spark_tui.tui.settings.model_switch import run_in_daemon
from spark_tui.tui.turns.controller import TurnController
from spark_tui.tui.turns.state import TouchedFile


class ShowsChanges(Protocol):
    """Shows what a batch of events changed."""

    def show(self, touched: TouchedFile) -> None: ...


class AnswerMarksHost(TaskHost, Protocol):
    """Has turns, and shows what they touch."""

    controller: TurnController

    @property
    def turn_changes(self) -> ShowsChanges: ...


class AnswerMarks:
    """One check at a time. A turn that begins ends it; it is made up for after that turn."""

    def __init__(self, host: AnswerMarksHost) -> None:
        self._host = host
        self._stop = Event()

    def begin(self) -> None:
        """A turn has ended."""
        if self._host.controller.running or self._host.controller.opening:
            return
        self.stop()
        self._stop = Event()
        self._host.start_task(partial(self._check, self._stop))

    def stop(self) -> None:
        self._stop.set()

    async def _check(self, stop: Event) -> None:
        controller = self._host.controller
        found = await run_in_daemon(lambda: controller.session.check_answer(stop=stop))
        if found:
            self._host.turn_changes.show(controller.turn_state.apply(found))
