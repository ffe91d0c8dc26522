"""A message behind a written raise or call that names another call for it."""

from __future__ import annotations

import pytest
from intent.asking import after
from intent.following import answer_behind, situation_behind

from spark_tui.intent.planning.answers import titles_apart

WAS = """import logging

log = logging.getLogger(__name__)


def pay(amount):
    return amount
"""
RAISED = WAS.replace("    return", '    if amount < 0:\n        raise ValueError("too low")\n    return')
TOLD = WAS.replace("    return", '    print("paid")\n    return')


@pytest.mark.parametrize("text", ["log.error rather", "rather log.error", 'log.error("too low") instead'])
def test_a_call_takes_the_place_of_a_raise_and_whether_it_goes_on_is_a_choice(text: str) -> None:
    answer, _ = answer_behind(WAS, RAISED, text, "amend.exception", exception="log.error")
    base = situation_behind(WAS, RAISED, text).before
    made = {way.plan.texts(base)["shop.py"] for way in answer.ways}
    line = 'log.error("too low")'
    raised = '        raise ValueError("too low")'
    assert answer.kind == "choices"
    assert made == {RAISED.replace(raised, f"        {line}{more}") for more in ("", "\n        return")}
    assert len(set(titles_apart(answer.ways))) == 2


def test_the_return_behind_a_call_has_the_indentation_of_the_file() -> None:
    was, raised = (text.replace("    ", "\t") for text in (WAS, RAISED))
    answer, _ = answer_behind(was, raised, "log.error rather", "amend.exception", exception="log.error")
    base = situation_behind(was, raised, "log.error rather").before
    made = {way.plan.texts(base)["shop.py"] for way in answer.ways}
    assert any('\t\tlog.error("too low")\n\t\treturn\n' in (text or "") for text in made)


def test_a_call_takes_the_place_of_a_call() -> None:
    _, now = answer_behind(WAS, TOLD, "rather log.error", "amend.value", value="log.error")
    assert now == TOLD.replace("print(", "log.error(")


@pytest.mark.parametrize(
    ("call", "module"), [("sys.exit(1)", "sys"), ('warnings.warn("too low")', "warnings")]
)
def test_a_module_that_is_not_imported_is_imported_for_the_call(call: str, module: str) -> None:
    was, raised = (text.removeprefix(WAS.partition("\n\n\n")[0]).lstrip() for text in (WAS, RAISED))
    answer, _ = answer_behind(was, raised, f"rather {call}", "amend.condition", condition=call)
    base = situation_behind(was, raised, "").before
    made = [way.plan.texts(base)["shop.py"] for way in answer.ways]
    assert f"import {module}\n\n\n" + raised.replace('raise ValueError("too low")', call) in made
    assert not any(way.plan.findings for way in answer.ways)


def test_a_name_that_is_no_module_of_the_library_is_not_called() -> None:
    answer, _ = answer_behind(WAS, RAISED, "rather audit.error", "amend.exception", exception="audit.error")
    base = situation_behind(WAS, RAISED, "").before
    assert not any("audit.error(" in (way.plan.texts(base)["shop.py"] or "") for way in answer.ways)


def test_no_function_that_logs_is_raised() -> None:
    words = {"exception": "log.error", "function": "pay", "condition": "amount is negative"}
    assert "raise log" not in after("guard_raise", "log.error in pay if amount is negative", WAS, **words)
