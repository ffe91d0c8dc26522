"""A plain assignment for an augmented one: `x = x + y`, or `x = y`, for `x += y`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.building.building import Built
from spark_tui.intent.building.rewritten import Rewritten, add_brackets, build_together
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words.doubts import places_fit


def plain_assignments(context: Context) -> Iterator[Built]:
    """Both of them, for all places with the operator, or for those alone whose name is said; only the one
    that is shown."""
    operator = context.text("operator").strip("`'\" ")
    said = context.situation.instruction
    whole: list[Rewritten] = []
    value: list[Rewritten] = []
    named: list[bool] = []
    for area, source, node in context.find(ast.AugAssign):
        goal, what = source.segment(node.target), source.segment(node.value)
        between = source.text[source.span(node.target)[1] : source.span(node.value)[0]]
        calls = any(isinstance(part, ast.Call) for part in ast.walk(node.target))
        if not between.strip().startswith(operator) or calls:
            continue
        whole.append(
            Rewritten(area, node, f"{goal} = {goal} {operator[:-1]} {add_brackets(source, node.value)}")
        )
        value.append(Rewritten(area, node, f"{goal} = {what}"))
        named.append(re.search(rf"(?<![\w.]){re.escape(goal)}(?!\w)", said) is not None)
    meant = [
        [row for row, is_named in zip(rows, named, strict=True) if is_named or not any(named)]
        for rows in (whole, value)
    ]
    shown = [row for rows in meant for row in rows if row.new in said]
    for rows in [shown] if shown else meant:
        doubts = (places_fit(len(rows)),) if len(rows) > 1 else ()
        for built in build_together(context, rows, operator):
            yield replace(built, weight=built.weight / (1 if shown else 2), doubts=(*built.doubts, *doubts))
