"""What is no choice: a place alone, a name that can be none, a local variable as a default."""

from __future__ import annotations

import pytest
from intent.fixed_reader import NoRoles, Reads, ranked
from intent.support import PATH, situation, spans

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.answering.offering import offered
from spark_tui.intent.words.readings import Order, Reading
from spark_tui.intent.words.tokens import cleaned

CODE = "class Box:\n    lid = 1\n\n    def fill(self):\n        lid = 2\n        return lid\n"


@pytest.mark.parametrize(
    "place", [PATH, f"{PATH}:2", f"{PATH}:2-3", f"@{PATH}:2", "shop/", "/etc/passwd", "no\\such"]
)
def test_of_a_place_alone_it_is_asked_what_is_to_be_done(place: str) -> None:
    found = answer(place, Reads(), situation({PATH: CODE}), NoRoles())
    assert (found.kind, found.reason) == ("cannot", f"What should change in {place}?")


@pytest.mark.parametrize("name", ["no_such", "Box.empty", "noSuch()", "42"])
def test_of_a_name_alone_with_which_nothing_is_done_it_is_asked_too(name: str) -> None:
    order = Order(0, len(name), (Reading("set_value", 0.9, spans({"variable": "such"})[1]),))
    found = answer(name, Reads(order), situation({PATH: CODE}), NoRoles())
    assert (found.kind, found.reason) == ("cannot", f"What should change in {name}?")


@pytest.mark.parametrize("name", ["a/b.py", "none.py"])
def test_of_a_file_that_is_not_there_it_is_not_asked(name: str) -> None:
    order = Order(0, len(name), (Reading("set_value", 0.9, spans({"variable": "b"})[1]),))
    assert "What should" not in answer(name, Reads(order), situation({PATH: CODE}), NoRoles()).reason


def test_of_a_long_output_it_is_said_that_its_error_was_not_found() -> None:
    text = "Traceback (most recent call last):\n" + '  File "x.py", line 1, in f\n    f()\n' * 200
    assert "traceback" in answer(text, Reads(), situation({PATH: CODE}), NoRoles()).reason


@pytest.mark.parametrize(
    ("new", "why"), [("7up", "'7up' is not a valid name"), ("while", "while is a keyword of Python")]
)
def test_where_a_new_name_can_be_none_nothing_else_is_done_and_it_is_shown_as_typed(
    new: str, why: str
) -> None:
    value = ("set_value", {"variable": "lid", "value": f"'{new}'"}, 0.1)
    found = ranked({PATH: CODE}, ("rename", {"symbol": "lid", "new": new}, 0.85), value)
    assert (found.kind, found.ways) == ("cannot", ()) and why in found.reason


def test_a_local_variable_is_no_default() -> None:
    text, slots = spans({"parameter": "lid", "default": "9"})
    said, value = spans({"variable": "lid", "value": "9"})
    order = Order(0, len(text), (Reading("set_default", 0.6, slots), Reading("set_value", 0.3, value)))
    found = offered(text, Reads(order), situation({PATH: CODE}), NoRoles())
    assert said == text and not any("fill" in item.title for item in found)


def test_a_parameter_is_found_where_no_file_is_open() -> None:
    text, slots = spans({"parameter": "lid", "default": "9"})
    files = {PATH: CODE, "pack.py": "def pack(lid=3):\n    return lid\n"}
    found = answer(
        text,
        Reads(Order(0, len(text), (Reading("set_default", 0.95, slots),))),
        situation(files, path=""),
        NoRoles(),
    )
    assert [way.title for way in found.ways] == ["lid=9 in pack"]


def test_the_colours_of_a_terminal_are_no_words() -> None:
    assert cleaned("\x1b[1;31mrename lid\x1b[0m to \x9b4mtop\x07") == "rename lid to top"
