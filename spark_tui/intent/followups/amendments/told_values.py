"""A number or an error that a message behind an edit says, where the edit wrote exactly one."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import changes_of_edit
from spark_tui.intent.followups.amendments.exchanged_tokens import is_error
from spark_tui.intent.followups.amendments.lines import amended_lines
from spark_tui.intent.planning.resolve import find_candidates
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reading, Span

_MEANT = 0.6
"""How likely what looks like talk is meant for the only thing of its kind that was written."""
_MISPLACED = 0.7
"""How likely the value of what cannot be done is meant for what was written."""
_VALUES = ("value", "new", "default", "count", "result")
_MOST_WORDS = 4
_WORD = re.compile(r"[\w.%-]*\w%?")


def with_told_value(order: Order, situation: Situation) -> Order:
    """The order with what it says as another value, where it was read as talk, or as an order for a value of
    something that is not there."""
    if not order.readings or order.readings[0].intent != "chat":
        return _with_misplaced(order, situation)
    text = situation.instruction[order.start : order.end]
    found = _told(text, order.start)
    written = {token.text for change in changes_of_edit(situation) for token in change.written()}
    for kind, fits in (("value", lambda item: item[:1].isdigit()), ("exception", is_error)):
        there = {item for item in written if fits(item)}
        words = {span.text: span for each, span in found if each == kind and span.text not in there}
        if len(there) == len(words) == 1:
            reading = Reading(f"amend.{kind}", _MEANT, {kind: tuple(words.values())})
            return replace(order, readings=(reading,))
    return order


def _with_misplaced(order: Order, situation: Situation) -> Order:
    """The order with the value of a first reading that cannot be done as one for what was written."""
    first = order.readings[0] if order.readings else None
    if first is None or first.intent.startswith("amend.") or not first.slots:
        return order
    spans = [span for slot in _VALUES for span in first.slots.get(slot, ())]
    if (
        len(spans) != 1
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


def _told(text: str, start: int) -> list[tuple[str, Span]]:
    """The numbers, amounts and errors of a text, each as long as it can be."""
    out: list[tuple[str, Span]] = []
    words = list(_WORD.finditer(text))
    at = 0
    while at < len(words):
        for count in range(min(_MOST_WORDS, len(words) - at), 0, -1):
            low, high = words[at].start(), words[at + count - 1].end()
            kind = _kind(text[low:high])
            if kind:
                out.append((kind, Span(start + low, start + high, text[low:high])))
                at += count - 1
                break
        at += 1
    return out


def _kind(text: str) -> str:
    if is_error(text):
        return "exception"
    number = phrases.number(text)
    if number == "1" and "1" not in text:
        return ""  # an article, or `that one`
    amounts = (number, phrases.duration(text), phrases.size(text))
    return "value" if any(amount is not None for amount in amounts) else ""
