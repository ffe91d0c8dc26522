"""A further type that a test of types is to let through: *accept tuples too*, *handle frozenset like set*."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.intent.building.building import Built, build_at
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import key, names_of
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Situation, Unresolved
from spark_tui.intent.values.types.said_types import types_said
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed, places_fit
from spark_tui.intent.words.readings import Order, Reading
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes

_LIKELY = 0.8
_WORD = re.compile(r"[^\W_]\w*")
_TYPE_CALL = 2
"""The arguments of `isinstance`."""


def with_further_type(order: Order, situation: Situation) -> Order:
    """The order with the reading that a type counts too, where its words say no more than that."""
    words = _WORD.findall(situation.instruction[order.start : order.end])
    if situation.earlier or {word.lower() for word in words}.isdisjoint(phrases.words("accepting")):
        return order
    first = order.readings[0]
    slots = {slot: first.slots[slot] for slot in ("function", "class", "file") if slot in first.slots}
    reading = Reading("also_allow", _LIKELY, slots)
    context = Context(reading, situation, names_of(situation.repo, situation.path))
    named = {key(word) for spans in slots.values() for span in spans for word in _WORD.findall(span.text)}
    rest = [word.lower() for word in words if key(word) not in named and not _is_type(context, word)]
    known = {*phrases.words("accepting"), *phrases.words("accepted"), *phrases.words("also")}
    known |= {*phrases.words("articles"), *phrases.words("rest")}
    if not any(word in phrases.words("accepting") for word in rest) or not known.issuperset(rest):
        return order
    try:
        return order.preferring(reading) if [*widened_types(context)] else order
    except Unresolved:  # a place that is not known
        return order


def _is_type(context: Context, word: str) -> bool:
    said = replace(context.situation, instruction=word)
    return bool(types_said(Context(replace(context.reading, slots={}), said, context.names), said.path))


def widened_types(context: Context) -> Iterator[Built]:
    """The tests of a type that is said, or else all, with the said types that they do not have."""
    if not {*phrases.words("copulas")}.isdisjoint(context.text("condition").lower().split()):
        return  # a test of its own: *or it is a bool*
    said = [code for code, _ in types_said(context, context.situation.path)]
    made: list[tuple[int, Anchor, str, str]] = []
    for area, source, node in context.find(ast.AST):
        subject, tested = _tested(node)
        if subject is None or tested is None:
            continue
        there = [source.segment(one) for one in _items(tested)]
        new = [code for code in dict.fromkeys(said) if code not in there]
        if not new or (len(said) > 1 and len(new) == len(said)):
            continue
        lacks = _lacking(source, node, subject, there, new)
        made.append((len(said) - len(new), Anchor(area, node), _widened(source, node, new), lacks))
    best = [one for one in made if one[0] == max(count for count, *_ in made)]
    for _, anchor, text, lacks in best:
        doubts = [places_fit(len(best))] if len(best) > 1 else []
        doubts += [assumed(lacks)] if lacks else []
        spot = replace(anchor, weight=0.95 / len(best), doubts=tuple(doubts))
        yield build_at(spot, replace_code(context, anchor, text))


def _tested(node: ast.AST) -> tuple[ast.expr | None, ast.expr | None]:
    """What a test of types looks at, and the types."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
        return (node.args[0], node.args[1]) if len(node.args) == _TYPE_CALL else (None, None)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.left, ast.Call):
        called, right = node.left, node.comparators[0]
        plain = isinstance(called.func, ast.Name) and called.func.id == "type" and len(called.args) == 1
        if plain and isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
            return (called.args[0], right) if isinstance(right, ast.Name) else (None, None)
    return None, None


def _items(tested: ast.expr) -> list[ast.expr]:
    if isinstance(tested, ast.BinOp) and isinstance(tested.op, ast.BitOr):
        return [*_items(tested.left), *_items(tested.right)]
    return list(tested.elts) if isinstance(tested, ast.Tuple) else [tested]


def _widened(source: Source, node: ast.AST, new: Sequence[str]) -> str:
    _, tested = _tested(node)
    assert tested is not None
    old, more = source.segment(tested), ", ".join(new)
    if isinstance(tested, ast.BinOp):
        shown = " | ".join((old, *new))
    elif isinstance(tested, ast.Tuple):
        shown = f"{old[:-1].rstrip(', ')}, {more}{old[-1]}"
    else:
        shown = f"({old}, {more})"
    if isinstance(node, ast.Compare):
        word = "in" if isinstance(node.ops[0], ast.Eq | ast.Is | ast.In) else "not in"
        return f"{source.segment(node.left)} {word} {shown}"
    assert isinstance(node, ast.Call)
    return f"isinstance({source.segment(node.args[0])}, {shown})"


def _lacking(
    source: Source, node: ast.AST, subject: ast.expr, there: Sequence[str], new: Sequence[str]
) -> str:
    """What is done behind the test with what it lets through, and a new type cannot do."""
    behind = source.statement(node)
    used = [
        one.attr
        for one in (find_nodes(behind, ast.Attribute) if behind is not None else ())
        if source.segment(one.value) == source.segment(subject)
    ]
    for name in used:
        if any(hasattr(getattr(builtins, one, None), name) for one in there):
            lacking = [
                one for one in new if hasattr(builtins, one) and not hasattr(getattr(builtins, one), name)
            ]
            if lacking:
                return f"a {lacking[0]} has no {name}"
    return ""
