"""Results that leave over what another one uses: a name, a number, a piece of code, a condition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.certainty import code_gone, left_over
from spark_tui.intent.planning.executing import Executed, Outcome, decision_settings
from spark_tui.intent.words.readings import Order, Span
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
