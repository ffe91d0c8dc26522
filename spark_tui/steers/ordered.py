"""What a program does with an order, as hunks of the lines that were shown.

Comes in: the lines, a text that came of them, an order. Goes out: hunks. Must not know: messages behind an
answer, engines, which edits there are (`refactor` does).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from spark_tui.engine.token_layout import WindowHunk
from spark_tui.refactor.known import PLAIN, Known, between, known
from spark_tui.refactor.source import headers

Hunks = tuple[WindowHunk, ...]
_KEPT = 64


def done(
    lines: Sequence[str], text: Sequence[str], order: str, selection: tuple[int, int] | None = None
) -> Hunks | None:
    """What becomes of the lines where a program does the order on the text; None where none does."""
    found = _known(tuple(text), order, selection)
    if not found or found[0].plain != PLAIN:
        return None
    after = list(text)
    for hunk in sorted(found[0].hunks, key=lambda one: (one.first, one.last), reverse=True):
        after[hunk.first : hunk.last] = hunk.new
    return hunks_between(lines, after)


@lru_cache(maxsize=_KEPT)
def _known(text: tuple[str, ...], order: str, selection: tuple[int, int] | None) -> list[Known]:
    """A message is asked about several times before it is answered."""
    return known(text, order, headers=headers(text), selection=selection)


def hunks_between(lines: Sequence[str], after: Sequence[str]) -> Hunks:
    return tuple(WindowHunk(one.first, one.last, one.new) for one in between(lines, after))


def changed_lines(lines: Sequence[str], now: Sequence[str]) -> tuple[int, int] | None:
    """The lines of the text as it stands that are not as they were."""
    hunks = between(now, lines)
    if not hunks:
        return None
    first, last = hunks[0].first, hunks[-1].last
    return (first, last) if first < last else (max(0, first - 1), min(len(now), first + 1))
