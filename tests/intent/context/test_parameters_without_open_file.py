"""A parameter that is named where no file is open: the function of the project that has it."""

from __future__ import annotations

import pytest
from intent.support import answered

FETCH = {"a.py": "def fetch(rows, limit=10):\n    return rows[:limit]\n", "b.py": "from a import fetch\n"}
OTHER = "def {0}(rows, limit=3):\n    return rows[:limit]\n"
DEFAULT = ("set_default", {"parameter": "limit", "default": "5"})


def test_the_one_function_with_the_parameter_is_found() -> None:
    found = answered(FETCH, DEFAULT, path="")
    assert found.kind == "edit"
    assert found.ways[0].plan.paths == ("a.py",)


@pytest.mark.parametrize(
    ("intent", "words"),
    [
        ("remove_default", {"parameter": "limit"}),
        ("make_keyword_only", {"parameter": "limit"}),
        ("annotate_parameter", {"parameter": "limit", "type": "int"}),
        ("set_default", {"parameter": "`limit`", "default": "5"}),
    ],
)
def test_other_orders_find_the_parameter_too(intent: str, words: dict[str, str]) -> None:
    found = answered(FETCH, (intent, words), path="")
    assert found.ways and found.ways[0].plan.paths == ("a.py",)


def test_of_two_functions_with_the_parameter_one_can_be_chosen() -> None:
    found = answered({**FETCH, "c.py": OTHER.format("load")}, DEFAULT, path="")
    assert found.kind == "choices"
    assert {way.plan.paths for way in found.ways} == {("a.py",), ("c.py",)}


def test_many_functions_with_the_parameter_are_named() -> None:
    files = {**FETCH, **{f"m{at}.py": OTHER.format(f"load_{at}") for at in range(6)}}
    found = answered(files, DEFAULT, path="")
    assert not found.ways
    assert "several functions have limit: fetch, load_0, load_1 and others; say which" in found.reason


def test_a_default_is_changed_where_there_is_one() -> None:
    files = {**FETCH, "c.py": OTHER.format("load").replace("=3", "")}
    assert answered(files, DEFAULT, path="").ways[0].plan.paths == ("a.py",)


def test_a_parameter_of_nearly_that_name_is_not_taken_from_another_file() -> None:
    found = answered(FETCH, ("set_default", {"parameter": "limits", "default": "5"}), path="")
    assert not found.ways


def test_the_open_file_is_the_place_where_there_is_one() -> None:
    found = answered(FETCH, DEFAULT, path="b.py")
    assert not found.ways and "no parameter was found" in found.reason
