"""What else a reading may mean that cannot be done as it is."""

from __future__ import annotations

import pytest
from intent.support import answered, result

from spark_tui.intent.values.likely.incomplete_readings import line_named, with_whole_pieces, without_line
from spark_tui.intent.words.readings import Reading, Span

CODE = {"shop.py": "def f(a, b):\n    print(a)\n    return b\n\n\ndef g(a, c):\n    return c\n"}


@pytest.mark.parametrize(
    "text, line",
    [
        ("on line 14 use <=", 14),
        ("L7: make it a set", 7),
        ("ln #3 is wrong", 3),
        ("in Zeile 12 fehlt das", 12),
        ("shop/cart.py:162:16 UP032 Use an f-string", 162),
        ("delete lines 3-5", None),
        ("set html5 to 3", None),
        ("line 2.5 is odd", None),
    ],
)
def test_the_line_that_is_said(text: str, line: int | None) -> None:
    found = line_named(text)
    assert (found[0] if found else None) == line


def test_a_line_is_no_value_unless_lines_are_asked_for() -> None:
    text = "line 4: 3 attempts"
    slots = {"count": (Span(5, 6, "4"), Span(8, 9, "3"))}
    said = line_named(text)
    assert said is not None
    assert without_line(Reading("add_retry", 0.9, slots), *said[1:]).slots == {"count": (Span(8, 9, "3"),)}
    lines = Reading("delete_lines", 0.9, {"line": (Span(5, 6, "4"),)})
    assert without_line(lines, *said[1:]) == lines


def test_a_span_that_cuts_a_quoted_piece_holds_all_of_it() -> None:
    text = "use `a == b` there, or (x)"
    cut = Reading(
        "change_condition", 0.9, {"condition": (Span(5, 9, "a == "),), "old": (Span(24, 26, "x)"),)}
    )
    found = with_whole_pieces(cut, text).slots
    assert found["condition"] == (Span(4, 12, "a == b", True),)
    assert found["old"][0].text == "x"


def test_nothing_else_is_replaced_where_the_old_is_not_there() -> None:
    code = {"shop.py": "def g(a):\n    if a:\n        return 1\n"}
    slots = {"old": "b < 3", "condition": "b < 4"}
    assert answered(code, ("change_condition", slots)).kind != "edit"
    assert answered(code, ("change_condition", {**slots, "old": "a"})).kind == "edit"


def test_a_slot_that_means_nothing_is_left_out_and_marked() -> None:
    found = answered(CODE, ("remove_parameter", {"parameter": "a", "function": "g", "class": "Nowhere"}))
    assert result(found, CODE).endswith("def g(c):\n    return c\n")
    assert "not used as the class: Nowhere" in found.ways[0].marked


def test_types_are_given_to_no_other_function_than_the_named_one() -> None:
    code = {"shop.py": "def one():\n    return 1\n", "other.py": "def keep_all(a):\n    return a\n"}
    assert "-> int" in result(answered(code, ("annotate_all", {})), code)
    found = answered(code, ("annotate_all", {"function": "keep_all"}))
    assert (found.kind, found.ways) == ("write", ())
    assert "does not tell the types" in found.reason


def test_prints_are_deleted_where_no_call_is_named() -> None:
    found = answered(CODE, ("delete_calls", {"function": "f"}))
    assert "print" not in result(found, CODE)


def test_a_value_stands_in_place_of_calls_and_is_not_set_to_itself() -> None:
    code = {
        "shop.py": """import os


def f(path, name):
    path = str(path)
    name = name.upper()
    if name:
        name = str(name)
    kept = str(
        name
    )
    return os.fspath(path), str(kept)
"""
    }
    plain = answered(code, ("delete_calls", {"call": "str", "function": "f"}))
    assert (
        result(plain, code)
        == """import os


def f(path, name):
    name = name.upper()
    if name:
        pass
    kept = name
    return os.fspath(path), kept
"""
    )
    dotted = answered(code, ("delete_calls", {"call": "os.fspath", "function": "f"}))
    assert "return path, str(kept)" in result(dotted, code)
