"""Guards that would refuse what the code around them gives: a text, a default."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """\
from dataclasses import dataclass
from decimal import Decimal


@dataclass
class Address:
    zip_code: str
    floor: int = 0

    def check(self):
        return len(self.zip_code)


def add(lines, price, count=1, weight: float = 0.0, size=None):
    size = int(size)
    lines.append((Decimal(price), int(count), int(weight), size))


def cancel(order, reason="", days=0, note=None):
    order.reason = reason or note
    return days
"""


@pytest.mark.parametrize(
    ("function", "condition", "mark"),
    [
        ("check", "zip_code is not a number", "self.zip_code is of type str"),
        ("check", "floor is not a number", ""),
        ("add", "price is negative", "price is read as a text"),
        ("add", "count is negative", ""),
        ("add", "weight is negative", ""),
        ("add", "size is negative", ""),
        ("cancel", "reason is empty", "reason is '' by default"),
        ("cancel", "days is less than 1", "days is 0 by default"),
        ("cancel", "days is negative", ""),
        ("cancel", "note is empty", "note is None by default"),
    ],
)
def test_a_guard_that_refuses_what_is_given_is_marked(function: str, condition: str, mark: str) -> None:
    slots = {"function": function, "condition": condition, "exception": "ValueError"}
    text = f"raise ValueError in {function} if {condition}"
    said = [one for one in answer_to(CODE, text, "guard_raise", **slots).ways[0].marked if "assumed" in one]
    assert len(said) == bool(mark) and all(mark in one for one in said)


TEMPLATE = """\
class Template:
    filters = {"upper": str.upper}

    def fill(self, match, values):
        name, filter_name = match.groups()
        value = str(values.get(name, self.default))
        if filter_name is not None:
            value = self.filters[filter_name](value)
        return value

    def missing(self, **values):
        return [name for name in self.names if name not in values]
"""


def test_what_is_missing_is_what_the_words_name() -> None:
    slots = {"function": "fill", "condition": "name is missing", "exception": "KeyError"}
    new = changed(TEMPLATE, "raise KeyError in fill if name is missing", "guard_raise", **slots)
    assert "if name not in values:" in new


BRANCHES = """\
PLUGINS = {"table": "md.table"}


def load(name):
    if callable(name):
        return name
    if name in PLUGINS:
        module, function = PLUGINS[name].rsplit(".", 1)
    else:
        module, function = name.rsplit(".", 1)
    return module, function
"""


def test_what_fails_in_one_branch_only_is_refused_there_only() -> None:
    slots = {"function": "load", "condition": "there is no dot in the name", "exception": "ValueError"}
    done = changed(
        BRANCHES, "raise ValueError in load if there is no dot in the name", "guard_raise", **slots
    )
    assert 'else:\n        if "." not in name:\n            raise ValueError' in done


KINDS = """\
def wait(time, name):
    \"""Wait.\"""
    if not isinstance(time, (int, float)):
        raise TypeError("time must be a number")
    if name is None:
        raise ValueError("no name")
    return time, name
"""


@pytest.mark.parametrize(
    ("condition", "test", "behind"),
    [("time is negative", "time < 0", 1), ("name is shorter than 3", "len(name) < 3", 2)],
)
def test_a_guard_stands_behind_those_that_refuse_other_kinds(condition: str, test: str, behind: int) -> None:
    text = f"raise ValueError in wait if {condition}"
    slots = {"function": "wait", "condition": condition, "exception": "ValueError"}
    made = changed(KINDS, text, "guard_raise", **slots)
    assert made.partition(f"    if {test}:\n")[0].count("raise ") == behind
    assert "nothing" in answer_to(made, text, "guard_raise", **slots).kind
