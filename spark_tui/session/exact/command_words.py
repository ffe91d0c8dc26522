"""Splits a typed command into words, and quotes a text so that it is one word.

Spaces separate words, except in quotes and brackets. Quotes around a word, or around what follows `field=`,
are taken off; quotes inside brackets stay: `raise ValueError("too few")` is `raise` and
`ValueError("too few")`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPEN, _CLOSE = "([{", ")]}"
_FIELD = re.compile(r"[a-z_]+=")
_PLAIN = re.compile(r"[^\s'\"()\[\]{}]+\Z")


@dataclass(frozen=True, slots=True)
class Word:
    """A word and the characters `start..end-1` on which it is typed."""

    text: str
    start: int
    end: int


def split(line: str) -> list[Word]:
    """The words of a line. A quote or bracket that is still open reaches to the end."""
    out: list[Word] = []
    at = 0
    while at < len(line):
        if line[at].isspace():
            at += 1
            continue
        text, end = _word(line, at)
        out.append(Word(text, at, end))
        at = end
    return out


def _word(line: str, start: int) -> tuple[str, int]:
    out: list[str] = []
    depth, quote, at = 0, "", start
    field = _FIELD.match(line, start)
    strips = {start, field.end() if field else start}
    stripped = False
    while at < len(line):
        ch = line[at]
        if quote:
            if ch == quote:
                quote = ""
                if stripped and not depth:
                    stripped = False
                    at += 1
                    continue
        elif ch.isspace() and not depth:
            break
        elif ch in "'\"":
            quote = ch
            if at in strips:
                stripped = True
                at += 1
                continue
        elif ch in _OPEN:
            depth += 1
        elif ch in _CLOSE and depth:
            depth -= 1
        out.append(ch)
        at += 1
    return "".join(out), at


def quoted(text: str) -> str:
    if _PLAIN.match(text) or [word.text for word in split(text)] == [text]:
        return text
    for quote in "\"'":
        if quote not in text:
            return f"{quote}{text}{quote}"
    # Both kinds of quotes: brackets keep them, nothing else does.
    return text
