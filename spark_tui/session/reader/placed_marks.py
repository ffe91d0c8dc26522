"""The lines of an edit, and its marks that name some, behind an amendment that leaves these as they were."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from spark_tui.codemods.hunks import bare_lines
from spark_tui.edits.diff import diff

Texts = Mapping[str, str | None]
_PLACED = re.compile(r"(?P<path>[^:\n]+):(?P<lines>\d+(?:, \d+)*)(?=[: ])")


def changed_lines(before: Texts, after: Texts) -> set[tuple[str, int]]:
    """The lines that differ, by their numbers before; what is put in has that of the line below it."""
    pairs = ((path, bare_lines(before.get(path)), bare_lines(text)) for path, text in after.items())
    return {
        (path, line) for path, old, new in pairs for a, b, *_ in diff(old, new) for line in range(a, b + 1)
    }


def placed_marks(marked: Iterable[str], before: Texts, was: Texts, now: Texts) -> Iterator[str]:
    """The marks about lines that an edit from `before` to `was` changed as one to `now` does, without the
    lines that differ: what is doubtful about them still is."""
    for mark in marked:
        place = _PLACED.match(mark)
        if place is None or was.get(place["path"]) is None:
            continue
        path = place["path"]
        same = _lines_alike(before.get(path), was.get(path), now.get(path))
        left = [line for line in place["lines"].split(", ") if int(line) in same]
        if left:
            yield f"{path}:{', '.join(left)}{mark[place.end() :]}"


def _lines_alike(before: str | None, was: str | None, now: str | None) -> set[int]:
    """The numbers of the lines that both change alike, before and after the first edit."""
    old = bare_lines(before)
    first, second = (
        {(a, b, tuple(new[c:d])): (c, d) for a, b, c, d in diff(old, new)}
        for new in (bare_lines(was), bare_lines(now))
    )
    out: set[int] = set()
    for key in first.keys() & second.keys():
        out.update(range(key[0] + 1, key[1] + 1), range(first[key][0] + 1, first[key][1] + 1))
    return out
