"""Parses a text again after a change: the statements of the module around it stay what they were.

The nodes of these statements are those of the earlier tree. Nobody changes the nodes of a tree.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right

from spark_tui.pysource.syntax.parsing import BOM, parse
from spark_tui.shared_ends import same_at_end, same_at_start

_LEAST_LINES = 40
"""If fewer lines stay, the whole text is parsed: to find them would take as long."""


def parse_changed(before: ast.Module, old: str, new: str) -> tuple[ast.Module, int, int] | None:
    """The tree of `new`, where `before` is that of `old`; then the first line that was parsed, and one past
    the last, from 0. None where all has to be parsed: little stays, or what changed is an error by itself."""
    if "\r" in old or "\r" in new or old.startswith(BOM) or new.startswith(BOM):
        return None
    body = before.body
    front = same_at_start(old, new)
    line = old.count("\n", 0, front)
    # An `else` or a deeper line may go on the last statement in front of the change.
    keep = max(bisect_right(body, line, key=_end) - 1, 0)
    while keep and _end(body[keep - 1]) >= _start(body[keep]):
        keep -= 1
    begin = _end(body[keep - 1]) if keep else 0
    last, rest = new.count("\n") + 1, len(body)
    if last == old.count("\n") + 1:
        # The lines behind the change have the numbers that they had.
        back = same_at_end(old, new, front)
        rest = bisect_left(body, old.count("\n", 0, len(old) - back) + 2, lo=keep, key=_start)
        while rest < len(body) and rest and _end(body[rest - 1]) >= _start(body[rest]):
            rest += 1
        last = _start(body[rest]) - 1 if rest < len(body) else last
    if begin + (new.count("\n") + 1 - last) < _LEAST_LINES:
        return None
    low, high = _offset(new, begin), _offset(new, last)
    parsed = parse("\n" * begin + new[low:high])
    if parsed is None:
        return None
    return ast.Module([*body[:keep], *parsed.body, *body[rest:]], []), begin, last


def _offset(text: str, line: int) -> int:
    """Where a line begins, or the end of the text."""
    at = 0
    for _ in range(line):
        at = text.find("\n", at) + 1
        if not at:
            return len(text)
    return at


def _start(node: ast.stmt) -> int:
    """The first line of a statement, from 1."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return decorators[0].lineno if decorators else node.lineno


def _end(node: ast.stmt) -> int:
    """The last line of a statement, from 1."""
    return node.end_lineno or node.lineno
