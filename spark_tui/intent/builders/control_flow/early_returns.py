"""Early returns: a branch that leaves comes first, or stands before the others without `elif` and `else`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.building.building import Built, builder, calls_table, from_entry
from spark_tui.intent.context.reading_in_place import Context

_SECOND = 0.3


@builder("pattern.early_return")
def early_return(context: Context) -> Iterator[Built]:
    """The last `if` turned round; where none can be, every `else` behind a return is taken away."""
    yield from from_entry(context, calls_table()["pattern.early_return"])
    for built in from_entry(context, calls_table()["pattern.remove_else"]):
        yield replace(built, weight=_SECOND * built.weight)
