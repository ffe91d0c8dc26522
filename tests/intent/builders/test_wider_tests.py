"""A shown test that lets more through takes the place of the narrower one, and a parameter that of its
default."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """def pick(row, size):
    if isinstance(row, int) and size > 3:
        return row
    if size in ("a", "b"):
        return size
    if row == 0 or size is None:
        return None
    return row
"""


@pytest.mark.parametrize(
    ("shown", "old"),
    [
        ("isinstance(row, (int, slice))", "isinstance(row, int)"),
        ("size >= 3", "size > 3"),
        ('size in ("a", "b", "c")', 'size in ("a", "b")'),
        ("row <= 0", "row == 0"),
        ("row in (0, 1)", "row == 0"),
    ],
)
def test_a_wider_test_replaces_the_one_there(shown: str, old: str) -> None:
    made = changed(CODE, f"pick: also allow {shown}", "also_allow", function="pick", condition=shown)
    assert made == CODE.replace(old, shown)


def test_the_one_test_that_it_covers_is_meant() -> None:
    slots = {"condition": "isinstance(row, (int, slice))"}
    found = answer_to(CODE, "also allow isinstance(row, (int, slice))", "also_allow", **slots)
    assert found.kind == "edit" and not any("places fit" in mark for mark in found.ways[0].marked)


def test_another_test_is_joined() -> None:
    code = "def pick(row, size):\n    if size > 3:\n        return row\n"
    made = changed(code, "pick: also allow size < 1", "also_allow", function="pick", condition="size < 1")
    assert "if size > 3 or size < 1:" in made


def test_a_parameter_is_passed_where_its_default_stands() -> None:
    code = "import select\n\n\ndef ready(file, timeout=0.0):\n    return select.select([file], [], [], 0.0)\n"
    slots = {"call": "select", "argument": "timeout", "value": "timeout"}
    made = changed(code, "pass timeout to select", "set_argument", **slots)
    assert made == code.replace("[], 0.0)", "[], timeout)")


@pytest.mark.parametrize("word", ["special case", "check"])
def test_a_special_case_is_an_if(word: str) -> None:
    text = f"remove the size {word} from pick"
    code = "def pick(row, size):\n    if size:\n        return size\n    return row\n"
    made = changed(code, text, "delete_statement", code=f"size {word}", function="pick")
    assert made == "def pick(row, size):\n    return row\n"
