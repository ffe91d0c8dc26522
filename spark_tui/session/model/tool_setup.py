"""What a turn with tools needs from its session: tools, overlay, permissions and limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Event as StopFlag
from typing import Any

from spark_tui.config.settings import Settings
from spark_tui.tools.overlay import Overlay, PendingHunk
from spark_tui.tools.permission import Permissions
from spark_tui.tools.registry import Registry, ToolContext


@dataclass(slots=True)
class ToolSetup:
    """The tools of one turn. `native`: the backend takes schemas; otherwise the tools are described in
    the prompt. `pending` returns the hunks that the model currently sees."""

    registry: Registry
    native: bool
    limits: Settings
    """Where a turn ends by itself."""
    make_overlay: Callable[[], Overlay]
    pending: Callable[[], Sequence[PendingHunk]]
    last_hunk_id: Callable[[], int]
    parts: dict[str, Any]
    """What single tools work with, by name."""
    permissions: Permissions
    step_tokens: int = 0
    """Tokens that the outputs of a turn's tools may take in a prompt; 0 for no limit."""
    notes: tuple[str, ...] = ()
    """What the person should know about the tools of this turn."""

    def context(self, stop: StopFlag) -> ToolContext:
        """What a call works on: the current files."""
        return ToolContext(self.make_overlay(), stop, self.parts, self.permissions)
