"""Handlers that do the same become one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.families.statements.alike_handlers import alike_handlers
from spark_tui.intent.building.building import Built, build_at, builder, call
from spark_tui.intent.context.lookup import key
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.finders.blocks import class_name, exceptions_of


@builder("merge_handlers")
def merge_handlers(context: Context) -> Iterator[Built]:
    """The handlers of the named classes, or each group in a place."""
    told = [one.text for one in context.reading.slots.get("exception", ())]
    said = {key(class_name(word)) for text in told for word in re.findall(r"\w+", text)}
    found = []
    for area, _, root in context.trees():
        for run in alike_handlers(root):
            caught = (name for one in run for name in exceptions_of(one.type))
            found.append((len(said & {key(name.rpartition(".")[2]) for name in caught}), area, run[0]))
    most = max((count for count, *_ in found), default=0)
    named = [(area, first) for count, area, first in found if count == most]
    for area, first in named:
        weight = context.near_node(area.path, first) / len(named)
        yield build_at(area, call("merge_handlers", place=f"{area.path}:{first.lineno}"), weight=weight)
    if not found:  # the operation says why
        for area, _, root in context.trees():
            if any(isinstance(node, ast.ExceptHandler) for node in ast.walk(root)):
                yield build_at(area, call("merge_handlers", place=area.place))
