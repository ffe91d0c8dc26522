"""Keys that act when they are pressed twice: what the first press asked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Confirmations:
    """Each is set by the first press and forgotten with any other action."""

    quit: bool = False
    rewind: bool = False
    keep: int = 0
    """The partial hunk for which the status line explains what keeping it does."""
    marked: frozenset[int] = frozenset()
    """The marked hunks that were not accepted with the others, according to the status line."""

    def forget(self, *, but: str = "") -> None:
        """Forget what was asked, except by this action."""
        if but not in ("quit", "interrupt"):
            self.quit = False
        if but != "stop":
            self.rewind = False
        if but not in ("accept.file", "accept.all"):
            self.marked = frozenset()
        if but != "accept":
            self.keep = 0
