"""Carries what a batch of events changed to the parts of the workbench that show it, and has each answer
checked."""

from __future__ import annotations

from functools import partial
from threading import Event

from spark_tui import events
from spark_tui.tui.messages import Intent
from spark_tui.tui.screens.navigation.hunk_navigation import ReviewHost
from spark_tui.tui.settings.model_switch import run_in_daemon
from spark_tui.tui.text.safe_text import one_line
from spark_tui.tui.turns.touched import Touched

LONG_SECONDS = 8.0


def sequence(text: str) -> str:
    """Terminals that do not know an OSC leave it out; the bell reaches the others, and tmux."""
    title = one_line(text).replace(";", ",")[:200]
    return f"\x07\x1b]9;{title}\x07\x1b]777;notify;spark;{title}\x07"


class TurnChanges:
    """Called on the event loop."""

    def __init__(self, host: ReviewHost) -> None:
        self._host = host
        self._offered: tuple[str, ...] = ()
        self._suggested = host.tour.prompt if host.tour else ""
        self._check_stop = Event()

    def show(self, touched: Touched) -> None:
        """Show what was touched, and nothing else."""
        host, turn_state = self._host, self._host.controller.turn_state
        host.open_file.changed(touched)
        if touched.transcript:
            host.transcript.show_lines(host.controller.lines, growing=turn_state.busy)
        if host.tour and host.tour.see(turn_state):
            self.suggest()
        if host.tour and not host.tour.holds_back:
            host.controller.drop_pacing()
        if touched.ended:
            self._notify()
            self._offer()
            self._begin_check()
            host.wafer.look()
        if touched.ended or touched.paths:
            host.navigation.chosen = False
            host.start_task(host.controller.refresh_git_state)
        host.paint_status()

    def _begin_check(self) -> None:
        """Have the answer checked in the background, and show the marks when they come. A turn that begins
        ends the check; it is made up for after that turn."""
        host = self._host
        if not host.controller.running and not host.controller.opening:
            self.stop_check()
            self._check_stop = Event()
            host.start_task(partial(self._check, self._check_stop))

    def stop_check(self) -> None:
        self._check_stop.set()

    async def _check(self, stop: Event) -> None:
        controller = self._host.controller
        found = await run_in_daemon(lambda: controller.session.check_answer(stop=stop))
        if found:
            self.show(controller.turn_state.apply(found))

    def _notify(self) -> None:
        """Notify a user in another window that a long turn is over."""
        host = self._host
        long = host.controller.turn_state.metrics.seconds() >= LONG_SECONDS
        if long and not host.controller.running and not host.app.app_focus:
            host.write_terminal(sequence(f"{host.start.root.name}: the turn is done"))

    def _offer(self) -> None:
        """Show the choices over the code, unless the user is typing. Choices next to an edit wait for
        their key."""
        host, turn_state = self._host, self._host.controller.turn_state
        if not turn_state.choices or turn_state.choices is self._offered or host.controller.running:
            return
        self._offered = turn_state.choices
        if not isinstance(turn_state.last, events.Finished) or turn_state.last.reason != "choices":
            return
        if host.prompt.text or host.code.editor is not None or host.app.screen is not host.transcript.screen:
            host.show_message("/take 1 takes the first of the edits that may be meant")
        else:
            host.post_message(Intent("choose"))

    def suggest(self) -> None:
        """Put the next prompt of the tour where it only has to be sent, once what a person typed there is
        gone."""
        host, next_prompt = self._host, self._host.tour.prompt if self._host.tour else ""
        if next_prompt in ("", self._suggested) or host.prompt.text not in ("", self._suggested):
            return
        self._suggested = next_prompt
        host.prompt.suggest(next_prompt)
        if host.code.editor is None:
            host.prompt.focus()
