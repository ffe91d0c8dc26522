"""Fields that a class declares by a call, as those of models do: what is said of their values is a keyword of
that call, since the values themselves come later."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.building.building import Built, build_at
from spark_tui.intent.building.rewritten import pass_argument
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.facts.declared import is_declared
from spark_tui.intent.finders.given_arguments import makers
from spark_tui.intent.values.converters.of_slots import read_typed
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.names.type_hints import called_name


def declared(context: Context, slot: str) -> list[Anchor]:
    """The calls that declare the field which a slot names."""
    try:
        trees = list(context.trees()) if context.has(slot) else []
    except Unresolved:
        return []
    found = [
        Anchor(area, made, area.weight, area.doubts)
        for area, source, root in trees
        for made in makers(root, context.text(slot), declared=True)
        if is_declared(source, made)
    ]
    return [replace(one, weight=one.weight / len(found)) for one in found]


def default_of_declared(context: Context) -> Iterator[Built]:
    """The default of a field, by the keyword that is called so, where one is spoken of."""
    span, spoken = context.span("value"), context.beside_slots().lower()
    told = span is not None and phrases.any_stands_in(phrases.words("defaults"), spoken)
    for anchor in declared(context, "variable") if told else ():
        assert span is not None
        for option in read_typed(context, span, anchor, None, "", context.text("variable")):
            made = pass_argument(context, anchor, "default", option.text)
            yield build_at(anchor, made, option=option, weight=0.95)


def limits_of_declared(context: Context, low: str, high: str, of_length: bool) -> Iterator[Built]:
    """The limits of a field: of its length, or those that `Field` takes for numbers."""
    names = ("min_length", "max_length") if of_length else ("ge", "le")
    for anchor in declared(context, "variable"):
        assert isinstance(anchor.node, ast.Call)
        if not of_length and called_name(anchor.node) != "Field":
            raise Unresolved(f"what limits a value of {called_name(anchor.node)} is not known")
        given = [(name, value) for name, value in zip(names, (low, high), strict=True) if value]
        yield build_at(anchor, *(pass_argument(context, anchor, name, value) for name, value in given))


def unique_declared(context: Context) -> Iterator[Built]:
    """A field whose values are all to be different."""
    for anchor in declared(context, "variable"):
        doubt = assumed("unique was assumed to be said of what is stored")
        yield build_at(anchor, pass_argument(context, anchor, "unique", "True"), weight=0.9, doubts=(doubt,))
