"""A conditional expression as an if/else block, and back."""

from __future__ import annotations

import ast

from spark_tui.train.source_windows import SourceWindow

WIDEST = 96
LOOSE = (ast.IfExp, ast.Lambda, ast.Tuple, ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Starred)
"""Expressions that need parentheses as a part of a longer one."""


def has_own_lines(window: SourceWindow, node: ast.stmt) -> bool:
    """Whether the statement has its lines for itself, without comments."""
    lines = window.lines[node.lineno - 1 : window.last_line(node)]
    return window.own_lines(node) and not any("#" in line for line in lines)


def block_of_ternary(window: SourceWindow, node: ast.Assign | ast.Return) -> str | None:
    """The window with an if/else for the conditional expression."""
    value, indent = node.value, window.indent(node)
    if not isinstance(value, ast.IfExp) or node.lineno != node.end_lineno or not has_own_lines(window, node):
        return None
    head = window.text[window.span(node)[0] : window.span(value)[0]]
    if "(" in head or head.count(" = ") > 1 or len(window.source(node)) > WIDEST:
        return None
    test, body, other = (window.source(n) for n in (value.test, value.body, value.orelse))
    block = [
        f"{indent}if {test}:",
        f"{indent}    {head}{body}",
        f"{indent}else:",
        f"{indent}    {head}{other}",
    ]
    start, end = window.line_span(node.lineno, node.lineno)
    return window.text[:start] + "\n".join(block) + "\n" + window.text[end:]


def ternary_of_block(window: SourceWindow, node: ast.If) -> str | None:
    """The window with a conditional expression for an if/else of two assignments or two returns."""
    first, last = node.lineno, window.last_line(node)
    sides = [*node.body, *node.orelse]
    if (
        len(sides) != 2
        or len(node.body) != 1
        or last - first != 3
        or window.lines[first - 1].lstrip()[:4] == "elif"
    ):
        return None
    heads, values = [], []
    for side in sides:
        if (
            not isinstance(side, ast.Assign | ast.Return)
            or side.value is None
            or isinstance(side.value, LOOSE)
        ):
            return None
        heads.append(window.text[window.span(side)[0] : window.span(side.value)[0]])
        values.append(window.source(side.value))
    new = f"{window.indent(node)}{heads[0]}{values[0]} if {window.source(node.test)} else {values[1]}"
    if (
        heads[0] != heads[1]
        or "(" in heads[0]
        or isinstance(node.test, LOOSE)
        or len(new) > WIDEST
        or "\n" in new
    ):
        return None
    if not has_own_lines(window, node) or heads[0].count(" = ") > 1:
        return None
    start, end = window.line_span(first, last)
    return window.text[:start] + new + "\n" + window.text[end:]
