"""Score how relevant each window of a file is to an instruction.

What counts, strongest first: the name of a definition, what is quoted, a definition whose name is said
in words (*missing folders*), words and numbers that stand close together, rare ones more than common ones,
and where the cursor is, the more so where the instruction points at it (*here*, *this*).
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from spark_tui.context.symbols import Definition, Outline
from spark_tui.context.word_stems import stems_of, words_of

WindowOf = Callable[[int], int]

NAMED, HOLDER, QUOTED, IN_WORDS, POINTED = 8.0, 4.0, 4.0, 4.0, 6.0
NEAR, HEAD, NUMBER, PROSE = 1.0, 0.5, 2.0, 0.5
_CLOSE_LINES = 5
_TOO_COMMON_LINES = 400
_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS = {word: str(number) for number, word in enumerate(_WORDS, start=2)}
_TOKEN = re.compile(r"[^\W\d]\w*|\d+")
_HERE = re.compile(
    r"\b(?:here|this|these|current|cursor)\b(?!\s+(?:file|module|script|package|class|repo|project)\b)", re.I
)
_QUOTES = re.compile(r"`([^`\n]+)`|\"([^\"\n]{2,})\"|'([^'\n]{2,})'")
_VERB = re.compile(
    r"\s*(?:please\s+|and\s+|also\s+)?([A-Z]?[a-z]+)\b(?!\s*[:(.]|\s+(?:should|must|shall|may|needs?"
    r"|can|has)\b)"
)
"""The first word says what to do, unless something is said of it."""
_ERROR = re.compile(r"\b(?:errors?|exceptions?|messages?|warnings?|fails|complains?)\b", re.I)
_RAISING = frozenset({"rais", "throw"})


@dataclass(frozen=True)
class InstructionTerms:
    """An instruction as evidence."""

    text: str

    @cached_property
    def names(self) -> dict[str, float]:
        """What may be an identifier, and how likely."""
        out = words_of(self.text)
        if (verb := _VERB.match(self.text)) and verb[1] in out:
            out[verb[1]] = 0.1
        return out

    @cached_property
    def stems(self) -> frozenset[str]:
        likely = [word for word, weight in self.names.items() if weight >= 1.0]
        out = {stem for word in likely for stem in stems_of(word)} | self.numbers
        return frozenset(out | (_RAISING if _ERROR.search(self.text) else frozenset()))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Also those in words: a file has them in digits."""
        words = [_NUMBERS.get(word.lower(), word) for word in _TOKEN.findall(self.text)]
        return frozenset(word for word in words if word.isdigit())

    @cached_property
    def quoted(self) -> tuple[str, ...]:
        return tuple(span for spans in _QUOTES.findall(self.text) for span in spans if span)

    @cached_property
    def points(self) -> bool:
        return bool(_HERE.search(self.text))


class FileRelevance:
    """One file, read once for any number of instructions."""

    def __init__(self, lines: Sequence[str], found: Outline) -> None:
        self.lines = lines
        self.found = found

    @cached_property
    def stems(self) -> dict[str, list[int]]:
        """The lines that have each."""
        out: dict[str, list[int]] = {}
        for number, line in enumerate(self.lines, start=1):
            for stem in {stem for word in _TOKEN.findall(line) for stem in stems_of(word)}:
                out.setdefault(stem, []).append(number)
        return out

    @cached_property
    def prose(self) -> frozenset[int]:
        return _prose(self.lines)

    def scores(self, firsts: Sequence[int], terms: InstructionTerms, cursor: int = 0) -> list[float]:
        """One for each window; `firsts` are the first lines of windows that tile the file."""
        out = [0.0] * len(firsts)

        def window_of(line: int) -> int:
            return bisect_right(firsts, line) - 1

        worth = self._worth(terms, window_of, len(firsts))
        for line, score in (*self._names(terms), *self._heads(worth), *self._quotes(terms, window_of)):
            out[window_of(line)] += score
        for place, score in self._words(worth, window_of).items():
            out[place] += score
        if cursor:
            out[window_of(min(cursor, len(self.lines)))] += POINTED if terms.points else NEAR
        return out

    def _names(self, terms: InstructionTerms) -> Iterator[tuple[int, float]]:
        names = terms.names
        for definition in self.found.definitions:
            if definition.name in names:
                yield definition.first, NAMED * names[definition.name]
                if definition.inside.rsplit(".", 1)[-1] in names:
                    yield definition.first, HOLDER
            elif (share := _in_words(definition, terms.stems)) >= 0.5:
                yield definition.first, IN_WORDS * share

    def _quotes(self, terms: InstructionTerms, window_of: WindowOf) -> Iterator[tuple[int, float]]:
        for span in terms.quoted:
            places = [number for number, line in enumerate(self.lines, start=1) if span in line]
            windows = {window_of(number): number for number in places}
            for number in windows.values():
                yield number, QUOTED / math.sqrt(len(windows))

    def _worth(self, terms: InstructionTerms, window_of: WindowOf, n_windows: int) -> dict[str, float]:
        """Of each word that the file has: the fewer windows have it, the more."""
        out: dict[str, float] = {}
        for stem in terms.stems:
            places = self.stems.get(stem, ())
            if places and len(places) <= _TOO_COMMON_LINES:
                k = len({window_of(number) for number in places})
                rare = math.log(1 + n_windows / k) / math.log(1 + n_windows)
                out[stem] = rare * (NUMBER if stem in terms.numbers else 1.0)
        return out

    def _heads(self, worth: dict[str, float]) -> Iterator[tuple[int, float]]:
        """Names in the head of a definition, its parameters included, count more than a mention."""
        for number, stems in self._stems_of_heads:
            if same := stems & worth.keys():
                yield number, HEAD * sum(worth[stem] for stem in same)

    @cached_property
    def _stems_of_heads(self) -> list[tuple[int, frozenset[str]]]:
        return [
            (d.first, frozenset(s for w in _TOKEN.findall(d.head) for s in stems_of(w)))
            for d in self.found.definitions
        ]

    def _words(self, worth: dict[str, float], window_of: WindowOf) -> dict[int, float]:
        """Score windows by the words that are closest together, and a little by all of them."""
        hits = sorted((number, stem) for stem in worth for number in self.stems[stem])
        best: dict[int, float] = {}
        whole: dict[int, set[str]] = {}
        start = 0
        for at, (number, stem) in enumerate(hits):
            while hits[start][0] < number - _CLOSE_LINES:
                start += 1
            place = window_of(number)
            close = sum(worth[item] for item in {one for _, one in hits[start : at + 1]})
            close *= PROSE if number in self.prose else 1.0
            best[place] = max(best.get(place, 0.0), close)
            whole.setdefault(place, set()).add(stem)
        rest = {place: sum(worth[stem] for stem in stems) for place, stems in whole.items()}
        return {place: close + 0.25 * rest[place] for place, close in best.items()}


def _prose(lines: Sequence[str]) -> frozenset[int]:
    """Lines of comments and multi-line strings, which mention many things."""
    out: set[int] = set()
    inside = ""
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if inside or text.startswith(("#", "//", "*", "/*")):
            out.add(number)
        for mark in ('"""', "'''"):
            if inside in ("", mark) and text.count(mark) % 2:
                inside = "" if inside else mark
                out.add(number)
    return frozenset(out)


def _in_words(definition: Definition, words: frozenset[str]) -> float:
    """The share of a definition's name that was said; one word of several is chance."""
    parts = set(stems_of(definition.name))
    same = parts & words
    return len(same) / len(parts) if len(same) >= min(2, len(parts)) and same else 0.0
