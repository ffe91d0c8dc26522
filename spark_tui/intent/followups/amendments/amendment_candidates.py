"""The ways to amend what an edit wrote, by its lines and nodes."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.followups.amendments.exchanged_tokens import is_error
from spark_tui.intent.followups.amendments.lines import amended_lines, given_for
from spark_tui.intent.followups.amendments.other_names import amended_names
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.orders.on_written import find_orders_on_written
from spark_tui.intent.followups.written.nodes import amended_nodes
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading

_RETYPED = 0.8
"""How likely what is given is another thing than it was read as, where it cannot be that."""


def in_lines(reading: Reading, situation: Situation, called: bool) -> list[Candidate]:
    """The ways by the lines that were written. The name of an error is one, whatever it was read as; what is
    given otherwise may be another thing only where nothing else can be done."""
    others = retyped(reading, situation.instruction)
    for one in (*(other for other in others if other.intent == "amend.exception"), reading):
        if found := written_otherwise(one, situation):
            return [replace(candidate, reading=reading) for candidate in found]
    found = find_orders_on_written(reading, situation)
    for one in others if not found and not called else ():
        if found := written_otherwise(one, situation):
            return [
                replace(candidate, reading=reading, weight=candidate.weight * _RETYPED) for candidate in found
            ]
    return found


def written_otherwise(reading: Reading, situation: Situation) -> list[Candidate]:
    """The ways to put something else in the place of names, tokens or nodes that were written."""
    return (
        amended_names(reading, situation)
        or amended_lines(reading, situation)
        or amended_nodes(reading, situation)
        or amended_lines(reading, situation, beside=True)
    )


def retyped(reading: Reading, instruction: str) -> list[Reading]:
    """The reading with what is given as another thing: what it looks like, the plainest first."""
    given = given_for(reading, instruction)
    if given is None:
        return []
    text = given.text.strip().strip("`'\"")
    looks = {
        "amend.exception": is_error(text),
        "amend.value": phrases.value(text) is not None or phrases.number(text) is not None,
        "amend.message": given.quoted or (" " in text and reading.intent == "amend.name"),
        "amend.name": text.isidentifier() and reading.intent not in ("amend.exception", "amend.type"),
    }
    old = {"old": reading.slots["old"]} if reading.slots.get("old") else {}
    return [
        replace(reading, intent=intent, slots={str(followup_table()["given"][intent]): (given,), **old})
        for intent, fits in looks.items()
        if fits and intent != reading.intent
    ]
