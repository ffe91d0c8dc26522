"""A message that begins as a condition does, after an edit that wrote one: `== is enough`, `or when it is
empty`, `but not if limit is 0`, `as before if limit is 0`."""

from __future__ import annotations

import re
from functools import lru_cache

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.followups.written.nodes import amended_nodes
from spark_tui.intent.followups.written.other_forms import asked_form
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reading, Span

_MEANT, _SURE = 0.6, 0.8
"""How likely that is meant, and how sure another reading is that is not doubted."""
_SIGN = re.compile(r"(?:[<>=!]=|[<>])(?:\s*-?\w[\w.]*)?(?!\S)|(?:[<>=!]=|[<>])(?!\w)")
_UNLESS = "unless "
_END = re.compile(r"[,;，；。]|[.!?](?:\s|\Z)|\s+[-–]\s")


def with_told_condition(order: Order, situation: Situation) -> Order:
    """The order with what it says as a condition, where nothing else is read surely and that can be done."""
    form = Reading("amend.other_reading", _SURE, {})
    if order.readings and asked_form(situation.instruction) and amended_nodes(form, situation):
        return order.preferring(form)
    for intent, span in _leading_conditions(situation.instruction[order.start : order.end], order.start):
        likely = _SURE if span.text.startswith(_UNLESS) else _MEANT
        reading = Reading(intent, likely, {"condition": (span,)})
        if not order.readings or (order.readings[0].probability >= _SURE and likely < _SURE):
            return order
        if amended_nodes(reading, situation):
            return order.preferring(reading)
    return order


def _leading_conditions(text: str, start: int) -> list[tuple[str, Span]]:
    """The conditions that a text may begin with, each with the intent that applies it."""
    lead = len(text) - len(text.lstrip())
    if (sign := _SIGN.match(text, lead)) is not None:
        whole = Span(start + lead, start + sign.end(), sign[0])
        alone = re.match(r"[<>=!]+", sign[0])
        only = [Span(whole.start, whole.start + alone.end(), alone[0])] if alone is not None else []
        return [("amend.condition", item) for item in (whole, *only)]
    for intent, pattern in _beginnings():
        if (begun := pattern.match(text, lead)) is None:
            continue
        end = _END.search(text, begun.end())
        low, high = begun.start("said"), end.start() if end is not None else len(text)
        part = text[low:high].rstrip()
        if intent == "run_only_if":
            unless = Span(-1, -1, f"{_UNLESS}{part}")
            return [("also_require", unless), (intent, unless)]
        return [(intent, Span(start + low, start + low + len(part), part))] if part else []
    return []


@lru_cache(maxsize=1)
def _beginnings() -> list[tuple[str, re.Pattern[str]]]:
    """Patterns for the beginning of a further condition, by intent."""

    def any_of(*kinds: str) -> str:
        known = sorted({word for kind in kinds for word in phrases.words(kind)}, key=len, reverse=True)
        return "|".join(re.escape(item) for item in known if not phrases.has_cjk(item))

    small = rf"(?:(?:{any_of('but')})\s+)?"
    denied = rf"(?P<said>(?:(?:{any_of('denials')})\s+(?:{any_of('openers')})|{any_of('unless')})\s+)"
    either = rf"(?:{any_of('or')})\s+(?:(?:{any_of('openers')})\s+)?(?P<said>)"
    old = r"(?:old|previous|original|alte\w*|bisherige\w*|ancien\w*|viej\w*|anterior\w*)\s+\w+"
    kept = rf"(?:\w+\W+){{0,3}}?(?:{old}|{any_of('as_before')})\s+(?:{any_of('openers')})\s+(?P<said>)"
    forms = (("also_require", small + denied), ("also_allow", either), ("run_only_if", kept))
    return [(intent, re.compile(form, re.IGNORECASE)) for intent, form in forms]
