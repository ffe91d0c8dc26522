"""Functions in one line: the form that the code of the function has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.patterns.table import pattern_table
from spark_tui.codemods.plan import Plan
from spark_tui.intent.building.building import Built, builder, calls_table, from_entry
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases

_FORMS = ("ternary", "list_comprehension", "dict_comprehension", "set_comprehension", "any", "next", "join")


@builder("pattern.return_condition")
def return_condition(context: Context) -> Iterator[Built]:
    """The condition itself; where none is returned and one line is wanted, what makes one of the code."""
    made = list(from_entry(context, calls_table()["pattern.return_condition"]))
    text = context.situation.instruction.lower()
    wanted = phrases.any_stands_in(phrases.words("one_line"), text) and context.named
    if not wanted or any(isinstance(built.calls[0].plan(context.repo), Plan) for built in made):
        yield from made
        return
    for name in _FORMS:
        entry = calls_table()[f"pattern.{name}"]
        for form in (f"{name}_returned", name):
            for built in from_entry(context, {**entry, "name": form}) if form in pattern_table() else ():
                plan = built.calls[0].plan(context.repo)
                if isinstance(plan, Plan) and len(plan.edits) == 1:
                    yield replace(built, weight=0.9 * built.weight)
                    return
    yield from made
