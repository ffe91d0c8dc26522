"""*Nothing was found*, *there are none*: that the collection is empty which a function fills and returns."""

from __future__ import annotations

import ast

from spark_tui.intent.conditions.guard_places import is_filled
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import Doubt, DoubtKind
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.names.type_hints import decorator_names
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import names_in, walk

_MOST_WORDS = 3


def find_empty_result(context: Context, span: Span, anchor: Anchor) -> list[Option]:
    """The test of the one collection that a function fills for its result, where the words name nothing; for
    `None` that of its one parameter."""
    text = f"{span.text.strip(' .,;!`').lower()} "
    words = next((item for item in phrases.words("nothing") if text.startswith(f"{item} ")), None)
    node, source = anchor.node, context.source(anchor.path)
    few = words is not None and len(text.removeprefix(words).split()) < _MOST_WORDS
    if not few or not isinstance(node, Function):
        return []
    if span.text.strip(" `") == "None":  # what a function is given, of which there is one
        bound = source.class_of(node) is not None and "staticmethod" not in decorator_names(node)
        own = [item.arg for item in parameters(node)][bound:]
        doubt = Doubt(f"{own[0]} was assumed to be what is None", DoubtKind.MEANT) if own else ""
        return [Option(f"{own[0]} is None", 1.0, (doubt,))] if len(own) == 1 else []
    inside = list(walk(node))
    filled = {
        inner.id
        for inner in inside
        if isinstance(inner, ast.Name)
        and is_filled(source, inner)
        and any(isinstance(around, ast.For | ast.While) for around in source.ancestors(inner))
    }
    returned = {name for inner in inside if isinstance(inner, ast.Return) for name in names_in(inner)}
    found = sorted(filled & returned)
    return [Option(f"not {found[0]}")] if len(found) == 1 else []
