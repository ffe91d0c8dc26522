"""The text between brackets, split at commas: parameters of a head, arguments of a call."""

from __future__ import annotations

import ast
import tokenize
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from spark_tui.pysource.source import Source, Span
from spark_tui.pysource.syntax.tokens import Token, tokens_of

_OPEN, _CLOSE = ("(", "[", "{"), (")", "]", "}")
_BLANK = (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT)


@dataclass(frozen=True, slots=True)
class Bracketed:
    """`open` is the place of the bracket, `close` that of its partner; items exclude blanks, comments and
    commas."""

    open: int
    close: int
    items: tuple[Span, ...]


def bracketed(source: Source, after: int, limit: int = -1) -> Bracketed | None:
    """The first round bracket after an offset, with its items; None where it is not closed."""
    tokens = (token for token in _tokens_around(source, after) if token.span[0] >= after)
    opening = next((token for token in tokens if token.text == "(" or 0 <= limit <= token.span[0]), None)
    if opening is None or opening.text != "(":
        return None
    items, _, closing = items_of(tokens)
    return Bracketed(opening.span[0], closing.span[0], items) if closing is not None else None


def items_of(tokens: Iterable[Token]) -> tuple[tuple[Span, ...], bool, Token | None]:
    """The items that commas separate, whether the last one has a comma too, and the bracket that ends all."""
    items: list[Span] = []
    current: list[Token] = []
    depth, comma = 0, False
    for token in tokens:
        sign = token.text if token.kind == tokenize.OP else ""
        depth += (sign in _OPEN) - (sign in _CLOSE)
        ends = depth < 0 or (not depth and sign == ",")
        if ends and current:
            items.append((current[0].span[0], current[-1].span[1]))
        if depth < 0:
            return tuple(items), comma, token
        if ends:
            current, comma = [], True
        elif token.kind not in _BLANK:
            current.append(token)
            comma = False
    items += [(current[0].span[0], current[-1].span[1])] if current else []
    return tuple(items), comma, None


def _tokens_around(source: Source, offset: int) -> Iterator[Token]:
    """The tokens from the beginning of the innermost statement in which an offset stands, read as they are
    asked for; where the file does not parse, from its beginning."""
    line, found = source.position(offset)[0], source.statements
    at = bisect_right(found, line, key=source.first_line) - 1
    while at > 0 and (source.last_line(found[at]) <= line or not _begins_a_line(source, found[at])):
        at -= 1
    first = source.first_line(found[at]) if at >= 0 else 0
    return tokens_of(source.lines[first:], source.starts[first:])


def _begins_a_line(source: Source, statement: ast.stmt) -> bool:
    return not source.lines[statement.lineno - 1][: statement.col_offset].strip()


def joined(found: Bracketed, spans: Iterable[Span]) -> Bracketed:
    """The same with items joined where a node spans several: lambdas and bare generators have commas too."""
    items = list(found.items)
    for low, high in spans:
        inside = [at for at, one in enumerate(items) if low < one[1] and one[0] < high]
        if len(inside) > 1:
            items[inside[0] : inside[-1] + 1] = [(items[inside[0]][0], items[inside[-1]][1])]
    return Bracketed(found.open, found.close, tuple(items))


def insertion(source: Source, found: Bracketed, index: int, text: str) -> tuple[int, int, str]:
    """The edit that puts an item at an index. One item a line stays so."""
    if not found.items:
        return found.open + 1, found.open + 1, text
    if index < len(found.items):
        start = found.items[index][0]
        return start, start, f"{text},{_gap(source, start)}"
    start, end = found.items[-1]
    return end, end, f",{_gap(source, start)}{text}"


def removal(found: Bracketed, index: int, text: str) -> tuple[int, int, str]:
    """The edit that takes an item away."""
    start, end = found.items[index]
    if index + 1 < len(found.items):
        return start, found.items[index + 1][0], ""
    if index:
        return found.items[index - 1][1], end, ""
    comma = end
    while comma < found.close and text[comma] in " \t\r\n":
        comma += 1
    return start, comma + 1 if text[comma] == "," else end, ""


def _gap(source: Source, offset: int) -> str:
    """What stands between two items: a line ending and the indentation of one that begins a line."""
    line, column = source.position(offset)
    lead = source.lines[line][:column]
    return " " if lead.strip() else source.newline + lead
