"""Answers without an edit: what a reading asks for otherwise, and why nothing is offered."""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.intent.planning.answers import Answer, Kind
from spark_tui.intent.planning.executing import Outcome, decision_settings
from spark_tui.intent.planning.what_is_used import reasons_of
from spark_tui.intent.words.readings import Reading

OTHER: dict[str, Kind] = {
    "write": "write",
    "question": "question",
    "chat": "chat",
    "impossible": "cannot",
    "amend.undo": "undo",
}
"""The answers to intents that are no edit."""


def other(reading: Reading) -> Answer:
    return Answer(OTHER[reading.intent])


def declined(outcome: Outcome, readings: Sequence[Reading]) -> Answer:
    """Why nothing is offered: of the likeliest reading, if no edit that is too unsure was likelier."""
    if readings and readings[0].intent in OTHER:
        return other(readings[0])
    reasons = reasons_of(outcome)
    least = max((item.mass for item in outcome.executed), default=0.0)
    if reasons and max(reasons)[1] and max(reasons)[0] >= least:
        _, reason, why = max(reasons)
        sentence = {"taken": "impossible", "nothing": "perhaps_done"}.get(why, "refused")
        said = decision_settings()["sentences"][sentence]
        return Answer("write", reason=said.format(reason=reason.rstrip(".")), closed=why in ("taken", "used"))
    return Answer("write")
