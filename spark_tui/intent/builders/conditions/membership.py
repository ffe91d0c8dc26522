"""Calls that ask with `in` for several values, and that drop comparisons with True and False."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.rewriting.evaluation import has_effects
from spark_tui.intent.building.building import Built, builder
from spark_tui.intent.building.rewritten import Rewritten, add_brackets, build_together, is_meant
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area
from spark_tui.intent.facts.boolean_values import is_boolean
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes

_TEXT_METHODS = ("lower", "upper", "strip", "lstrip", "rstrip", "casefold", "title", "get")


@builder("pattern.membership")
def membership(context: Context) -> Iterator[Built]:
    found = [
        one
        for area, source, node in context.find(ast.BoolOp)
        if (one := _asked(context, area, source, node)) is not None
    ]
    yield from build_together(context, found, "comparisons of one value with several")


def _asked(context: Context, area: Area, source: Source, node: ast.BoolOp) -> Rewritten | None:
    """A chain of comparisons with the neighbouring ones of one value joined to an `in`."""
    parts = [_compared(source, value, isinstance(node.op, ast.Or)) for value in node.values]
    out: list[str] = []
    doubts: list[str] = []
    at = 0
    while at < len(parts):
        subject = _shared(parts[at : at + 2])
        values: list[str] = []
        end = at
        while subject and end < len(parts) and subject in parts[end]:
            values += parts[end][subject]
            end += 1
        if end - at > 1 and is_meant(context, subject):
            word = "in" if isinstance(node.op, ast.Or) else "not in"
            out.append(f"{subject} {word} ({', '.join(dict.fromkeys(values))})")
            tree = ast.parse(subject, mode="eval").body
            if not _does_nothing(tree):
                doubts.append(f"{subject} is evaluated once now")
            at = end
            continue
        inner = node.values[at]
        text = source.segment(inner)
        out.append(f"({text})" if isinstance(inner, ast.BoolOp | ast.IfExp | ast.Lambda) else text)
        at += 1
    if len(out) == len(parts):
        return None
    joiner = " or " if isinstance(node.op, ast.Or) else " and "
    return Rewritten(area, node, joiner.join(out), tuple(doubts))


def _compared(source: Source, node: ast.expr, equal: bool) -> dict[str, list[str]]:
    """What may be the value that is asked for, each with what it is compared with."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return {}
    left, right = node.left, node.comparators[0]
    one, two = source.segment(left), source.segment(right)
    if isinstance(node.ops[0], ast.Eq if equal else ast.NotEq):
        out = {} if isinstance(left, ast.Constant) else {one: [two]}
        return out if isinstance(right, ast.Constant) or two == one else {**out, two: [one]}
    if isinstance(node.ops[0], ast.In if equal else ast.NotIn):
        plain = isinstance(right, ast.Tuple | ast.List | ast.Set)
        items = right.elts if isinstance(right, ast.Tuple | ast.List | ast.Set) else []
        if plain and items and not any(isinstance(item, ast.Starred) for item in items):
            return {one: [source.segment(item) for item in items]}
    return {}


def _shared(parts: list[dict[str, list[str]]]) -> str:
    """The value that two comparisons have in common."""
    if len(parts) < 2:
        return ""
    return next((item for item in parts[0] if item in parts[1]), "")


def _does_nothing(node: ast.expr) -> bool:
    calls = list(find_nodes(node, ast.Call))
    methods = [call.func.attr for call in calls if isinstance(call.func, ast.Attribute)]
    return not has_effects(node) or (len(methods) == len(calls) and set(methods) <= set(_TEXT_METHODS))


@builder("pattern.plain_truth")
def plain_truth(context: Context) -> Iterator[Built]:
    found = [
        one
        for area, source, node in context.find(ast.Compare)
        if (one := _plain(context, area, source, node)) is not None
    ]
    yield from build_together(context, found, "comparison with True or False")


def _plain(context: Context, area: Area, source: Source, node: ast.Compare) -> Rewritten | None:
    sides = [node.left, *node.comparators]
    truths = [side for side in sides if isinstance(side, ast.Constant) and isinstance(side.value, bool)]
    kinds = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)
    if len(sides) != 2 or len(truths) != 1 or not isinstance(node.ops[0], kinds):
        return None
    value = sides[0] if sides[1] is truths[0] else sides[1]
    if not is_meant(context, source.segment(value)) and not is_meant(context, source.segment(node)):
        return None
    doubts = (
        ()
        if is_boolean(source, value)
        else (f"{source.segment(value)} may be another value than True or False",)
    )
    holds = isinstance(node.ops[0], ast.Eq | ast.Is) == bool(truths[0].value)
    outer = source.parents.get(node)
    if isinstance(outer, ast.UnaryOp) and isinstance(outer.op, ast.Not):
        return Rewritten(area, outer, _negated(source, value) if holds else source.segment(value), doubts)
    return Rewritten(area, node, source.segment(value) if holds else _negated(source, value), doubts)


def _negated(source: Source, value: ast.expr) -> str:
    loose = isinstance(value, ast.BoolOp | ast.IfExp | ast.Lambda | ast.NamedExpr)
    return f"not {add_brackets(source, value) if loose else source.segment(value)}"
