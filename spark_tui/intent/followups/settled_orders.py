"""What an instruction behind an edit asks for: all of it back, some of its parts, another value."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import changes_of_edit
from spark_tui.intent.followups.amendments.likelier_readings import likelier_readings
from spark_tui.intent.followups.amendments.lines import takes_back
from spark_tui.intent.followups.amendments.misplaced_values import (
    with_misplaced_value,
    with_named_value,
    with_value_in_message,
)
from spark_tui.intent.followups.amendments.other_decorators import with_other_decorator
from spark_tui.intent.followups.amendments.otherwise_there import with_otherwise_there
from spark_tui.intent.followups.amendments.places import with_other_function
from spark_tui.intent.followups.amendments.signs_in_text import with_signs_said
from spark_tui.intent.followups.amendments.told_conditions import with_told_condition
from spark_tui.intent.followups.amendments.values_beside import value_beside
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.orders.as_parameter import with_parameter
from spark_tui.intent.followups.orders.moved_things import with_named_thing
from spark_tui.intent.followups.parts.fewer_places import leaves_nothing, removed_words, with_places_said
from spark_tui.intent.followups.parts.named import (
    are_of_parts,
    drops_added,
    naming_words,
    of_aspect,
    without_named,
)
from spark_tui.intent.followups.parts.named_orders import kept_orders
from spark_tui.intent.followups.repeats.other_subject import with_other_subject
from spark_tui.intent.followups.repeats.said_again import with_also_there, with_repeated
from spark_tui.intent.followups.written.other_forms import asked_form
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import OTHER_PLACES, PLACES, Order, Reading

_ASKED = 0.5
"""How likely a question has to be, against the amendment, to be one."""
_GIVES_NAMES = ("amend.name", "amend.value", "amend.type", "amend.message")
_CLEAR, _OTHER = 0.4, 0.7
"""How likely it is taken back at least, where something is named, and where that is no part of it."""
_ALL = 0.8
"""How likely it is all of an edit that is to go, where it is not said what."""
_BEHIND = 0.3
"""How much another reading counts where an order is about parts of the edit."""
_PARTS = ("amend.except", "amend.only_here")


def settled(order: Order, situation: Situation) -> Order:
    """The order with what takes the whole last answer back read as that."""
    if situation.earlier is None:
        return order
    if not order.readings:
        return order
    if kept_orders(situation.instruction, situation):
        return order
    if (kept := of_aspect(order, situation)) is not None:
        return kept
    order = with_value_in_message(with_misplaced_value(order, situation), situation)
    order = with_other_decorator(with_signs_said(order, situation), situation)
    order = with_named_thing(order, situation)
    order = with_named_value(order, situation)
    order = with_told_condition(with_parameter(order, situation), situation)
    order = with_otherwise_there(with_repeated(order, situation), situation)
    order = with_other_subject(
        _as_question(with_other_function(with_also_there(order, situation), situation), situation), situation
    )
    sums: dict[int, Reading] = {}
    for at, said in enumerate(likelier_readings(order.readings, situation)):
        one = with_places_said(said, situation)
        given = (
            value_beside(one, situation) if one.intent == "amend.undo" and one.probability < _ALL else None
        )
        one = given or one
        undo = one.intent == "amend.undo" or takes_back(one, situation)
        leaves = one.intent == "amend.except" and not undo and not situation.partial
        if leaves and (undo := leaves_nothing(one, situation)):
            named = any(one.slots.get(slot) for slot in (*PLACES, *OTHER_PLACES))
            one = one if named else replace(one, probability=one.probability * _ALL)
        if undo and without_named(one, situation):
            undo, one = False, replace(one, intent="amend.except", slots={})
        known = next((item for item in sums if sums[item].intent == "amend.undo"), None) if undo else None
        if known is not None:
            sums[known] = replace(sums[known], probability=sums[known].probability + one.probability)
        else:
            sums[at] = replace(one, intent="amend.undo", slots={}) if undo else one
    readings = sorted(sums.values(), key=lambda item: -item.probability)
    first, text = readings[0], situation.instruction[order.start : order.end]
    unsure = first.intent == "amend.undo" and first.probability < _OTHER and readings[1:]
    if unsure and naming_words(text) and (first.probability < _CLEAR or not are_of_parts(text, situation)):
        readings = readings[1:]  # what is said is about something else than all of the edit
    return _of_parts(replace(order, readings=tuple(readings)), situation)


def _as_question(order: Order, situation: Situation) -> Order:
    """The order as a question, where it ends like one and is read as that half as likely as for a name or
    value that it says."""
    text = situation.instruction[order.start : order.end].rstrip()
    likely = {one.intent: one.probability for one in order.readings}
    best = max(likely.values(), default=0.0)
    talk = sum(likely.get(item, 0.0) for item in ("question", "chat"))
    if not text.endswith(("?", "？")) or talk < _ASKED * best or order.readings[0].intent not in _GIVES_NAMES:
        return order
    first = Reading("question", best + talk, {})
    return replace(order, readings=(first, *(one for one in order.readings if one.intent != "question")))


def _of_parts(order: Order, situation: Situation) -> Order:
    """The order as one for the edit without some parts of it, or with nothing but those, where it says so and
    all of its words are of them."""
    text = situation.instruction[order.start : order.end]
    stays = followup_table()["stays"]
    first = order.readings[0]
    if asked_form(text) or (first.intent in _PARTS and any(first.slots.get(slot) for slot in PLACES)):
        return order
    without = re.match(rf"\W*(?:{'|'.join(stays['without'])})(?=\s)", text, re.IGNORECASE)
    drops = drops_added(text, situation)
    if drops == "all":
        return order.preferring(Reading("amend.undo", _ALL, {}))
    goes = without is not None or drops == "part"
    alone = re.search(rf"(?<!\w)(?:{'|'.join(stays['alone'])})(?!\w)", text, re.IGNORECASE)
    gone = (*stays["unneeded"], *phrases.words("as_before"))
    unneeded = re.search(rf"(?<!\w)(?:{'|'.join(gone)})(?!\w)", text, re.IGNORECASE)
    removed = {word for change in changes_of_edit(situation) for word in removed_words(change)}
    keeps = phrases.any_stands_in(phrases.words("keeping"), text.lower())
    keeps = keeps and not removed.isdisjoint(naming_words(text))
    if not (goes or alone or unneeded or keeps) or (
        alone and not unneeded and phrases.any_stands_in(phrases.words("keeping"), text)
    ):
        return order
    intent = "amend.only_here" if alone and not goes and not unneeded else "amend.except"
    part = Reading(intent, _ALL, {})
    if not (goes or keeps) and not are_of_parts(text.replace((unneeded or alone or [""])[0], " "), situation):
        return order
    rest = (
        replace(one, probability=_BEHIND * one.probability)
        for one in order.readings
        if one.intent not in (*_PARTS, "amend.undo")
    )
    return replace(order, readings=(part, *rest)) if without_named(part, situation) else order
