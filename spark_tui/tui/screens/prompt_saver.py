"""Keeps the draft and the prompts of the workbench: a moment after each change, and when it closes.

Comes in: the workbench. Goes out: calls of `PromptHistory`, behind what the session is still to do.
Must not know: where the memory lies.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from spark_tui.config import paths
from spark_tui.tui.prompt_history import PromptHistory

if TYPE_CHECKING:
    from spark_tui.tui.screens.workbench import Workbench

DRAFT_SECONDS = 0.4


class PromptSaver:
    """Does nothing until it is told which repository this is."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._memory: PromptHistory | None = None
        self._timer = bench.set_timer(DRAFT_SECONDS, self._keep_draft, pause=True)

    def remember(self, root: Path) -> None:
        """Bring back what was kept; what has been typed already stays."""
        prompt = self._bench.prompt
        self._memory = PromptHistory(paths.repository_state_dir(root))
        early = prompt.sent
        prompt.sent = [*self._memory.prompts(), *early]
        for text in early:
            # Sent before it was known where this is.
            self.sent(text)
        if not prompt.text and not self._bench.conductor.running:
            prompt.replace_text(self._memory.draft())

    def sent(self, text: str) -> None:
        if self._memory:
            self._bench.later(partial(self._bench.conductor.away, self._memory.keep_prompt, text))

    def typed(self) -> None:
        self._timer.reset()
        self._timer.resume()

    def _keep_draft(self) -> None:
        if self._memory:
            text = self._bench.prompt.draft
            self._bench.later(partial(self._bench.conductor.away, self._memory.keep_draft, text))

    def close(self) -> None:
        if self._memory:
            self._memory.keep_draft(self._bench.prompt.draft)
