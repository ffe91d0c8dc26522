"""Saves the draft and the prompts of the workbench a moment after each change, and when it closes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from textual.timer import Timer

from spark_tui.config import paths
from spark_tui.tui.prompt_history import PromptHistory
from spark_tui.tui.screens.protocols import TaskHost
from spark_tui.tui.turn_controller import TurnController
from spark_tui.tui.widgets.prompt import PromptBox

DRAFT_SECONDS = 0.4


class PromptSaverHost(TaskHost, Protocol):
    """Has a prompt, and timers."""

    controller: TurnController
    prompt: PromptBox

    def set_timer(self, delay: float, callback: Callable[[], Any], *, pause: bool = False) -> Timer: ...


class PromptSaver:
    """Does nothing until it is told which repository this is."""

    def __init__(self, host: PromptSaverHost) -> None:
        self._host = host
        self._memory: PromptHistory | None = None
        self._timer = host.set_timer(DRAFT_SECONDS, self._keep_draft, pause=True)

    def remember(self, root: Path) -> None:
        """Bring back what was kept; what has been typed already stays."""
        prompt = self._host.prompt
        self._memory = PromptHistory(paths.repository_state_dir(root))
        early = prompt.sent
        prompt.sent = [*self._memory.prompts(), *early]
        for text in early:
            # Sent before the repository was known.
            self.sent(text)
        if not prompt.text and not self._host.controller.running:
            prompt.replace_text(self._memory.draft())

    def sent(self, text: str) -> None:
        if self._memory:
            self._host.start_task(partial(self._host.controller.run_in_order, self._memory.keep_prompt, text))

    def typed(self) -> None:
        self._timer.reset()
        self._timer.resume()

    def _keep_draft(self) -> None:
        if self._memory:
            text = self._host.prompt.draft
            self._host.start_task(partial(self._host.controller.run_in_order, self._memory.keep_draft, text))

    def close(self) -> None:
        if self._memory:
            self._memory.keep_draft(self._host.prompt.draft)
