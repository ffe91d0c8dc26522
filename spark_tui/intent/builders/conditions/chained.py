"""Comparisons of one value that become one, also where further conditions stand beside them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.rewriting.edits import is_same_tree
from spark_tui.codemods.rewriting.evaluation import has_effects
from spark_tui.intent.building.building import Built, builder, of_table
from spark_tui.intent.building.rewritten import Rewritten, add_brackets, build_together
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.source import Source

_BELOW = {ast.Lt: "<", ast.LtE: "<="}
_ABOVE = {ast.Gt: "<", ast.GtE: "<="}
_LOOSE = (ast.BoolOp, ast.IfExp, ast.NamedExpr, ast.Lambda)
_PLAIN = (ast.Name, ast.Attribute, ast.Constant)


@builder("pattern.chained_comparison")
def chained_comparison(context: Context) -> Iterator[Built]:
    found = [
        Rewritten(area, node, new)
        for area, source, node in context.find(ast.BoolOp)
        if isinstance(node.op, ast.And) and len(node.values) > 2
        if (new := _chained(source, node))
    ]
    if found:
        yield from build_together(context, found, "comparisons of one value")
        return
    yield from of_table(context, "pattern.chained_comparison")


def _chained(source: Source, node: ast.BoolOp) -> str:
    """The condition with neighbours that bound one value joined; empty where there are none."""
    parts = [source.segment(value) if parsed(source.segment(value)) else "" for value in node.values]
    out: list[str] = []
    at = 0
    while at < len(node.values):
        pair = node.values[at : at + 2]
        joined = (_joined(source, *pair) or _equal(source, *pair)) if len(pair) == 2 else ""
        one = node.values[at]
        out.append(joined or (f"({parts[at]})" if isinstance(one, _LOOSE) else parts[at]))
        at += 2 if joined else 1
    return " and ".join(out) if len(out) < len(node.values) and all(out) else ""


def _joined(source: Source, one: ast.expr, other: ast.expr) -> str:
    """`a <= x < b` of two comparisons, one of which bounds x below and one above."""
    lows, highs = [], []
    for node in (one, other):
        if not isinstance(node, ast.Compare) or len(node.ops) != 1:
            return ""
        left, right, op = node.left, node.comparators[0], type(node.ops[0])
        if op in _BELOW:
            highs.append((left, _BELOW[op], right))
            lows.append((right, _BELOW[op], left))
        elif op in _ABOVE:
            highs.append((right, _ABOVE[op], left))
            lows.append((left, _ABOVE[op], right))
    for value, sign, low in lows:
        for held, limit, high in highs:
            both = {id(value), id(held)}
            if (
                len(both) == 2
                and is_same_tree(value, held)
                and isinstance(value, _PLAIN)
                and isinstance(low, _PLAIN)
            ):
                shown = [add_brackets(source, item) for item in (low, value, high)]
                return f"{shown[0]} {sign} {shown[1]} {limit} {shown[2]}"
    return ""


def _equal(source: Source, one: ast.expr, other: ast.expr) -> str:
    """`a == b == c` of `a == b and b == c`."""
    both = [node for node in (one, other) if isinstance(node, ast.Compare) and len(node.ops) == 1]
    if len(both) < 2 or not all(isinstance(node.ops[0], ast.Eq) for node in both):
        return ""
    left, middle, again, right = (side for node in both for side in (node.left, node.comparators[0]))
    if not is_same_tree(middle, again) or has_effects(middle):
        return ""
    return " == ".join(add_brackets(source, item) for item in (left, middle, right))
