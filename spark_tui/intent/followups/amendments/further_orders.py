"""What a further thing means for what was written: *the order id too*, *zero neither*, *lines with #*."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import changes_of_edit, select_written_lines
from spark_tui.intent.followups.amendments.amendment_candidates import in_lines
from spark_tui.intent.followups.orders.on_written import is_written
from spark_tui.intent.followups.written.nodes import amended_nodes
from spark_tui.intent.planning.resolve import find_candidates
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import DoubtKind, is_of, without
from spark_tui.intent.words.readings import OTHER_PLACES, PLACES, Reading, Span
from spark_tui.pysource.syntax.parsing import walk_lines

_ORDERS = (("include_boundary", "value"), ("also_allow", "condition"), ("say_value", "value"))
"""Orders that a further thing may be, the narrowest first, with the slot that it fills."""
_LIKELY = 0.7
_MEANT = 0.3
"""How likely a further place is meant at least, where it is tried as a further thing."""


def further_orders(reading: Reading, situation: Situation) -> list[Candidate]:
    """The ways to do the first of these orders that can be done to the lines that were written."""
    spans = reading.slots.get("value", ())
    if reading.intent != "amend.further" or not spans or any(span.quoted for span in spans):
        return []
    text = spans[0].text
    compared = phrases.number(text) is not None or any(text in one.text for one in changes_of_edit(situation))
    for intent, slot in _ORDERS if compared else _ORDERS[1:]:
        order = Reading(intent, reading.probability, {slot: spans})
        found = amended_nodes(order, situation) or list(_done(order, situation))
        if found:
            return [
                replace(candidate, reading=reading, weight=_LIKELY * candidate.weight) for candidate in found
            ]
    return []


def as_further_thing(reading: Reading, situation: Situation) -> list[Candidate]:
    """What is named as a further place, but is none, as a further thing: *the same for rain*."""
    spans = tuple(span for slot in (*PLACES, *OTHER_PLACES) for span in reading.slots.get(slot, ()))
    if reading.intent != "amend.also" or not spans or reading.probability < _MEANT:
        return []
    further = Reading("amend.further", reading.probability, {"value": spans})
    found = in_lines(further, situation, False) or further_orders(further, situation)
    return [replace(one, reading=reading, weight=one.weight * _LIKELY) for one in found]


def with_written_type(reading: Reading, situation: Situation) -> Reading:
    """The reading with the type that was written as well, where it says that another one is allowed too."""
    given = reading.slots.get("type", ()) if reading.intent == "amend.type" else ()
    if len(given) != 1:
        return reading
    text = situation.instruction.lower()
    beside = f"{text[: given[0].start]} {text[given[0].end :]}"
    if not phrases.any_stands_in((*phrases.words("or"), *phrases.words("also")), beside):
        return reading
    written = set()
    for change in changes_of_edit(situation):
        source = situation.behind.index.source(change.path)
        tokens = {change.text[token.start : token.end] for token in change.written()}
        rows = range(change.at + 1, change.at + len(change.new) + 1)
        for node in walk_lines(source.tree, rows) if source.tree is not None else ():
            held = getattr(node, "annotation", None) or getattr(node, "returns", None)
            code = source.segment(held) if held is not None else ""
            written |= {code} if tokens & set(re.findall(r"\w+", code)) else set()
    both = Span(-1, -1, f"{min(written, default='')} | {given[0].text}")
    return replace(reading, slots={**reading.slots, "type": (both,)}) if len(written) == 1 else reading


def _done(order: Reading, situation: Situation) -> Iterator[Candidate]:
    if order.intent == "also_allow":
        return
    for candidate in find_candidates(order, select_written_lines(situation)):
        sure = candidate.calls and not any(is_of(why, DoubtKind.MEANT) for why in candidate.doubts)
        if sure and is_written(candidate, situation):
            doubts = without(candidate.doubts, DoubtKind.PLACES)
            yield replace(candidate, doubts=doubts, weight=max(candidate.weight, _LIKELY))
