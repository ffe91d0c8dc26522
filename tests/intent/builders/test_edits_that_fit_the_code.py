"""Edits whose form the code at hand tells, or that are marked where it tells of two."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH

SEATS = """import sys


def report(ferry):
    if ferry.full:
        raise SoldOut("seats", 0)
    print("free:", ferry.free)
    sys.stdout.write(ferry.name)
    sys.stderr.write(f"{ferry.name}\\n")
"""
STORE = """def stock(self, name):
    row = self.db.get(name)
    if row is None:
        return 0
    return row


def fill(self, number):
    raise KeyError(number)
"""
NAMES = """def load(names):
    for name in names.split(","):
        print(name)
"""
READER = """def take(self):
    start = self.data.find(MAGIC)
    if start == -1:
        return None
    if start > 0:
        del self.data[:start]
    return start
"""
BALLOTS = """def load(rows):
    for row in rows:
        voter = row[0]
        print(voter)


def check(ballots):
    return [ballot.voter for ballot in ballots]
"""


def test_a_text_to_print_stands_in_a_print() -> None:
    text = 'print "free seats:" instead'
    made = changed(SEATS, text, "replace_message", message="free seats:")
    assert 'print("free seats:", ferry.free)' in made
    assert 'SoldOut("seats", 0)' in made


def test_print_in_the_place_of_write_ends_no_line_more_or_less() -> None:
    made = changed(
        SEATS, "print instead of sys.stdout.write", "replace_call", new="print", old="sys.stdout.write"
    )
    assert 'print(ferry.name, end="")' in made
    made = changed(
        SEATS, "print instead of sys.stderr.write", "replace_call", new="print", old="sys.stderr.write"
    )
    assert 'print(f"{ferry.name}", file=sys.stderr)' in made


def test_an_error_tells_what_was_looked_up_and_not_none() -> None:
    text = "raise KeyError in stock if row is None"
    given = {"exception": "KeyError", "function": "stock", "condition": "row is None"}
    assert "        raise KeyError(name)\n" in changed(STORE, text, "guard_raise", **given)


def test_several_names_in_one_text_are_stripped_one_by_one() -> None:
    made = changed(NAMES, "strip the names in load", "strip_value", variable="names", function="load")
    assert 'in [one.strip() for one in names.split(",")]:' in made


def test_one_of_two_tests_of_a_name_by_another_operator_is_not_chosen() -> None:
    text = "use if start < 0 in take"
    answer = answer_to(READER, text, "change_condition", condition="start < 0", function="take")
    assert len(answer.ways) > 1 or answer.ways[0].marked


def test_a_local_beside_an_attribute_of_its_name_is_marked() -> None:
    way = answer_to(BALLOTS, "rename voter to voter_id", "rename", symbol="voter", new="voter_id").ways[0]
    assert any("an attribute too" in mark for mark in way.marked)
    way = answer_to(BALLOTS, "rename row to line", "rename", symbol="row", new="line").ways[0]
    assert not any("too" in mark for mark in way.marked)


@pytest.mark.parametrize(("sign", "marked"), [("+=", True), ("-=", False)])
def test_a_sign_that_is_nowhere_is_marked(sign: str, marked: bool) -> None:
    code = "def alight(load, weight=1):\n    load = load - weight\n    return load\n"
    way = answer_to(code, f"use {sign} in alight", "pattern.augmented", function="alight").ways[0]
    assert any("nothing there has a" in mark for mark in way.marked) is marked


def test_a_hash_is_made_of_what_is_compared() -> None:
    code = (
        "class Record:\n    def __init__(self, name, ttl):\n        self.name = name\n        self.ttl = 1\n"
        "    def __eq__(self, other):\n        return self.name == other.name\n"
    )
    given = {"class": "Record", "method": "__hash__"}
    assert "hash((self.name,))" in changed(code, "add __hash__ to Record", "add_special_method", **given)


def test_a_number_of_things_is_no_new_key_without_a_mark() -> None:
    files = {PATH: "x = 1\n", "plugins.ini": "[wrap]\nwidth = 80\n"}
    way = answer_to(files, "wrap at 100 columns", "set_value", value="100", variable="columns").ways[0]
    assert "wrap had no columns" in way.marked


@pytest.mark.parametrize(("signs", "becomes"), [("<= instead of >", "<="), (">= instead of >", ">=")])
def test_a_sign_instead_of_another_is_that_sign(signs: str, becomes: str) -> None:
    code = "def late(now, limit):\n    return now > limit\n"
    made = changed(code, f"use {signs} in late", "include_boundary", function="late")
    assert f"return now {becomes} limit" in made


def test_items_that_are_shown_in_a_list_are_added_one_by_one() -> None:
    slots = {"variable": "TYPES", "value": '["B", "C"]'}
    assert 'TYPES = ["A", "B", "C"]' in changed('TYPES = ["A"]\n', 'TYPES += ["B", "C"]', "add_item", **slots)
    nested = changed('TYPES = [["A"]]\n', 'TYPES += ["B", "C"]', "add_item", **slots)
    assert 'TYPES = [["A"], ["B", "C"]]' in nested


def test_a_word_for_any_value_is_the_attribute_that_the_function_reads() -> None:
    code = "def ack(frame):\n    return Frame(sequence=frame.sequence)\n"
    text = "raise ValueError if sequence is None in ack"
    given = {"exception": "ValueError", "function": "ack", "condition": "sequence is None"}
    assert "    if frame.sequence is None:\n" in changed(code, text, "guard_raise", **given)


def test_what_another_error_takes_is_marked() -> None:
    code = "class Lost(Exception):\n    pass\n\n\ndef find(name):\n    raise Lost(name, 0)\n"
    given = {"exception": "KeyError", "old": "Lost"}
    way = answer_to(code, "raise KeyError instead of Lost", "change_raised", **given).ways[0]
    assert "KeyError was assumed to take what Lost does" in way.marked


@pytest.mark.parametrize(
    ("hint", "use", "marked"),
    [
        (": datetime", "show(now)", False),
        ("", "items[-now:]", True),
        ("", "range(now)", True),
        ("", "show(now)", False),
    ],
)
def test_none_is_marked_as_a_default_that_fails(hint: str, use: str, marked: bool) -> None:
    code = f"from datetime import datetime\n\n\ndef fee(now{hint}):\n    return {use}\n"
    way = answer_to(code, "now defaults to None", "set_default", parameter="now", default="None").ways[0]
    assert any("None" in mark and "assumed" in mark for mark in way.marked) is marked


def test_an_iterable_is_not_asked_whether_it_is_empty_without_a_mark() -> None:
    code = "def write(cues: Iterable[str]):\n    return list(cues)\n"
    given = {"condition": "cues is empty", "function": "write", "result": '""'}
    way = answer_to(code, 'return "" if cues is empty in write', "guard_return", **given).ways[0]
    assert any("never empty" in mark for mark in way.marked)


LOST = """class LostError(Exception):
    def __init__(self, code, reason="unknown"):
        super().__init__(f"{code}: {reason}")
        self.code = code


class ParseError(Exception):
    def __init__(self, text, line=0):
        super().__init__(text)


def find(parcels, code):
    if not code:
        raise ValueError("no code")
    return parcels[code]
"""


@pytest.mark.parametrize(("error", "marked"), [("LostError", True), ("ParseError", False)])
def test_an_error_that_takes_something_else_than_its_message_first_is_marked(
    error: str, marked: bool
) -> None:
    text = f"raise {error} instead of ValueError in find"
    given = {"exception": error, "old": "ValueError", "function": "find"}
    way = answer_to(LOST, text, "change_raised", **given).ways[0]
    assert any("not a message" in mark for mark in way.marked) is marked


def test_a_text_of_the_file_is_not_what_is_said_to_be_unknown() -> None:
    given = {"exception": "KeyError", "condition": "code is unknown", "function": "find"}
    made = changed(LOST, "raise KeyError if code is unknown in find", "guard_raise", **given)
    assert "if code not in parcels:" in made


def test_a_default_that_never_changes_is_made_where_it_stands() -> None:
    code = 'from decimal import Decimal\n\n\ndef lot(reserve: Decimal = Decimal("0")):\n    return reserve\n'
    made = changed(code, "reserve default 100", "set_default", parameter="reserve", default="100")
    assert 'reserve: Decimal = Decimal("100"))' in made


@pytest.mark.parametrize(("line", "made"), [("box.open()", False), ("box = Box(box)\n    box.open()", True)])
def test_a_default_has_what_the_function_asks_of_it(line: str, made: bool) -> None:
    code = f"def store(box=None):\n    {line}\n"
    answer = answer_to(code, "default of box is 10", "set_default", parameter="box", default="10")
    assert any("default='10'" in str(way.calls) for way in answer.ways) is made


@pytest.mark.parametrize(("asked", "marked"), [("", True), ("self.roles is None or ", False)])
def test_none_is_marked_as_what_an_attribute_holds_that_is_used(asked: str, marked: bool) -> None:
    code = (
        "class Museum:\n    def __init__(self, roles=()):\n        self.roles = roles\n\n"
        f"    def check(self, role):\n        return {asked}role in self.roles\n"
    )
    way = answer_to(code, "roles defaults to None", "set_default", parameter="roles", default="None").ways[0]
    assert any("None is meant" in mark for mark in way.marked) is marked


@pytest.mark.parametrize(("loop", "marked"), [("self.stops", True), ("self.visitors", False)])
def test_one_of_two_things_that_an_object_holds_is_marked(loop: str, marked: bool) -> None:
    code = (
        "class Tour:\n    def __init__(self, stops):\n        self.stops = stops\n        self.visitors = []"
        f"\n    def all(self):\n        return [one for one in {loop}]\n"
    )
    given = {"class": "Tour", "method": "__iter__"}
    way = answer_to(code, "add __iter__ to Tour", "add_special_method", **given).ways[0]
    assert bool(way.plan.unfollowed) is marked
