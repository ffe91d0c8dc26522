"""Edits asked as people ask do what is said: values by role, calls, parts of texts, entries, names,
defaults."""

from __future__ import annotations

import ast
import re
from random import Random

import pytest
from support.edit_kinds import cases

from spark_tui.train import no_edit_cases
from spark_tui.train.kinds import KINDS, Draw
from spark_tui.train.kinds.renaming import renamed
from spark_tui.train.kinds.value_locations import phrase, spots
from spark_tui.train.kinds.values_by_role import seconds
from spark_tui.train.source_windows import SourceWindow

SHOP = """PAYMENT_DAYS = 14
MAX_ITEMS = 20
DEBUG = False
HOST = "localhost"
PORT = 8000
CONFIG = {"retries": 3, "width": 640, "height": 480}


def order(item, amount, gift=False):
    price = prices[item]
    if amount > 100:
        raise ValueError("too many items ordered")
    return price * amount


def report(x):
    total = order(x, 2)
    print(f"{x} costs {total:.2f}")
    print("done with the report")
    return total


def wait():
    sleep(5)
"""


def values(text: str) -> list[object]:
    return [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]


@pytest.mark.parametrize("name", ["value_by_role", "flag_by_role", "text_by_role"])
def test_one_value_changes_and_nothing_else(name: str) -> None:
    for case in cases(name, SHOP):
        before, after = values(case.before), values(case.after)
        assert len(before) == len(after)
        assert sum(a != b for a, b in zip(before, after, strict=True)) == 1


def test_two_values_change_where_two_are_said() -> None:
    for case in cases("two_values", SHOP):
        before, after = values(case.before), values(case.after)
        assert sum(a != b for a, b in zip(before, after, strict=True)) in (1, 2)
    both = [case for case in cases("two_values", SHOP) if re.search(r"\d ?x ?\d", case.instruction)]
    for case in both:
        assert "WIDTH" not in case.after
        assert '"width": 640' not in case.after or '"height": 480' not in case.after


def test_words_that_fit_two_values_are_not_said() -> None:
    window = SourceWindow("a.py", "READ_TIMEOUT = 5\nWRITE_TIMEOUT = 7\nLIMIT = 3\n")
    found = spots(window)
    for seed in range(40):
        told = phrase(found[0], found, Draw(Random(seed)))
        assert told is None or "read" in told[1]


def test_spans_of_time_are_the_seconds_that_are_written() -> None:
    units = {"d": 86400, "h": 3600, "m": 60, "s": 1}
    for seed in range(60):
        number = Random(seed).choice((5, 45, 60, 300, 3600, 7200, 86400))
        said = seconds(number, Draw(Random(seed)))
        match = re.match(r"(\d+) ?([dhms]?)", said)
        if match:
            assert int(match[1]) * units[match[2] or "s"] == number


def test_an_order_about_another_file_is_idle_only_where_no_word_of_it_could_be_meant() -> None:
    here, there = (
        SourceWindow("a.py", SHOP),
        SourceWindow("b.py", "ITEM_CAP = 7\n\n\ndef walk(rows):\n    return rows\n"),
    )
    asked = [
        no_edit_cases.nothing(KINDS["value_by_role"], here, there, Draw(Random(seed))) for seed in range(50)
    ]
    told = [case.instruction for case in asked if case is not None]
    assert told
    assert not [text for text in told if re.search(r"\bitems?\b|\bmax|\blimit\b", text.split(" in ")[0])]


def test_swapped_arguments_are_the_same_two() -> None:
    for case in cases("swap_call_values", SHOP):
        old, new = (sorted(re.findall(r"[\w.\"]+", text)) for text in (case.before, case.after))
        assert old == new


def test_an_awaited_call_stands_in_a_coroutine() -> None:
    for case in cases("await_call", SHOP, want=8):
        assert sum(isinstance(node, ast.Await) for node in ast.walk(ast.parse(case.after))) == 1
        assert "async def" in case.before


def test_an_added_or_dropped_argument_leaves_the_others() -> None:
    for name, more in (("add_to_call", 1), ("drop_from_call", -1), ("option_by_effect", 1)):
        for case in cases(name, SHOP, want=8):
            count = [
                sum(
                    len(n.args) + len(n.keywords)
                    for n in ast.walk(ast.parse(text))
                    if isinstance(n, ast.Call)
                )
                for text in (case.before, case.after)
            ]
            nested = abs(count[1] - count[0]) > 1
            assert nested or count[1] - count[0] == more


def test_a_part_of_a_text_changes_within_its_line() -> None:
    for name in ("change_part", "change_address", "change_format"):
        for case in cases(name, SHOP + 'PATH = "data/items.txt"\n', 8):
            assert len(case.before.split("\n")) == len(case.after.split("\n"))
            assert re.sub(r"(['\"]).*?\1", "", case.before) == re.sub(r"(['\"]).*?\1", "", case.after)


def test_a_key_changes_in_all_its_places() -> None:
    text = (
        'def add(rows, name):\n    rows.append({"prio": 1, "name": name})\n'
        '    rows.sort(key=lambda r: r["prio"])\n'
    )
    for case in cases("change_key", text, 10):
        old = case.slots["o"].text  # type: ignore[union-attr]
        assert f'"{old}"' not in case.after


def entry_count(text: str) -> int:
    nodes = list(ast.walk(ast.parse(text)))
    return sum(len(n.keys) for n in nodes if isinstance(n, ast.Dict)) + sum(
        len(n.elts) for n in nodes if isinstance(n, ast.List | ast.Set | ast.Tuple)
    )


def test_entries_come_go_and_change() -> None:
    for case in cases("add_entry", SHOP, want=15):
        assert entry_count(case.after) > entry_count(case.before)
    for case in cases("remove_entry", SHOP, want=15):
        assert entry_count(case.after) < entry_count(case.before)
    for case in cases("change_entry", SHOP, want=10):
        assert entry_count(case.after) == entry_count(case.before)


def test_a_new_line_of_a_long_collection_ends_in_a_comma() -> None:
    text = 'SHARES = {\n    "ABC": 1,\n    "XYZ": 2,\n}\n\n\ndef walk():\n    return SHARES\n'
    for case in cases("add_entry", text, 10):
        new = [line for line in case.after.split("\n") if line.startswith("    ") and line not in case.before]
        assert all(line.endswith(",") for line in new)


def test_a_rename_reaches_fields_of_f_strings_and_leaves_their_words() -> None:
    text = 'def show(x):\n    print(f"x is {x} or {x.y:>{x}}", x.x, call(x=x))\n'
    assert renamed('x = 1\nprint(f"x is {x}")\n', "x", "size", 1, 2) == 'size = 1\nprint(f"x is {size}")\n'
    made = renamed(text, "x", "size", 1, 2)
    assert made is None or "call(x=size)" in made


def test_a_default_is_given_to_one_parameter_that_had_none() -> None:
    def defaults(text: str) -> int:
        return sum(
            len(n.defaults) + sum(d is not None for d in n.kw_defaults)
            for n in ast.walk(ast.parse(text))
            if isinstance(n, ast.arguments)
        )

    for case in cases("give_default", SHOP):
        assert defaults(case.after) == defaults(case.before) + 1


def test_a_guarded_start_keeps_its_statements() -> None:
    for case in cases("guard_main", SHOP, want=10):
        before, after = ast.parse(case.before), ast.parse(case.after)
        last = after.body[-1]
        assert isinstance(last, ast.If)
        restored = ast.Module([*after.body[:-1], *last.body], [])
        assert ast.dump(restored) == ast.dump(before)
