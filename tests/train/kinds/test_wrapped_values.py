"""A wrapped value is what the words ask for: rounded, limited, a text, a number, looked up without
failing."""

from __future__ import annotations

import ast
from random import Random

from support.edit_kinds import cases, value_of

from spark_tui.train import worded_edits
from spark_tui.train.kinds import KINDS, Draw
from spark_tui.train.source_windows import SourceWindow


def test_a_quotient_is_rounded_to_the_digits_that_are_said() -> None:
    for case in cases("round_value", "def part(a, b):\n    share = a / b\n    return share\n"):
        digits = int(case.slots["n"].text)  # type: ignore[union-attr]
        assert value_of(case.after, "part(2, 3)") == round(2 / 3, digits)


def test_a_path_is_no_quotient() -> None:
    text = "def place(folder, name):\n    target = folder / name\n    return target\n"
    assert worded_edits.edit(KINDS["round_value"], SourceWindow("a.py", text), Draw(Random(1))) is None


def test_a_difference_keeps_its_limit() -> None:
    seen = set()
    for case in cases("limit_value", "def left(a, b):\n    rest = a - b\n    return rest\n", 20):
        found = value_of(case.after, "left(1, 9)")
        seen.add("abs" if found == 8 else "limit")
        assert found == 8 or found == int(case.slots["n"].text)  # type: ignore[union-attr]
    assert seen == {"abs", "limit"}


def test_what_is_joined_becomes_a_text() -> None:
    for case in cases("to_str_in_text", 'def say(count):\n    return "you have " + count\n'):
        assert value_of(case.after, "say(3)") == "you have 3"


def test_a_loop_over_none_does_nothing() -> None:
    text = "def walk(rows):\n    out = 0\n    for row in rows:\n        out += row\n    return out\n"
    for case in cases("or_empty", text):
        assert value_of(case.after, "walk(None)") == 0
        assert value_of(case.after, "walk([1, 2])") == 3


def test_what_was_read_becomes_a_number() -> None:
    for case in cases("to_number", 'def read(row):\n    size = row["size"]\n    return size\n'):
        assert value_of(case.after, "read({'size': '4'})") == 4


def test_a_lookup_gives_the_default_that_is_said() -> None:
    for case in cases("lookup_with_default", "def price(table, name):\n    return table[name]\n", 12):
        wanted = (
            ast.literal_eval(case.slots["v"].text)
            if case.slots.get("v") and case.slots["v"].text != "name"
            else None
        )  # type: ignore[union-attr]
        if "v" not in case.slots or case.slots["v"].text != "name":  # type: ignore[union-attr]
            assert value_of(case.after, "price({}, 'x')") == wanted
        assert value_of(case.after, "price({'x': 5}, 'x')") == 5


def test_deleting_what_is_not_there_is_harmless() -> None:
    text = "def drop(table, name):\n    del table[name]\n    return table\n"
    for case in cases("lookup_with_default", text):
        assert value_of(case.after, "drop({}, 'x')") == {}


def test_a_compared_text_is_cleaned_there() -> None:
    text = 'def known(answer):\n    return answer == "yes"\n'
    for case in cases("clean_operand", text):
        given = "' yes '" if "strip" in case.after else "'YES'"
        assert value_of(case.after, f"known({given})") is True
