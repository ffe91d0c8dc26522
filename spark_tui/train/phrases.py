"""What people say around an order: politeness, reasons, limits, contexts. None of it says what to do.

Comes in: nothing. Goes out: tables. Must not know: anything.
"""

from __future__ import annotations

from spark_tui.train.tables import table

_TABLES = table("tables/sayings")


def lines(text: str) -> tuple[str, ...]:
    """A table of one saying a line."""
    return tuple(line.strip() for line in text.strip().split("\n"))


def choices(text: str) -> tuple[str, ...]:
    """A short table, spaces kept."""
    return tuple(text.split("|"))


def words(text: str) -> frozenset[str]:
    """A set of single words."""
    return frozenset(text.split())


WRAPPERS: tuple[str, ...] = _TABLES["wrappers"]
NEUTRAL_WRAPPERS: tuple[str, ...] = _TABLES["neutral_wrappers"]
"""Around a statement ("the limit should be 3"), which cannot be ordered."""
HELD_OUT_WRAPPERS: tuple[str, ...] = _TABLES["held_out_wrappers"]
REASONS: tuple[str, ...] = _TABLES["reasons"]
LIMITS: tuple[str, ...] = _TABLES["limits"]
CONTEXTS: tuple[str, ...] = _TABLES["contexts"]
