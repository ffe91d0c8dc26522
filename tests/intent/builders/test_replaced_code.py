"""Code that takes the place of other code which the words do not show."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, result

from spark_tui.codemods import registry
from spark_tui.intent.planning.titles import title_of

CODE = """\
def short(value):
    value = int(value)
    if value < 0:
        value *= -1
        sign = "-"
    log.info("negative")
    return str(value)
"""


@pytest.mark.parametrize(
    ("code", "old", "gone"),
    [
        ("value = abs(value)", "multiplying by -1", "value *= -1"),
        ('sign = "minus"', "the hyphen", 'sign = "-"'),
        ('log.info("below 0")', "the old text", 'log.info("negative")'),
    ],
)
def test_it_replaces_the_statement_that_sets_or_calls_the_same_with_a_mark(
    code: str, old: str, gone: str
) -> None:
    slots = {"function": "short", "code": code, "old": old}
    found = answer_to(CODE, f"short: {code} instead of {old}", "replace_statement", **slots)
    assert result(found, {PATH: CODE}) == CODE.replace(gone, code)
    assert any("was assumed to be meant" in mark for mark in found.ways[0].marked)


def test_of_several_that_fit_alike_none_is_taken() -> None:
    code = CODE.replace("-1", "(0 - 1)")
    slots = {"function": "short", "code": "value = abs(value)", "old": "the multiplication"}
    text = "short: value = abs(value) instead of the multiplication"
    assert not answer_to(code, text, "replace_statement", **slots).ways


@pytest.mark.parametrize("code", ["value = abs(value)", "print(value)", "log.info(value)", "value.sort()"])
def test_a_body_whose_result_is_used_is_not_replaced_by_code_without_one(code: str) -> None:
    text = f"short: the body should be {code}"
    words = {"function": "short", "code": code}
    assert not answer_to(CODE, text, "replace_body", **words).ways
    words["code"] = "raise NotImplementedError"
    after = changed(CODE, "short: the body should be raise NotImplementedError", "replace_body", **words)
    assert after == "def short(value):\n    raise NotImplementedError\n"


def test_the_title_says_that_something_goes() -> None:
    call = {"op": "replace_statements", "place": "in m.py::short", "code": "return value"}
    assert title_of(registry.from_json(call)) == "return value in place of what is in short"


@pytest.mark.parametrize(
    ("new", "wanted"),
    [
        ("not 0 <= day <= 6", "not 0 <= day <= 6"),
        ("day not in (0, 6)", "day not in (0, 6)"),
        ("day >= 7", "day < 0 or day >= 7"),
    ],
)
def test_bounds_of_a_subject_take_the_place_of_all_that_is_said_of_it(new: str, wanted: str) -> None:
    code = "def check(day):\n    if day < 0 or day > 6:\n        raise ValueError(day)\n"
    after = changed(code, f"check: use {new}", "change_condition", function="check", condition=new)
    assert after == code.replace("day < 0 or day > 6", wanted)


def test_a_shown_piece_that_is_not_there_is_not_taken_for_words() -> None:
    text = "short: log.info('low') instead of pass"
    slots = {"function": "short", "code": "log.info('low')", "old": "pass"}
    assert not answer_to(CODE, text, "replace_statement", **slots).ways
