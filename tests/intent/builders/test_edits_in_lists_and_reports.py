"""Edits that programs of a task list, a game and a sales report were asked for."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, situation

from spark_tui.intent.defects.described import described

STORE = """\
class Store:
    def __init__(self, tasks):
        self.tasks = tasks

    def add(self, title, priority=0):
        number = max([task.number for task in self.tasks]) + 1
        return title, number
"""
REPORT = """\
def revenue(row):
    return row["units"] * row["price"]


def write(out, totals):
    for region, total in totals.items():
        out.row([region, total])


def top(rows):
    units = {}
    for row in rows:
        units[row["product"]] = row["units"]
    return sorted(units.items(), key=lambda x: x[1])
"""


def test_the_largest_of_nothing_that_is_counted_with_is_zero() -> None:
    said = "add crashes when there are no tasks yet"
    found = described(situation({PATH: STORE}, instruction=said))
    assert "for task in self.tasks], default=0) + 1" in str(found[0].built.calls)


def test_a_new_parameter_beside_defaults_has_one_where_callers_are_not_known() -> None:
    files = {PATH: STORE, "cli.py": "def run(store, args):\n    store.add(args.title, 1)\n"}
    out = changed(files, "add a due parameter to add", "add_parameter", name="due", function="add")
    assert "def add(self, title, priority=0, due=None):" in out


def test_what_gets_several_values_is_no_set() -> None:
    code = "def run(store, args):\n    store.add(args.title, args.priority)\n"
    found = answer_to(code, "annotate run", "annotate_function", function="run")
    assert "store: set" not in "".join(str(way.calls) for way in found.ways)


def test_each_of_several_is_rounded() -> None:
    said = "round the totals to 2 digits in write"
    words = {"variable": "totals", "count": "2", "function": "write"}
    out = changed(REPORT, said, "round_value", **words)
    assert "out.row([region, round(total, 2)])" in out


@pytest.mark.parametrize("key", ["revenue", "price"])
def test_entries_of_a_dictionary_are_not_sorted_by_what_they_do_not_have(key: str) -> None:
    said = f"sort top by {key}"
    out = [str(way.calls) for way in answer_to(REPORT, said, "sort_by", key=key, function="top").ways]
    assert not any("sorted(units.items()" in one for one in out)


def test_a_container_that_is_made_has_no_other_value() -> None:
    code = "def count(rows):\n    units = dict()\n    return units\n"
    words = {"variable": "units", "default": "0"}
    assert not answer_to(code, "units can be empty, treat as 0", "value_if_empty", **words).ways


def test_running_as_a_script_is_no_condition_that_is_left() -> None:
    code = "def main():\n    print(1)\n\n\nmain()\n"
    way = answer_to(code, "only run main when executed as a script", "add_main_guard").ways[0]
    assert not any("script" in mark for mark in way.marked)


def test_what_is_returned_early_is_the_empty_one_that_is_filled() -> None:
    body = "    totals = {}\n    for row in rows:\n        totals[row] = 1\n    return totals\n"
    code = f"def by_region(rows):\n{body}"
    said = "return early from by_region for no rows"
    out = changed(code, said, "guard_return", function="by_region", condition="no rows")
    assert "    if not rows:\n        return {}\n" in out


@pytest.mark.parametrize("name", ["direction", "x"])
def test_a_class_is_meant_where_a_variable_is_called_like_it(name: str) -> None:
    code = f"class Direction:\n    pass\n\n\ndef turn({name}):\n    return {name}.direction\n"
    condition = f"{name} is not a Direction"
    said = f"turn should raise TypeError if {condition}"
    words = {"function": "turn", "exception": "TypeError", "condition": condition}
    assert f"    if not isinstance({name}, Direction):\n" in changed(code, said, "guard_raise", **words)


def test_what_has_other_attributes_is_no_text() -> None:
    code = "def play(game, name):\n    game.turn()\n    return name.strip(), game.score\n"
    words = {"variable": "game", "transform": "capitals"}
    found = answer_to(code, "game in capitals in play", "apply_function", **words)
    assert "game.upper()" not in "".join(str(way.calls) for way in found.ways)
    words = {"variable": "name", "transform": "capitals"}
    assert "name.upper()" in str(answer_to(code, "name in capitals", "apply_function", **words).ways[0].calls)
