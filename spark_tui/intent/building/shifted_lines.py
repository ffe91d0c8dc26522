"""Calls that each write lines above the places of the next ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any

from spark_tui.codemods.plan import Refused
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import Place
from spark_tui.pysource.repository import Repository


def in_any_order(groups: Sequence[Sequence[Operation]], repo: Repository) -> tuple[Operation, ...]:
    """The calls for several places: from the last lines of a file to the first, so that none moves another's,
    where they are all of its lines; else with the lines as they are after the calls before."""
    every = [(group, [getattr(call, "place", None) for call in group]) for group in groups]
    lines = [
        [(place.first, place.last) for place in places if isinstance(place, Place) and place.first]
        for _, places in every
    ]
    files = {place.path for _, places in every for place in places if isinstance(place, Place)}
    whole = all(len(own) == len(group) > 0 for own, (group, _) in zip(lines, every, strict=True))
    if whole and len(files) == 1:
        turned = sorted(zip(lines, groups, strict=True), key=lambda one: min(one[0]), reverse=True)
        if all(max(low)[1] < min(high)[0] for (high, _), (low, _) in pairwise(turned)):
            return tuple(call for _, group in turned for call in group)
    return with_shifted_lines([call for group in groups for call in group], repo)


def with_shifted_lines(calls: Sequence[Operation], repo: Repository) -> tuple[Operation, ...]:
    """The calls with the lines of their places as they are after the calls before."""
    out: list[Operation] = []
    texts: dict[str, str | None] = {}
    now = repo
    for call in calls:
        place = getattr(call, "place", None)
        if isinstance(place, Place) and place.first and place.path in texts:
            first, last = (_line_now(repo, now, place.path, line) for line in (place.first, place.last))
            changed: Any = call
            call = replace(changed, place=replace(place, first=first, last=last))
        found = call.plan(now)
        if isinstance(found, Refused):
            return tuple(calls)
        texts |= found.texts(now)
        now = repo.with_changes(texts)
        out.append(call)
    return tuple(out)


def _line_now(before: Repository, now: Repository, path: str, line: int) -> int:
    """Where a line of a file has gone; a line that has changed itself is as far behind the ones above."""
    old, new = ((one.index.text(path) or "").split("\n") for one in (before, now))
    moved = 0
    for tag, a0, a1, b0, b1 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if a0 > line - 1:
            break
        moved = b0 - a0 if tag in ("equal", "replace") else moved + (b1 - b0) - (a1 - a0)
    return line + moved
