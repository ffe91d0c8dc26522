"""Lines that are named by their numbers become a function of their own."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, result

from spark_tui.intent.answering.added_or_removed import asks_otherwise
from spark_tui.intent.values.likely.incomplete_readings import range_named

REPORT = """def report(rows, limit):
    total = 0
    for row in rows:
        amount = row["amount"]
        rounded = round(amount, 2)
        total += rounded
    return total
"""


def test_all_of_the_lines_go_into_it() -> None:
    text = "extract lines 4-6 into a function add_amount"
    after = changed(REPORT, text, "extract_function", code="lines 4-6", name="add_amount")
    assert "    for row in rows:\n        total = add_amount(row, total)\n    return total\n" in after
    assert "    rounded = round(amount, 2)\n    total += rounded\n    return total\n" in after


def test_a_name_is_made_of_what_they_change() -> None:
    found = answer_to(REPORT, "extract lines 4 to 6 into a function", "extract_function", code="lines 4 to 6")
    assert "total = update_total(row, total)" in result(found, {PATH: REPORT})
    assert any("made up" in mark for mark in found.ways[0].marked)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("lines 4-6", (4, 6)),
        ("die Zeilen 4 bis 5", (4, 5)),
        ("line 4 to line 6 of it", (4, 6)),
        ("shop.py:4-5 into a helper", (4, 5)),
        ("lines 3-5 and lines 8-9", None),
        ("lines 6-4", None),
        ("line 12", None),
        ("4-6 of them", None),
    ],
)
def test_a_range_of_lines_is_heard(text: str, lines: tuple[int, int] | None) -> None:
    assert range_named(text) == lines


@pytest.mark.parametrize(
    ("text", "otherwise"),
    [
        ("extract lines 4-6 into a function", True),
        ("pull lines 7 through 8 out into a helper", True),
        ("delete lines 4-6 of the helper function", False),
        ("lines 4-6 of the helper function can go", False),
        ("remove lines 4-6", False),
    ],
)
def test_to_extract_lines_is_not_to_delete_them(text: str, otherwise: bool) -> None:
    assert asks_otherwise(text) is otherwise


@pytest.mark.parametrize("said", ["other.py:4-6", "lines 4-6 of other.py"])
def test_the_lines_are_those_of_the_file_that_is_named(said: str) -> None:
    text = f"extract {said} into a function"
    files = {PATH: REPORT.replace("total", "count"), "other.py": REPORT}
    found = answer_to(files, text, "extract_function", code=said)
    assert "total = update_total(row, total)" in result(found, files, "other.py")


def test_a_name_that_is_made_is_a_free_one() -> None:
    code = f"{REPORT}\n\ndef update_total():\n    return 1\n"
    found = answer_to(code, "extract lines 4 to 6 into a function", "extract_function", code="lines 4 to 6")
    assert "total = update_total_part(row, total)" in result(found, {PATH: code})
