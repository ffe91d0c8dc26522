"""Calls that ask for more, or let more through: a condition joined to one that is there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.builders.conditions.comparisons import likeness
from spark_tui.intent.builders.conditions.further_types import widened_types
from spark_tui.intent.builders.conditions.further_values import widened
from spark_tui.intent.building.building import Built, build_at, builder, call, filled, place
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.conditions.order_of_tests import needed_at
from spark_tui.intent.conditions.shared_tests import deny
from spark_tui.intent.context.anchors import Anchor, anchors, need, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import SEVERAL, without
from spark_tui.pysource.source import Source

_MOST_TRIED = 40
_OPENED, _CLOSED = re.compile(r"\(\s*\Z"), re.compile(r"\s*\)")


def joined(context: Context, operator: str) -> Iterator[Built]:
    """A condition joined to the tests that are named."""
    reason: Unresolved | None = None
    count = 0
    for anchor in need(_tests(context), "condition", context)[:_MOST_TRIED]:
        if count >= context.most_places:
            break
        source = context.source(anchor.path)
        node = anchor.node
        assert isinstance(node, ast.expr)
        try:
            options = filled(_about(context, source, node), "{condition:condition}", anchor) or ()
        except Unresolved as error:  # a name that is not known there
            reason = reason or error
            continue
        count += 1
        for option in options:
            new = parsed(option.text)
            if new is None or (operator == "and" and _is_denied(new, node)):
                continue
            added = f"({option.text})" if _looser(new, operator) else option.text
            made = call(
                "change_condition" if "owner" in anchor.extra else "replace_expression",
                place=place(context, anchor),
                new=_with_operand(source, node, new, added, operator),
                old=source.segment(node),
            )
            like = 1.0 if context.has("old") or likeness(source.segment(node), option.text) else 0.3
            yield build_at(anchor, made, option=option, weight=like)
    if not count and reason is not None:
        raise reason


def _with_operand(source: Source, node: ast.expr, new: ast.expr, added: str, operator: str) -> str:
    """A test with a further operand: at its end, or in front of the operand that needs it."""
    own = source.segment(node)
    needing = needed_at(source, node, new, operator)
    if needing is not None:
        low, high = (offset - source.span(node)[0] for offset in source.span(needing))
        while (opened := _OPENED.search(own, 0, low)) and (closed := _CLOSED.match(own, high)):
            low, high = opened.start(), closed.end()
        before, rest = own[:low], f"({own})" if not low and _looser(node, operator) else own[low:]
        gap = " " if before and not before[-1].isspace() else ""
        return f"{before}{gap}{added} {operator} {rest}"
    return f"({own}) {operator} {added}" if _looser(node, operator) else f"{own} {operator} {added}"


def _covers(new: ast.expr, old: ast.expr) -> bool:
    """Whether a test lets through all that another one does, as is seen in its code: more types or values,
    or the boundary too."""
    match old, new:
        case (
            ast.Call(ast.Name("isinstance"), [one, kinds]),
            ast.Call(ast.Name("isinstance"), [other, more]),
        ):
            return ast.unparse(one) == ast.unparse(other) and _items(kinds) < _items(more)
        case ast.Compare(one, [ast.In() | ast.Eq() as sign], [held]), ast.Compare(other, [ast.In()], [more]):
            known = _items(held) if isinstance(sign, ast.In) else {ast.unparse(held)}
            return ast.unparse(one) == ast.unparse(other) and known < _items(more)
        case (
            ast.Compare(one, [ast.Gt() | ast.Lt() | ast.Eq() as sign], [limit]),
            ast.Compare(other, [ast.GtE() | ast.LtE() as wide], [bound]),
        ):
            alike = isinstance(sign, ast.Eq) or isinstance(sign, ast.Gt) == isinstance(wide, ast.GtE)
            return (
                alike and ast.unparse(one) == ast.unparse(other) and ast.unparse(limit) == ast.unparse(bound)
            )
    return False


def _items(node: ast.expr) -> set[str]:
    """What a tuple, list or set that is written out has, or what stands alone."""
    items = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return set(map(ast.unparse, items))


def _tests(context: Context) -> list[Anchor]:
    """The tests that are named; without one, those that are returned."""
    return anchors(context, "test:old") or [
        replace(item, node=item.node.value)
        for item in anchors(context, "return" if context.has("function") else "return:old")
        if isinstance(item.node, ast.Return) and isinstance(item.node.value, ast.BoolOp | ast.Compare)
    ]


def _is_denied(new: ast.expr, node: ast.expr) -> bool:
    """Whether a test asks already for the opposite of another one."""
    parts = node.values if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) else [node]
    return deny(ast.unparse(new)) in map(ast.unparse, parts)


def _about(context: Context, source: Source, test: ast.expr) -> Context:
    """The reading with what a test asks about in place of a pronoun: `or it is None`."""
    span = context.span("condition")
    first, gap, rest = span.text.partition(" ") if span is not None else ("", "", "")
    while isinstance(test, ast.UnaryOp):
        test = test.operand
    asked = test.left if isinstance(test, ast.Compare) else next(iter(getattr(test, "args", ())), test)
    if span is None or not gap or not phrases.is_said("pronouns", first) or not _is_name(asked):
        return context
    told = replace(span, text=f"{source.segment(asked)} {rest}")
    reading = replace(context.reading, slots={**context.reading.slots, "condition": (told,)})
    return Context(reading, context.situation, context.names)


def _is_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute)


def _looser(node: ast.expr, operator: str) -> bool:
    """Whether an operand needs brackets next to `and` or `or`."""
    if isinstance(node, ast.IfExp | ast.Lambda | ast.NamedExpr):
        return True
    return operator == "and" and isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or)


@builder("also_allow")
def also_allow(context: Context) -> Iterator[Built]:
    found = (
        list(widened(context))
        or list(_wider(context))
        or list(widened_types(context))
        or list(_another_sign(context))
    )
    yield from found or joined(context, "or")


def _wider(context: Context) -> Iterator[Built]:
    """A test that is shown and lets through all that one which is there does, in the place of that."""
    text = context.text("condition").strip("`")
    new = parsed(text)
    tests = _tests(context) if isinstance(new, ast.Call | ast.Compare) else []
    covered: list[Anchor] = []
    for anchor in tests:
        node = anchor.node
        either = node.values if isinstance(node, ast.BoolOp) else [node]
        narrow = [
            one for one in either if isinstance(one, ast.expr) and new is not None and _covers(new, one)
        ]
        if len(narrow) == 1:
            covered.append(replace(anchor, node=narrow[0]))
    for anchor in covered:
        if len(covered) == 1:  # the test that is shown tells of which it is said
            weight, doubts = sum(one.weight for one in tests), without(anchor.doubts, *SEVERAL)
            anchor = replace(anchor, weight=min(weight, 1.0), doubts=doubts)
        yield build_at(anchor, replace_code(context, anchor, text))


def _another_sign(context: Context) -> Iterator[Built]:
    """A test for a text in something, joined by one for another that is named: *or a comma*, *or '['*."""
    span = context.span("condition")
    words = span.text.strip(" .`").split() if span is not None else []
    sign = span.text if span is not None and span.quoted else phrases.sign(words[-1]) if words else None
    for anchor in _tests(context) if sign is not None else ():
        node, source = anchor.node, context.source(anchor.path)
        if not isinstance(node, ast.expr) or sign is None:
            continue
        either = node.values if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) else [node]
        asked = {ast.unparse(one.comparators[0]) for one in either if isinstance(one, ast.Compare)}
        held = [_text_inside(one) for one in either]
        if len(asked) != 1 or sign in held or any(text is None or len(text) != len(sign) for text in held):
            continue
        last = either[-1]
        assert isinstance(last, ast.Compare)
        quote = source.segment(last.left)[-1]
        code = f"{literal(sign, quote=quote)} in {source.segment(last.comparators[0])}"
        made = replace_code(context, anchor, f"{source.segment(node)} or {code}")
        yield build_at(anchor, made)


def _text_inside(test: ast.expr) -> str | None:
    """The text that a test looks for in something."""
    if not isinstance(test, ast.Compare) or len(test.ops) > 1 or not isinstance(test.ops[0], ast.In):
        return None
    value = test.left.value if isinstance(test.left, ast.Constant) else None
    return value if isinstance(value, str) else None
