"""`if`s that are joined, by `and` or by `or`, those that go while what is inside stays, and chains of them
that become `match` statements or lookups in a dictionary. What is to be checked beside a test is joined to
it, or has a guard of its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.families.statements.chains import read_chains
from spark_tui.codemods.plan import Refused
from spark_tui.intent.builders.conditions.asked_at_once import asked_at_once
from spark_tui.intent.builders.conditions.boundaries import leaving
from spark_tui.intent.builders.conditions.joined_conditions import joined
from spark_tui.intent.builders.control_flow.guards import guard_raise
from spark_tui.intent.building.building import Built, build_at, builder, call, calls_table
from spark_tui.intent.building.first_fitting import first_fitting
from spark_tui.intent.conditions.assertions import as_failing
from spark_tui.intent.context.anchors import anchors, need
from spark_tui.intent.context.lookup import key, plain_name, split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import DoubtKind, without
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes, names_in

_EITHER = re.compile(
    r"\b(?:or|same|identical|oder|d?gleiche?[nrs]?|ou|même|o|misma?o?s?)\b|或|一样|相同", re.IGNORECASE
)
"""Words for `if`s of which either is enough: they do the same."""

_KINDS = frozenset(("check", "condition", "guard", "if", "test"))
"""Words for any condition, which name none."""
_BY_WORD = 0.8
"""How likely a condition is meant that has a word of what is said."""


@builder("pattern.merge_ifs")
def merge_ifs(context: Context) -> Iterator[Built]:
    """Nested ones, those that do the same, or tests in one condition that one call can make."""
    if made := asked_at_once(context):
        yield from made
        return
    nested = calls_table()["pattern.merge_ifs"]
    forms = [(nested,), ({"op": "merge_branches", "place": nested["place"]},)]
    either = _EITHER.search(context.beside_slots()) is not None
    yield from first_fitting(context, *(forms[::-1] if either else forms))


@builder("unwrap_if")
def unwrap_if(context: Context) -> Iterator[Built]:
    """The `if` whose condition is named, or each in a place that can be taken away."""
    spots = [one for one in anchors(context, "test:condition") if isinstance(one.extra["owner"], ast.If)]
    if not spots and (said := {*split_name(context.text("condition"))} - _KINDS):
        every = (one for one in anchors(context, "test") if isinstance(one.extra["owner"], ast.If))
        spots = [one for one in every if one.node and said & {*split_name(ast.unparse(one.node))}]
        if len(spots) == 1:
            spots = [replace(spots[0], weight=_BY_WORD, doubts=without(spots[0].doubts, DoubtKind.PLACES))]
    made = []
    for anchor in need(spots, "if", context)[: context.most_places]:
        spot = f"{anchor.path}:{getattr(anchor.extra['owner'], 'lineno', 0)}"
        made.append(build_at(anchor, call("unwrap_if", place=spot)))
    works = [one for one in made if not isinstance(one.calls[0].plan(context.repo), Refused)]
    yield from works or made


@builder("if_to_match", "if_to_lookup")
def chain_of_ifs(context: Context) -> Iterator[Built]:
    wanted = key(plain_name(context.text("variable")))
    reason = ""
    count = 0
    for area, source, root in context.trees():
        ifs = sorted(find_nodes(root, ast.If), key=lambda one: one.lineno)
        chains, refused = read_chains(source, ifs)
        reason = reason or str(next(iter(refused), ""))
        named = [one for one in chains if wanted and key(ast.unparse(one.subject)) == wanted]
        for one in named or chains:
            count += 1
            place = f"{area.path}:{one.node.lineno}"
            weight = context.near_node(area.path, one.node) / max(len(named or chains), 1)
            made = call(context.reading.intent, place=place)
            table = _table_named(context, source) if context.reading.intent == "if_to_lookup" else ""
            kept = call("if_to_lookup", place=place, name=table) if table else made
            works = table and not isinstance(kept.plan(context.repo), Refused)
            yield build_at(area, kept if works else made, weight=weight)
    if not count:
        raise Unresolved(reason or "no if there has an elif that compares the same value", nothing=not reason)


def _table_named(context: Context, source: Source) -> str:
    """The constant that an instruction names and the file does not have: *a COMMANDS dict*."""
    said = re.findall(r"(?<!\w)[A-Z][A-Z_]{2,}(?!\w)", context.situation.instruction)
    return next((name for name in said if name not in names_in(source.tree)), "")


@builder("also_require")
def also_require(context: Context) -> Iterator[Built]:
    """A further condition. Beside a guard it is a requirement: the guard also leaves where it does not hold,
    or a second guard raises an error of its own."""
    instruction = context.situation.instruction
    tests = [(context.source(one.path), one.node) for one in anchors(context, "test:old")]
    left = [leaving(source, node) for source, node in tests if node is not None]
    kinds, asserting = phrases.table()["statements"], phrases.words("asserting")
    branch = {word for kind in ("If", "Return", "Raise", "Continue", "Break") for word in kinds[kind]}
    named = phrases.any_stands_in(branch.difference(asserting), instruction.lower())
    if named or not phrases.any_stands_in(asserting, instruction.lower()) or not left or None in left:
        yield from joined(context, "and")
        return
    guard = replace(context.reading, intent="guard_raise")
    if as_failing(guard, instruction) == guard and (span := context.span("condition")) is not None:
        unless = replace(span, text=f"{phrases.words('unless')[0]} {span.text}")
        guard = replace(guard, slots={**guard.slots, "condition": (unless,)})
    failing = Context(as_failing(guard, instruction), context.situation, context.names)
    raises = all(isinstance(one, ast.Raise) for one in left)
    yield from guard_raise(failing) if raises else joined(failing, "or")
