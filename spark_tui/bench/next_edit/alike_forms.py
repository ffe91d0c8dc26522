"""Whether the old text tells where a repeated change was made, or each place was a decision of its own.

The form of a group of alike places is what all of them have in common: the tokens that went, and the tokens
around them to the bounds of the logical line. The group is told by its text where at least half of the
places of that form were changed, in the smallest definition, file or package that holds the group. None of
this uses code of `next_edit`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from spark_tui.bench.next_edit.release_changes import ChangedPlace, Piece, pieces, says_something

LEAST_SHARE = 0.5
_MOST_CONTEXT = 12
_MOST_STAYED = 60
_DEFINING = ("def", "class")
_START = Piece("start of file", 0, 0)

Form = list[list[str]]
"""Runs of tokens; between two of them stands anything, in one line."""


def is_told(before: Mapping[str, str], group: Sequence[ChangedPlace]) -> bool:
    """Whether the text of the old release tells these places from those that were left."""
    form = form_of(before, group)
    if form is None:
        return False
    standing = 0
    words = {word for run in form for word in run if word.isidentifier()}
    for path, low, high in _region(before, group):
        if not all(word in before[path] for word in words):
            continue
        found = _pieces(before[path])
        standing += sum(low <= found[at].start < high for at in _standing(form, found))
    return len(group) >= LEAST_SHARE * standing


def form_of(before: Mapping[str, str], group: Sequence[ChangedPlace]) -> Form | None:
    """What all places have in common; None where that is no word."""
    all_runs = [_runs(before[place.path], place) for place in group]
    around = [_pieces(before[place.path]) for place in group]
    left = _common([_before(found, runs[0][0]) for found, runs in zip(around, all_runs, strict=True)])
    right = _common([_after(found, runs[-1][1]) for found, runs in zip(around, all_runs, strict=True)])
    form = [[item.text for item in around[0][a:b]] for a, b in all_runs[0]]
    form[0] = [*reversed(left), *form[0]]
    form[-1] = [*form[-1], *right]
    form = [run for run in form if run]
    words = [word for run in form for word in run]
    return form if any(map(says_something, words)) else None


@lru_cache(maxsize=8_192)
def _pieces(text: str) -> list[Piece]:
    return [_START, *(pieces(text) or [])]


def _runs(text: str, place: ChangedPlace) -> list[tuple[int, int]]:
    """The tokens that go, edit by edit; an insertion goes in front of a token."""
    found = _pieces(text)
    starts, ends = _bounds(text)
    out = []
    for start, end, _ in place.edits:
        first = bisect_left(starts, start, 1)
        out.append((first, max(first, bisect_right(ends, end, 1))))
        assert out[-1][1] <= len(found)
    return out


@lru_cache(maxsize=8_192)
def _bounds(text: str) -> tuple[list[int], list[int]]:
    found = _pieces(text)
    return [piece.start for piece in found], [piece.end for piece in found]


def _before(found: Sequence[Piece], at: int) -> list[str]:
    """The tokens in front, the nearest first; of a whole line also the line before."""
    out: list[str] = []
    for piece in reversed(found[max(at - _MOST_CONTEXT, 0) : at]):
        if piece.text == "\n" and out:
            break
        out.append(piece.text)
    return out


def _after(found: Sequence[Piece], at: int) -> list[str]:
    out: list[str] = []
    for piece in found[at : at + _MOST_CONTEXT]:
        if piece.text == "\n" and out:
            break
        out.append(piece.text)
    return out


def _common(all_words: Sequence[Sequence[str]]) -> list[str]:
    out = []
    for item in zip(*all_words, strict=False):
        if len(set(item)) > 1:
            break
        out.append(item[0])
    return out


def _standing(form: Form, found: Sequence[Piece]) -> list[int]:
    """Where the form begins; places do not overlap."""
    texts = [piece.text for piece in found]
    out: list[int] = []
    at = 0
    first = form[0]
    while True:
        try:
            at = texts.index(first[0], at)
        except ValueError:
            return out
        end = _end(form, texts, at)
        if end is not None:
            out.append(at)
        at = max(at + 1, end or 0)


def _end(form: Form, texts: Sequence[str], at: int) -> int | None:
    for number, run in enumerate(form):
        if number:
            stop = at + _MOST_STAYED
            while at < min(stop, len(texts)) and texts[at] != "\n" and texts[at : at + len(run)] != run:
                at += 1
        if texts[at : at + len(run)] != run:
            return None
        at += len(run)
    return at


def _region(before: Mapping[str, str], group: Sequence[ChangedPlace]) -> list[tuple[str, int, int]]:
    """The smallest definition, file or package that holds all places, as (path, first, last character)."""
    if len({place.path for place in group}) > 1:
        return [(path, 0, len(text)) for path, text in before.items()]
    path = group[0].path
    low, high = min(place.start for place in group), max(place.end for place in group)
    inner = (path, 0, len(before[path]))
    for start, end in _definitions(before[path]):
        if start <= low and high <= end and end - start < inner[2] - inner[1]:
            inner = (path, start, end)
    return [inner]


@lru_cache(maxsize=8_192)
def _definitions(text: str) -> list[tuple[int, int]]:
    """Characters of each definition: from its head to the next line that is indented no more."""
    heads: list[tuple[int, int]] = []
    out: list[tuple[int, int]] = []
    for line, following in pairwise([*_lines(text), (len(text), -1, "")]):
        start, indent, word = line
        if word in _DEFINING:
            heads.append((start, indent))
        while heads and following[1] <= heads[-1][1]:
            out.append((heads.pop()[0], following[0]))
    return out


def _lines(text: str) -> list[tuple[int, int, str]]:
    """The logical lines as (first character, indentation, first word)."""
    out: list[tuple[int, int, str]] = []
    is_first = True
    for piece in _pieces(text)[1:]:
        if is_first and piece.text != "\n":
            start = text.rfind("\n", 0, piece.start) + 1
            out.append((start, piece.start - start, "def" if piece.text == "async" else piece.text))
        is_first = piece.text == "\n"
    return out
