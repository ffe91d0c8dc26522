"""Prefixes and suffixes that are taken away by a call."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.plan import Plan
from spark_tui.intent.building.building import Built, build_at, builder, of_table
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, weighted
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.names.type_hints import called_name


@builder("pattern.removeprefix")
def removeprefix(context: Context) -> Iterator[Built]:
    """In place of a test and a slice; where there are none, of `replace` with nothing."""
    made = list(of_table(context, "pattern.removeprefix"))
    if any(isinstance(built.calls[0].plan(context.repo), Plan) for built in made):
        yield from made
        return
    spots = [
        Anchor(area, node, 0.9, area.doubts)
        for area, _, node in context.find(ast.Call)
        if called_name(node) == "replace" and _takes_away(node)
    ]
    name = "removesuffix" if "suffix" in context.situation.instruction.lower() else "removeprefix"
    for anchor in weighted(context, spots):
        call_node, source = anchor.node, context.source(anchor.path)
        assert isinstance(call_node, ast.Call) and isinstance(call_node.func, ast.Attribute)
        text, gone = source.segment(call_node.func.value), source.segment(call_node.args[0])
        end = "at the end" if name == "removesuffix" else "at the start"
        doubt = assumed(f"{gone} was assumed to stand {end} only")
        yield build_at(anchor, replace_code(context, anchor, f"{text}.{name}({gone})"), doubts=(doubt,))
    if not spots:
        yield from made


def _takes_away(node: ast.Call) -> bool:
    """Whether a call puts nothing in the place of a text."""
    new = node.args[1] if len(node.args) in (2, 3) and isinstance(node.func, ast.Attribute) else None
    return isinstance(new, ast.Constant) and new.value == ""
