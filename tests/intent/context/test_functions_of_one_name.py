"""Of several functions of one name, the one that has what is named in it is meant."""

from __future__ import annotations

import pytest
from intent.asking import answer_to
from intent.support import PATH, answered, result

CODE = """class Line:
    def total(self):
        return self.price


class Order:
    def total(self, discount=0):
        return 10 * (1 - discount)
"""


def test_the_only_one_with_the_parameter_is_meant() -> None:
    slots = {"symbol": "discount", "new": "rebate", "function": "total"}
    found = answer_to(CODE, "rename discount to rebate in total", "rename", **slots)
    assert result(found, {PATH: CODE}) == CODE.replace("discount", "rebate")
    assert not any("symbols are called" in mark for mark in found.ways[0].marked)


def test_where_both_have_it_the_names_are_told() -> None:
    code = CODE.replace("total(self):", "total(self, discount):")
    slots = {"parameter": "discount", "function": "total"}
    found = answer_to(code, "make discount keyword-only in total", "make_keyword_only", **slots)
    *single, both = found.ways
    told = "2 symbols are called total: Line.total, Order.total"
    assert len(single) == 2 and all(told in way.marked for way in single)
    assert len(both.calls) == 2 and told not in both.marked


@pytest.mark.parametrize(
    ("text", "reason"), [("refund", "there is nothing called refund"), ("load", "there is no class load")]
)
def test_a_place_that_is_not_there_says_whether_something_else_is_called_so(text: str, reason: str) -> None:
    found = answered({"a.py": "def load(path):\n    return path\n"}, ("set_docstring", {"class": text}))
    assert not found.ways and reason in found.reason


def test_the_class_in_front_of_a_method_that_many_files_have_decides() -> None:
    files = {
        f"{name}.py": f"class {name.upper()}:\n    def run(self, n):\n        return n\n"
        for name in "abcdefgh"
    }
    found = answered({**files, PATH: "x = 1\n"}, ("rename", {"symbol": "H.run", "new": "go"}))
    assert [way.plan.paths for way in found.ways] == [("h.py",)]
