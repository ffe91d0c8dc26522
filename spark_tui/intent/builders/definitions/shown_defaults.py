"""A parameter that is shown with its default and that its function does not have yet is a new one."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words.readings import CODE, Span
from spark_tui.pysource.source import Function, parameters


def shown_as_new(context: Context) -> Context | None:
    """The reading of a new parameter, where `__init__(self, depth: int = 0)` is said and
    `__init__` has none of that name."""
    name, slots = plain_name(context.text("parameter")), dict(context.reading.slots)
    places = [area.node for area in context.named]
    functions = [node for node in places if isinstance(node, Function)]
    if not context.has("default") or not functions or len(functions) < len(places):
        return None
    if any(key(one.arg) == key(name) for node in functions for one in parameters(node)):
        return None
    shown = rf"(?<![\w.]){re.escape(name)}\s*(?::\s*(?P<type>[^=,()]+?))?\s*=\s*[\w\"'\[({{-]"
    found = re.search(shown, context.situation.instruction) if name.isidentifier() else None
    if found is None:
        return None
    slots["name"] = slots.pop("parameter")
    if found["type"]:
        slots["type"] = (Span(CODE, CODE, found["type"], True),)
    reading = replace(context.reading, intent="add_parameter", slots=slots)
    return Context(reading, context.situation, context.names)
