"""Values that words name loosely: in the plural, or with a word more."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.described_names import content_words, score_description
from spark_tui.intent.context.lookup import key, without_s
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.facts.literal_types import literal_type
from spark_tui.intent.values.likely.assigned_values import value_spots
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import find_nodes

_LEAST = 0.7
"""How well a name fits at least the words that stand for it."""
_COLLECTIONS = ("list", "dict", "set", "tuple")
Spots = list[tuple[Anchor, ast.expr | None, str]]


def loose_spots(context: Context, used: list[Anchor]) -> Spots:
    """Where a value comes in or is set that is named by words that describe one name. `used` is where the
    words stand as they are."""
    text = context.text("variable").strip("`'\"")
    exact = any(isinstance(anchor.node, ast.expr) and ast.unparse(anchor.node) == text for anchor in used)
    inside = {node for _, _, node in context.find(ast.AST)}
    there = [anchor for anchor in used if anchor.node in inside]
    words = content_words(text)
    names = dict.fromkeys(_names(context))
    one_of = [name for name in names if key(name) == without_s(key(text)) != key(text)]
    if exact or (there and not one_of):
        return []
    scored = {name: score_description(words, name) for name in names} if words else {}
    top = max(scored.values(), default=0.0)
    best = one_of or [one for one, fit in scored.items() if fit == top >= _LEAST]
    if len(best) != 1:
        return []
    doubt = assumed(f"{text} was assumed to be {best[0]}")
    span = context.reading.slots["variable"][0]
    slots = {**context.reading.slots, "variable": (replace(span, text=best[0]),)}
    renamed = Context(replace(context.reading, slots=slots), context.situation, context.names)
    return [
        (replace(one, doubts=(*one.doubts, doubt)), value, name)
        for one, value, name in value_spots(renamed)
        if value is None or literal_type(value) not in _COLLECTIONS
    ]


def _names(context: Context) -> Iterator[str]:
    """The parameters, locals and attributes that the functions of a place get or set."""
    for _, _, node in context.find(ast.AST):
        if isinstance(node, Function):
            yield from (
                parameter.arg for parameter in parameters(node) if parameter.arg not in ("self", "cls")
            )
            goals = [
                goal
                for inner in find_nodes(node, ast.Assign)
                if literal_type(inner.value) not in _COLLECTIONS
                for goal in inner.targets
            ]
            yield from (goal.id for goal in goals if isinstance(goal, ast.Name))
            yield from (goal.attr for goal in goals if isinstance(goal, ast.Attribute))
