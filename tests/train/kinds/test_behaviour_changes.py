"""Everyday edits do what their instruction says: values that are let in, conditions, pairs, loops that
end."""

from __future__ import annotations

from dataclasses import dataclass

from support.edit_kinds import cases, value_of

CHOOSE = """def choose(size, label):
    if size == 4:
        label = "wide"
    return label
"""
LOOP = """def walk(rows):
    out = []
    for row in rows:
        out.append(row)
    return out
"""
COLLECTED = """class Stock:
    def __init__(self, owner, items):
        self.owner = owner
        self.items = items
"""
FIELDS = """class Row(NamedTuple):
    name: str
    size: int = 3

    def shown(self):
        return self.name
"""


def test_one_more_value_is_accepted_and_the_old_one_still_is() -> None:
    for case in cases("accept_value", CHOOSE):
        value = case.slots["v"].text  # type: ignore[union-attr]
        assert value_of(case.after, f"choose({value}, 'x')") == "wide"
        assert value_of(case.after, "choose(4, 'x')") == "wide"
        assert value_of(case.after, "choose(-1, 'x')") == "x"


def test_a_condition_is_tightened_by_and_and_widened_by_or() -> None:
    words = set()
    for case in cases("extend_condition", CHOOSE, 20):
        line = next(line for line in case.after.split("\n") if line.lstrip().startswith("if"))
        words.add(line.split("== 4 ")[1].split()[0])
    assert words == {"and", "or"}


def test_what_else_is_returned_stands_after_the_result() -> None:
    for case in cases("also_return", LOOP):
        found = value_of(case.after.replace("row = ", ""), "walk([1, 2])")
        assert isinstance(found, tuple)
        assert found[0] == [1, 2]


def test_a_loop_with_a_break_does_one_round() -> None:
    for case in cases("break_after_first", LOOP):
        assert value_of(case.after, "walk([1, 2, 3])") == [1]


def test_a_converted_value_is_of_the_type_asked_for() -> None:
    text = "def copy(rows):\n    part = rows[0:2]\n    return part\n"
    for case in cases("convert_value", text):
        kind = case.slots["t"].text  # type: ignore[union-attr]
        if kind in ("list", "tuple", "set", "str", "bool"):
            assert type(value_of(case.after, "copy([1, 2, 3])")).__name__ == kind


def test_a_loop_order_is_the_order_that_was_asked_for() -> None:
    seen = set()
    for case in cases("loop_order", LOOP, 30):
        seen.add(tuple(value_of(case.after, "walk([3, 1, 2])")))  # type: ignore[arg-type]
    assert {(1, 2, 3), (3, 2, 1), (2, 1, 3)} <= seen


def test_membership_length_and_loops_of_a_class_go_to_the_field_that_holds_things() -> None:
    checks = {"__len__": "len(s)", "__contains__": "2 in s", "__iter__": "list(s)", "__getitem__": "s[1]"}
    results = {"__len__": 2, "__contains__": True, "__iter__": [1, 2], "__getitem__": 2}
    seen = set()
    for case in cases("add_dunder", COLLECTED, 60):
        name = case.slots["m"].text  # type: ignore[union-attr]
        if name in checks:
            made = value_of(case.after, "Stock('me', [1, 2])")
            assert eval(checks[name], {"s": made}) == results[name]
            seen.add(name)
    assert len(seen) >= 3


def test_a_dataclass_is_built_as_the_constructor_built_it() -> None:
    for case in cases("to_dataclass", FIELDS):
        for text in (case.before, case.after):
            assert value_of(text, "Row('a').shown() + str(Row('a').size)", dataclass=dataclass) == "a3"
