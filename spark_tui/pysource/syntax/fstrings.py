"""The literals of a string expression, and the replacement fields of f-strings, found in the text.

Needed before Python 3.12, where `ast` misplaces what stands inside an f-string, and for strings that hold
code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

Hole = tuple[int, int, list[tuple[int, int]]]
"""Start and end of an expression in a replacement field, and the places of the ones in its format
specification."""

_OPEN = re.compile(r"([A-Za-z]{0,2})('''|\"\"\"|'|\")")
_COMMENT = re.compile(r"#[^\r\n]*")
_BODIES = {
    "'": re.compile(r"[^\\']*(?:\\.[^\\']*)*", re.DOTALL),
    '"': re.compile(r'[^\\"]*(?:\\.[^\\"]*)*', re.DOTALL),
    "'''": re.compile(r"[^\\']*(?:(?:\\.|'(?!''))[^\\']*)*", re.DOTALL),
    '"""': re.compile(r'[^\\"]*(?:(?:\\.|"(?!""))[^\\"]*)*', re.DOTALL),
}
"""What stands between quotes of each kind."""
_MARK = re.compile(r"[{}\\]")


@dataclass(frozen=True, slots=True)
class Literal:
    """One string token: its prefix, and the place of what stands between its quotes."""

    prefix: str
    quote: str
    start: int
    end: int

    @property
    def raw(self) -> bool:
        return "r" in self.prefix.lower()


def string_literals(text: str, start: int, end: int) -> Iterator[Literal]:
    """The string tokens of an implicit concatenation in `text[start:end]`."""
    at = start
    while at < end:
        opened = _OPEN.match(text, at, end)
        if opened is None:
            comment = _COMMENT.match(text, at, end)
            at = comment.end() if comment else at + 1
            continue
        body, quote = opened.end(), opened[2]
        inner = _BODIES[quote].match(text, body, end)
        close = inner.end() if inner is not None else body
        yield Literal(opened[1], quote, body, close)
        at = close + len(quote)


def template_holes(text: str, start: int, end: int) -> Iterator[Hole]:
    """The replacement fields of all f-strings in `text[start:end]`, in order."""
    for literal in string_literals(text, start, end):
        if "f" in literal.prefix.lower():
            yield from _holes(text, literal.start, literal.end, literal.raw)


def _holes(text: str, at: int, end: int, raw: bool) -> Iterator[Hole]:
    while (mark := _MARK.search(text, at, end)) is not None:
        at = mark.start()
        if not raw and text.startswith("\\N{", at):
            at = text.index("}", at) + 1
        elif (not raw and text[at] == "\\" and text[at + 1 : at + 2] not in "{}") or text.startswith(
            ("{{", "}}"), at
        ):
            at += 2
        elif text[at] == "{":
            hole, at = _hole(text, at + 1, end)
            yield hole
        else:
            at += 1


def _hole(text: str, start: int, end: int) -> tuple[Hole, int]:
    """The field whose expression begins at `start`, and the offset after its closing brace."""
    at, depth, nested = start, 0, []
    stop = -1
    while at < end:
        ch = text[at]
        if ch in "'\"":
            quote = text[at] * 3 if text.startswith(text[at] * 3, at) else text[at]
            at = text.find(quote, at + len(quote), end)
            at = end if at < 0 else at + len(quote)
            continue
        if ch in "([{":
            depth += 1
        elif ch in ")]}" and depth:
            depth -= 1
        elif not depth and (ch == "}" or ch == ":" or (ch == "!" and text[at + 1] != "=")):
            stop = at
            break
        at += 1
    stop = at if stop < 0 else stop
    if text[at : at + 1] == "!":
        at += 2
    if text[at : at + 1] == ":":
        at += 1
        while at < end and text[at] != "}":
            if text[at] == "{":
                inner, at = _hole(text, at + 1, end)
                nested.append(inner[:2])
            else:
                at += 1
    return (start, _without_equals(text, start, stop), nested), at + 1


def _without_equals(text: str, start: int, stop: int) -> int:
    """`{x=}` shows the expression: the sign is no part of it."""
    bare = text[start:stop].rstrip()
    if bare.endswith("=") and bare[-2:-1] not in ("=", "!", "<", ">"):
        return start + len(bare) - 1
    return stop
