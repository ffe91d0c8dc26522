"""Opens the session after the first frame, and fills in what the workbench knows only then."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from spark_tui.errors import SparkError
from spark_tui.tui.background_work import call_on_loop
from spark_tui.tui.killed_sessions import notes_of_killed
from spark_tui.tui.page_text import welcome_rows
from spark_tui.tui.screens.status_view import StatusHost
from spark_tui.tui.settings.model_switch import model_greeting, run_in_daemon
from spark_tui.tui.terminal.frame_clock import FRAME_SECONDS
from spark_tui.tui.text.safe_text import one_line

if TYPE_CHECKING:
    from spark_tui.session.session import Session

_LONGEST_WAIT = 0.5


async def open_session(host: StatusHost) -> None:
    """What cannot be opened ends the app with the error as its result."""
    # The first frame goes out before imports take the interpreter; where another screen is in front already,
    # this one is not painted.
    with suppress(TimeoutError):
        await asyncio.wait_for(host.painted.wait(), _LONGEST_WAIT)
    await asyncio.sleep(FRAME_SECONDS)
    held_back = host.tour is not None and "model.pace" not in host.start.origin

    def open_and_listen() -> Session:
        session = host.start.open()
        if held_back:
            from spark_tui.backends.paced import SteadyRate, at_speed
            from spark_tui.tui.tour import TOKENS_PER_SECOND

            # So slow that the model can be stopped by hand.
            session.use(at_speed(session.backend, SteadyRate(TOKENS_PER_SECOND), ""))
        host.wafer.step_log.attach(session.backend)  # before its first turn can begin
        return session

    try:
        session = await host.controller.open(open_and_listen, host.start.past)
    except SparkError as error:
        host.exit_with(error)
        return
    from spark_tui.tui.screens.turns.permission import PermissionQuestions  # not needed for the first frame

    loop = asyncio.get_running_loop()
    session.tools.permissions.ask = PermissionQuestions(host, loop)
    session.ahead.on_read = partial(call_on_loop, loop, host.prompts.show_preview)
    # Of a kept session or a job: what is to decide is in view, else what is to write.
    await host.navigation.enter()
    taken = host.controller.turn_state.taken()
    if taken and not host.controller.turn_state.open_hunks():
        await host.navigation.go_to(taken[0])
    host.navigation.chosen = False
    host.prompts.remember(session.root)
    host.controller.hand_back()  # in front of the draft
    host.check_list.root = session.root
    await host.background_jobs.remember(session.root)
    await host.open_file.show_first(*host.start.shown)
    host.code.welcome = welcome_rows(host.keymap, session.root.name)
    host.code.refresh()
    await host.controller.refresh_git_state()
    await _recover_killed(host, session)
    # So that the key of the first overlay does not wait for the import.
    await host.controller.run_in_order(import_module, "spark_tui.tui.screens.overlays")
    # The connection to a server is open before it is needed; one that does not answer is reported now.
    await run_in_daemon(lambda: model_greeting(session.backend))


async def _recover_killed(host: StatusHost, session: Session) -> None:
    """Say so where an earlier spark was killed while something was typed and not saved, or hunks waited."""
    notes = await host.controller.run_in_order(notes_of_killed, session)
    for note in notes:
        opens = f"{one_line(note)} — {host.keymap.shown('sessions')} opens it"
        host.controller.turn_state.add_line("note", opens)
    if notes:
        host.transcript.show_lines(host.controller.lines)
