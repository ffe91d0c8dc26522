"""Values of another kind than before: marked where other code uses them as what they were."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """import re
from datetime import date, datetime, time as clock
from pathlib import Path

OPENS = clock(6, 30)
ROOT = Path("garden")
LIMIT = 20
ENDS = (".txt", ".md")
KINDS = {"rose", "tulip"}
PRICES = {"rose": 2}


class Bed:
    def __init__(self, name):
        self.name = name
        self.tags = set()
        self.lines = []
        self.counts = [0, 0]
        self.seen = {}

    def plant(self, kind):
        self.tags.add(kind)
        self.lines.append(kind)
        self.counts[0] += 1
        return kind in KINDS

    def is_cheap(self, kind):
        return kind in PRICES and kind in self.name


def titles(rows):
    return [row for row in rows if row.endswith(ENDS)]


def planted(text):
    return datetime.strptime(text, "%Y").date()


def size(bed):
    return len(bed.lines)
"""


@pytest.mark.parametrize(
    ("variable", "kind", "said"),
    [
        ("tags", "list", "it has no add"),
        ("tags", "tuple", "has no add"),
        ("counts", "tuple", "its items cannot be set"),
        ("counts", "set", "its items cannot be set"),
        ("ENDS", "list", "endswith takes no list"),
        ("KINDS", "tuple", ""),
        ("KINDS", "list", ""),
        ("lines", "set", ""),
    ],
)
def test_a_collection_of_another_kind_has_to_fit_what_is_done_with_it(
    variable: str, kind: str, said: str
) -> None:
    way = answer_to(CODE, f"make {variable} a {kind}", "convert_value", variable=variable, type=kind).ways[0]
    assert any(said in mark for mark in way.marked) if said else not way.marked


def test_an_empty_set_becomes_an_empty_list() -> None:
    code = changed(CODE, "make tags a list", "convert_value", variable="tags", type="list")
    assert code == CODE.replace("self.tags = set()", "self.tags = []")


def test_a_list_that_a_test_compares_is_no_set() -> None:
    files = {"shop.py": CODE, "test_shop.py": 'def test(bed):\n    assert bed.lines == ["a"]\n'}
    way = answer_to(files, "make lines a set", "convert_value", variable="lines", type="set").ways[0]
    assert any("is compared with a list" in mark for mark in way.marked)


@pytest.mark.parametrize(
    ("variable", "value", "fits"),
    [
        ("OPENS", "7", False),
        ("OPENS", "clock(7, 0)", True),
        ("ROOT", "5", False),
        ("LIMIT", "30", True),
    ],
)
def test_a_number_or_text_for_an_object_is_marked(variable: str, value: str, fits: bool) -> None:
    way = answer_to(CODE, f"{variable} should be {value}", "set_value", variable=variable, value=value).ways[
        0
    ]
    assert any("may have to be its like" in mark for mark in way.marked) is not fits


@pytest.mark.parametrize(("new", "place", "fits"), [("is", "plant", False), ("==", "plant", False)])
def test_a_collection_is_no_single_value(new: str, place: str, fits: bool) -> None:
    text = f"use {new} instead of in in {place}"
    slots = {"new": new, "operator": "in", "function": place}
    way = answer_to(CODE, text, "replace_operator", **slots).ways[0]
    assert any("KINDS is no single value" in mark for mark in way.marked) is not fits


@pytest.mark.parametrize(
    ("function", "hint", "fits"),
    [
        ("planted", "datetime", False),
        ("planted", "date", True),
        ("size", "str", False),
        ("size", "int", True),
    ],
)
def test_an_annotation_that_the_code_contradicts_is_marked(function: str, hint: str, fits: bool) -> None:
    text = f"{function} returns a {hint}"
    way = answer_to(CODE, text, "annotate_return", function=function, type=hint).ways[0]
    assert any(f"{function} returns a" in mark for mark in way.marked) is not fits


RESULTS = """from enum import Enum
from pathlib import Path


class State(Enum):
    OPEN = 1


def lines(text):
    for line in text.split():
        yield line


def state(text):
    if text:
        return State.OPEN
    return State(text)


def found(names):
    for name in names:
        if name:
            return Path(name)
    return None


def maker(name):
    def make():
        return name

    return make


def run(function):
    return function()


def clear(names):
    names.sort()


def pairs(names):
    return [(name, name) for name in names]


def later(names):
    raise NotImplementedError
"""


@pytest.mark.parametrize(
    ("function", "hint", "said"),
    [
        ("lines", "list[str]", "lines is a generator"),
        ("lines", "None", "lines is a generator"),
        ("lines", "Iterator[str]", ""),
        ("state", "bool", "state returns a State"),
        ("state", "State", ""),
        ("found", "Path", "found returns None"),
        ("found", "Path | None", ""),
        ("maker", "str", "maker returns a function"),
        ("run", "None", "run returns a value"),
        ("clear", "State", "clear returns nothing"),
        ("clear", "None", ""),
        ("pairs", "Iterator[tuple]", "pairs returns a list"),
        ("pairs", "list", ""),
        ("later", "list", ""),
    ],
)
def test_generators_and_results_that_are_none_are_told_from_an_annotation(
    function: str, hint: str, said: str
) -> None:
    slots = {"function": function, "type": hint}
    way = answer_to(RESULTS, f"annotate {function} -> {hint}", "annotate_return", **slots).ways[0]
    told = [
        mark for mark in map(str, way.marked) if f"{function} is" in mark or f"{function} returns" in mark
    ]
    assert any(said in mark for mark in told) if said else not told


def test_a_value_of_a_function_that_is_a_field_elsewhere_is_marked_without_a_place() -> None:
    code = """from dataclasses import dataclass


@dataclass
class Page:
    status: int


class Failure(Exception):
    def __init__(self, url, status):
        self.text = f"{url} gave {status}"
"""
    way = answer_to(code, "cast status to int", "convert_value", variable="status", type="int").ways[0]
    assert any("status is a field of Page too" in mark for mark in way.marked)


@pytest.mark.parametrize(
    ("value", "new"),
    [('int(row["a"])', 'float(row["a"])'), ('row["a"]', 'float(row["a"])')],
)
def test_a_float_is_not_made_of_a_whole_number(value: str, new: str) -> None:
    code = f"def load(row):\n    amount = {value}\n    return amount\n"
    slots = {"variable": "amount", "type": "float"}
    assert changed(code, "convert amount to float", "convert_value", **slots) == code.replace(value, new)


ADDED = """from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal


@dataclass
class Loan:
    fine: Decimal


class Library:
    def __init__(self):
        self.loans: list[Loan] = []
        self.queue = defaultdict(list)

    def late(self):
        found = []
        for loan in self.loans:
            found.append(loan)
        return found

    def fines(self):
        names = []
        for loan in self.loans:
            names.append(str(loan.fine))
        return names

    def total(self):
        whole = Decimal(0)
        for loan in self.loans:
            whole += loan.fine
        return whole

    def reserve(self, isbn, reader):
        self.queue[isbn].append(reader)
"""


@pytest.mark.parametrize(("variable", "fits"), [("found", False), ("names", True)])
def test_objects_without_a_hash_are_put_into_no_set(variable: str, fits: bool) -> None:
    way = answer_to(ADDED, f"make {variable} a set", "convert_value", variable=variable, type="set").ways[0]
    assert any("objects of Loan have no hash" in mark for mark in way.marked) is not fits


@pytest.mark.parametrize(
    ("text", "intent", "slots"),
    [
        ("convert whole to float", "convert_value", {"variable": "whole", "type": "float"}),
        ("round whole", "round_value", {"variable": "whole"}),
    ],
)
def test_what_is_added_to_later_is_marked(text: str, intent: str, slots: dict[str, str]) -> None:
    way = answer_to(ADDED, text, intent, **slots).ways[0]
    assert any("whole is added to later" in mark for mark in way.marked)


def test_a_dictionary_with_a_value_for_every_key_does_not_tell_what_is_unknown() -> None:
    text = "raise ValueError in reserve if isbn is unknown"
    slots = {"function": "reserve", "condition": "isbn is unknown", "exception": "ValueError"}
    answer = answer_to(ADDED, text, "guard_raise", **slots)
    assert not answer.ways or answer.ways[0].marked


GIVEN = """import re
import time
from datetime import timedelta
from enum import Enum, IntFlag

GAP = timedelta(minutes=10)
LIMIT = 3
SPACES = re.compile(" +")


class Flags(IntFlag):
    BYE = 1
    LATE = 2


def gaps(pairs, longest=GAP, sensor=None, limit=LIMIT, title=None):
    title = title if title is not None else "gaps"
    if sensor is not None:
        pairs = [pair for pair in pairs if pair[0] == sensor]
    return [pair for pair in pairs if pair[1] > longest], limit
"""


@pytest.mark.parametrize(
    ("text", "intent", "slots", "said"),
    [
        ("longest should default to 600", "set_default", ("longest", "600"), "may have to be its like"),
        ("limit should default to 5", "set_default", ("limit", "5"), ""),
        ("sensor should default to 0", "set_default", ("sensor", "0"), "asks whether sensor is None"),
        ("sensor should default to 'a'", "set_default", ("sensor", "a"), ""),
        ("annotate limit as str", "annotate_parameter", ("limit", "str"), "3 was assumed to be a default"),
        ("SPACES should be ' '", "set_value", ("SPACES", "' '"), "may have to be its like"),
        ("LATE should be 1", "set_value", ("LATE", "1"), "only another name for that"),
        ("LATE should be 4", "set_value", ("LATE", "4"), ""),
    ],
)
def test_what_a_default_or_value_stood_for_is_told(
    text: str, intent: str, slots: tuple[str, str], said: str
) -> None:
    names = {"set_value": ("variable", "value"), "annotate_parameter": ("parameter", "type")}
    given = dict(zip(names.get(intent, ("parameter", "default")), slots, strict=True))
    way = answer_to(GIVEN, text, intent, **given).ways[0]
    reasons = ("may have to be its like", "asks whether", "was assumed to be a default", "only another name")
    told = [mark for mark in map(str, way.marked) if any(reason in mark for reason in reasons)]
    assert any(said in mark for mark in told) if said else not told


LEFT = """def latest(rows, names):
    rows = list(rows)
    found = 0
    for row in rows:
        try:
            number = int(row)
        except ValueError:
            found += 1
            continue
        if number in names:
            found += number
    return found
"""


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("drop `rows = list(rows)`", "rows = list(rows)", "rows is no copy then"),
        ("drop `found = 0`", "found = 0", ""),
        ("drop the continue", "continue", "if number in names: runs there too then"),
    ],
)
def test_what_a_statement_that_goes_was_needed_for_is_told(text: str, code: str, said: str) -> None:
    way = answer_to(LEFT, text, "delete_statement", code=code).ways[0]
    told = [mark for mark in map(str, way.marked) if " then" in mark]
    assert any(said in mark for mark in told) if said else not told


@pytest.mark.parametrize(("hint", "marked"), [(" -> None", True), (" -> Bed", False), ("", False)])
def test_a_result_of_what_is_annotated_to_have_none_is_marked(hint: str, marked: bool) -> None:
    code = CODE.replace("def plant(self, kind):", f"def plant(self, kind){hint}:")
    code = code.replace("        return kind in KINDS\n", "")
    text = "plant should return self"
    way = answer_to(code, text, "set_return", function="plant", result="self").ways[0]
    assert ("Bed.plant is annotated to return None" in way.marked) is marked
