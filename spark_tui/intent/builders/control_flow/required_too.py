"""What is to be checked beside a test: joined to it, or with a guard of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.builders.conditions.boundaries import leaving
from spark_tui.intent.builders.conditions.joined_conditions import joined
from spark_tui.intent.builders.control_flow.guards import guard_raise
from spark_tui.intent.building.building import Built, builder
from spark_tui.intent.conditions.assertions import as_failing
from spark_tui.intent.context.anchors import anchors
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases


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
