"""Names in what is not code: strings, comments, the holes of f-strings.

Comes in: text. Goes out: spans. Must not know: scopes, instructions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]
_LITERAL = re.compile(r"#[^\n]*|(?<!\w)(?P<p>[rbuRBUfF]{0,2})(?P<q>\"\"\"|'''|\"|')(?:\\.|(?!(?P=q)).)*(?P=q)", re.S)
_HOLE = re.compile(r"\{\{|\{([^{}]*)")
_NAME = re.compile(r"[^\W\d]\w*")
_STRING = re.compile(r"(['\"]).*?\1")


def holes(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """The code in the braces of f-strings, with where it begins."""
    for literal in _LITERAL.finditer(text, start, end):
        if "f" in (literal["p"] or "").lower():
            for hole in _HOLE.finditer(literal[0]):
                if hole[1] is not None:
                    yield literal.start() + hole.start(1), _without_format(hole[1])


def names_in_hole(code: str) -> Iterator[tuple[str, int, str | None, bool]]:
    """Name, column, what it hangs from, and whether it is a keyword of a call."""
    for found in _NAME.finditer(_STRING.sub(lambda text: " " * len(text[0]), code)):
        before, behind = code[: found.start()].rstrip(), code[found.end() :]
        hangs = re.search(r"([\w.]*|[\])])\.$", before)
        keyword = re.match(r"\s*=(?!=)", behind) is not None and before.endswith(("(", ","))
        yield found[0], found.start(), (hangs[1] or "?") if hangs else None, keyword


def literals(text: str) -> list[Span]:
    """Strings and comments, without what stands in the braces of f-strings."""
    out: list[Span] = []
    for found in _LITERAL.finditer(text):
        start, end = found.span()
        if "f" in (found["p"] or "").lower():
            for hole in _HOLE.finditer(found[0]):
                if hole[1] is not None:
                    out.append((start, found.start() + hole.start(1)))
                    start = found.start() + hole.end(1)
        out.append((start, end))
    return out


def places(text: str, term: str) -> Iterator[tuple[Span, bool]]:
    """Where a whole name, dotted name or number stands, and whether that is text, not code."""
    spans = literals(text)
    for found in re.finditer(rf"(?<![\w.]){re.escape(term)}(?!\w)", text):
        yield found.span(), any(start <= found.start() < end for start, end in spans)


def _without_format(code: str) -> str:
    """What stands in a hole before `!r`, `:.2f` or `=`."""
    deep = 0
    for at, char in enumerate(code):
        deep += (char in "([") - (char in ")]")
        if deep == 0 and (char == ":" or (char == "!" and code[at + 1 : at + 2] != "=")):
            return code[:at]
    return code
