"""What changed from one release of a package to the next, and which of the changed places are alike.

A place is a run of token edits in one logical line, as short as its brackets balance. Two places are alike
where the same tokens went and the same came, in the same order; where tokens only went or only came, the
token on each side counts too. What a formatter does (blanks, quotes, commas, brackets) is no change. None of
this uses code of `next_edit`.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate

from spark_tui.next_edit.history import plain_quotes

_LAYOUT = (tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER, tokenize.INDENT, tokenize.DEDENT)
_WORDS = re.compile(r"\w+|[^\w\s]")
_OPENING, _CLOSING = "([{", ")]}"
_MOST_CHARACTERS = 300_000
_MOST_LINES_APART = 400

Key = tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A token, or a word of a comment or of a long string, with its place in the text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ChangedPlace:
    """Characters `start..end-1` of a file of the old release that became `new`, in all `edits` of it."""

    path: str
    start: int
    end: int
    edits: tuple[tuple[int, int, str], ...]
    is_definition: bool


def pieces(text: str) -> list[Piece] | None:
    """The tokens of a file, a line end being one; None where it is no Python."""
    lines = text.splitlines(keepends=True)
    starts = [*accumulate(map(len, lines), initial=0)]
    out: list[Piece] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
            if token.type in _LAYOUT:
                continue
            low = starts[token.start[0] - 1] + token.start[1]
            high = starts[min(token.end[0] - 1, len(lines))] + token.end[1]
            if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and "\n" in token.string):
                out += [
                    Piece(found[0], low + found.start(), low + found.end())
                    for found in _WORDS.finditer(text[low:high])
                ]
            elif token.type == tokenize.NEWLINE:
                out.append(Piece("\n", low, low))
            else:
                out.append(Piece(plain_quotes(token.string), low, high))
    except (tokenize.TokenError, SyntaxError, IndexError):
        return None
    return out


def runs(old: Sequence[Piece], new: Sequence[Piece]) -> Iterator[list[tuple[int, int, int, int]]]:
    """The token edits between two texts as (old from, old to, new from, new to), grouped into places."""
    group: list[tuple[int, int, int, int]] = []
    for edit in _edits([piece.text for piece in old], [piece.text for piece in new]):
        if group and "\n" in [piece.text for piece in old[group[-1][1] : edit[0]]]:
            yield group
            group = []
        group.append(edit)
        went = [piece.text for at in group for piece in old[at[0] : at[1]]]
        came = [piece.text for at in group for piece in new[at[2] : at[3]]]
        if _balanced(went) and _balanced(came):
            yield group
            group = []
    if group:
        yield group


def _edits(old: list[str], new: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """Line by line first: tokens are compared within lines that changed."""
    old_lines, new_lines = _split(old), _split(new)
    lines = SequenceMatcher(
        None, [tuple(old[a:b]) for a, b in old_lines], [tuple(new[a:b]) for a, b in new_lines], autojunk=False
    )
    for tag, a, b, c, d in lines.get_opcodes():
        if tag == "equal":
            continue
        i1, i2 = _bounds(old_lines, a, b, len(old))
        j1, j2 = _bounds(new_lines, c, d, len(new))
        if tag != "replace" or i2 - i1 > 20 * _MOST_LINES_APART:
            yield i1, i2, j1, j2
            continue
        inner = SequenceMatcher(None, old[i1:i2], new[j1:j2], autojunk=False)
        for kind, p, q, r, s in inner.get_opcodes():
            if kind != "equal":
                yield i1 + p, i1 + q, j1 + r, j1 + s


def _split(words: Sequence[str]) -> list[tuple[int, int]]:
    out, start = [], 0
    for at, word in enumerate(words):
        if word == "\n":
            out.append((start, at + 1))
            start = at + 1
    return [*out, (start, len(words))] if start < len(words) else out


def _bounds(lines: Sequence[tuple[int, int]], first: int, last: int, end: int) -> tuple[int, int]:
    low = lines[first][0] if first < len(lines) else end
    return low, lines[last - 1][1] if last > first else low


def says_something(word: str) -> bool:
    """Whether a token is a name, number or string, and no mark: a lone quote stands in a comment."""
    return word[:1].isalnum() or word[:1] == "_" or (len(word) > 1 and word[0] in "'\"")


def _balanced(words: Sequence[str]) -> bool:
    depth = 0
    for word in words:
        depth += word in _OPENING
        depth -= word in _CLOSING
        if depth < 0:
            return False
    return depth == 0


def alike_places(before: Mapping[str, str], after: Mapping[str, str], least: int) -> list[list[ChangedPlace]]:
    """Groups of alike places, each in the order in which a person goes: definitions first, then by path and
    line. `least` is the size of the smallest group."""
    groups: dict[Key, list[ChangedPlace]] = defaultdict(list)
    for path in sorted(before.keys() & after.keys()):
        if before[path] != after[path] and len(before[path]) < _MOST_CHARACTERS:
            for key, place in _places(path, before[path], after[path]):
                groups[key].append(place)
    out = [sorted(found, key=lambda item: not item.is_definition) for found in groups.values()]
    return sorted(
        (item for item in out if len(item) >= least), key=lambda item: (item[0].path, item[0].start)
    )


def _places(path: str, before: str, after: str) -> Iterator[tuple[Key, ChangedPlace]]:
    old, new = pieces(before), pieces(after)
    if old is None or new is None:
        return
    for group in runs(old, new):
        key = tuple(
            (tuple(piece.text for piece in old[a:b]), tuple(piece.text for piece in new[c:d]))
            for a, b, c, d in group
        )
        words = [word for went, came in key for word in (*went, *came)]
        if not any(map(says_something, words)):
            continue  # a formatter did it
        if len(words) > _MOST_LINES_APART:
            continue
        if all(not went for went, _ in key) or all(not came for _, came in key):
            a, b = group[0][0], group[-1][1]
            sides = (old[a - 1].text if a else ""), (old[b].text if b < len(old) else "")
            key = (*key, ((sides[0],), (sides[1],)))
        yield key, _place(path, before, after, old, new, group)


def _place(
    path: str,
    before: str,
    after: str,
    old: Sequence[Piece],
    new: Sequence[Piece],
    group: Sequence[tuple[int, int, int, int]],
) -> ChangedPlace:
    edits = []
    for a, b, c, d in group:
        low, high = _between(old, a, b, len(before))
        start, end = _between(new, c, d, len(after))
        edits.append((low, high, after[start:end]))
    first = old[max(group[0][0] - 1, 0)].text if old else ""
    return ChangedPlace(path, edits[0][0], edits[-1][1], tuple(edits), first in ("def", "class"))


def _between(all_pieces: Sequence[Piece], first: int, last: int, end: int) -> tuple[int, int]:
    """From the end of the piece before to the start of the one after: with the blanks, so that a text in
    which the edits are made is laid out like the other release."""
    low = all_pieces[first - 1].end if first else 0
    high = all_pieces[last].start if last < len(all_pieces) else end
    return low, high
