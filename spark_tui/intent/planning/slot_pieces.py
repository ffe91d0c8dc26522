"""Pieces of the words of a slot: several that are one text, and quoted ones with a prefix."""

from __future__ import annotations

import re

from spark_tui.intent.words.readings import Span

_FOLLOWS = re.compile(r"[\s,;:–-]*")
BETWEEN = {
    "message": _FOLLOWS,
    "text": _FOLLOWS,
    "transform": re.compile(r"\s+(?:in|by|to|from)\s+"),
    "condition": re.compile(r"[\s,]*(?:and|or|und|oder|et|ou|y|o|且|或|并且|或者)[\s,]*"),
}
"""What may stand between the pieces of one text."""
_PREFIX = re.compile(r"(?<!\w)(?:[bf]r?|r[bf]?)\Z", re.IGNORECASE)


def with_prefix(span: Span, instruction: str) -> Span:
    """The code of a quoted text with a prefix: `b"."`, `f"{name}"`."""
    start = span.start - (instruction[span.start : span.start + 1] not in ("'", '"', ""))
    found = _PREFIX.search(instruction[: max(start, 0)]) if span.quoted else None
    if found is None or instruction[start] not in "'\"" or not span.text:
        return span
    mark = instruction[start]
    return Span(found.start(), span.end, f"{found[0]}{mark}{span.text}{mark}")


def one_text(spans: tuple[Span, ...], instruction: str, between: re.Pattern[str]) -> tuple[Span, ...]:
    """The quoted ones of several pieces of text; of others those with no more than `between` as one."""
    quoted = tuple(span for span in spans if span.quoted)
    if len(spans) < 2 or quoted:
        return quoted or spans
    out = [spans[0]]
    for one in spans[1:]:
        if between.fullmatch(instruction[out[-1].end : one.start]):
            start = out.pop().start
            one = Span(start, one.end, instruction[start : one.end])
        out.append(one)
    return tuple(out) if between is _FOLLOWS else tuple(sorted(out, key=lambda item: -len(item.text)))
