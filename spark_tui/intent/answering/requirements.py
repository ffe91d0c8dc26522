"""What has to hold, said in a clause of its own: `qty must be positive, ValueError otherwise` asks for a
guard."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from spark_tui.intent.conditions.assertions import requiring
from spark_tui.intent.conditions.condition_phrases import relation_phrases
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reading, Span

_CLAUSE = re.compile(r"(?:[^,;:\n–—.]|\.(?=\S)|(?<=\S)-|-(?=\S))+")
_ERROR = re.compile(r"(?<![\w.])[A-Za-z]\w*(?:Error|Exception)(?!\w)")
_LIKELY, _UNSAID = 0.75, 0.55
"""How likely a guard is meant: with an error or a verb such as *check*, and with neither."""
_BOUNDS = ("at_least", "at_most", "above", "below", "positive", "negative", "empty", "not_empty")
_RANGE = re.compile(r"\b(?:between|from|zwischen|entre)\s+\S+\s+(?:and|to|und|et|y)\s+\S+")
_OPENERS = tuple(f"{word} " for word in phrases.words("openers"))
_STATES = re.compile(r"(?:be|have|contain|start|end|match|exist)\b|[^\x00-\x7f]|(?:sein|être|ser|estar)\b")
_PLACE = re.compile(r"\s*(?<!\w)(?:in|for|of|by|inside|within|from|dans|en)(?:\s+the)?\s*\Z")


def with_requirement(text: str, orders: Sequence[Order]) -> tuple[Order, ...]:
    """The orders, or one that reads the whole as a guard first, where all that is said beside a requirement
    is which error to raise where."""
    clauses = [found for found in _CLAUSE.finditer(text) if _requires(found[0])]
    readings = [reading for order in orders for reading in order.readings]
    if len(clauses) != 1 or not readings:
        return tuple(orders)
    start, end = clauses[0].span()
    guarded = readings[0].slots.get("condition", ()) if readings[0].intent == "guard_raise" else ()
    words = clauses[0][0].split()
    pronoun = words[0].lower() in phrases.words("pronouns")
    elided = requiring().match(" ".join(words)) is not None  # qty: must be positive
    if any(start <= span.start < end for span in guarded) and not pronoun:
        return tuple(orders)
    place = next((reading.slots["function"] for reading in readings if "function" in reading.slots), ())
    fronts = {span: _PLACE.search(text[start : span.start]) for span in place if start <= span.start < end}
    end = min((start + front.start() for front in fronts.values() if front is not None), default=end)
    place = tuple(span for span in place if fronts.get(span, ...) is not None)
    errors = [Span(found.start(), found.end(), found[0]) for found in _ERROR.finditer(text)]
    quoted = tuple(span for span in readings[0].slots.get("message", ()) if span.quoted)
    rest = _blanked(text, Span(start, end, ""), *place, *errors, *quoted).lower()
    kinds = ("raised", "otherwise", "articles", "filling")
    idle = {word for kind in kinds for item in phrases.words(kind) for word in item.split()}
    asserted = set(re.findall(r"\w+", rest)) & set(phrases.words("asserting"))
    said = set(re.findall(r"\w+", rest)) - idle - asserted
    subject = said.pop() if (pronoun or elided) and len(said) == 1 else ""  # check qty: it must be positive
    if said or len(errors) > 1 or any(start <= span.start < end for span in errors):
        return tuple(orders)
    if not (errors or asserted or _bounds(clauses[0][0])):
        return tuple(orders)
    condition = text[start:end].lstrip()
    at = end - len(condition)
    if subject:
        condition = f"{subject} {condition if elided else condition.partition(' ')[2]}"
    slots = {"condition": (Span(at, end, condition.strip()),), "exception": tuple(errors), "function": place}
    slots |= {"message": quoted} if quoted else {}
    likely = _LIKELY if errors or asserted else _UNSAID
    guard = Reading("guard_raise", likely, {slot: spans for slot, spans in slots.items() if spans})
    others = (replace(item, probability=(1 - likely) * item.probability) for item in orders[0].readings)
    return (Order(0, len(text), (guard, *others) if len(orders) == 1 else (guard,)),)


def _bounds(clause: str) -> bool:
    """Whether a clause says between which bounds something has to be, and not what it has to be."""
    low = clause.lower()
    found = max(
        (item for item in relation_phrases() if item.search(low)), key=lambda item: item.length, default=None
    )
    wished = "should" in low or low.startswith(_OPENERS)
    bounded = _RANGE.search(low) is not None or (found is not None and found.kind in _BOUNDS)
    return bounded and not wished


def _requires(clause: str) -> bool:
    """Whether a clause says what something has to be, and not what is to be done."""
    found = requiring("forbidden").search(clause) or requiring().search(clause)
    return found is not None and found.start() > 0 and _STATES.match(clause[found.end() :]) is not None


def _blanked(text: str, *spans: Span) -> str:
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text
