"""Code that is shown with a hole: *callable() in place of hasattr(..., '__call__')*."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.rewriting.holes import find_fillings, find_holes
from spark_tui.intent.building.building import Built, call
from spark_tui.intent.context.anchors import nodes, parsed
from spark_tui.intent.context.reading_in_place import Context


def shown_with_holes(context: Context) -> Iterator[Built]:
    """The replacement of all that fits the old code, which may go on after its slot, by the new code, or by
    a call without arguments of what is in the one hole."""
    pattern, old = _code_at(context, "old")
    holes = find_holes(pattern) if pattern is not None else []
    new, text = _code_at(context, "new")
    if pattern is None or not holes or new is None:
        return
    if len(holes) == 1 and not find_holes(new):
        bare = isinstance(new, ast.Name | ast.Attribute)
        if not bare and not (isinstance(new, ast.Call) and not new.args and not new.keywords):
            return
        text = f"{text if bare else text[: text.rindex('(')]}(...)"
    for area, source, root in context.trees():
        kind = type(pattern)
        if any(find_fillings(pattern, node) for node in nodes(root, kind) if isinstance(node, ast.expr)):
            place = area.place if area.node is not None else f"in {source.path}"
            yield Built(
                (call("replace_expression", place=place, old=old, new=text, every=True),), area.weight
            )


def _code_at(context: Context, slot: str) -> tuple[ast.expr | None, str]:
    """The code of a slot, with the brackets that follow it."""
    span = context.span(slot)
    if span is None:
        return None, ""
    text, instruction = span.text.strip("`"), context.situation.instruction
    if span.start >= 0 and instruction[span.end : span.end + 1] == "(":
        start = instruction.find(text, span.start)
        ends = (at + 1 for at, sign in enumerate(instruction) if sign == ")" and at > span.end)
        text = next((one for end in ends if parsed(one := instruction[start:end]) is not None), text)
    return parsed(text), text
