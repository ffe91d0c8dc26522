"""Which lines are to be wrapped, and the lines one level deeper.

Comes in: an order that is being read. Goes out: half-open line ranges; lines. Must not know: what they are wrapped in.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from spark_tui.refactor.checks.read import Reading
from spark_tui.refactor.source import Source, body_behind_docstring

_BODY = re.compile(
    r"\b(?:(?:the )?(?:whole |entire )?body of|everything in|all of|the whole(?: of)?(?: body)?)\b|\b(?:the|its) (?:whole |entire )?body\b",
    re.I,
)
_QUOTED = re.compile(
    r"(?:(?:the\s+)?(?:line|call|statement)\s+)?(?:`([^`]+)`|\"([^\"]+)\")(?:\s+(?:line|call|statement))?"
)
_CALLED = re.compile(
    r"\b(?:the\s+)?(?:calls? to\s+)?(?P<name>[^\W\d][\w.]*)(?:\(\))?\s+calls?\b|\bcalls? (?:to|of)\s+(?:the\s+)?(?P<to>[^\W\d][\w.]*)|(?<![\w.])(?P<bare>[^\W\d][\w.]*)\(\)|\baround (?:the )?(?P<round>[^\W\d]\w*\.[\w.]*\w)"
)


def target(reading: Reading) -> list[tuple[int, int]]:
    """The statements that are meant: by number, as code, by what they call; the body of a function; what is selected."""
    src, order = reading.src, reading.order
    by_code = _as_code(reading)
    lines = reading.take_line()
    if by_code:
        if lines is not None and len(by_code) > 1:
            by_code = [one for one in by_code if one[0] <= lines[0] < one[1]] or by_code
        return by_code
    if lines is not None:
        return _whole(src, *lines)
    if _BODY.search(reading.rest):
        reading.take(_BODY)
        functions = reading.functions()
        body = body_behind_docstring(functions[0]) if len(functions) == 1 else []
        return [(src.first_line(body[0]), src.last_line(body[-1]))] if body else []
    called = _CALLED.search(reading.rest)
    if called is not None:
        name = called["name"] or called["to"] or called["bare"] or called["round"]
        found = _calls(src, name)
        if found:
            reading.cut(*called.span())
            functions = reading.functions()
            if reading.named and len(found) > 1:
                found = [one for one in found if any(src.first_line(f) <= one[0] < src.last_line(f) for f in functions)]
            return found
    if order.selection is not None:
        return _whole(src, *order.selection)
    return []


def _as_code(reading: Reading) -> list[tuple[int, int]]:
    src = reading.src
    for match in _QUOTED.finditer(reading.rest):
        found = _same(src, match[1] or match[2])
        if found:
            reading.cut(*match.span())
            return found
    text = reading.rest
    simple = [
        node
        for node in src.statements
        if isinstance(node, ast.Expr | ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return)
    ]
    spelled = [
        node
        for node in simple
        if len(src.segment(node)) > 5 and re.search(r"[(=]", src.segment(node)) and src.segment(node) in text
    ]
    if spelled:
        code = max((src.segment(node) for node in spelled), key=len)
        at = text.index(code)
        tail = re.match(r"\s+line\b", text[at + len(code) :])
        reading.cut(at, at + len(code) + (tail.end() if tail else 0))
        return _ranges(src, [node for node in spelled if src.segment(node) == code])
    return []


def _same(src: Source, code: str) -> list[tuple[int, int]]:
    simple = [node for node in src.statements if not hasattr(node, "body")]
    found = [node for node in simple if src.segment(node).strip() == code.strip()]
    if not found and re.search(r"[(=]", code):
        found = [node for node in simple if code.strip() in src.segment(node)]
    if not found and re.fullmatch(r"[\w.]+", code) and "." in code:
        return _calls(src, code)
    return _ranges(src, found)


def _calls(src: Source, name: str) -> list[tuple[int, int]]:
    found = [
        src.statement(node)
        for node in src.nodes
        if isinstance(node, ast.Call) and re.search(rf"(?:^|\.){re.escape(name)}$", ast.unparse(node.func))
    ]
    return _ranges(src, [one for one in found if one is not None])


def _ranges(src: Source, nodes: Sequence[ast.stmt]) -> list[tuple[int, int]]:
    return list(dict.fromkeys((src.first_line(node), src.last_line(node)) for node in nodes))


def _whole(src: Source, first: int, last: int) -> list[tuple[int, int]]:
    """Whole statements of one block that begin on lines; else the one that goes on there."""
    begun = [node for node in src.statements if first <= src.first_line(node) < last]
    if begun:
        block = [node for node in src.block(begun[0]) if first <= src.first_line(node) < last]
        if last - first == 1:
            block = block[:1]
        return [(src.first_line(block[0]), src.last_line(block[-1]))] if block else []
    around = [
        node
        for node in src.statements
        if not hasattr(node, "body") and src.first_line(node) <= first < src.last_line(node)
    ]
    return _ranges(src, around[-1:])


def wrapped(src: Source, first: int, last: int, head: list[str], deeper: str) -> list[str] | None:
    """The head and the lines one step deeper; what stands in a text of several lines stays where it is."""
    if any(";" in line and not re.search(r"[\"'#]", line) for line in src.lines[first:last]):
        return None
    fixed: set[int] = set()
    for node in src.inside(first, last):
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)):
            low, high = src.first_line(node), src.last_line(node)
            if '"""' in src.segment(node) or "'''" in src.segment(node):
                fixed |= set(range(low + 1, high))
    body = [
        line if not line.strip() or at in fixed else deeper + line
        for at, line in enumerate(src.lines[first:last], first)
    ]
    return [*head, *body]
