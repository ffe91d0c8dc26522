"""Repair lines that an edit was meant to change in one place but copied wrongly in another.

Replaced lines, where their number is unchanged, are aligned by pieces: words, spaces, signs. Each run of
pieces that differs is one difference. The candidates revert one difference, or all but one. Where something
long was replaced, a candidate may also insert the new text next to it, or next to a part of it, for example
the rest of a call that was dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice, pairwise

from spark_tui.engine.token_layout import WindowHunk

CREDIT = 8.0
"""What speaks for such an answer, in units of log-probability: a model that could not write it does not find
it likely either."""
SUREST = -1.5
"""As a log-probability, the most that such an answer is sure. Both were chosen on 661 cases drawn as those of
the development set are: credits of 6 to 12 differ by 10 right answers of 238, and what is surest stays as
right."""
MOST_DIFFERENCES = 8
"""A line that differs in more places was not copied."""
_PIECE = re.compile(r"\w+|\s+|[^\w\s]")
_GLUED = re.compile(r"\w\w")
_OPENS, _CLOSES = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class CopyError:
    """One difference in a line of a hunk: the pieces `first` to `last` of the old line, their text and the
    new text.
    """

    hunk: int
    line: int
    first: int
    last: int
    old: str
    new: str


def repaired_hunks(lines: Sequence[str], hunks: Sequence[WindowHunk]) -> list[list[WindowHunk]]:
    """The hunks with one difference reverted, with all but one reverted, or with old and new text side by
    side.
    """
    found = list(islice(copy_errors(lines, hunks), MOST_DIFFERENCES + 1))
    if not 0 < len(found) <= MOST_DIFFERENCES:
        return []
    made: dict[tuple[WindowHunk, ...], None] = {}
    kept = {item: ("", item.new) for item in found}
    undone = {item: (item.old, "") for item in found}
    useless = [_written(lines, hunks, kept), _written(lines, hunks, undone)]
    for item in found:
        for form in _forms(item):
            for rest in (kept, undone):
                way = _written(lines, hunks, {**rest, item: form})
                if way is not None and way not in useless:
                    made.setdefault(way)
    return [list(way) for way in made]


def copy_errors(lines: Sequence[str], hunks: Sequence[WindowHunk]) -> Iterator[CopyError]:
    """Of lines that are replaced by as many."""
    for number, hunk in enumerate(hunks):
        if hunk.last - hunk.first != len(hunk.new):
            continue
        for line, new in enumerate(hunk.new):
            one, two = _PIECE.findall(lines[hunk.first + line]), _PIECE.findall(new)
            for code, a, b, c, d in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
                if code != "equal":
                    yield CopyError(number, line, a, b, "".join(one[a:b]), "".join(two[c:d]))


def _forms(item: CopyError) -> list[tuple[str, str]]:
    """The possible texts for one difference: the old, the new, or one after the other."""
    pairs = [(item.old, ""), ("", item.new)]
    if item.old and item.new:
        pairs += [(item.old, item.new), (item.new, item.old)]
    for cut in _commas(item.old):
        pairs += [(item.old[:cut], item.new), (item.new, item.old[cut:])]
    return list(dict.fromkeys(pairs))


def _commas(text: str) -> Iterator[int]:
    """Where an argument ends."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign in _OPENS) - (sign in _CLOSES)
        if sign == "," and depth <= 0 and at:
            yield at


def _written(
    lines: Sequence[str], hunks: Sequence[WindowHunk], texts: dict[CopyError, tuple[str, str]]
) -> tuple[WindowHunk, ...] | None:
    """The hunks with these texts; None where two words would run together."""
    new = [list(hunk.new) for hunk in hunks]
    for number, line in {(item.hunk, item.line) for item in texts}:
        pieces = _PIECE.findall(lines[hunks[number].first + line])
        here = [item for item in texts if (item.hunk, item.line) == (number, line)]
        for item in sorted(here, key=lambda item: -item.first):
            pieces[item.first : item.last] = texts[item]
        if any(_GLUED.search(one[-1:] + two[:1]) for one, two in pairwise(filter(None, pieces))):
            return None
        new[number][line] = "".join(pieces)
    return tuple(
        WindowHunk(hunk.first, hunk.last, tuple(text)) for hunk, text in zip(hunks, new, strict=True)
    )
