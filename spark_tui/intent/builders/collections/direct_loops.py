"""Loops over the items themselves: of a dictionary, or in place of an index that only looks them up."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.families.loops.counted import find_range_subject
from spark_tui.intent.building.building import Built, builder, call, of_table
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.syntax.walking import find_nodes


@builder("pattern.loop_items")
def loop_items(context: Context) -> Iterator[Built]:
    """`items()`; where a loop counts through an index, the items without it."""
    yield from of_table(context, "pattern.loop_items")
    for area, _, root in context.trees():
        if any(find_range_subject(node) for node in find_nodes(root, ast.For)):
            yield Built((call("loop_directly", place=area.place),), area.weight, area.doubts)
