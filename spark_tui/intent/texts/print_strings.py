"""F-strings for prints that are given several pieces: `print("dealt", n, "cards")`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.building import call, place
from spark_tui.intent.context.anchors import Anchor, nodes
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.finders.blocks import is_print
from spark_tui.intent.values.converters.replaced_statements import find_told_text


def prints_as_strings(context: Context) -> tuple[Operation, ...]:
    """The calls for the prints of a place, from the last to the first: lines above stay where they are."""
    return tuple(_prints(context))[::-1]


def _prints(context: Context) -> Iterator[Operation]:
    for area, source, root in context.trees():
        for node in nodes(root, ast.Expr):
            shown = node.value if isinstance(node, ast.Expr) else None
            if not isinstance(shown, ast.Call) or not is_print(shown) or shown.keywords:
                continue
            texts = [isinstance(arg, ast.Constant) and isinstance(arg.value, str) for arg in shown.args]
            new = find_told_text(node, source) if any(texts) and not all(texts) else ""
            if new:
                spot, old = place(context, Anchor(area, node)), source.segment(shown)
                yield call("replace_expression", place=spot, old=old, new=f"print({new})")
