"""What a tool gives while it works, and its outcome."""

from __future__ import annotations


def drained(stream):
    """The pieces of a generator, and what it returned."""
    pieces = []
    while True:
        try:
            pieces.append(next(stream))
        except StopIteration as end:
            return pieces, end.value
