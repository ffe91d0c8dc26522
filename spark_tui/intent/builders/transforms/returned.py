"""Values that a function is to return changed: *return the length of names*."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from spark_tui.intent.building.building import BUILDERS, Built
from spark_tui.intent.context.anchors import anchors, is_same_expression, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import CODE, Span
from spark_tui.pysource.syntax.walking import find_nodes, walk

_CHANGE = ("transform", "type", "count", "variable")
"""The slots that say what is changed, and how."""


def return_changed(context: Context, change: Callable[[str], str]) -> Iterator[Built]:
    """A value that is returned changed, if the words tell to return it; none where it is a part of what is
    returned."""
    variable = context.text("variable").strip("`")
    if not variable or not _is_to_be_returned(context):
        return
    for anchor in anchors(context, "function")[:1]:
        value = parsed(context.visible(anchor.path, anchor.node).expression(variable) or "")
        source, node = context.source(anchor.path), anchor.node or ast.Pass()
        own = [one for one in find_nodes(node, ast.Return) if source.function_of(one) is node]
        given = [one.value for one in own if one.value is not None]
        inside = (inner for one in given for inner in walk(one) if not is_same_expression(one, value))
        functions = {one.name for one in source.functions}
        if isinstance(value, ast.Name) and value.id in functions:
            return  # what it returns is meant
        if value is None or any(is_same_expression(inner, value) for inner in inside):
            return
        code = change(ast.unparse(value))
        slots = {slot: spans for slot, spans in context.reading.slots.items() if slot not in _CHANGE}
        slots |= {"result": (Span(CODE, CODE, code, quoted=True),)}
        reading = replace(context.reading, intent="set_return", slots=slots)
        yield from BUILDERS["set_return"](Context(reading, context.situation, context.names))


def _is_to_be_returned(context: Context) -> bool:
    """Whether a word for returning stands before the value and what is done with it."""
    spans = [span for slot in _CHANGE for span in context.reading.slots.get(slot, ()) if span.start >= 0]
    before = context.situation.instruction[: min((span.start for span in spans), default=0)]
    verbs, articles = ("|".join(map(re.escape, phrases.words(kind))) for kind in ("give_back", "articles"))
    return re.search(rf"(?:{verbs})\s*(?:(?:{articles})\s*)*\W*\Z", before, re.IGNORECASE) is not None
