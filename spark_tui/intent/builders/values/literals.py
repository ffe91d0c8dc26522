"""Calls about literals: what strings are built by, defaults that are shared, items of a collection."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.families.functions.defaults import FixMutableDefault
from spark_tui.codemods.plan import Refused
from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.building import Built, builder, call, from_entry, table
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.texts.print_strings import prints_as_strings
from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import says

_COUNTED = 0.3
"""How likely a number is meant where a count is to begin at 1."""
_FORMS = {"%": "percent", "format": "format_call", "+": "plus"}


def _works(context: Context, operation: Operation) -> bool:
    return not isinstance(operation.plan(context.repo), Refused)


@builder("to_f_string")
def to_f_string(context: Context) -> Iterator[Built]:
    """The strings of a place; those built as it is said, where there are such."""
    made = list(_filled(context))
    works = not context.placed or any(_works(context, one.calls[0]) for one in made)
    if not works and (shown := prints_as_strings(context)):
        yield Built(shown, made[0].weight)
        return
    names = context.reading.slots.get("function", ())
    if 1 < len(made) == len(names):  # all functions that are named are meant
        yield Built(tuple(each for one in made for each in one.calls), 0.95)
    yield from made


def _filled(context: Context) -> Iterator[Built]:
    said = context.situation.instruction
    form = next((form for form, kind in _FORMS.items() if phrases.mentions(kind, said)), "")
    for one in from_entry(context, table()["to_f_string"]):
        where = str(getattr(one.calls[0], "place", ""))
        only = call("to_f_string", place=where, form=form)
        if not form or _works(context, only):
            yield replace(one, calls=(only,))
        else:
            yield replace(one, doubts=(*one.doubts, f"no string built by {form} was changed"))


@builder("fix_mutable_default")
def fix_mutable_default(context: Context) -> Iterator[Built]:
    """A new one for each call; a default that cannot change, where one is said."""
    said = context.beside_slots()
    fixed = next((code for code in ("()", "frozenset()") if phrases.value_in(said) == code), "")
    for one in from_entry(context, table()["fix_mutable_default"]):
        first = one.calls[0]
        assert isinstance(first, FixMutableDefault)
        fields = {"target": str(first.target), "name": str(first.name)}
        if fixed and first.name:
            yield replace(one, calls=(call("set_default", **fields, default=fixed),))
        else:
            yield one


@builder("replace_value")
def replace_value(context: Context) -> Iterator[Built]:
    """Another value; where 0 and 1 are what is counted from, more than the number may have to change."""
    numbers = [(phrases.number(context.text(slot)) or "").lstrip("-") for slot in ("old", "new")]
    counted = numbers == ["0", "1"] and says("counting", "start", context.situation.instruction)
    for one in from_entry(context, table()["replace_value"]):
        doubts = (*one.doubts, "where a count begins may be meant")
        yield replace(one, weight=one.weight * _COUNTED, doubts=doubts) if counted else one
