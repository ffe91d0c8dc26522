"""Opens the session after the first frame, and fills in what the workbench knows only then."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from spark_tui.errors import SparkError
from spark_tui.tui.page_text import welcome_rows
from spark_tui.tui.screens.background_jobs import BackgroundJobs
from spark_tui.tui.screens.hunk_navigation import HunkNavigation
from spark_tui.tui.screens.prompt_saver import PromptSaver
from spark_tui.tui.screens.quit import ReopenHost
from spark_tui.tui.screens.workbench_actions import load_overlays
from spark_tui.tui.startup import Startup
from spark_tui.tui.step_log import listening
from spark_tui.tui.tour import Tour
from spark_tui.tui.widgets.code_view import CodeView
from spark_tui.tui.widgets.prompt import PromptBox
from spark_tui.tui.widgets.wafer_panel import WaferPanel


class SessionHost(ReopenHost, Protocol):
    """Has the parts that depend on the repository."""

    background: BackgroundJobs
    code: CodeView
    keeper: PromptSaver
    prompt: PromptBox
    start: Startup
    tour: Tour | None
    wafer: WaferPanel
    walk: HunkNavigation


async def open_session(host: SessionHost) -> None:
    """What cannot be opened ends the app with the error as its result."""
    try:
        session = await host.conductor.open(
            partial(listening, host.start.open, host.wafer.tape), host.start.past
        )
    except SparkError as error:
        host.end(error)
        return
    # Of a kept session or a job: what is to decide is in view.
    await host.walk.enter()
    host.walk.chosen = False
    host.keeper.remember(session.root)
    await host.background.remember(session.root)
    if host.tour and not host.prompt.text:
        host.prompt.replace_text(host.tour.prompt)
    host.code.welcome = welcome_rows(host.keymap, session.root.name)
    host.code.refresh()
    await host.conductor.look_at_tree()
    await host.conductor.away(load_overlays)
    await host.conductor.greet()
