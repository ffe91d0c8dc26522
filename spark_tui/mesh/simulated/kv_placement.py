"""Placement of the keys and values of a growing context: balanced over the rows of the grid by one-hop
shifts.

A new token enters at the last row. Whenever a row holds more than the row above it, its oldest token moves up
one hop; all rows do so at once. The order along the rows is the order of the text, and no row ever holds two
tokens more than another, so the capacity is rows × tokens per row. (Appending at one row would give only one
row's capacity.)
"""

from __future__ import annotations

from collections import deque

from spark_tui.errors import Misfit


class ShiftedKV:
    """Positions by row, oldest first."""

    def __init__(self, rows: int, tokens_per_row: int) -> None:
        self.rows = [deque[int]() for _ in range(rows)]
        self.tokens_per_row = tokens_per_row
        self.length = 0
        self.shifts = 0

    @property
    def capacity(self) -> int:
        return len(self.rows) * self.tokens_per_row

    def counts(self) -> list[int]:
        return [len(row) for row in self.rows]

    def load(self, tokens: int) -> None:
        """The prompt, in contiguous blocks as prefill leaves them, the first rows fullest."""
        self._check(tokens)
        share, extra = divmod(tokens, len(self.rows))
        position = 0
        for index, row in enumerate(self.rows):
            count = share + (1 if index < extra else 0)
            row.clear()
            row.extend(range(position, position + count))
            position += count
        self.length = tokens

    def append(self) -> list[tuple[int, int]]:
        """The next position enters. Returns the moves: (position, row that it left); each goes one row up."""
        self._check(self.length + 1)
        self.rows[-1].append(self.length)
        self.length += 1
        moves: list[tuple[int, int]] = []
        for index in range(len(self.rows) - 1, 0, -1):
            if len(self.rows[index]) > len(self.rows[index - 1]):
                position = self.rows[index].popleft()
                self.rows[index - 1].append(position)
                moves.append((position, index))
        self.shifts += len(moves)
        return moves

    def _check(self, tokens: int) -> None:
        if tokens > self.capacity:
            raise Misfit(
                f"{tokens} tokens of keys and values are {tokens - self.capacity} more than "
                f"{len(self.rows)} rows of {self.tokens_per_row} keep",
                hint="Use a shorter context or a larger grid.",
            )
