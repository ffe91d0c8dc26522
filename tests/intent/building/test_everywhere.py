"""What *everywhere* means: all files of the project, or a mark that says what was left out."""

from __future__ import annotations

import pytest
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import Answer, answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

LOCAL = "def {0}(rows):\n    for qty in rows:\n        print(qty)\n"
MANY = {f"m{at}.py": LOCAL.format(f"show_{at}") for at in range(9)}
HELPER = {
    "helper.py": "def order(day):\n    return day\n",
    "report.py": LOCAL.format("show").replace("qty", "order"),
}


def renamed(files: dict[str, str], old: str, new: str, end: str = " everywhere", path: str = "") -> Answer:
    text = f"rename {old} to {new}{end}"
    at = {"symbol": old, "new": new}
    slots = {slot: (Span(text.index(one), text.index(one) + len(one), one),) for slot, one in at.items()}
    order = Order(0, len(text), (Reading("rename", 0.95, slots, (), bool(end)),))
    return answer_orders([order], situation(files, path=path, instruction=text))


def test_locals_of_a_name_are_renamed_in_all_files() -> None:
    way = renamed(MANY, "qty", "quantity").ways[0]
    assert set(way.plan.texts(Repository(DictTree(MANY)))) == set(MANY)
    assert not any("not renamed" in item for item in way.marked)


def test_a_class_of_nearly_that_name_does_not_hold_the_rename_in_its_file() -> None:
    files = {**MANY, "items.py": "class Qty:\n    def add(self, qty):\n        return qty\n"}
    way = renamed(files, "qty", "quantity").ways[0]
    assert set(way.plan.texts(Repository(DictTree(files)))) == set(files)


def test_more_than_can_be_renamed_at_once_is_said() -> None:
    files = {f"m{at:02}.py": LOCAL.format(f"show_{at}") for at in range(45)}
    way = renamed(files, "qty", "quantity").ways[0]
    assert len(way.plan.paths) == 40
    assert "not renamed: qty in m40.py, m41.py, m42.py and 2 more files" in way.marked


def test_locals_of_the_name_of_a_function_are_said_to_be_left() -> None:
    way = renamed(HELPER, "order", "purchase").ways[0]
    assert way.plan.paths == ("helper.py",)
    assert "not renamed: order in report.py" in way.marked


@pytest.mark.parametrize("end", [" everywhere", " in all the files"])
def test_other_files_than_the_open_one_are_said_to_be_left(end: str) -> None:
    way = renamed(MANY, "qty", "quantity", end, "m1.py").ways[0]
    assert way.plan.paths == ("m1.py",)
    assert "not renamed: qty in m0.py, m2.py, m3.py and 5 more files" in way.marked


@pytest.mark.parametrize(("text", "left"), [('row["qty"]', True), ("'qty'", True), ('"qty of rows"', False)])
def test_a_key_of_the_name_is_said_to_be_left(text: str, left: bool) -> None:
    files = {"helper.py": f"def total(qty, row):\n    return qty, {text}\n"}
    for end, said in ((" everywhere", left), ("", False)):
        way = renamed(files, "qty", "quantity", end, "helper.py").ways[0]
        assert ("not renamed: qty in helper.py" in way.marked) is said


@pytest.mark.parametrize("end", ["", " in the entire file"])
def test_a_rename_in_one_file_leaves_others_without_a_mark(end: str) -> None:
    way = renamed(MANY, "qty", "quantity", end, "m1.py").ways[0]
    assert way.plan.paths == ("m1.py",)
    assert not any("not renamed" in item for item in way.marked)


OWNERS = {
    "a.py": "class Dog:\n    def __init__(self, owner):\n        self.owner = owner\n",
    "b.py": "class Cat:\n    owner: str = ''\n\n\ndef of(cat):\n    return cat.owner\n",
}


def test_a_name_of_several_classes_is_renamed_in_all_of_them() -> None:
    texts = renamed(OWNERS, "owner", "keeper").ways[0].plan.texts(Repository(DictTree(OWNERS)))
    assert not any("owner" in (text or "") for text in texts.values())
    assert set(texts) == set(OWNERS)


def test_a_name_of_several_classes_that_is_not_said_of_all_is_renamed_in_one() -> None:
    assert len(renamed(OWNERS, "owner", "keeper", "").ways[0].plan.paths) == 1


ONE_OWNER = {
    "parcel.py": "class Parcel:\n    customer: str = ''\n",
    "store.py": (
        "def find(parcels, customer):\n"
        "    return [parcel for parcel in parcels.values() if parcel.customer == customer]\n"
    ),
}


def test_a_name_of_one_class_is_renamed_where_nothing_but_a_variable_tells_the_class() -> None:
    way = renamed(ONE_OWNER, "customer", "buyer").ways[0]
    texts = way.plan.texts(Repository(DictTree(ONE_OWNER)))
    assert {path: "customer" in (text or "") for path, text in texts.items()} == dict.fromkeys(
        ONE_OWNER, False
    )
    assert any("because of the variable's name" in place.reason for place in way.plan.unfollowed)


METHODS = "class Table:\n" + "".join(
    f"    def m{at}(self, cond):\n        return cond\n\n" for at in range(8)
)


def of_table(code: str, how: str) -> Answer:
    text = f"rename cond to condition {how} Table"
    at = {"symbol": "cond", "new": "condition", "class": "Table"}
    slots = {slot: (Span(text.index(one), text.index(one) + len(one), one),) for slot, one in at.items()}
    order = Order(0, len(text), (Reading("rename", 0.95, slots),))
    return answer_orders([order], situation({"a.py": code}, path="a.py", instruction=text))


@pytest.mark.parametrize("how", ["in all methods of", "in every method of", "in each method of"])
def test_all_methods_of_a_class_are_all_of_them(how: str) -> None:
    signature = "    @overload\n    def m3(self, cond, one): ...\n"
    code = "from typing import overload\n" + METHODS.replace("    def m3", 2 * signature + "    def m3")
    answer = of_table(code, how)
    assert answer.kind == "edit"
    texts = answer.ways[0].plan.texts(Repository(DictTree({"a.py": code})))
    assert "cond)" not in (texts["a.py"] or "") and "cond," not in (texts["a.py"] or "")


def test_some_of_many_are_not_taken_for_all() -> None:
    assert all(len(way.calls) == 1 for way in of_table(METHODS, "in").ways)


def test_every_place_is_changed_however_many_there_are() -> None:
    code = "def f(x):\n" + "".join(f"    x.add{at}(7.5)\n" for at in range(60))
    text = "replace every 7.5 by 8"
    slots = {"old": (Span(14, 17, "7.5"),), "new": (Span(21, 22, "8"),)}
    order = Order(0, len(text), (Reading("replace_value", 0.95, slots, (), True),))
    found = answer_orders([order], situation({PATH: code}, instruction=text))
    assert result(found, {PATH: code}) == code.replace("7.5", "8")
