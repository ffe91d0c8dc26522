"""Syntax colours, a line at a time.

A full lexer would have to start at the top of the file. Here the only state carried from line to line is the
delimiter of an open string or comment, so a line can be coloured as soon as it is complete, and a file of any
length costs only its visible lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import PurePosixPath
from typing import Any, Literal

from spark_tui.tables import read_table

Kind = Literal[
    "keyword", "constant", "string", "number", "comment", "function", "type", "decorator", "heading", "key"
]
Span = tuple[int, int, Kind]
LONGEST_LINE = 5_000
"""Longer lines stay plain: minified files are not read by colour."""

_CONSTANT_WORDS = "True False None true false null nil undefined self cls this NULL NaN Ok Err Some"
_CONSTANTS = frozenset(_CONSTANT_WORDS.split())
_DEFINERS = frozenset(
    ("def", "class", "fn", "func", "function", "struct", "trait", "enum", "interface", "type", "impl")
)


@dataclass(frozen=True)
class Language:
    """What a line is scanned with. `blocks` maps what opens a text over several lines to what closes it."""

    name: str
    pattern: re.Pattern[str]
    keywords: frozenset[str]
    blocks: dict[str, tuple[str, Kind]]
    ignore_case: bool = False


def _language(
    name: str,
    *,
    keywords: str = "",
    comment: str = "",
    blocks: Sequence[tuple[str, str, Kind]] = (),
    quotes: str = "\"'",
    extra: str = "",
    ignore_case: bool = False,
) -> Language:
    parts = []
    if blocks:
        openers = "|".join(
            re.escape(opener) for opener, _, _ in sorted(blocks, key=lambda item: -len(item[0]))
        )
        parts.append(f"(?P<block>{openers})")
    if comment:
        parts.append(f"(?P<comment>{comment}.*)")
    if extra:
        parts.append(extra)
    strings = "|".join(rf"{quote}(?:[^{quote}\\]|\\.)*{quote}?" for quote in quotes)
    if strings:
        parts.append(f"(?P<string>{strings})")
    parts.append(r"(?P<number>\b(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)\b)")
    parts.append(r"(?P<word>[^\W\d]\w*)(?P<call>(?=\())?")
    closers = {opener: (closer, kind) for opener, closer, kind in blocks}
    return Language(name, re.compile("|".join(parts)), frozenset(keywords.split()), closers, ignore_case)


_ROWS: dict[str, dict[str, Any]] = {}
_BY_SUFFIX: dict[str, str] = {}
_BY_NAME: dict[str, str] = {}
for _name, _row in read_table(__file__, "languages.toml").items():
    _BY_SUFFIX.update(dict.fromkeys(_row.pop("suffixes").split(), _name))
    _BY_NAME.update(dict.fromkeys(_row.pop("names", "").split(), _name))
    _ROWS[_name] = _row


@cache
def _named(name: str) -> Language:
    """Compiled when a file of the language is first shown."""
    return _language(name, **_ROWS[name])


def language_for(path: str) -> Language | None:
    """By the name of the file; None is plain text."""
    pure = PurePosixPath(path)
    name = _BY_SUFFIX.get(pure.suffix.lstrip(".").lower()) or _BY_NAME.get(pure.name.lower())
    return _named(name) if name else None


def scan(line: str, state: str, language: Language) -> tuple[tuple[Span, ...], str]:
    """The spans of one line, and the state that it leaves: the opener of a block that is still open, or
    ''."""
    if len(line) > LONGEST_LINE:
        return (), carry(line, state, language)
    return _scan(line, state, language.name)


@lru_cache(maxsize=8192)
def _scan(line: str, state: str, language_name: str) -> tuple[tuple[Span, ...], str]:
    language = _named(language_name)
    spans: list[Span] = []
    at = 0
    defining = False
    while at < len(line):
        start = at
        if not state:
            match = language.pattern.search(line, at)
            if match is None:
                break
            start, at = match.span()
            group = match.lastgroup
            if group in ("word", "call"):
                word = match.group("word")
                kind_of_word = _kind(word, group == "call", defining, language)
                defining = word in _DEFINERS
                if kind_of_word:
                    spans.append((start, at, kind_of_word))
                continue
            defining = False
            if group != "block":
                if group is not None:
                    spans.append((start, at, group))  # type: ignore[arg-type]
                continue
            state = match.group()
        closer, kind = language.blocks[state]
        end = line.find(closer, at)
        if end < 0:
            spans.append((start, len(line), kind))
            break
        at, state = end + len(closer), ""
        spans.append((start, at, kind))
    return tuple(spans), state


def _kind(word: str, called: bool, defining: bool, language: Language) -> Kind | None:
    if (word.lower() if language.ignore_case else word) in language.keywords:
        return "keyword"
    if not language.keywords and language.name != "data":
        return None
    if word in _CONSTANTS:
        return "constant"
    if defining or called:
        return "type" if word[0].isupper() else "function"
    if word[0].isupper() and language.keywords:
        return "constant" if word.isupper() and len(word) > 1 else "type"
    return None


def carry(line: str, state: str, language: Language) -> str:
    """Only the state that a line leaves; cheap where no block can open or close in it."""
    if state:
        if language.blocks[state][0] not in line:
            return state
    elif not any(opener in line for opener in language.blocks):
        return ""
    return _scan(line, state, language.name)[1]


class LineStates:
    """The state above each line of one text, worked out down to the line that is asked for and kept."""

    def __init__(self, lines: Sequence[str], language: Language | None, above: str = "") -> None:
        self.language = language
        self.source = lines
        self._states = [above]

    def above(self, index: int) -> str:
        language = self.language
        if language is None or not language.blocks:
            return ""  # nothing to carry: plain text, or a language of single lines
        states = self._states
        for number in range(len(states) - 1, min(index, len(self.source))):
            states.append(carry(self.source[number], states[number], language))
        return states[min(index, len(states) - 1)]

    def forget_from(self, index: int) -> None:
        """Lines from `index` on changed; the state above is still valid."""
        del self._states[index + 1 :]

    def spans(self, index: int) -> tuple[Span, ...]:
        if self.language is None:
            return ()
        return scan(self.source[index], self.above(index), self.language)[0]
