"""The flag that stops a forward pass."""

from __future__ import annotations

from typing import Protocol


class StopFlag(Protocol):
    """What is looked at between passes, and between the parts of one: a `threading.Event` will do."""

    def is_set(self) -> bool: ...


class _Never:
    """A flag that is never set."""

    def is_set(self) -> bool:
        return False


NEVER = _Never()


class PassStopped(Exception):
    """A pass was given up between two of its parts. Its sequences are as they were."""
