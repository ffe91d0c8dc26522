"""Repairs with which all tests pass are told apart by what they do with other values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from spark_tui.intent.answering.tried_fixes import or_tried, reported_fix, tried_fix
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.trying.probes import probes_of
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

MATRIX = """\
def multiply(a, b):
    if len(a[0]) != len(b):
        raise ValueError("shapes")
    rows, inner, columns = len(a), len(b), len(b[0])
    out = []
    for i in range(rows):
        row = []
        for j in range(inner):
            row.append(sum(a[i][k] * b[k][j] for k in range(inner)))
        out.append(row)
    return out
"""
LEAP = """\
def is_leap(year):
    return year % 4 == 0 and year % 100 != 0 and year % 400 == 0
"""
STOCK = """\
class Stock:
    def __init__(self):
        self.free = {}

    def put(self, name, count):
        self.free[name] = count

    def take(self, name, count):
        self.free[name] += count
        return self.free[name]
"""
STOCK_TESTS = """\
from stock import Stock


def test_take():
    stock = Stock()
    stock.put("nut", 9)
    assert stock.take("nut", 2) == 7


def test_put():
    stock = Stock()
    stock.put("nut", 9)
    assert stock.free == {"nut": 9}
"""


def ask(message: str, files: dict[str, str], path: str) -> Answer:
    situation = Situation(Repository(DictTree(files)), path, instruction=message)
    answer = reported_fix(situation) or tried_fix(Answer("write"), situation)
    assert answer is not None
    return answer


def test_a_choice_shows_what_each_does() -> None:
    answer = ask("is_leap(2024) gives False, should be True", {"cal.py": LEAP}, "cal.py")
    assert answer.kind == "choices"
    told = [way.title.partition(": ")[0] for way in answer.ways]
    assert all(one.startswith("is_leap(") and " gives " in one for one in told)
    assert len(set(told)) > 1
    for way, words in zip(answer.ways, told, strict=True):
        names: dict[str, Any] = {}
        exec(way.plan.texts(Repository(DictTree({"cal.py": LEAP})))["cal.py"] or "", names)
        for call, _, value in (one.partition(" gives ") for one in words.split(", ")):
            assert repr(eval(call, names)) == value


def test_one_that_ends_in_an_error_beside_comes_later() -> None:
    tests = "from m import multiply\n"
    tests += "def test_row():\n    assert multiply([[1, 2, 3]], [[4], [5], [6]]) == [[32]]\n"
    tests += (
        "def test_square():\n    assert multiply([[1, 2], [3, 4]], [[0, 1], [1, 0]]) == [[2, 1], [4, 3]]\n"
    )
    tests += "def test_shapes():\n    assert multiply([[1], [2]], [[3, 4]]) == [[3, 4], [6, 8]]\n"
    answer = ask("test_row fails", {"m.py": MATRIX, "test_m.py": tests}, "m.py")
    first = answer.ways[0].plan.texts(Repository(DictTree({"m.py": MATRIX})))["m.py"] or ""
    names: dict[str, Any] = {}
    exec(first, names)
    assert names["multiply"]([[1, 2]], [[1, 2, 3], [4, 5, 6]]) == [[9, 12, 15]]


def test_an_example_that_needs_more_gives_way_to_the_tests() -> None:
    files = {"stock.py": STOCK, "test_stock.py": STOCK_TESTS}
    answer = ask('after putting 9, stock.take("nut", 2) gives 11, should be 7', files, "stock.py")
    assert answer.ways[0].marked == ("found by trying: test_take passes, 1 other test still passes",)
    assert "-= count" in (answer.ways[0].plan.texts(Repository(DictTree(files)))["stock.py"] or "")


def test_an_example_of_which_nothing_else_is_said_stays() -> None:
    code = "def grade(points):\n    return 'pass' if points > 50 else 'fail'\n"
    message = ">>> grade(49)\n'fail'\n>>> grade(50)\n'fail'\n\nthe last one should give 'pass'"
    answer = ask(message, {"g.py": code}, "g.py")
    assert answer.ways
    for way in answer.ways:
        names: dict[str, Any] = {}
        exec(way.plan.texts(Repository(DictTree({"g.py": code})))["g.py"] or "", names)
        assert [names["grade"](one) for one in (49, 50)] == ["fail", "pass"]


def test_tests_are_run_where_the_words_alone_are_about_no_edit() -> None:
    files = {"stock.py": STOCK, "test_stock.py": STOCK_TESTS}
    situation = Situation(
        Repository(DictTree(files)), "stock.py", instruction="test_take fails, test_put too"
    )
    found = or_tried(Answer("cannot"), situation)
    assert found.kind in ("edit", "choices")
    assert or_tried(Answer("cannot"), replace(situation, instruction="the other one too")) == Answer("cannot")


def test_rows_of_arguments_are_changed_and_their_names_are_not() -> None:
    tests = "import pytest\nfrom cal import is_leap\n\n\n"
    tests += '@pytest.mark.parametrize("year, leap", [(2024, True)])\ndef test_leap(year, leap):\n'
    tests += "    assert is_leap(year) == leap\n"
    repo = Repository(DictTree({"cal.py": LEAP, "test_cal.py": tests}))
    made = probes_of(repo, [("test_cal", "test_leap")], [], {}, [400])
    text = made.texts["test_cal"]
    assert text.count("'year, leap'") == len(made.probes) + 1 > 3
    assert "[(400, True)]" in text and "_spark_look(is_leap(year))" in text
    assert all(one.fails and one.test[1].startswith("_spark_probe_test_leap_") for one in made.probes)


def test_what_is_raised_and_what_unittest_asks_for_is_looked_at() -> None:
    tests = "import unittest\nimport pytest\nfrom cal import is_leap\n\n\n"
    tests += "def test_text():\n    with pytest.raises(TypeError):\n        is_leap('a')\n\n\n"
    tests += "class CalTest(unittest.TestCase):\n    def test_leap(self):\n"
    tests += "        self.assertEqual(is_leap(2024), True)\n"
    repo = Repository(DictTree({"cal.py": LEAP, "test_cal.py": tests}))
    names = [("test_cal", "test_text"), ("test_cal", "CalTest::test_leap")]
    made = probes_of(repo, [], names, {}, [])
    text = made.texts["test_cal"]
    assert "_spark_look(type(_spark_error).__name__)" in text and "_spark_look(is_leap(2025))" in text
    assert {one.test[1].partition("::")[0] for one in made.probes} >= {"CalTest"}
    assert not any(one.fails for one in made.probes)
