"""A rename that an answer begins is done at every place that is meant, and nowhere else."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spark_tui.backends.everywhere import PERHAPS, PLAINLY, Everywhere
from spark_tui.backends.name_places import NamePlaces
from spark_tui.engine.layout import WindowHunk

CODE = '''\
import os

RATE = 3


def total(items, rate=RATE):
    """Sum up.

    items: what is bought
    """
    count = len(items)  # items are counted
    for item in items:
        count += item.count
    return f"{count} of {len(items)}: items"


def twice(items):
    count = 2
    return total(items=items) * count


class Basket:
    size = 0

    def add(self, sku, base=os.path):
        self.size += 1
        os.path.exists(sku)
        self.check(sku, size=self.size)
        return base.size

    def check(self, sku, size):
        return self.add(sku) and size
'''
SHOP = CODE.splitlines()


def hunk(line, new):
    number = next(number for number, text in enumerate(SHOP) if text.strip() == line)
    indent = " " * (len(SHOP[number]) - len(SHOP[number].lstrip()))
    return WindowHunk(number, number + 1, (indent + new,))


def done(instruction, *hunks, lines=SHOP):
    """The changed lines of the first completed answer."""
    found = Everywhere(lines, instruction).completed(list(hunks))
    return [line.strip() for item in found[0][0] for line in item.new] if found else []


COUNT = hunk("count = len(items)  # items are counted", "n_items = len(items)  # items are counted")


def test_a_local_name_is_replaced_in_its_function_and_not_in_another_nor_as_an_attribute():
    assert done("rename count to n_items", COUNT) == [
        "n_items = len(items)  # items are counted",
        "n_items += item.count",
        'return f"{n_items} of {len(items)}: items"',
    ]


def test_a_parameter_is_replaced_as_a_keyword_and_in_the_list_of_the_docstring_but_not_in_comments():
    assert done(
        "the first parameter of total should be called goods",
        hunk("def total(items, rate=RATE):", "def total(goods, rate=RATE):"),
    ) == [
        "def total(goods, rate=RATE):",
        "goods: what is bought",
        "count = len(goods)  # items are counted",
        "for item in goods:",
        'return f"{count} of {len(goods)}: items"',
        "return total(goods=items) * count",
    ]


def test_of_two_functions_that_have_the_name_the_one_that_is_named_is_meant():
    wrong = hunk("count = len(items)  # items are counted", "number = len(items)  # items are counted")
    assert done("in twice rename count to number", wrong) == ["number = 2", "return total(items=items) * number"]


def test_an_attribute_is_replaced_behind_the_same_receiver_and_where_the_class_sets_it():
    assert done("rename the attribute size to n_skus", hunk("self.size += 1", "self.n_skus += 1")) == [
        "n_skus = 0",
        "self.n_skus += 1",
        "self.check(sku, size=self.n_skus)",
    ]


def test_a_method_is_replaced_at_its_def_and_behind_self():
    private = hunk("def add(self, sku, base=os.path):", "def _add(self, sku, base=os.path):")
    assert done("make add private", private) == [
        "def _add(self, sku, base=os.path):",
        "return self._add(sku) and size",
    ]


def test_a_global_name_is_replaced_wherever_no_function_has_it_as_its_own():
    changed = done("rename the function total to sum_up", hunk("def total(items, rate=RATE):", "def sum_up(items):"))
    assert changed == ["def sum_up(items, rate=RATE):", "return sum_up(items=items) * count"]


def test_a_new_name_that_the_hunks_misspell_is_taken_from_the_instruction():
    garbled = hunk("count = len(items)  # items are counted", "n_itm = len(items)")
    assert done("rename count to n_items in total", garbled)[1] == "n_items += item.count"


@pytest.mark.parametrize(
    ("instruction", "places"),
    [("replace os.path by paths everywhere", 2), ("use paths for os.path as the default of base", 0)],
)
def test_what_is_only_used_here_is_replaced_where_the_instruction_wants_it_everywhere(instruction, places):
    begun = hunk("def add(self, sku, base=os.path):", "def add(self, sku, base=paths):")
    assert len(done(instruction, begun)) == places


@pytest.mark.parametrize(
    ("instruction", "written"),
    [
        ("count the items twice", COUNT),
        ("add a comment to total", hunk("for item in items:", "for item in items:  # each")),
        ("change RATE to 4", hunk("RATE = 3", "RATE = 4")),
        ("rename count to n_items", WindowHunk(0, 0, ("import sys",))),
    ],
)
def test_what_instruction_and_hunks_do_not_both_say_is_left_alone(instruction, written):
    assert done(instruction, written) == []


def test_more_speaks_for_an_answer_that_is_said_plainly_and_does_nothing_else():
    other = hunk("count = 2", "count = 3")
    credits = [
        Everywhere(SHOP, instruction).completed(hunks)[0][1]
        for instruction, hunks in (
            ("rename count to n_items in total", [COUNT]),
            ("rename count to n_items in total", [COUNT, other]),
            ("the number of items should be called n_items", [COUNT]),
        )
    ]
    assert credits == [PLAINLY, PERHAPS, PERHAPS]


def test_code_that_does_not_parse_is_left_alone():
    assert done("rename count to n_items", COUNT, lines=[*SHOP, "def ("]) == []


NAMES = st.sampled_from(["a", "b", "total", "rate"])
ATOMS = st.one_of(NAMES, NAMES.map("self.{}".format), NAMES.map('"{}"'.format), NAMES.map("f(a={})".format))
STATEMENTS = st.tuples(NAMES, ATOMS, ATOMS).map(lambda parts: "    {} = {} + {}  # total".format(*parts))


@given(st.lists(STATEMENTS, min_size=1, max_size=6), st.lists(STATEMENTS, max_size=3), NAMES)
def test_a_completed_answer_is_the_replacement_at_each_place_and_nothing_else(first, second, old):
    lines = [f"def one({old}, b_):", *first, "", "", "def two(b_):", *(second or ["    pass"])]
    written = WindowHunk(0, 1, (lines[0].replace(old, "brand_new", 1),))
    (hunks, _), *_ = Everywhere(lines, f"rename {old} to brand_new in one").completed([written])
    after = list(lines)
    for item in reversed(hunks):
        assert item.last - item.first == len(item.new)
        after[item.first : item.last] = item.new
    assert [re.sub(r"\bbrand_new\b", old, line) for line in after] == lines
    assert all(number < len(first) + 1 for item in hunks for number in range(item.first, item.last))
    one = ast.parse("\n".join(after)).body[0]
    kept = {node.id for node in ast.walk(one) if isinstance(node, ast.Name)}
    assert old not in kept
    strings = [node.value for node in ast.walk(one) if isinstance(node, ast.Constant)]
    assert "brand_new" not in strings
    assert all(line.endswith("# total") for line in after[1 : len(first) + 1])
    assert not any("self.brand_new" in line for line in after)


def test_places_tell_code_from_text_and_what_a_name_hangs_from():
    places = NamePlaces(['x = f"{size} size" + self.size  # size']).places("size")
    assert [(place.literal, place.receiver) for place in places] == [
        (False, None),
        (True, None),
        (False, "self"),
        (True, None),
    ]
