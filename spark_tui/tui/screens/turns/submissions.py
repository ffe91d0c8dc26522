"""What becomes of the text of the prompt: sent, queued, or read ahead while it is typed."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from spark_tui.tui.screens.navigation.hunk_navigation import HunkNavigation
from spark_tui.tui.screens.navigation.open_file import OpenFile
from spark_tui.tui.screens.protocols import TaskHost
from spark_tui.tui.screens.turns.prompt_saver import PromptSaver
from spark_tui.tui.turns.controller import TurnController
from spark_tui.tui.widgets.code_editor import HunkEditor
from spark_tui.tui.widgets.code_view import CodeView
from spark_tui.tui.widgets.prompt import PromptBox


class SubmissionsHost(TaskHost, Protocol):
    """Has a prompt, and a model that answers."""

    controller: TurnController
    navigation: HunkNavigation
    open_file: OpenFile
    code: CodeView
    prompt: PromptBox
    prompt_saver: PromptSaver

    def slash_command(self, text: str) -> bool: ...


class Submissions:
    """Carries prompts to the turn controller, with the place in the file that they are about."""

    def __init__(self, host: SubmissionsHost) -> None:
        self._host = host

    async def submit(self, text: str) -> None:
        """Start a turn, or steer the one that runs."""
        host = self._host
        if isinstance(host.code.editor, HunkEditor):
            # The hunk may give way to this message; what was typed in it is kept as the person's own first.
            await host.navigation.finish_edit()
        if text.startswith("/") and host.slash_command(text):
            return
        host.code.following, host.navigation.chosen = True, False
        host.prompt_saver.sent(text)
        host.start_task(partial(host.open_file.show_mentioned, text))
        host.open_file.report_position()
        host.controller.submit(text)

    def queue(self, text: str) -> None:
        """Send it after the turn that runs."""
        self._host.prompt_saver.sent(text)
        self._host.controller.enqueue(text)

    def draft_changed(self) -> None:
        """Keep the draft, and let the model read ahead."""
        host = self._host
        host.prompt_saver.typed()
        host.open_file.report_position()
        host.controller.warm(host.prompt.text)
