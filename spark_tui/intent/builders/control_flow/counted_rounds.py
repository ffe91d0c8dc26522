"""How many rounds a loop does, as what a function returns that returns nothing so far."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, build_at, call, found, place
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import LOOPS, find_nodes, names_in, walk


def counted_rounds(context: Context) -> Iterator[Built]:
    """A count that each round of the only loop adds to, and its return, where words ask how many it did."""
    text = context.text("result").lower()
    if not context.named or not phrases.any_stands_in(phrases.words("counted_rounds"), text):
        return
    for anchor in found(context, "function", "function"):
        node, source = anchor.node, context.source(anchor.path)
        if not isinstance(node, Function) or context.visible(anchor.path, node).expression(text) is not None:
            continue
        loops = [stmt for stmt in node.body if isinstance(stmt, LOOPS)]
        leaves = [inner for inner in walk(node) if isinstance(inner, ast.Return | ast.Yield)]
        name = next((one for one in ("count", "done", "rounds") if one not in names_in(node)), "")
        if len(loops) != 1 or leaves or not name or loops[0].orelse:
            continue
        loop = loops[0]
        end = place(context, Anchor(anchor.area, node.body[-1]))
        made = [call("insert_statements", place=end, code=f"return {name}", side="after")]
        inside = place(context, Anchor(anchor.area, loop.body[-1]))
        made.append(call("insert_statements", place=inside, code=f"{name} += 1", side="after"))
        start = f"in {anchor.path}::{source.qualname(node)}"
        made.append(call("insert_statements", place=start, code=f"{name} = 0", side="start"))
        skipped = any(find_nodes(loop, ast.Continue))
        doubts: list[str] = [assumed("each round of the loop was assumed to count")]
        doubts += ["rounds that are skipped do not count"] if skipped else []
        yield build_at(anchor, *made, weight=0.9, doubts=doubts)
