"""Calls that change operators, comparisons and conditions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.families.values import operators
from spark_tui.codemods.negation import opposite
from spark_tui.codemods.places import Region
from spark_tui.intent import phrases
from spark_tui.intent.anchors import Anchor, anchors, need, parsed
from spark_tui.intent.building import Built, builder, call, filled, found, place
from spark_tui.intent.context import Context
from spark_tui.intent.names import key
from spark_tui.intent.situation import Unresolved

_MOST_TRIED = 40
_WIDER = {"<": "<=", ">": ">="}
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _operator_call(
    context: Context, anchor: Anchor, old: str, new: str, left: ast.expr, weight: float = 1.0
) -> Built:
    source = context.source(anchor.path)
    made = call("change_operator", place=place(context, anchor), old=old, new=new, left=source.segment(left))
    return Built((made,), anchor.weight * weight, anchor.doubts)


def _compared(context: Context, table_of: dict[str, str]) -> Iterator[Built]:
    names = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
    spots = found(context, "comparison", "comparison")
    for anchor in spots:
        node = anchor.node
        assert isinstance(node, ast.Compare)
        old = names[type(node.ops[0])]
        if old in table_of:
            yield _operator_call(context, anchor, old, table_of[old], node.left, 1.0)


@builder("include_boundary")
def include_boundary(context: Context) -> Iterator[Built]:
    yield from _relative(context, _WIDER, "every comparison there includes its boundary already")


@builder("exclude_boundary")
def exclude_boundary(context: Context) -> Iterator[Built]:
    yield from _relative(
        context, {new: old for old, new in _WIDER.items()}, "every comparison there is strict already"
    )


@builder("flip_comparison")
def flip_comparison(context: Context) -> Iterator[Built]:
    yield from _relative(context, _TURNED, "there is no comparison to turn round")


def _relative(context: Context, table_of: dict[str, str], none: str) -> Iterator[Built]:
    made = list(_compared(context, table_of))
    if not made:
        raise Unresolved(none)
    whole = sum(one.weight for one in made)
    yield from (replace(one, weight=one.weight / max(whole, 0.9)) for one in made)


@builder("replace_operator")
def replace_operator(context: Context) -> Iterator[Built]:
    old, new = phrases.operator(context.text("operator")), phrases.operator(context.text("new"))
    if new is None:
        raise Unresolved(f"{context.text('new')!r} is no operator")
    count = 0
    hits: list[Built] = []
    for area in context.areas:
        if area.path not in context.repo.index.paths:
            continue
        source = context.source(area.path)
        root = area.node or source.tree
        if root is None:
            continue
        first, last = (
            (source.first_line(root), source.last_line(root))
            if area.node is not None
            else (0, len(source.lines))
        )
        for name, left, _, _, node in operators(Region(source, first, last)):
            wanted, becomes = old, new
            if old is not None and name == f"{old}=" and not isinstance(node, ast.Compare):
                wanted, becomes = name, f"{new}="
            if name != wanted or becomes == name:
                continue
            spot = Anchor(area, node)
            if context.has("expression") and key(context.text("expression").strip("`")) not in key(
                source.segment(node)
            ):
                continue
            weight = area.weight * context.near_node(area.path, node)
            hits.append(_operator_call(context, replace(spot, weight=weight), name, becomes, left))
            count += 1
    if not count:
        raise Unresolved(f"there is no {old or context.text('operator')}")
    whole = sum(one.weight for one in hits)
    for one in hits:
        doubts = (*one.doubts, f"{count} places fit") if count > 1 else one.doubts
        yield replace(one, weight=one.weight / whole, doubts=doubts)


def _joined(context: Context, operator: str) -> Iterator[Built]:
    reason: Unresolved | None = None
    count = 0
    for anchor in need(anchors(context, "test:old"), "condition", context)[:_MOST_TRIED]:
        if count >= context.most_places:
            break
        source = context.source(anchor.path)
        node = anchor.node
        assert isinstance(node, ast.expr)
        try:
            options = filled(context, "{condition:condition}", anchor) or ()
        except Unresolved as error:  # a name that is not known there
            reason = reason or error
            continue
        count += 1
        for option in options:
            new = parsed(option.text)
            if new is None:
                continue
            own = f"({source.segment(node)})" if _looser(node, operator) else source.segment(node)
            added = f"({option.text})" if _looser(new, operator) else option.text
            made = call(
                "change_condition",
                place=place(context, anchor),
                new=f"{own} {operator} {added}",
                old=source.segment(node),
            )
            yield Built((made,), anchor.weight * option.weight, (*anchor.doubts, *option.doubts))
    if not count and reason is not None:
        raise reason


def _looser(node: ast.expr, operator: str) -> bool:
    """Whether an operand needs brackets next to `and` or `or`."""
    if isinstance(node, ast.IfExp | ast.Lambda | ast.NamedExpr):
        return True
    return operator == "and" and isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or)


@builder("also_require")
def also_require(context: Context) -> Iterator[Built]:
    yield from _joined(context, "and")


@builder("also_allow")
def also_allow(context: Context) -> Iterator[Built]:
    yield from _joined(context, "or")


@builder("negate_condition")
def negate_condition(context: Context) -> Iterator[Built]:
    for anchor in found(context, "test:old", "condition"):
        text = context.source(anchor.path).segment(anchor.node) if anchor.node is not None else ""
        made = call("change_condition", place=place(context, anchor), new=opposite(text), old=text)
        yield Built((made,), anchor.weight, anchor.doubts)
