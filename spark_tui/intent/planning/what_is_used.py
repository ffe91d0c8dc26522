"""Results against each other: what one leaves over and another one uses (a name, a number, a piece of code, a
condition), and what the refusals of some say about the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.codemods.plan import Refused
from spark_tui.codemods.registry import Operation
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.planning.certainty import code_gone, left_over
from spark_tui.intent.planning.executing import Executed, Outcome, decision_settings
from spark_tui.intent.planning.words_unheard import TAKES_AWAY
from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.intent.words.tokens import tokenize

_SHORT = 5
"""How long a piece of code may be that many results have."""


def by_what_is_used(outcome: Outcome, situation: Situation, order: Order) -> Outcome:
    """The results; those that leave over what another one uses are less likely, and so are those that do not
    write or take away the code that is shown."""
    if len(outcome.executed) < 2:
        return outcome
    left = [len(left_over(item, situation, order.start, order.end)) for item in outcome.executed]
    used = [
        [piece in "\n".join(_code_of(item, situation)) for item in outcome.executed]
        for piece in _code_shown(situation, order)
    ]
    if situation.earlier is not None:
        used += [[_uses(item, span) for item in outcome.executed] for span in _conditions(outcome)]
    for has in used:
        left = [count + (any(has) and not one) for count, one in zip(left, has, strict=True)]
    least, factor = min(left, default=0), float(decision_settings()["left_over"])
    pairs = zip(outcome.executed, left, strict=True)
    made = (replace(item, mass=item.mass * factor ** (count - least)) for item, count in pairs)
    return replace(outcome, executed=tuple(made))


def _code_shown(situation: Situation, order: Order) -> Iterator[str]:
    """The pieces in quotes or backticks that are no single name."""
    text = situation.instruction
    for quoted in tokenize(text).quoted:
        piece = text[quoted.inner_start : quoted.inner_end].strip()
        own = order.start <= quoted.start and quoted.end <= max(order.end, 1)
        if own and len(piece) > _SHORT and not piece.isidentifier():
            yield piece


def _conditions(outcome: Outcome) -> set[Span]:
    """What the message says that some result has as its condition."""
    readings = [item.candidate.reading for item in outcome.executed]
    return {span for one in readings for span in one.slots.get("condition", ())[:1] if span.start >= 0}


def _uses(executed: Executed, words: Span) -> bool:
    """Whether a result has these words of the message in any slot."""
    slots = executed.candidate.reading.slots.values()
    return any(span.start < words.end and words.start < span.end for own in slots for span in own)


def _code_of(executed: Executed, situation: Situation) -> tuple[str, ...]:
    return code_gone(executed, situation), *(edit.new for edit in executed.plan.edits)


def bad_name(outcome: Outcome, readings: Sequence[Reading]) -> tuple[float, str] | None:
    """The probability of the first reading and why it is refused, if its new name is invalid."""
    first = readings[0]
    refused = [(found, one) for _, found, one in outcome.refused if found.why == "name"]
    reasons = [found.reason for found, one in refused if one.reading.intent == first.intent]
    return (first.probability, reasons[0]) if reasons else None


def reasons_of(outcome: Outcome) -> list[tuple[float, str, str]]:
    """Why nothing could be done, each with its weight and its kind."""
    reasons = [(mass, reason_of(found, one), str(found.why)) for mass, found, one in outcome.refused]
    return reasons + [(mass, reason, "") for mass, reason, _ in outcome.unbuilt]


def reason_of(found: Refused, one: Candidate) -> str:
    """Why a candidate is refused; of an edit of code in a file of another language also what was read, and
    what can be done there."""
    if found.why != "language":
        return found.reason
    read = intents()[one.reading.intent].about.rstrip(".")
    return str(decision_settings()["sentences"]["other_language"]).format(reason=found.reason, read=read)


def opposite(intent: str) -> str:
    """The intent that adds what another one removes, or the reverse; empty for none."""
    way, _, what = intent.partition("_")
    back = {"remove": "add", "add": "remove"}.get(way, "")
    return f"{back}_{what}" if back else ""


def takes_back(edit: Executed, outcome: Outcome) -> bool:
    """Whether an edit removes what another reading would add, and finds there already; or the reverse."""
    back = opposite(edit.candidate.reading.intent)
    return any(found.why == "nothing" and one.reading.intent == back for _, found, one in outcome.refused)


def is_done(edit: Executed, outcome: Outcome) -> bool:
    """Whether what is as likely as an edit is done there already: the same with its words understood
    otherwise (`base ** tries` for *the power of tries*, and no text with these words), or what it removes."""
    claims = [(mass, one) for mass, found, one in outcome.refused if found.why == "nothing"]
    return any(mass >= edit.mass and _contradicts(one, edit.candidate) for mass, one in claims)


def _contradicts(claim: Candidate, made: Candidate) -> bool:
    intent = made.reading.intent
    if intent.startswith(TAKES_AWAY):
        return not claim.reading.intent.startswith(TAKES_AWAY)
    same = claim.reading.intent == intent
    return same and (not claim.calls or _places(claim.calls) == _places(made.calls))


def _places(calls: Sequence[Operation]) -> list[object]:
    return [getattr(one, "place", None) or getattr(one, "target", None) for one in calls]


def likelihood_used(outcome: Outcome) -> float:
    """How likely the removal of what is still used is meant, where it is all that was found of its kind: what
    another reading removes beside it is not that."""
    made = {one.candidate.reading.intent for one in outcome.executed}
    masses = (
        mass for mass, found, one in outcome.refused if found.why == "used" and one.reading.intent not in made
    )
    return max(masses, default=0.0)
