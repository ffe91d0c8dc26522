"""What the refusals of some readings say about the results of others."""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.codemods.plan import Refused
from spark_tui.intent.context.situation import Candidate
from spark_tui.intent.planning.executing import Executed, Outcome, decision_settings
from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.words.readings import Reading


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


def takes_back(edit: Executed, outcome: Outcome) -> bool:
    """Whether an edit removes what another reading would add, and finds there already."""
    intent = edit.candidate.reading.intent
    there = [one.reading.intent for _, found, one in outcome.refused if found.why == "nothing"]
    return intent.startswith("remove_") and intent.replace("remove_", "add_", 1) in there


def likelihood_used(outcome: Outcome) -> float:
    """How likely the removal of what is still used is meant, where it is all that was found of its kind: what
    another reading removes beside it is not that."""
    made = {one.candidate.reading.intent for one in outcome.executed}
    masses = (
        mass for mass, found, one in outcome.refused if found.why == "used" and one.reading.intent not in made
    )
    return max(masses, default=0.0)
