"""Calls that transform a value where it is used or set, and what a loop goes through."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice

from spark_tui.codemods.registry import Operation
from spark_tui.intent import phrases
from spark_tui.intent.anchors import Anchor, anchors, need, parsed
from spark_tui.intent.building import Built, builder, call, filled, found, place
from spark_tui.intent.context import Context
from spark_tui.intent.names import key, plain_name
from spark_tui.intent.situation import Area, Option, Unresolved
from spark_tui.intent.value_spots import is_none, is_tested, is_text, looked_up, tells_returned, value_spots
from spark_tui.intent.walking import walk
from spark_tui.pysource.source import Function, Source, docstring

Transform = Callable[[str], str]
_CODE = re.compile(r"[._]\w|[a-z][A-Z]")
"""How likely a later value of a parameter is meant, against what comes in."""


def _transformed(context: Context, change: Transform, uses: bool = False) -> Iterator[Built]:
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
            yield from (replace(one, weight=0.7 * one.weight) for one in _returned(context, change))
            return
        spots = [one for one in spots if one.node is not None and not is_tested(context, one)]
        for anchor in need(spots[: context.most_places], "value of that name", context):
            source = context.source(anchor.path)
            assert anchor.node is not None
            node = looked_up(source, anchor.node)
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


def _bare(text: str) -> str:
    """An operand without the brackets around it."""
    inner = text[1:-1]
    return inner if text.startswith("(") and text.endswith(")") and parsed(inner) is not None else text


@builder("apply_function")
def apply_function(context: Context) -> Iterator[Built]:
    """A function that is named or described, applied to a variable or to what a function returns."""
    said = context.text("transform").strip("`").strip()
    form = phrases.lookup("transforms", said)
    bare = re.sub(r"\(\s*\)\Z", "", said)
    method = f"{{x}}.{bare.removeprefix('.')}()"
    if form is None and (re.fullmatch(r"\.[a-z_]\w*", bare) or method in phrases.table()["transforms"]):
        form = method
    if form is None and re.fullmatch(r"[A-Za-z_][\w.]*", bare):
        form = f"{bare}({{x}})"
    if form is None:
        raise Unresolved(f"{said!r} is no function")

    def change(text: str) -> str:
        return form.format(x=text if form.startswith(("{x}", "not ")) else _bare(text))

    yield from _transformed(context, change) if context.has("variable") else _returned(context, change)


@builder("strip_value")
def strip_value(context: Context) -> Iterator[Built]:
    yield from _transformed(context, lambda text: f"{text}.strip()")


@builder("convert_value")
def convert_value(context: Context) -> Iterator[Built]:
    kind = phrases.type_code(context.text("type"))
    if kind is None:
        raise Unresolved(f"{context.text('type')!r} is no type")
    bare = kind.partition("[")[0]
    yield from _transformed(context, lambda text: _converted(text, bare))


_COLLECTIONS = {"list": "[]", "tuple": "()", "set": "{}"}


def _converted(text: str, kind: str) -> str:
    """A value as another type: of a literal only the brackets change, of a call like `set(x)` the type."""
    tree, given = parsed(text), text.strip()
    named = tree.func.id if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) else ""
    known = (*_COLLECTIONS, "frozenset")
    if kind in known and named in known and isinstance(tree, ast.Call) and len(tree.args) == 1:
        return kind + given[len(named) :]
    if kind in _COLLECTIONS and given in ("[]", "()"):
        return "set()" if kind == "set" else _COLLECTIONS[kind]
    items = tree.elts if isinstance(tree, ast.List | ast.Tuple | ast.Set) and given[:1] in "[({" else []
    if kind not in _COLLECTIONS or not items or (kind == "tuple" and len(items) < 2):
        return f"{kind}({_bare(text)})"
    brackets = _COLLECTIONS[kind]
    return brackets[0] + given[1:-1] + brackets[1]


@builder("round_value")
def round_value(context: Context) -> Iterator[Built]:
    digits = phrases.number(context.text("count")) if context.has("count") else None
    shown = f", {digits}" if digits not in (None, "0") else ""

    def change(text: str) -> str:
        inner = _bare(text)
        tree = parsed(inner)
        if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == "round":
            inner = ast.get_source_segment(inner, tree.args[0]) or inner
        return f"round({inner}{shown})"

    if context.has("variable") and list(value_spots(context)):
        yield from _transformed(context, change)
        return
    spots = anchors(context, "expression:variable") if context.has("variable") else []
    if not spots:
        yield from _returned(context, change)
    for anchor in spots:
        source = context.source(anchor.path)
        assert isinstance(anchor.node, ast.expr)
        old = source.segment(anchor.node)
        made = call("replace_expression", place=place(context, anchor), old=old, new=change(old))
        yield Built((made,), anchor.weight, anchor.doubts)


@builder("limit_value")
def limit_value(context: Context) -> Iterator[Built]:
    spot = Anchor(context.areas[0] if context.areas else Area(""))
    spot = replace(spot, node=spot.area.node)
    low = (filled(context, "{minimum:expression}", spot) or [Option("")])[0].text
    high = (filled(context, "{maximum:expression}", spot) or [Option("")])[0].text
    if not low and not high:
        raise Unresolved("neither the minimum nor the maximum is said")

    def change(text: str) -> str:
        inner = _bare(text)
        if low and high:
            return f"max({low}, min({inner}, {high}))"
        return f"max({low}, {inner})" if low else f"min({high}, {inner})"

    grown = list(_grown(context, change))
    yield from grown
    try:
        yield from _transformed(context, change) if context.has("variable") else _returned(context, change)
    except Unresolved:
        if not grown:
            raise


def _grown(context: Context, change: Transform) -> Iterator[Built]:
    """`level += 1` becomes `level = min(10, level + 1)`."""
    name = key(plain_name(context.text("variable")))
    found_at: list[tuple[Anchor, ast.AugAssign]] = []
    for area in context.areas:
        if area.path in context.repo.index.paths:
            root = area.node or context.source(area.path).tree
            for one in walk(root) if root is not None else ():
                if not isinstance(one, ast.AugAssign) or not isinstance(one.op, ast.Add | ast.Sub | ast.Mult):
                    continue
                if name in ("", key(ast.unparse(one.target).removeprefix("self."))):
                    found_at.append((Anchor(area, one), one))
    for anchor, node in found_at:
        source = context.source(anchor.path)
        goal = source.segment(node.target)
        sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}[type(node.op)]
        code = f"{goal} = {change(f'({goal} {sign} {source.segment(node.value)})')}"
        made = call("replace_statements", place=place(context, anchor), code=code)
        doubts = (f"{len(found_at)} places fit",) if len(found_at) > 1 else ()
        near = context.near_node(anchor.path, node) if len(found_at) > 1 else 1.0
        yield Built((made,), min(1.0, 0.95 * near * anchor.area.weight / len(found_at)), doubts)


def _returned(context: Context, change: Transform) -> Iterator[Built]:
    """What a function returns, changed; of several returns all, or one."""
    made: list[tuple[Operation, Anchor]] = []
    for one in found(context, "return", "return"):
        value = one.node.value if isinstance(one.node, ast.Return) else None
        if value is not None and not is_none(value):
            anchor = replace(one, node=value)
            source = context.source(anchor.path)
            old, new = source.segment(value), change(operand(source, value))
            made.append((call("replace_expression", place=place(context, anchor), old=old, new=new), anchor))
    around = {context.enclosing(one.path, one.node) for _, one in made if one.node is not None}
    if len(made) > 1 and len(around) == 1 and not context.lines():
        doubt = f"all {len(made)} returns are changed"
        yield Built(tuple(one for one, _ in made), sum(one.weight for _, one in made), (doubt,))
    yield from (Built((one,), anchor.weight, anchor.doubts) for one, anchor in made)


def _or_else(default: str, text: str) -> str:
    tree = parsed(text)
    if isinstance(tree, ast.Subscript) and isinstance(tree.slice, ast.Constant) and is_text(tree.slice):
        # A key that is missing raises.
        owner, name = ast.get_source_segment(text, tree.value), ast.get_source_segment(text, tree.slice)
        empty = not getattr(parsed(default), "value", True)
        return f"{owner}.get({name}, {default})" if empty else f"{owner}.get({name}) or {default}"
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.Or):
        return (
            f"{' or '.join(ast.get_source_segment(text, one) or '' for one in tree.values[:-1])} or {default}"
        )
    return f"{text} or {default}"


@builder("value_if_empty")
def value_if_empty(context: Context) -> Iterator[Built]:
    span = context.span("default")
    if span is None:
        raise Unresolved("the default is not said")
    area = context.areas[0] if context.areas else Area("")
    options = filled(context, "{default:value}", Anchor(area, area.node)) or []
    for option in options[:2]:
        for built in _transformed(context, partial(_or_else, option.text)):
            old = parsed(str(getattr(built.calls[0], "old", "")))
            if isinstance(old, ast.Constant | ast.JoinedStr):
                continue  # it is always the same, or never empty
            yield replace(built, weight=built.weight * option.weight, doubts=(*built.doubts, *option.doubts))


@builder("ignore_case")
def ignore_case(context: Context) -> Iterator[Built]:
    wanted = context.text("variable").strip("`")
    for anchor in anchors(context, "equality:variable"):
        node = anchor.node
        assert isinstance(node, ast.Compare)
        source = context.source(anchor.path)
        sides = [node.left, node.comparators[0]]
        texts = [_lowered(source, one) for one in sides]
        operator = {ast.Eq: "==", ast.NotEq: "!=", ast.In: "in", ast.NotIn: "not in"}[type(node.ops[0])]
        if operator in ("in", "not in") and not isinstance(sides[1], ast.Constant | ast.Name | ast.Attribute):
            texts[1] = source.segment(sides[1])
        made = call(
            "replace_expression",
            place=place(context, anchor),
            old=source.segment(node),
            new=f"{texts[0]} {operator} {texts[1]}",
        )
        doubts = (
            anchor.doubts
            if operator in ("==", "!=")
            else (*anchor.doubts, "both sides were taken for strings")
        )
        yield Built((made,), anchor.weight, doubts)
    if wanted:
        for built in _transformed(context, lambda text: f"{text}.lower()", uses=True):
            yield replace(built, weight=built.weight * 0.5)


def _lowered(source: Source, node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = source.segment(node)
        return text if text == text.lower() else text.lower()
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("lower", "casefold")
    ):
        return source.segment(node)
    return f"{operand(source, node)}.lower()"
