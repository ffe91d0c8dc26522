"""What a turn with tools needs of its session: the tools, the overlay, the person's leave, and the limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Event as StopFlag
from typing import Any, Protocol

from spark_tui.tools.overlay import Overlay, PendingHunk
from spark_tui.tools.registry import Registry, ToolContext


class Approve(Protocol):
    """Asks the person whether a command may run. Returns False where nobody can be asked, and once `stop` is
    set."""

    def __call__(self, command: str, stop: StopFlag) -> bool: ...


@dataclass(frozen=True, slots=True)
class ToolLimits:
    """Where a turn ends by itself. 0: no limit."""

    steps: int = 40
    tokens: int = 100_000
    seconds: float = 900.0


@dataclass(slots=True)
class ToolSetup:
    """One turn's. `native`: the backend takes schemas; others are told of the tools in words. `pending`
    gives the hunks that the model sees as they stand now."""

    registry: Registry
    native: bool
    limits: ToolLimits
    make_overlay: Callable[[], Overlay]
    pending: Callable[[], Sequence[PendingHunk]]
    last_hunk_id: Callable[[], int]
    parts: dict[str, Any]
    """What single tools work with, by name."""

    def context(self, stop: StopFlag) -> ToolContext:
        """What a call works on: the files as they stand now."""
        return ToolContext(self.make_overlay(), stop, self.parts)
