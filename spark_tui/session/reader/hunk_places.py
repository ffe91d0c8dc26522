"""Which hunks are one change: without all of them the file would not parse any more."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spark_tui.edits.hunk import Hunk, apply_to_lines
from spark_tui.pysource.syntax.parsing import parse


def hunk_places(
    hunks: Sequence[Hunk], read_lines: Callable[[str], Sequence[str] | None]
) -> list[tuple[Hunk, ...]]:
    """The hunks in their order, each with those behind it that its file cannot have without it."""
    out: list[tuple[Hunk, ...]] = []
    left = list(hunks)
    while left:
        place = [left.pop(0)]
        while left and left[0].path == place[0].path and _breaks(place, hunks, read_lines):
            place.append(left.pop(0))
        out.append(tuple(place))
    return out


def _breaks(
    place: Sequence[Hunk], hunks: Sequence[Hunk], read_lines: Callable[[str], Sequence[str] | None]
) -> bool:
    """Whether a Python file does not parse without some of its hunks, and does with all."""
    path = place[0].path
    lines = read_lines(path) if path.endswith((".py", ".pyi")) else None
    if lines is None or any(hunk.path == path and hunk.kind != "edit" for hunk in hunks):
        return False
    every = [hunk for hunk in hunks if hunk.path == path]
    rest = [hunk for hunk in every if hunk not in place]
    whole, part = ("\n".join(apply_to_lines(lines, some)) for some in (every, rest))
    return parse(whole) is not None and parse(part) is None
