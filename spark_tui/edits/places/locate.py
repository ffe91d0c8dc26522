"""Find the one place in a file that some quoted lines mean, or explain why there is none.

The most important rule: never a wrong place without notice. A looser comparison is tried only if no stricter
one fits, and two places that fit equally well are an error that names both.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from spark_tui.edits.indentation import depth_of, indent_of
from spark_tui.edits.places.nearest_match import FirstDifference, nearest

Rebase = Callable[[str], str | None]
"""A new line in the file's indentation; None for a line that the rule cannot carry over."""

_TAB_WIDTHS = (4, 2, 8)


def rebase_for(quoted: Sequence[str], actual: Sequence[str]) -> Rebase | None:
    """The one rule that maps every quoted line's indentation to the file's. Blank lines are ignored."""
    pairs = [
        (indent_of(quote), indent_of(line))
        for quote, line in zip(quoted, actual, strict=True)
        if quote.strip()
    ]
    if all(quote == line for quote, line in pairs):
        return _same
    quote, line = pairs[0]
    if line.endswith(quote) and _all_equal(pairs, deeper := line[: len(line) - len(quote)], ""):
        return lambda text: deeper + text if text.strip() else text
    if quote.endswith(line) and _all_equal(pairs, "", extra := quote[: len(quote) - len(line)]):
        return lambda text: _without(text, extra)
    for width in _TAB_WIDTHS:
        for convert in (_to_tabs, _to_spaces):
            if all(convert(a, width) == b for a, b in pairs):
                return _converter(convert, width)
    return None


def _same(text: str) -> str | None:
    return text


def _all_equal(pairs: Sequence[tuple[str, str]], deeper: str, extra: str) -> bool:
    return all(deeper + quote == extra + line for quote, line in pairs)


def _without(text: str, extra: str) -> str | None:
    if not text.strip():
        return text.removeprefix(extra)
    return text[len(extra) :] if text.startswith(extra) else None


def _to_tabs(indent: str, width: int) -> str | None:
    if indent.strip(" ") or len(indent) % width:
        return None
    return "\t" * (len(indent) // width)


def _to_spaces(indent: str, width: int) -> str | None:
    return None if indent.strip("\t") else " " * (width * len(indent))


def _converter(convert: Callable[[str, int], str | None], width: int) -> Rebase:
    def rebase(text: str) -> str | None:
        if not text.strip():
            return text
        indent = indent_of(text)
        turned = convert(indent, width)
        return None if turned is None else turned + text[len(indent) :]

    return rebase


_FOLD = {
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-"),
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033"), '"'),
    **dict.fromkeys(
        map(ord, "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"), " "
    ),
    0x2026: "...",
}


def exact(line: str) -> str:
    return line


def folded(line: str) -> str:
    """Without surrounding space, and with typographic dashes, quotes and spaces as their plain twins."""
    return (line if line.isascii() else line.translate(_FOLD)).strip()


LEVELS: tuple[Callable[[str], str], ...] = (exact, str.rstrip, str.strip, folded)
"""From strict to loose. Every match at one level is also a match at the next."""

Taken = Sequence[tuple[int, int]]
"""0-based half-open ranges of lines that earlier edits of the same stream change, in order and apart."""


@dataclass(frozen=True, slots=True)
class LineMatch:
    """`lines[start : start + count]` of the file; `rebase` turns the quoted indentation into the file's."""

    start: int
    count: int
    level: int
    rebase: Rebase | None = None


@dataclass(frozen=True, slots=True)
class NoMatch:
    """Why there is no place. `line` is 1-based; candidates are 1-based starts, nearest first. `several`: the
    lines are there, more than once; `taken`: an earlier edit changes them."""

    message: str
    line: int = 0
    expected: str = ""
    found: str = ""
    candidates: tuple[int, ...] = ()
    several: bool = False
    taken: bool = False


class LineFinder:
    """The lines of one file, indexed on demand."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self._indexes: dict[int, dict[str, list[int]]] = {}

    @cached_property
    def loose(self) -> list[str]:
        return [folded(line) for line in self.lines]

    def positions(self, line: str, level: int) -> list[int]:
        """0-based lines that equal this one at a level."""
        index = self._indexes.get(level)
        if index is None:
            key = LEVELS[level]
            index = {}
            for at, text in enumerate(self.lines):
                index.setdefault(key(text), []).append(at)
            self._indexes[level] = index
        return index.get(LEVELS[level](line), [])

    def matches(self, quoted: Sequence[str], level: int, low: int = 0) -> list[int]:
        """Every 0-based start from `low` on where all quoted lines are equal at this level."""
        last = len(self.lines) - len(quoted)
        if last < low:
            return []
        # The rarest line decides where to look at all.
        rarest, where = 0, self.positions(quoted[0], level)
        for k in range(1, len(quoted)):
            if len(where) <= 1:
                break
            other = self.positions(quoted[k], level)
            if len(other) < len(where):
                rarest, where = k, other
        key = LEVELS[level]
        wanted = [key(line) for line in quoted]
        lines = self.loose if level == len(LEVELS) - 1 else self.lines
        out = []
        for at in where:
            start = at - rarest
            if low <= start <= last and all(
                lines[start + k] == want if lines is self.loose else key(lines[start + k]) == want
                for k, want in enumerate(wanted)
            ):
                out.append(start)
        return out

    def find(
        self,
        quoted: Sequence[str],
        *,
        low: int = 0,
        at: int | None = None,
        prefer: Callable[[list[int]], list[int]] | None = None,
        at_end: bool = False,
        taken: Taken = (),
    ) -> LineMatch | NoMatch:
        """The place of `quoted` (not empty). `at` is where the text claims it is: it decides between equals
        only. `prefer` narrows equals (an anchor does); `at_end` wants the last line of the file in it."""
        low = max(low, len(self.lines) - len(quoted)) if at_end else low
        blocked: list[int] = []
        skewed: list[int] = []
        for level in range(len(LEVELS)):
            starts = self.matches(quoted, level, low)
            free = [s for s in starts if not overlaps(s, s + len(quoted), taken)]
            open_starts = set(free)
            blocked.extend(s for s in starts if s not in open_starts)
            if len(free) < len(starts):
                meant = self._choose(starts, at, prefer)
                if len(meant) == 1 and meant[0] not in open_starts:
                    break  # another place is not the one that is meant
            fitting: list[tuple[int, Rebase | None]] = []
            for start in free:
                actual = self.lines[start : start + len(quoted)]
                rebase = rebase_for(quoted, actual) if level >= 2 else None
                if level >= 2 and rebase is None:
                    skewed.append(start)
                else:
                    fitting.append((start, rebase))
            if not fitting:
                continue
            chosen = self._choose([start for start, _ in fitting], at, prefer)
            if len(chosen) > 1:
                return ambiguous(chosen)
            rebase = dict(fitting)[chosen[0]]
            return LineMatch(chosen[0], len(quoted), level, rebase)
        return self._miss(quoted, low, blocked, skewed)

    @staticmethod
    def _choose(
        starts: list[int], at: int | None, prefer: Callable[[list[int]], list[int]] | None
    ) -> list[int]:
        if len(starts) > 1 and at is not None and at in starts:
            return [at]
        if len(starts) > 1 and prefer is not None:
            return prefer(starts) or starts
        return starts

    def has_made(self, old: Sequence[str], new: Sequence[str]) -> bool:
        """Whether the file reads like the outcome of this edit: an answer that repeats what was made before.
        Some line must be new, and the new lines stand in one place."""
        known = set(map(folded, old))
        said = any(line and line not in known for line in map(folded, new))
        return said and len(self.matches(new, 1)) == 1

    def _miss(self, quoted: Sequence[str], low: int, blocked: list[int], skewed: list[int]) -> NoMatch:
        if blocked:
            lines = tuple(sorted({s + 1 for s in blocked}))
            message = "these lines are already changed by an earlier edit of the same answer"
            return NoMatch(message, candidates=lines, several=len(lines) > 1, taken=True)
        if skewed:
            start = skewed[0]
            for k, line in enumerate(quoted):
                if line.rstrip() != self.lines[start + k].rstrip():
                    return NoMatch(
                        "the lines match except for their indentation, which differs from line to line",
                        start + k + 1,
                        line,
                        self.lines[start + k],
                        tuple(sorted({s + 1 for s in skewed})),
                    )
        near: FirstDifference | None = nearest([folded(line) for line in quoted], self.loose, low)
        if near is None:
            return NoMatch("the file has no lines like the ones quoted", expected=quoted[0])
        found = self.lines[near.line] if near.line < len(self.lines) else ""
        return NoMatch(
            f"the edit does not match line {near.line + 1} of the file"
            if near.line < len(self.lines)
            else "the file ends before the quoted lines do",
            near.line + 1,
            quoted[near.quoted],
            found,
            tuple(start + 1 for start in near.starts),
        )


def ambiguous(starts: Iterable[int]) -> NoMatch:
    """The miss that names every place that fits (0-based starts in)."""
    lines = tuple(start + 1 for start in starts)
    shown = ", ".join(str(line) for line in lines[:8]) + (", …" if len(lines) > 8 else "")
    message = f"the quoted lines match several places: lines {shown}"
    return NoMatch(message, line=lines[0], candidates=lines, several=True)


def differs_from_all(quoted: Sequence[str], lines: Sequence[str]) -> NoMatch | None:
    """The first line in which the quoted lines are not all lines of the file; trailing space aside."""
    for at in range(max(len(quoted), len(lines))):
        have = lines[at] if at < len(lines) else ""
        want = quoted[at] if at < len(quoted) else ""
        if at >= len(quoted) or at >= len(lines) or have.rstrip() != want.rstrip():
            return NoMatch(f"the edit does not match line {at + 1} of the file", at + 1, want, have, (1,))
    return None


def overlaps(start: int, end: int, taken: Taken) -> bool:
    """Whether `[start, end)` shares a line with a taken range."""
    at = bisect_left(taken, (end,))
    return at > 0 and start < taken[at - 1][1]


@dataclass(frozen=True, slots=True)
class AnchorScopes:
    """0-based ranges `[anchor line, end)` under each occurrence of the innermost anchor."""

    spans: tuple[tuple[int, int], ...]
    miss: NoMatch | None = None

    @property
    def first(self) -> int:
        return self.spans[0][0] if self.spans else 0

    def prefer(self, starts: list[int]) -> list[int]:
        """The starts under an anchor; if there is one anchor and no start under it, the start after it is
        judged alone."""
        return [start for start in starts if any(low <= start < high for low, high in self.spans)]

    def insertion(self) -> LineMatch | NoMatch:
        """Where lines go that quote nothing: right after the anchor, if there is one."""
        if len(self.spans) > 1:
            return ambiguous(low for low, _ in self.spans)
        return LineMatch(self.spans[0][0] + 1, 0, 0)


def scopes_of(file: LineFinder, anchors: Sequence[str], low: int) -> AnchorScopes:
    """Follow the anchors inwards, each one looked for under the one before it."""
    spans: list[tuple[int, int]] = [(low, len(file.lines))]
    for anchor in anchors:
        inner = _occurrences(file, anchor, spans)
        if not inner:
            return AnchorScopes(
                (), NoMatch(f"the anchor is not in the file: {anchor[:80]!r}", expected=anchor)
            )
        spans = [(at, _end_of(file, at)) for at in inner]
    return AnchorScopes(tuple(spans))


def _occurrences(file: LineFinder, anchor: str, spans: Sequence[tuple[int, int]]) -> list[int]:
    for level in range(len(LEVELS)):
        found = [at for at in file.positions(anchor, level) if any(low <= at < high for low, high in spans)]
        if found:
            return found
    begun = re.compile(rf"{re.escape(folded(anchor))}(?!\w)") if anchor.strip() else None
    lines = ((at, line) for low, high in spans for at, line in enumerate(file.loose[low:high], low))
    return [at for at, line in lines if begun is not None and begun.match(line)]


def _end_of(file: LineFinder, at: int) -> int:
    """First line after the anchor that is not indented deeper than it."""
    depth = depth_of(file.lines[at])
    for line in range(at + 1, len(file.lines)):
        text = file.lines[line]
        if text.strip() and depth_of(text) <= depth:
            return line
    return len(file.lines)
