"""Calls that each write lines above the places of the next ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any

from spark_tui.codemods.plan import Refused
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import Place
from spark_tui.pysource.repository import Repository


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
