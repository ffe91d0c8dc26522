"""A message after added lines names another parameter or function, or one more type."""

from __future__ import annotations

import pytest
from intent.following import answer_behind

HEAD = "def ship(order, weight, retries=3):\n"
BODY = "    return weight * retries\n"
GUARD = '    if order is None:\n        raise KeyError("order must not be None")\n'
OTHER = GUARD.replace("order", "weight")
RETURNING = "    if not order:\n        return None\n"


@pytest.mark.parametrize(
    ("message", "intent", "slots", "lines"),
    [
        ("weight instead", "amend.return_instead", {"result": "weight"}, OTHER),
        ("weight, not order", "amend.value", {"value": "weight", "old": "order"}, OTHER),
        ("and weight too", "amend.further", {"value": "weight"}, GUARD + OTHER),
        ("same for weight", "amend.also", {"parameter": "weight"}, GUARD + OTHER),
    ],
)
def test_another_parameter_is_checked(message: str, intent: str, slots: dict[str, str], lines: str) -> None:
    _, text = answer_behind(HEAD + BODY, HEAD + GUARD + BODY, message, intent, **slots)
    assert text == HEAD + lines + BODY


def test_what_is_to_be_checked_too_is_another_subject() -> None:
    said = ("also check the weight", "say_value")
    _, text = answer_behind(HEAD + BODY, HEAD + GUARD + BODY, *said, value="the weight")
    assert text == HEAD + GUARD + OTHER + BODY


def test_the_old_name_of_what_was_renamed_means_the_new_one() -> None:
    renamed = (HEAD + BODY).replace("weight", "mass")
    said = ("also log the weight", "add_log")
    _, text = answer_behind(HEAD + BODY, renamed, *said, message="the weight")
    assert "mass" in text.partition("ship")[2].partition("return")[0] and "weight" not in text


def test_words_that_deny_something_are_no_message() -> None:
    said = ("not weight", "amend.message")
    _, text = answer_behind(HEAD + BODY, HEAD + GUARD + BODY, *said, message="not weight")
    assert '"not weight"' not in text


def test_what_is_to_be_returned_is_no_other_subject() -> None:
    said = ("return weight instead", "amend.return_instead")
    _, text = answer_behind(HEAD + BODY, HEAD + RETURNING + BODY, *said, result="weight")
    assert text == HEAD + RETURNING.replace("None", "weight") + BODY


@pytest.mark.parametrize(
    ("message", "condition", "test"),
    [
        ("or when it is empty", "it is empty", "not order"),
        ("or 0", "0", "order == 0"),
        ("or not a string", "not a string", "not isinstance(order, str)"),
    ],
)
def test_a_further_condition_is_about_what_the_first_one_tests(
    message: str, condition: str, test: str
) -> None:
    said = (message, "also_allow")
    _, text = answer_behind(HEAD + BODY, HEAD + GUARD + BODY, *said, condition=condition)
    assert f"    if order is None or {test}:\n" in text


def test_a_condition_about_another_thing_is_none_about_that() -> None:
    said = ("only if debug is set", "amend.condition")
    _, text = answer_behind(HEAD + BODY, HEAD + GUARD + BODY, *said, condition="debug is set")
    assert "order is not None" not in text


@pytest.mark.parametrize(
    ("message", "given", "written"),
    [("or None", "None", "int | None"), ("float too", "float", "int | float"), ("str", "str", "str")],
)
def test_one_more_type_leaves_the_one_that_was_written(message: str, given: str, written: str) -> None:
    was, now = HEAD + BODY, HEAD.replace("weight", "weight: int") + BODY
    _, text = answer_behind(was, now, message, "amend.type", type=given)
    assert text == HEAD.replace("weight", f"weight: {written}") + BODY


@pytest.mark.parametrize(
    ("message", "checked"), [("no, in the other function", "B"), ("the same in the other function", "AB")]
)
def test_the_other_function_is_the_only_other_one_of_the_file(message: str, checked: str) -> None:
    a, b = HEAD, HEAD.replace("ship", "drop")
    intent = "amend.also" if "same" in message else "amend.other_reading"
    _, text = answer_behind(a + BODY + b + BODY, a + GUARD + BODY + b + BODY, message, intent)
    assert text == a + GUARD * ("A" in checked) + BODY + b + GUARD + BODY


@pytest.mark.parametrize(
    ("message", "name", "again"),
    [
        ("and convert_aside too", "convert_aside", "    convert_aside = convert_div\n"),
        ("and aside too", "aside", ""),  # it is no name like the other one
        ("and convert_div too", "convert_div", ""),  # it is there
    ],
)
def test_a_line_that_sets_a_name_comes_once_more_for_another_one(message: str, name: str, again: str) -> None:
    was = "class Page:\n    def convert_div(self):\n        pass\n\n"
    now = f"{was}    convert_main = convert_div\n"
    after = answer_behind(was, now, message, "amend.also", value=name)[1]
    assert (after == f"{now}{again}") if again else not after.endswith(f"{name} = convert_div\n")
