"""The value that a message gives beside what is read of it: *the same in latest, with None*."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.codemods.plan import Plan
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import changes_of_edit, tokens_of
from spark_tui.intent.followups.amendments.amendment_candidates import written_otherwise
from spark_tui.intent.followups.amendments.exchanged_tokens import inner_text, is_error
from spark_tui.intent.followups.amendments.named_elsewhere import named_elsewhere
from spark_tui.intent.planning.executing import plan_of
from spark_tui.intent.words.doubts import unused
from spark_tui.intent.words.readings import PLACES, Reading, Span
from spark_tui.intent.words.tokens import tokenize

_CONSTANTS = frozenset(("None", "True", "False"))
_LIKELY = 0.5


def value_beside(reading: Reading, situation: Situation) -> Reading | None:
    """The only value, error or quoted text that a message gives outside of the slots of a reading, and that
    stands in no line of the last edit, as another one for what that wrote."""
    text, told = situation.instruction, tokenize(situation.instruction)
    lines = [line for one in changes_of_edit(situation) for line in (*one.old, *one.new)]
    there = {
        word for line in lines for token in tokens_of(line) for word in (token.text, inner_text(token.text))
    }
    found = [
        Span(item.inner_start, item.inner_end, text[item.inner_start : item.inner_end], True)
        for item in told.quoted
    ]
    for token in told.items:
        if token.inside < 0 and (token.text in _CONSTANTS or token.kind == "number" or is_error(token.text)):
            start = token.start - (token.kind == "number" and text[: token.start].endswith((" -", "(-")))
            found.append(Span(start, token.end, text[start : token.end]))
    held = reading.spans
    free = [
        span
        for span in found
        if span.text not in there and all(span.end <= one.start or one.end <= span.start for one in held)
    ]
    if len(free) != 1 or not lines:
        return None
    intent = "exception" if is_error(free[0].text) else "value"
    return Reading(f"amend.{intent}", reading.probability, {intent: (free[0],)})


def with_value_beside(found: list[Candidate], reading: Reading, situation: Situation) -> list[Candidate]:
    """The candidates that do the same elsewhere, with the value that the message gives for it."""
    given = value_beside(reading, situation)
    return [_with(one, given, situation) for one in found] if given is not None else found


def _with(one: Candidate, given: Reading, situation: Situation) -> Candidate:
    base = situation.before if one.from_before else situation.repo
    plan = plan_of(one.calls, base) if one.calls and base is not None else None
    if not isinstance(plan, Plan) or base is None:
        return one
    texts = plan.texts(base)
    there = replace(situation, repo=base.with_changes(texts), before=base, changed=tuple(texts), written=None)
    made = next((item for item in written_otherwise(given, there) if item.calls and item.from_before), None)
    if made is not None:
        return replace(one, calls=made.calls, doubts=(*one.doubts, *made.doubts))
    said = next(iter(given.slots.values()))[0].text
    return replace(one, doubts=(*one.doubts, unused(said)))


def by_value_alone(first: Reading, situation: Situation) -> list[Candidate]:
    """The ways to take the value that a message gives, whatever else it says, for a written one, unless
    its first reading names a place."""
    if any(first.slots.get(slot) for slot in (*PLACES, "condition")):
        return []
    amends = first.intent.startswith("amend.")
    whole = Reading("amend.other_reading", _LIKELY, {} if amends else first.slots)
    given = value_beside(whole, situation)
    if given is None or named_elsewhere(replace(given, intent="amend.value"), situation):
        return []
    return written_otherwise(given, situation)
