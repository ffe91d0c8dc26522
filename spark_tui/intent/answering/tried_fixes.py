"""A message about a failing test, or with an example of what a call should give: repairs that were tried."""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.intent.answering.problem_answer import offer_fixes
from spark_tui.intent.context.areas import unknown_files
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.defects.asking import asks_for_edit
from spark_tui.intent.defects.described import names_here, reads_bug, tells_of_symptom
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.planning.executing import decision_settings
from spark_tui.intent.trying.failing_tests import is_report, named_tests, only_names_tests, tells_of_tests
from spark_tui.intent.trying.repairs import tried_repairs
from spark_tui.intent.words.readings import Order

_UNDONE = ("write", "cannot", "choices")
"""Answers in place of which the tests of the open file are run, where a message says what goes wrong."""
_TOLD, _CLEARLY_TOLD = 0.5, 2.5
"""How much its words must speak for that, and the same where nothing of the kind is read."""


def reported_fix(situation: Situation) -> Answer | None:
    """The repairs of the tests that fail in a message that is a report of them or their names, if trying
    finds any."""
    report = is_report(situation.instruction)
    if not report and not only_names_tests(situation.instruction):
        return None
    found = _tried(Answer("write"), situation)
    return None if report and found is not None and found.kind == "write" else found  # an error may be known


def tried_fix(found: Answer, situation: Situation, orders: Sequence[Order] = ()) -> Answer | None:
    """The same of any other message that says what fails; `orders` are what is read in it. An edit that was
    found otherwise stays if it has no mark, or repairs that too."""
    if is_report(situation.instruction) or (found.kind == "edit" and not found.ways[0].marked):
        return None
    return _tried(found, situation, orders)


def or_tried(found: Answer, situation: Situation) -> Answer:
    """The same of a message that has no edit, where it tells of tests; else the answer that was found."""
    return (tried_fix(found, situation) if tells_of_tests(situation.instruction) else None) or found


def _tried(found: Answer, situation: Situation, orders: Sequence[Order] = ()) -> Answer | None:
    text = situation.instruction
    own = tells_of_tests(text)
    if not own and situation.earlier is None and found.kind in _UNDONE:
        own = not (asks_for_edit(text, names_here(situation)) or unknown_files(situation.repo, text))
        own = own and tells_of_symptom(situation) >= (_TOLD if reads_bug(orders) else _CLEARLY_TOLD)
    texts = found.ways[0].plan.texts(situation.repo) if found.kind == "edit" else {}
    # To change a test is no way to make it pass.
    spoilt = tells_of_tests(text) and any(path in texts for path in named_tests(text, situation))
    texts = {} if spoilt else texts
    tried = tried_repairs(situation, own, texts)
    offered = offer_fixes(tried.repairs, situation) if tried.repairs else None
    if offered is not None and offered.ways:
        return offered
    told = is_report(text) or tells_of_tests(text) or only_names_tests(text)
    if not told or (found.kind in ("edit", "choices") and not spoilt):
        return None
    sentences = decision_settings()["sentences"]
    if tried.passing:
        reason = _of_tests(tried.passing, "passes", "pass")
        return Answer("nothing", reason=sentences["nothing"].format(reason=reason))
    if not tried.failing or found.kind == "question":
        return None
    reason = f"{_of_tests(tried.failing, 'fails', 'fail')}, and nothing that was tried repairs it"
    return Answer("write", reason=sentences["refused"].format(reason=reason))


def _of_tests(names: Sequence[str], one: str, several: str) -> str:
    more = len(names) - 1
    return f"{names[0]} and {more} more {several}" if more else f"{names[0]} {one}"
