"""The definitions of a text of code, read by its indentation: no grammar, so that a snippet with gaps and a
file of any language can be read the same way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from spark_tui.edits.code_words import Kind, definition, is_elision
from spark_tui.edits.indentation import indent_of

_CLOSERS = (")", "]", "}", "end", "{")
_DOCSTRING = re.compile(r"""[rRuU]?(\"{3}|'{3}|["'])""")
_QUOTES = ('"""', "'''")


@dataclass(frozen=True, slots=True)
class Unit:
    """`lines[start:end]` define `name`; `head` is the line with the definition, `start` its first
    decorator."""

    name: str
    kind: Kind
    start: int
    head: int
    end: int
    indent: str
    children: tuple[Unit, ...] = ()

    def walk(self) -> Iterator[Unit]:
        yield self
        for child in self.children:
            yield from child.walk()


def depth(line: str) -> int:
    """The width of the indentation; a tab counts as four."""
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())


def without_blank_ends(lines: Sequence[str]) -> list[str]:
    """The lines from the first that is not blank to the last."""
    low, high = 0, end_of_text(lines, 0, len(lines))
    while low < high and not lines[low].strip():
        low += 1
    return list(lines[low:high])


def end_of_text(lines: Sequence[str], low: int, high: int) -> int:
    """The end of `lines[low:high]` without the blank lines there."""
    while high > low and not lines[high - 1].strip():
        high -= 1
    return high


def after_docstring(lines: Sequence[str], low: int) -> int:
    """The line after the docstring that the body begins with; `low` if there is none."""
    at = low
    while at < len(lines) and not lines[at].strip():
        at += 1
    found = _DOCSTRING.match(lines[at].strip()) if at < len(lines) else None
    if found is None:
        return low
    quote, end = found[1], at
    while lines[at].count(quote) < 2 and end + 1 < len(lines):
        end += 1
        if quote in lines[end]:
            break
    return end + 1


def units_of(lines: Sequence[str], start: int = 0, end: int | None = None) -> tuple[Unit, ...]:
    """The outermost definitions in `lines[start:end]`."""
    last = len(lines) if end is None else end
    out: list[Unit] = []
    others: list[int] = []
    at = start
    while at < last:
        found = definition(lines[at])
        if found is None:
            if lines[at].strip() and not lines[at].strip().startswith(_CLOSERS) and not is_elision(lines[at]):
                others.append(depth(lines[at]))
            at = after_string(lines, at, last)
            continue
        kind, name = found
        stop = _end_of(lines, at, last)
        first = _first_decorator(lines, at, out[-1].end if out else start)
        children = units_of(lines, at + 1, stop) if kind == "class" else ()
        out.append(Unit(name, kind, first, at, stop, indent_of(lines[at]), children))
        at = stop
    # A line inside something that is no definition (`if …:`) is none of this level.
    out = [
        unit for unit in out if unit.kind != "value" or depth(lines[unit.head]) <= min(others, default=inf)
    ]
    if not out:
        return ()
    level = min(depth(lines[unit.head]) for unit in out)
    return tuple(unit for unit in out if depth(lines[unit.head]) == level)


def _first_decorator(lines: Sequence[str], head: int, low: int) -> int:
    first = head
    while first > low and lines[first - 1].strip().startswith(("@", "#[")):
        if depth(lines[first - 1]) != depth(lines[head]):
            break
        first -= 1
    return first


def _end_of(lines: Sequence[str], head: int, last: int) -> int:
    """After the last line that is indented deeper, or closes what the head opened."""
    level, end, quote = depth(lines[head]), head + 1, _opens_string(lines[head], "")
    for at in range(head + 1, last):
        line = lines[at]
        bare = line.strip()
        if quote:
            end, quote = at + 1, _opens_string(line, quote)
            continue
        if not bare:
            continue
        here = depth(line)
        if here < level or (here == level and not bare.startswith(_CLOSERS)):
            break
        end, quote = at + 1, _opens_string(line, "")
    return end


def after_string(lines: Sequence[str], at: int, last: int) -> int:
    """The next line, or the one after a long string that begins here."""
    quote = _opens_string(lines[at], "")
    at += 1
    while quote and at < last:
        quote = _opens_string(lines[at], quote)
        at += 1
    return at


def _opens_string(line: str, quote: str) -> str:
    """The quotes of the long string in which the line ends, given the one in which it begins."""
    at = 0
    while True:
        if quote:
            found = line.find(quote, at)
            if found < 0:
                return quote
            quote, at = "", found + 3
            continue
        places = [(line.find(mark, at), mark) for mark in _QUOTES]
        open_at = [(place, mark) for place, mark in places if place >= 0]
        if not open_at:
            return ""
        found, quote = min(open_at)
        at = found + 3
