"""The blanks at the beginning of a line."""

from __future__ import annotations


def indent_of(line: str) -> str:
    return line[: depth_of(line)]


def depth_of(line: str) -> int:
    """How many characters they are."""
    return len(line) - len(line.lstrip())
