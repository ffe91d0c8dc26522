"""A value that is read as one of something else, for what an edit wrote."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.followups.amendments.lines import amended_lines
from spark_tui.intent.followups.amendments.named_elsewhere import named_elsewhere
from spark_tui.intent.planning.resolve import find_candidates
from spark_tui.intent.words import phrases
from spark_tui.intent.words.phrases import joining
from spark_tui.intent.words.readings import Order, Reading, Span

_MISPLACED = 0.7
"""How likely the value of what cannot be done is meant for what was written."""
_VALUES = ("value", "new", "default", "count", "result")


def with_misplaced_value(order: Order, situation: Situation) -> Order:
    """The order with the value of a first reading that cannot be done as one for what was written."""
    first = order.readings[0] if order.readings else None
    if first is None or first.intent.startswith("amend.") or not first.slots:
        return order
    spans = [span for slot in _VALUES for span in first.slots.get(slot, ())]
    as_value = replace(first, intent="amend.value", slots={"value": tuple(spans)})
    adds = re.match(rf"\W*(?:{joining()})", situation.instruction[order.start : order.end], re.IGNORECASE)
    if (
        len(spans) != 1
        or adds
        or named_elsewhere(as_value, situation)
        or not _is_value(spans[0])
        or any(candidate.calls for candidate in find_candidates(first, replace(situation, earlier=None)))
    ):
        return order
    old = {"old": first.slots["old"]} if first.slots.get("old") else {}
    for slots in ({"value": tuple(spans), **old}, {"value": tuple(spans)}):
        reading = Reading("amend.value", first.probability * _MISPLACED, slots)
        if amended_lines(reading, situation) or amended_lines(reading, situation, beside=True):
            others = (item for item in order.readings if item.intent != reading.intent)
            return replace(order, readings=(reading, *others))
    return order


def _is_value(span: Span) -> bool:
    """Whether what is said cannot be a name or words about one."""
    plain = re.search(r"\s", span.text) is None and not span.text.isidentifier()
    return span.quoted or plain or phrases.value(span.text) is not None
