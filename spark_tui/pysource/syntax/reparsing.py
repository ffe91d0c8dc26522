"""Parses a text again after a change: the statements of the module around it stay what they were, and of the
class that has it the members in front.

The nodes of these statements are those of the earlier tree. Nobody changes the nodes of a tree.
"""

from __future__ import annotations

import ast
import copy
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

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
    keep, members, head = _staying(body, line), list[ast.stmt](), ""
    begin = _end(body[keep - 1]) if keep else 0
    for at, one in enumerate(body[keep : keep + 2], keep):
        if isinstance(one, ast.ClassDef) and (inside := _staying(one.body, line)):
            keep, members, head = at, one.body[:inside], "class _:"
            begin = _end(members[-1])
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
    if new[low - 2 : low] == "\\\n":
        return None  # what stands there goes on in a statement that stays
    parsed = parse("\n" * (begin - 1) + f"{head}\n" * bool(begin) + new[low:high])
    if parsed is None:
        return None
    if members:
        again, whole = parsed.body[0], copy.copy(body[keep])
        assert isinstance(again, ast.ClassDef) and isinstance(whole, ast.ClassDef)
        whole.body = [*members, *again.body]
        whole.end_lineno, whole.end_col_offset = again.end_lineno, again.end_col_offset
        parsed.body[0] = whole
    return ast.Module([*body[:keep], *parsed.body, *body[rest:]], []), begin, last


def _staying(body: Sequence[ast.stmt], line: int) -> int:
    """How many of some statements stay if a line changes, from 0: an `else` or a deeper line may go on the
    last one in front of it."""
    keep = max(bisect_right(body, line, key=_end) - 1, 0)
    while keep and _end(body[keep - 1]) >= _start(body[keep]):
        keep -= 1
    return keep


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
