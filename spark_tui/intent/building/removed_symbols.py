"""Definitions that are removed by a reading that names them as something else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from spark_tui.intent.building.building import Built, of_table
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words.readings import Span


def attribute_removed(context: Context) -> Iterator[Built]:
    """The attribute or variable that is removed where one is named in the place of a call."""
    name = plain_name(context.text("call")).rpartition(".")[2]
    if any(symbol.kind in ("attribute", "variable") for _, symbol in context.repo.index.symbols(name)):
        yield from removed_symbol(context, {"symbol": context.reading.slots["call"]})


def removed_symbol(context: Context, slots: Mapping[str, tuple[Span, ...]]) -> Iterator[Built]:
    """The definition that some slots name, in the class that the reading names."""
    owner = {slot: spans for slot, spans in context.reading.slots.items() if slot == "class"}
    inner = Context(replace(context.reading, slots={**owner, **slots}), context.situation, context.names)
    yield from of_table(inner, "remove_definition")
