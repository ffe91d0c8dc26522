"""Orders after others in one instruction: what they take from these, and what these do not leave to them."""

from __future__ import annotations

import pytest
from intent.support import PATH, answered, result

pytestmark = pytest.mark.usefixtures("sure")


@pytest.fixture
def sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readings by hand have no words around them, which the fitted certainty goes by."""
    monkeypatch.setattr("spark_tui.intent.answering.answer.certainty", lambda *_: 0.99)


CLI = """import argparse


def scan(path, depth=3):
    return path, depth


def options():
    ap = argparse.ArgumentParser()
    ap.add_argument("path")
    return ap.parse_args()


def main():
    given = options()
    print("scanning", given.path)
    scan(given.path)
"""


def test_an_option_that_was_added_is_passed_on_as_it_was_parsed() -> None:
    files = {PATH: CLI}
    adds = ("add_option", {"name": "--depth", "type": "int"})
    passes = ("add_argument", {"call": "scan", "value": "it", "function": "main"})
    assert "scan(given.path, depth=given.depth)" in result(answered(files, adds, passes), files)


@pytest.mark.parametrize(
    ("said", "test"), [("it's given", "given.verbose"), ("it is not set", "not given.verbose")]
)
def test_an_option_that_was_added_is_a_condition(said: str, test: str) -> None:
    files = {PATH: CLI}
    adds = ("add_option", {"name": "--verbose", "type": "store_true"})
    asks = ("run_only_if", {"code": "print", "condition": said})
    assert f"    if {test}:\n        print(" in result(answered(files, adds, asks), files)


def test_a_parameter_that_was_added_is_passed_on_by_its_name_and_not_as_a_word_for_true() -> None:
    files = {PATH: "def draw(shape, enabled=False):\n    pass\n\n\ndef show(shape):\n    draw(shape)\n"}
    adds = ("add_parameter", {"function": "show", "name": "enabled", "default": "True"})
    found = answered(files, adds, ("add_argument", {"call": "draw", "value": "it"}))
    assert "draw(shape, enabled=enabled)" in result(found, files)


def test_what_an_order_in_front_would_take_away_is_done_before_it() -> None:
    files = {
        PATH: "def show(stock):\n    for name in stock:\n        left = stock[name]\n        print(left)\n"
    }
    found = answered(
        files,
        ("sort_loop", {"variable": "stock", "function": "show"}),
        ("pattern.loop_items", {"function": "show"}),
    )
    assert "for name, left in sorted(stock.items()" in result(found, files)


def test_two_values_are_not_set_one_over_the_other() -> None:
    files = {PATH: "BOX_WIDTH = 3\nDEPTH = 8\n"}
    found = answered(
        files,
        ("set_value", {"variable": "box", "value": "5"}),
        ("set_value", {"variable": "box width", "value": "9"}),
    )
    assert result(found, files) == "BOX_WIDTH = 9\nDEPTH = 8\n"
    assert any("not done" in mark for mark in found.ways[0].marked)


def test_a_further_argument_does_not_take_the_name_of_the_one_before() -> None:
    files = {PATH: 'def save(path):\n    with open(path, "w") as f:\n        f.write("x")\n'}
    found = answered(
        files,
        ("set_argument", {"argument": "newline", "value": '"\\n"', "function": "save"}),
        ("set_argument", {"value": "utf-8"}),
    )
    assert 'newline="\\n", encoding="utf-8"' in result(found, files)


def test_both_are_the_places_of_the_orders_in_front() -> None:
    files = {PATH: "def load(a):\n    return a\n\n\ndef keep(b):\n    return b\n"}
    found = answered(
        files,
        ("rename", {"symbol": "a", "new": "path", "function": "load"}),
        ("rename", {"symbol": "b", "new": "row", "function": "keep"}),
        ("write_docstring", {"text": "one on both"}),
    )
    assert result(found, files).count('"""') == 4


def test_an_entry_without_a_key_has_that_of_the_order_in_front() -> None:
    files = {PATH: 'KINDS = ["oak", "elm"]\nHEIGHTS = {"oak": 30, "elm": 25}\n'}
    found = answered(
        files,
        ("add_item", {"value": "ash", "variable": "KINDS"}),
        ("set_entry", {"value": "28", "variable": "HEIGHTS"}),
    )
    assert '"elm": 25, "ash": 28}' in result(found, files)


def test_an_error_that_is_caught_is_caught_where_the_order_in_front_was_done() -> None:
    files = {PATH: "def first(url):\n    return url\n\n\ndef fetch(url, get):\n    return get(url)\n"}
    found = answered(
        files,
        ("set_argument", {"call": "get", "argument": "timeout", "value": "5"}),
        ("try_raise", {"old": "TimeoutError", "exception": "RuntimeError"}),
    )
    text = result(found, files)
    assert text.index("try:") > text.index("def fetch")


def test_an_order_that_only_adds_to_one_that_fails_is_not_done_elsewhere() -> None:
    files = {PATH: 'def f(a, b):\n    print("start")\n    print("end")\n'}
    found = answered(
        files,
        ("replace_message", {"message": "done", "old": "middle"}),
        ("say_value", {"value": "the thing"}),
    )
    assert found.kind == "write"


def test_what_another_order_makes_possible_is_done_behind_it() -> None:
    files = {PATH: "def interest(balance, rate, years):\n    return balance * rate ** years\n"}
    rate = ("set_default", {"parameter": "rate", "default": "0.02", "function": "interest"})
    years = ("set_default", {"parameter": "years", "default": "1", "function": "interest"})
    for orders in ((rate, years), (years, rate)):
        assert "def interest(balance, rate=0.02, years=1):" in result(answered(files, *orders), files)
