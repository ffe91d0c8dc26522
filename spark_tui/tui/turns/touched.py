"""What a batch of events changed on the screen."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Touched:
    """What a batch changed."""

    hunks: set[int] = field(default_factory=set)
    opened: list[int] = field(default_factory=list)
    paths: set[str] = field(default_factory=set)
    """Files whose text on disk may have changed."""
    transcript: bool = False
    ended: bool = False
    started: bool = False
    wrote: bool = False
