"""Calls that transform a value where it is used or set, and what a loop goes through."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from spark_tui.codemods.registry import Operation
from spark_tui.intent.anchors import Anchor, anchors, need, parsed
from spark_tui.intent.building import Built, call, found, place
from spark_tui.intent.context import Context
from spark_tui.intent.literal_types import is_none, is_text
from spark_tui.intent.situation import Unresolved
from spark_tui.intent.value_spots import (
    is_tested,
    looked_up,
    tells_returned,
    value_spots,
    where_meant,
)
from spark_tui.intent.walking import walk
from spark_tui.pysource.source import Function, Source, docstring

Transform = Callable[[str], str]
_CODE = re.compile(r"[._]\w|[a-z][A-Z]")
"""How likely a later value of a parameter is meant, against what comes in."""


def transformed(
    context: Context, change: Transform, uses: bool = False, literals: bool = True
) -> Iterator[Built]:
    """A value that is named, changed where it is set or comes in, else where it is used. Without `literals`
    one with which it begins, such as `[]` or `0`, is left as it is."""
    count = 0
    for anchor, value, spelled in value_spots(context):
        source = context.source(anchor.path)
        node = anchor.node
        if value is None and isinstance(node, Function):
            for built in _parameter(context, anchor, node, spelled, change, uses):
                count += 1
                yield built
            continue
        assert value is not None
        if not literals and _is_first(value):
            continue
        count += 1
        if is_so(source, value, change(operand(source, value))):
            raise Unresolved("its value is so already", nothing=True)
        spot = Anchor(anchor.area, value)
        made = call(
            "replace_expression",
            place=place(context, spot),
            old=source.segment(value),
            new=change(operand(source, value)),
        )
        yield Built((made,), anchor.weight, anchor.doubts)
    if not count:
        said = context.text("variable")
        told = tells_returned(context, said)
        spots = [] if told else anchors(context, "expression:variable")
        words = not uses and not spots and context.has("function") and not _CODE.search(said)
        if told or words:
            # `its result`: what the function returns.
            yield from (replace(one, weight=0.7 * one.weight) for one in returned(context, change))
            return
        spots = [one for one in spots if one.node is not None and not is_tested(context, one)]
        spots = where_meant(context, spots)
        for anchor in need(spots[: context.most_places], "value of that name", context):
            source = context.source(anchor.path)
            assert anchor.node is not None
            node = looked_up(source, anchor.node)
            outer = source.parents.get(node)
            node = outer if isinstance(outer, ast.Call) and outer.func is node else node
            outer = source.parents.get(node)
            if context.reading.intent == "value_if_empty" and isinstance(outer, ast.Subscript):
                node = outer if outer.value is node and ast.unparse(outer.slice) in ("0", "-1") else node
            assert isinstance(node, ast.expr)
            if is_so(source, node, change(operand(source, node))):
                raise Unresolved("its value is so already", nothing=True)
            made = call(
                "replace_expression",
                place=place(context, replace(anchor, node=node)),
                old=source.segment(node),
                new=change(operand(source, node)),
            )
            yield Built((made,), anchor.weight * 0.9, anchor.doubts)


def _is_first(value: ast.expr) -> bool:
    """Whether a value is one with which something begins: a number, an empty text or collection."""
    return isinstance(value, ast.Constant) or ast.unparse(value) in ("[]", "{}", "()", "set()", "-1")


def is_so(source: Source, node: ast.expr, wanted: str) -> bool:
    """Whether what stands around an expression is what it is to become: `key.strip()` around `key`."""
    above = islice((one for one in source.ancestors(node) if isinstance(one, ast.expr)), 2)
    return any(source.segment(one) == wanted for one in above)


def operand(source: Source, node: ast.expr) -> str:
    text = source.segment(node)
    loose = isinstance(
        node, ast.BinOp | ast.BoolOp | ast.UnaryOp | ast.Compare | ast.IfExp | ast.Lambda | ast.Await
    )
    return f"({text})" if loose else text


def _parameter(
    context: Context, anchor: Anchor, node: Function, name: str, change: Transform, uses: bool
) -> Iterator[Built]:
    """A parameter is transformed where it is used once, or at the start of the function."""
    source = context.source(anchor.path)
    said = docstring(node)
    body = node.body[1:] if said is not None else node.body
    loads = [
        one
        for part in body
        for one in walk(part)
        if isinstance(one, ast.Name) and one.id == name and isinstance(one.ctx, ast.Load)
    ]
    if loads and is_so(source, loads[0], change(name)):
        raise Unresolved(f"{name} is so already", nothing=True)
    start = call(
        "insert_statements",
        place=f"in {anchor.path}::{source.qualname(node)}",
        code=f"{name} = {change(name)}",
        side="start",
    )
    yield Built((start,), anchor.weight * (0.6 if uses else 0.95), anchor.doubts)
    if len(loads) == 1 and source.span(loads[0])[0] >= 0:
        spot = Anchor(anchor.area, loads[0])
        made = call("replace_expression", place=place(context, spot), old=name, new=change(name))
        yield Built((made,), anchor.weight * (0.7 if uses else 0.4), anchor.doubts)


def bare(text: str) -> str:
    """An operand without the brackets around it."""
    inner = text[1:-1]
    return inner if text.startswith("(") and text.endswith(")") and parsed(inner) is not None else text


_NO_NUMBERS = (ast.Dict, ast.List, ast.Tuple, ast.Set, ast.JoinedStr, ast.Compare, ast.BoolOp, ast.ListComp)


def returned(context: Context, change: Transform, numbers: bool = False) -> Iterator[Built]:
    """What a function returns, changed; of several returns all, or one."""
    made: list[tuple[Operation, Anchor]] = []
    for one in found(context, "return", "return"):
        value = one.node.value if isinstance(one.node, ast.Return) else None
        no_number = isinstance(value, _NO_NUMBERS) or is_text(value)
        if value is not None and not is_none(value) and not (numbers and no_number):
            anchor = replace(one, node=value)
            source = context.source(anchor.path)
            old, new = source.segment(value), change(operand(source, value))
            made.append((call("replace_expression", place=place(context, anchor), old=old, new=new), anchor))
    around = {context.enclosing(one.path, one.node) for _, one in made if one.node is not None}
    if len(made) > 1 and len(around) == 1 and not context.lines():
        doubt = f"all {len(made)} returns are changed"
        yield Built(tuple(one for one, _ in made), sum(one.weight for _, one in made), (doubt,))
    yield from (Built((one,), anchor.weight, anchor.doubts) for one, anchor in made)
