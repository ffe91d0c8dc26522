"""Syntax colours a line at a time: each line is scanned once, given the state that the line above left
behind.

A full lexer would have to start at the top of the file; here the only thing carried from line to line is the
delimiter of an open string or comment, so that a line can be coloured as soon as it is complete and a file of
any length costs what is visible. Comes in: lines and a file name. Goes out: spans `(start, end, kind)`.
Must not know: colours, widgets.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Literal

Kind = Literal[
    "keyword", "constant", "string", "number", "comment", "function", "type", "decorator", "heading", "key"
]
Span = tuple[int, int, Kind]
LONGEST_LINE = 5_000
"""Longer lines stay plain: minified files are not read by colour."""

_PYTHON = """and as assert async await break class continue def del elif else except finally for from global if import
in is lambda nonlocal not or pass raise return try while with yield match case type"""
_JS = """async await break case catch class const continue debugger default delete do else enum export extends finally
for from function get if implements import in instanceof interface let new of private protected public readonly return
set static super switch this throw try type typeof var void while with yield"""
_C = """alignas auto bool break case catch char class const constexpr continue default delete do double else enum
explicit extern final float for friend goto if inline int long namespace new noexcept operator override private
protected public register return short signed sizeof static static_cast struct switch template this throw try typedef
typename union unsigned using virtual void volatile while package import extends implements interface abstract
synchronized throws instanceof boolean byte var fun val when object"""
_RUST = """as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod move mut
pub ref return self Self static struct super trait type unsafe use where while"""
_GO = """break case chan const continue default defer else fallthrough for func go goto if import interface map package
range return select struct switch type var"""
_SHELL = (
    "case do done elif else esac export fi for function if in local return set source then unset until while"
)
_SQL = """add all alter and as asc between by case create delete desc distinct drop else end exists from group having
in index inner insert into is join left like limit not null on or order outer primary references right select set table
then union unique update values view when where with"""
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
    keywords: str,
    *,
    comment: str = "",
    blocks: dict[str, tuple[str, Kind]] | None = None,
    quotes: str = "\"'",
    extra: str = "",
    ignore_case: bool = False,
) -> Language:
    blocks = blocks or {}
    parts = []
    if blocks:
        openers = "|".join(re.escape(opener) for opener in sorted(blocks, key=len, reverse=True))
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
    return Language(name, re.compile("|".join(parts)), frozenset(keywords.split()), blocks, ignore_case)


_DECORATOR = r"(?P<decorator>(?<![\w.])@[\w.]+)"
_CSTYLE: dict[str, tuple[str, Kind]] = {"/*": ("*/", "comment")}
_LANGUAGES = {
    "python": _language(
        "python",
        _PYTHON,
        comment="#",
        blocks={'"""': ('"""', "string"), "'''": ("'''", "string")},
        extra=_DECORATOR,
    ),
    "javascript": _language(
        "javascript", _JS, comment="//", blocks={**_CSTYLE, "`": ("`", "string")}, extra=_DECORATOR
    ),
    "c": _language("c", _C, comment="//", blocks=_CSTYLE, extra=r"(?P<decorator>^\s*#\s*\w+|(?<![\w.])@\w+)"),
    "rust": _language(
        "rust", _RUST, comment="//", blocks=_CSTYLE, quotes='"', extra=r"(?P<decorator>#!?\[[^\]]*\])"
    ),
    "go": _language("go", _GO, comment="//", blocks={**_CSTYLE, "`": ("`", "string")}),
    "shell": _language("shell", _SHELL, comment=r"(?<![\w$])#", extra=r"(?P<decorator>\$\{?\w+\}?)"),
    "sql": _language("sql", _SQL, comment="--", blocks=_CSTYLE, ignore_case=True),
    "css": _language("css", "", blocks=_CSTYLE, extra=r"(?P<key>[\w-]+(?=\s*:))|(?P<decorator>[@.#][\w-]+)"),
    "html": _language("html", "", blocks={"<!--": ("-->", "comment")}, extra=r"(?P<keyword></?[\w-]+|/?>)"),
    "data": _language(
        "data", "", comment="#", extra=r"(?P<heading>^\s*\[+[^\]\"',]+\]+\s*$)|(?P<key>[\w.\"-]+(?=\s*[:=]))"
    ),
    "json": _language("json", "", extra=r"(?P<key>\"(?:[^\"\\]|\\.)*\"(?=\s*:))", quotes='"'),
    "markdown": _language(
        "markdown",
        "",
        blocks={"```": ("```", "string"), "<!--": ("-->", "comment")},
        quotes="`",
        extra=r"(?P<heading>^\#{1,6}\s.*)|(?P<keyword>^\s*(?:[-*+]|\d+\.)\s)|(?P<function>\*\*[^*]+\*\*)",
    ),
}
_SUFFIXES = {
    "python": "py pyi pyx",
    "javascript": "js jsx ts tsx mjs cjs",
    "c": "c h cc cpp cxx hpp hh cs java kt kts scala swift php dart proto m",
    "rust": "rs",
    "go": "go",
    "shell": "sh bash zsh fish mk rb pl r",
    "sql": "sql",
    "css": "css scss less tcss",
    "html": "html htm xml svg vue",
    "data": "toml yaml yml ini cfg conf properties",
    "json": "json jsonl json5",
    "markdown": "md markdown rst",
}
_BY_SUFFIX = {suffix: name for name, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_BY_NAME = {"makefile": "shell", "dockerfile": "shell", ".gitignore": "shell", "jenkinsfile": "c"}


def language_for(path: str) -> Language | None:
    """By the name of the file; None is plain text."""
    pure = PurePosixPath(path)
    name = _BY_SUFFIX.get(pure.suffix.lstrip(".").lower()) or _BY_NAME.get(pure.name.lower())
    return _LANGUAGES[name] if name else None


def scan(line: str, state: str, language: Language) -> tuple[tuple[Span, ...], str]:
    """The spans of one line, and the state that it leaves: the opener of a block that is still open, or
    ''."""
    if len(line) > LONGEST_LINE:
        return (), carry(line, state, language)
    return _scan(line, state, language.name)


@lru_cache(maxsize=8192)
def _scan(line: str, state: str, language_name: str) -> tuple[tuple[Span, ...], str]:
    language = _LANGUAGES[language_name]
    spans: list[Span] = []
    at = 0
    defining = False
    while at < len(line):
        if state:
            closer, kind = language.blocks[state]
            end = line.find(closer, at)
            if end < 0:
                spans.append((at, len(line), kind))
                return tuple(spans), state
            spans.append((at, end + len(closer), kind))
            at, state = end + len(closer), ""
            continue
        match = language.pattern.search(line, at)
        if match is None:
            break
        start, at = match.span()
        group = match.lastgroup
        if group == "block":
            state = match.group()
            kind = language.blocks[state][1]
            closer = language.blocks[state][0]
            end = line.find(closer, at)
            if end < 0:
                spans.append((start, len(line), kind))
                return tuple(spans), state
            at, state = end + len(closer), ""
            spans.append((start, at, kind))
        elif group in ("word", "call"):
            word = match.group("word")
            kind_of_word = _kind(word, group == "call", defining, language)
            defining = word in _DEFINERS
            if kind_of_word:
                spans.append((start, at, kind_of_word))
            continue
        elif group is not None:
            spans.append((start, at, group))  # type: ignore[arg-type]
        defining = False
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
        self._lines = lines
        self._states = [above]

    def above(self, index: int) -> str:
        language = self.language
        if language is None or not language.blocks:
            return ""  # nothing to carry: plain text, or a language of single lines
        states = self._states
        for number in range(len(states) - 1, min(index, len(self._lines))):
            states.append(carry(self._lines[number], states[number], language))
        return states[min(index, len(states) - 1)]

    def forget_from(self, index: int) -> None:
        """Lines from `index` on are others now; the state above it still stands."""
        del self._states[index + 1 :]

    def spans(self, index: int) -> tuple[Span, ...]:
        if self.language is None:
            return ()
        return scan(self._lines[index], self.above(index), self.language)[0]
