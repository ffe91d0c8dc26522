"""What a function returns in a case that is said in words, or where it ends without a return."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, call, filled, found, word
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import walk


def returned_at_end(context: Context) -> Iterator[Built]:
    """A return behind the last statement of a function that goes on to its end."""
    for anchor in found(context, "function", "function"):
        node = anchor.node
        if not isinstance(node, Function) or not goes_through(node.body):
            continue
        source = context.source(anchor.path)
        own = [one for one in walk(node) if isinstance(one, ast.Return) and source.function_of(one) is node]
        if any(isinstance(one, ast.Yield | ast.YieldFrom) for one in walk(node)):
            continue
        values = [one.value for one in own if one.value is not None]
        known = Anchor(anchor.area, node, extra={"old": values[-1]} if values else {})
        place_of_body = word(context, "in", anchor)
        for option in filled(context, "{result:value}", known) or ():
            made = call("insert_statements", place=place_of_body, code=f"return {option.text}", side="end")
            yield Built((made,), anchor.weight * option.weight, (*anchor.doubts, *option.doubts))


def goes_through(body: list[ast.stmt]) -> bool:
    """Whether the code after some statements is reached."""
    last = body[-1]
    if isinstance(last, ast.Return | ast.Raise):
        return False
    if isinstance(last, ast.If):
        return not last.orelse or goes_through(last.body) or goes_through(last.orelse)
    if isinstance(last, ast.With | ast.AsyncWith):
        return goes_through(last.body)
    if isinstance(last, ast.Try):
        return goes_through(last.orelse or last.body) or any(goes_through(one.body) for one in last.handlers)
    endless = isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and bool(last.test.value)
    return not endless or any(isinstance(one, ast.Break) for one in walk(last))
