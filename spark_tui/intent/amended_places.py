"""The place that a message behind an edit names: another one, or a method of the edit's own class."""

from __future__ import annotations

import ast
from dataclasses import replace

from spark_tui.intent.names import names_of
from spark_tui.intent.readings import Reading, Span
from spark_tui.intent.situation import Situation
from spark_tui.intent.written_lines import changes, functions_around
from spark_tui.pysource.source import Definition


def as_place(reading: Reading, situation: Situation) -> Reading | None:
    """The reading as one that names another place, where what is to be taken instead is a function or class,
    and the old thing the one in which the edit is, or nothing."""
    new = reading.slots.get("new", ()) if reading.intent == "amend.name" else ()
    before = situation.before
    if len(new) != 1 or before is None:
        return None
    names = names_of(before, situation.path)
    found = [one.target for one in names.find(new[0].text) if one.target.name == new[0].text.strip("`'\"()")]
    if not found or not isinstance(found[0].node, Definition):
        return None
    homes = {name for one in changes(situation) for name in functions_around(one, situation.behind)}
    old = {span.text.strip("`'\"()") for span in reading.slots.get("old", ())}
    if old - homes or found[0].name in homes:
        return None
    slot = "class" if isinstance(found[0].node, ast.ClassDef) else "function"
    return replace(reading, intent="amend.place", slots={slot: new})


def in_its_class(reading: Reading, situation: Situation) -> Reading:
    """The reading with a method of the class in which the edit is, where it names one."""
    before, functions = situation.before, reading.slots.get("function", ())
    if before is None or not functions or "class" in reading.slots:
        return reading
    names = names_of(before, situation.path)
    owners = [".".join(functions_around(one, situation.behind)[:-1]) for one in changes(situation)]
    near = dict.fromkeys(filter(None, owners))

    def method(span: Span) -> Span:
        name = span.text.strip("`'\"()")
        owner = next((one for one in near if name.isidentifier() and names.holds(one, name)), "")
        return replace(span, text=f"{owner}.{name}") if owner else span

    return replace(reading, slots={**reading.slots, "function": tuple(map(method, functions))})
