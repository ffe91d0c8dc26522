"""Quotes of strings: single to double and back."""

from __future__ import annotations

import tokenize
from collections.abc import Iterator

from spark_tui.codemods.places.named import Region, region
from spark_tui.codemods.plan import Edit, Plan, Refusal
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import means, planned
from spark_tui.codemods.slots import Choice, Place, Text
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source

_F_START = getattr(tokenize, "FSTRING_START", -1)
_F_END = getattr(tokenize, "FSTRING_END", -1)


class Quote(Choice):
    """The sign around a string."""

    SINGLE = "single"
    DOUBLE = "double"


_SIGNS = {Quote.SINGLE: "'", Quote.DOUBLE: '"'}


@codemod
class SetQuotes:
    """Write strings with other quotes. Docstrings, and strings with three quotes, stay as they are."""

    place: Place = slot("where: `in fetch`, `in app.py`, or app.py:12")
    quote: Quote = slot("single or double")
    text: Text = slot("the text between the quotes; empty for every string there", default=Text(""))

    def plan(self, repo: Repository) -> Plan:
        within = region(repo, self.place)
        source = within.source
        new = _SIGNS[self.quote]
        wanted = [one for one in _strings(within) if not self.text or _body(source, one) == self.text]
        if not wanted:
            raise Refusal("there is no such string there")
        edits = [edit for one in wanted if (edit := _requoted(source, one, new)) is not None]
        if not edits:
            raise Refusal(f"the strings there already have {self.quote.value} quotes", why="nothing")
        if not means(source, edits, {}):
            raise Refusal("a string would say something else")
        return planned(repo, edits)


def _strings(within: Region) -> Iterator[tuple[int, int]]:
    """The places of string tokens, f-strings whole."""
    source = within.source
    low, high = source.starts[within.first], source.starts[within.last]
    opened: list[int] = []
    for one in source.tokens:
        start, end = one.span
        if one.kind == _F_START:
            opened.append(start)
        elif one.kind == _F_END and opened:
            start = opened.pop()
            if not opened and low <= start and end <= high:
                yield start, end
        elif one.kind == tokenize.STRING and not opened and low <= start and end <= high:
            yield start, end


def _parts(text: str) -> tuple[str, str]:
    """The prefix of a literal, and the rest with its quotes."""
    at = next(at for at, sign in enumerate(text) if sign in "'\"")
    return text[:at], text[at:]


def _body(source: Source, span: tuple[int, int]) -> str:
    _, rest = _parts(source.text[slice(*span)])
    return rest[3:-3] if rest[:3] in ("'''", '"""') else rest[1:-1]


def _requoted(source: Source, span: tuple[int, int], new: str) -> Edit | None:
    """The edit for one string; None where it has these quotes, three of them, or holds one."""
    prefix, rest = _parts(source.text[slice(*span)])
    body = rest[1:-1]
    if rest[0] == new or rest[:3] == rest[0] * 3 or new in body or rest[0] in body or "\\" in body:
        return None
    return Edit(source.path, *span, f"{prefix}{new}{body}{new}")
