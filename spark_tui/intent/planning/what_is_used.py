"""Results that leave over what another one uses: a name, a number, a piece of code, a condition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.certainty import code_gone, left_over
from spark_tui.intent.planning.executing import Executed, Outcome, decision_settings
from spark_tui.intent.words.readings import Order
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
        used.append([_uses_condition(item) for item in outcome.executed])
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


def _uses_condition(executed: Executed) -> bool:
    """Whether it has a condition that the message says, and not one of the edit before."""
    return any(span.start >= 0 for span in executed.candidate.reading.slots.get("condition", ()))


def _code_of(executed: Executed, situation: Situation) -> tuple[str, ...]:
    return code_gone(executed, situation), *(edit.new for edit in executed.plan.edits)
