"""A message about a failing test, or with an example of what a call should give: repairs that were tried."""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.intent.answering.problem_answer import offer_fixes
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.defects.asking import asks_for_edit
from spark_tui.intent.defects.described import names_here
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.planning.executing import decision_settings
from spark_tui.intent.trying.failing_tests import is_report, tells_of_tests
from spark_tui.intent.trying.repairs import Tried, tried_repairs

_UNDONE = ("write", "cannot", "choices")
"""Answers in place of which the tests of the open file are run, where a message says what goes wrong."""


def reported_fix(situation: Situation) -> Answer | None:
    """The repairs of the tests that fail in a message that is a report of them, if trying finds any."""
    return _tried(Answer("write"), situation) if is_report(situation.instruction) else None


def tried_fix(found: Answer, situation: Situation) -> Answer | None:
    """The same of any other message that says what fails. An edit that was found otherwise stays if it has
    no mark, or repairs that too."""
    if is_report(situation.instruction) or (found.kind == "edit" and not found.ways[0].marked):
        return None
    return _tried(found, situation)


def _tried(found: Answer, situation: Situation) -> Answer | None:
    text = situation.instruction
    own = tells_of_tests(text)
    if not own and situation.earlier is None and found.kind in _UNDONE:
        own = not asks_for_edit(text, names_here(situation))
    texts = found.ways[0].plan.texts(situation.repo) if found.kind == "edit" else {}
    repairs, passing = tried_repairs(situation, own, texts) if situation.may_try() else Tried()
    offered = offer_fixes(repairs, situation) if repairs else None
    if offered is not None and offered.ways:
        return offered
    told = passing and found.kind != "edit" and (is_report(text) or tells_of_tests(text))
    return _nothing_fails(passing) if told else None


def _nothing_fails(names: Sequence[str]) -> Answer:
    """The answer where the tests that are said to fail pass."""
    several = len(names) > 1
    reason = f"{names[0]} and {len(names) - 1} more pass" if several else f"{names[0]} passes"
    return Answer("nothing", reason=decision_settings()["sentences"]["nothing"].format(reason=reason))
