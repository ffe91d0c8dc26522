"""A type that is to count too joins the test of the one like it."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """def load(node):
    if isinstance(node, list):
        return node[0]
    return node


def freeze(value):
    if isinstance(value, (dict, str)):
        return value
    if type(value) is set:
        return frozenset(value)
    return value


def mixed(value):
    return value.append if not isinstance(value, list | bytes) else None
"""


@pytest.mark.parametrize(
    ("text", "function", "old", "new"),
    [
        ("accept tuples too in load", "load", "(node, list)", "(node, (list, tuple))"),
        ("load should take tuples just like lists", "load", "(node, list)", "(node, (list, tuple))"),
        (
            "freeze should handle frozenset like set",
            "freeze",
            "type(value) is set",
            "type(value) in (set, frozenset)",
        ),
        ("handle bytes like str in freeze", "freeze", "(dict, str)", "(dict, str, bytes)"),
        ("accept a tuple as well in mixed", "mixed", "list | bytes", "list | bytes | tuple"),
    ],
)
def test_a_type_joins_the_test_of_one_that_is_like_it(text: str, function: str, old: str, new: str) -> None:
    assert changed(CODE, text, "convert_value", function=function) == CODE.replace(old, new)


def test_of_several_tests_the_one_is_chosen() -> None:
    answer = answer_to(CODE, "accept tuples too", "also_allow", condition="tuples")
    assert all("3 places fit" in way.marked or len(answer.ways) > 1 for way in answer.ways)


def test_what_the_new_type_cannot_do_is_marked() -> None:
    code = "def add(rows, row):\n    if isinstance(rows, list):\n        rows.append(row)\n"
    (way,) = answer_to(code, "accept tuples too in add", "also_allow", function="add").ways
    assert "a tuple has no append" in way.marked


def test_where_more_is_said_it_is_not_a_further_type() -> None:
    answer = answer_to(
        CODE, "convert tuples to lists too in load", "convert_value", function="load", type="lists"
    )
    assert not any("tuple)" in way.title for way in answer.ways)


def test_a_builtin_type_in_words_is_none_of_typing() -> None:
    code = f"from typing import Tuple\n\n\n{CODE}"
    made = changed(code, "accept tuples too in load", "convert_value", function="load")
    assert made == code.replace("(node, list)", "(node, (list, tuple))")
    code = f"class Filter:\n    pass\n\n\n{CODE}"
    made = changed(code, "accept Filters too in load", "convert_value", function="load")
    assert made == code.replace("(node, list)", "(node, (list, Filter))")
