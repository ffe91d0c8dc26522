"""A number that is told by words of the names around it: *potions should heal 25* where a class `Potion` has
`heal = 15`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, build_at
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.conditions.condition_words import stems
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.source import Source, parameters
from spark_tui.pysource.syntax.parsing import targets

_LEAST = 2
"""Words of the message that stand around a number that is told by them."""
_MOST = 3


def told_numbers(context: Context, weight: float = 1.0) -> Iterator[Built]:
    """The numbers around which most of the words stand, or those of the old value that is said."""
    new = phrases.number(context.text("value") or context.text("new"))
    old = phrases.number(context.text("old"))
    if new is None:
        return
    said, least = stems(context.situation.instruction), 1 if context.has("function") else _LEAST
    scored: list[tuple[int, Anchor]] = []
    for area, source, node in context.find(ast.Constant):
        shown, holder = source.segment(node), source.parents.get(node)
        if type(node.value) not in (int, float) or shown == new or isinstance(holder, ast.Subscript):
            continue
        score = len(said & _names_around(source, node))
        if shown == old if old is not None else (node.value not in (0, 1) and score >= least):
            scored.append((score, Anchor(area, node, area.weight, area.doubts)))
    most = max((score for score, _ in scored), default=0)
    best = [anchor for score, anchor in scored if score == most > 0]
    for anchor in best if len(best) <= _MOST else ():
        assert anchor.node is not None
        shown = context.source(anchor.path).segment(anchor.node)
        doubts = () if old is not None else (assumed(f"{shown} was assumed to be that number"),)
        share = 0.85 * weight / len(best)
        yield build_at(anchor, replace_code(context, anchor, new), weight=share, doubts=doubts)


def _names_around(source: Source, node: ast.Constant) -> set[str]:
    """The words of the line of a number, or of its key, and of the function and class that it is in."""
    function = source.function_of(node)
    owner, holder = source.class_of(function or node), source.parents.get(node)
    text = source.lines[node.lineno - 1]
    if isinstance(holder, ast.Dict) and node in holder.values:
        beside = holder.keys[holder.values.index(node)]
        goals = targets(source.statement(node))
        text = " ".join(ast.unparse(one) for one in (beside, *goals) if one is not None)
    names = [*re.findall(r"[^\W\d]\w*", text), *([owner.name] if owner is not None else [])]
    names += [function.name, *(one.arg for one in parameters(function))] if function is not None else []
    return {stem for name in names for stem in stems(name)}
