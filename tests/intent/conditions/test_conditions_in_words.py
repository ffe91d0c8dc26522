"""Conditions in words, and the code that is made from them."""

from __future__ import annotations

import pytest
from intent.asking import changed
from intent.support import PATH, answered, result, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.conditions import worded
from spark_tui.intent.words.readings import Order, Reading, Span

NAMES = ("box", "Crate", "weight", "parts", "low", "high")


def expression(text: str) -> str | None:
    plain = text.strip(" `.,").removeprefix("a ").removeprefix("an ")
    return plain if plain in NAMES or plain.isdigit() else None


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("box isn't a Crate", "not isinstance(box, Crate)"),
        ("box is dict", "isinstance(box, dict)"),
        ("weight of 0 or less", "weight <= 0"),
        ("zero parts", "not parts"),
        ("elif weight >= 2:", "weight >= 2"),
        ("`box` is not a `str`", "not isinstance(box, str)"),
        ("weight 40", "weight == 40"),
        ("the weight -1.5", "weight == -1.5"),
        ("if not isinstance(box, Crate): continue", "not isinstance(box, Crate)"),
    ],
)
def test_words_become_the_condition_that_they_mean(said: str, code: str) -> None:
    assert worded.parse_condition(said, expression)[0].code == code


def test_a_condition_of_which_only_a_half_is_understood_is_none() -> None:
    assert worded.parse_condition("both are given and low > high", expression) == []


def test_a_bare_number_is_compared_as_a_number() -> None:
    code = "def text(status):\n    if status > 499:\n        return 'bad'\n    return 'ok'\n"
    answer = answered(
        {PATH: code}, ("guard_return", {"condition": "404", "function": "text", "result": "no"})
    )
    every = [str(call.condition) for way in answer.ways for call in way.calls]
    assert every and not any("'404'" in test or '"404"' in test for test in every)


GUARD = {"exception": "ValueError", "message": "bad"}


def edited(code: str, intent: str, slots: dict[str, object]) -> str:
    answer = answered({PATH: code}, (intent, slots))
    best = answer.ways[0] if answer.ways else answer.best
    assert best is not None, answer.reason
    return result(answer if answer.ways else type(answer)("edit", (best,)), {PATH: code}, PATH)


def test_a_word_that_is_no_string_of_the_file_is_no_string() -> None:
    code = "def drop(item):\n    return item\n"
    slots = {"function": "drop", "condition": "item isn't registered", **GUARD}
    assert not answered({PATH: code}, ("guard_raise", slots)).ways


@pytest.mark.parametrize(
    ("text", "test"),
    [("pick(-1)", "count < 0"), ("pick(None)", "count is None"), ("pick('')", "not count")],
)
def test_a_call_that_is_shown_is_a_test_of_its_parameter(text: str, test: str) -> None:
    code = "def pick(count, rest=1):\n    return count\n"
    instruction = f"{text} should raise ValueError"
    slots = {
        "function": (Span(0, 4, "pick"),),
        "condition": (Span(0, len(text), text),),
        "exception": (Span(len(text) + 14, len(instruction), "ValueError"),),
    }
    order = Order(0, len(instruction), (Reading("guard_raise", 1.0, slots),))
    found = answer_orders((order,), situation({PATH: code}, instruction=instruction))
    assert f"    if {test}:\n        raise ValueError(" in result(found, {PATH: code}, PATH)


def test_a_guard_stands_behind_what_sets_its_names() -> None:
    code = "def run(text):\n    parts = text.split()\n    return parts[0]\n"
    slots = {"function": "run", "condition": "not parts", "result": "None"}
    assert "split()\n    if not parts:\n        return None\n" in edited(code, "guard_return", slots)


def test_a_guard_on_what_is_set_in_branches_stands_behind_them() -> None:
    code = (
        "def run(text):\n    if text:\n        parts = [1]\n    else:\n        parts = []\n    return parts\n"
    )
    slots = {"function": "run", "condition": "not parts", "result": "None"}
    assert "parts = []\n    if not parts:\n" in edited(code, "guard_return", slots)


def test_a_guard_on_a_field_that_a_method_empties_stands_at_its_start() -> None:
    code = (
        "class Box:\n    def __init__(self):\n        self.parts = []\n\n"
        "    def send(self):\n        out = self.parts\n        self.parts = []\n        return out\n"
    )
    slots = {"function": "Box.send", "condition": "not self.parts", "result": "None"}
    assert "def send(self):\n        if not self.parts:\n" in edited(code, "guard_return", slots)


def test_a_class_as_the_function_is_what_makes_its_objects() -> None:
    code = (
        "class Pool:\n    def resize(self, size):\n        return size\n\n"
        "    def __init__(self, size):\n        self.size = size\n"
    )
    slots = {"function": "Pool", "condition": "size < 1", **GUARD}
    changed = edited(code, "guard_raise", slots)
    assert "def __init__(self, size):\n        if size < 1:\n" in changed
    assert changed.count("if size < 1") == 1


CHECKS = (
    "def check(hours, name):\n    if name == 'z':\n        return 0\n"
    "    if not hours or hours > 23:\n        return 1\n    return 2\n"
)


@pytest.mark.parametrize(
    ("slots", "line"),
    [
        ({"condition": "hours > 24"}, "    if not hours or hours > 24:"),
        ({"condition": "elif name != 'z':", "old": "name == 'z'"}, "    if name != 'z':"),
    ],
)
def test_only_the_condition_that_is_like_the_new_one_changes(slots: dict[str, str], line: str) -> None:
    changed = edited(CHECKS, "change_condition", {"function": "check", **slots})
    assert line in changed.splitlines()
    assert sum(a != b for a, b in zip(CHECKS.splitlines(), changed.splitlines(), strict=True)) == 1


def test_a_condition_that_is_like_none_there_changes_none() -> None:
    slots = {"function": "check", "condition": "check is None"}
    assert not answered({PATH: CHECKS}, ("change_condition", slots)).ways


def test_the_side_of_a_chain_that_is_named_changes() -> None:
    code = "def share(n):\n    return 0 < n < 4\n"
    slots = {"function": "share", "value": "4"}
    assert "0 < n <= 4" in edited(code, "include_boundary", slots)


def test_a_key_that_may_be_missing_is_asked_for() -> None:
    code = 'def query(env):\n    text = env["QUERY"]\n    return text\n'
    slots = {"function": "query", "variable": "text", "default": "0"}
    assert 'text = env.get("QUERY", 0)' in edited(code, "value_if_empty", slots)


def test_only_the_if_of_the_condition_is_inverted() -> None:
    code = (
        "def pick(a, b):\n    if a:\n        x = 1\n    else:\n        x = 2\n"
        "    if b == 1:\n        y = 1\n    else:\n        y = 2\n    return x, y\n"
    )
    changed = edited(code, "pattern.invert_if", {"function": "pick", "condition": "b != 1"})
    assert "    if a:\n" in changed
    assert "    if b != 1:\n        y = 2\n" in changed


@pytest.mark.parametrize(
    ("said", "action"), [("shouldn't fail", "return"), ("must not crash", "return"), ("must fail", "raise")]
)
def test_what_may_not_fail_raises_no_error(said: str, action: str) -> None:
    code = "def drop(data, name):\n    del data[name]\n"
    words = {"function": "drop", "condition": "name is missing in data"}
    done = changed(code, f"drop {said} if name is missing in data", "guard_raise", **words)
    assert f"    if name not in data:\n        {action}" in done


@pytest.mark.parametrize(
    ("said", "done"),
    [
        ("drop should not raise a KeyError if name is missing in data", "        return None\n"),
        ("drop should raise a KeyError if name is missing in data", "        raise KeyError("),
    ],
)
def test_an_error_that_is_denied_is_not_raised(said: str, done: str) -> None:
    code = "def drop(data, name):\n    return data[name]\n"
    words = {"function": "drop", "condition": "name is missing in data", "exception": "KeyError"}
    assert f"    if name not in data:\n{done}" in changed(code, said, "guard_raise", **words)
