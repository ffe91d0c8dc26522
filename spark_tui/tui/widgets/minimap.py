"""The column at the right edge of the code: where the hunks are in the file, and which part is on screen."""

from __future__ import annotations

from collections.abc import Iterable

from spark_tui.tui.code.code_layout import CodeLayout
from spark_tui.tui.code.hunk_view import HunkView

RULE, THUMB = ("│", "rule"), ("┃", "number")
FOUND = {RULE: ("┤", "open"), THUMB: ("┫", "open")}


def minimap(
    layout: CodeLayout,
    hunks: Iterable[HunkView],
    height: int,
    top: int,
    current: int,
    found: Iterable[int] = (),
) -> list[tuple[str, str]]:
    """`found`: the cells next to matches of a search."""
    if layout.height <= height:
        column = [RULE] * height
    else:
        first = top * height // layout.height
        last = max((top + height) * height // layout.height, first + 1)
        column = [THUMB if first <= y < last else RULE for y in range(height)]
    for y in found:
        column[y] = FOUND[column[y]]
    scale = height / max(layout.height, height)
    there: dict[int, HunkView] = {}
    for hunk in hunks:
        y = int(layout.span(hunk.id)[0] * scale)
        if 0 <= y < height and (y not in there or there[y].id != current):
            there[y] = hunk
    for y, hunk in there.items():
        column[y] = (hunk.mark, hunk.mark_style)
    return column
