"""A message about a failing test, or with an example of what a call should give: repairs that were tried."""

from __future__ import annotations

from spark_tui.intent.answering.problem_answer import offer_fixes
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.defects.asking import asks_for_edit
from spark_tui.intent.defects.described import names_here
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.trying.failing_tests import is_report, tells_of_tests
from spark_tui.intent.trying.repairs import tried_repairs

_UNDONE = ("write", "cannot", "choices")
"""Answers in place of which the tests of the open file are run, where a message says what goes wrong."""


def tried_fix(found: Answer, situation: Situation) -> Answer | None:
    """The repairs of what a message says fails, if trying finds any. An edit that was found otherwise stays
    if it repairs that too, and if it has no mark, unless the message is a report of tests."""
    text = situation.instruction
    if not situation.tries or (found.kind == "edit" and not found.ways[0].marked and not is_report(text)):
        return None
    own = tells_of_tests(text)
    if not own and situation.earlier is None and found.kind in _UNDONE:
        own = not asks_for_edit(text, names_here(situation))
    texts = found.ways[0].plan.texts(situation.repo) if found.kind == "edit" else {}
    repairs = tried_repairs(situation, own, texts)
    if not repairs:
        return None
    offered = offer_fixes(repairs, situation)
    return offered if offered.ways else None
