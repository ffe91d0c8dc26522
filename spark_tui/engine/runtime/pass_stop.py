"""The flag that stops a forward pass."""

from __future__ import annotations

from threading import Event
from typing import Protocol


class StopFlag(Protocol):
    """What is looked at between passes, and between the parts of one: a `threading.Event` will do."""

    def is_set(self) -> bool: ...


NEVER: StopFlag = Event()
"""A flag that nobody sets."""


class PassStopped(Exception):
    """A pass was given up between two of its parts. Its sequences are as they were."""
