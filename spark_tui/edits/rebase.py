"""Where a hunk stands in a text that has changed since the hunk was made, or that it stands nowhere any more.

Comes in: places in an earlier text, and both texts. Goes out: places in the later one. Must not know: hunks'
states, who changed the text. The rule is that of `merge`: what touches a change is in conflict with it, so a
hunk that has a place here is one that merges.
"""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.edits.diff import Block, diff


class Rebase:
    """From `before` to `after`, both lines of one file."""

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        self.blocks: list[Block] = changes(before, after)

    def place(self, start: int, count: int) -> tuple[int, bool]:
        """The line (0-based) on which `count` lines from `start` on stand now, and whether a change touches
        them. Where one does, the line is that of the nearest one above which stayed."""
        shift = 0
        for a0, a1, b0, b1 in self.blocks:
            if a1 < start:
                shift += (b1 - b0) - (a1 - a0)
            elif a0 <= start + count:
                return min(start, a0) + shift, True
        return start + shift, False

    def back(self, line: int) -> int:
        """The line of the earlier text that a line of the later one was, or the first behind what it came in
        for."""
        shift = 0
        for a0, a1, b0, b1 in self.blocks:
            if line < b0:
                break
            if line < b1:
                return min(a0 + line - b0, a1)
            shift += (a1 - a0) - (b1 - b0)
        return line + shift


def changes(before: Sequence[str], after: Sequence[str]) -> list[Block]:
    """Like `diff`, which need not see what is equal at the two ends: typing changes a line of thousands."""
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    most -= head
    tail = next((at for at in range(most) if before[-1 - at] != after[-1 - at]), most)
    found = diff(before[head : len(before) - tail], after[head : len(after) - tail])
    return [(a0 + head, a1 + head, b0 + head, b1 + head) for a0, a1, b0, b1 in found]
