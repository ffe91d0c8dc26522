"""States that the code has a name for: a method that asks for one, or what an attribute is set to."""

from __future__ import annotations

import ast

import pytest
from intent import asking
from intent.support import PATH, answered, result

from spark_tui.intent.conditions.operands import find_operands
from spark_tui.intent.facts.failing_expressions import failures
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes

CODE = """OPEN = "open"
SHIPPED = "shipped"


class Order:
    def __init__(self, lines):
        self.lines = lines
        self.state = OPEN
        self.urgent = False

    def is_empty(self):
        return not self.lines

    def ship(self):
        self.state = SHIPPED

    def total(self):
        return sum(self.lines)


class Book:
    def place(self, order):
        return order.total()

    def value(self, orders):
        total = 0
        for order in orders:
            total += order.total()
        return total
"""


@pytest.mark.parametrize(
    ("function", "said", "test"),
    [
        ("total", "the order is empty", "self.is_empty()"),
        ("total", "it is empty", "self.is_empty()"),
        ("ship", "the order is already shipped", "self.state == SHIPPED"),
        ("ship", "the order is not open", "self.state != OPEN"),
        ("place", "the order is empty", "order.is_empty()"),
        ("place", "order is not empty", "not order.is_empty()"),
        ("place", "the order is urgent", "order.urgent"),
    ],
)
def test_a_state_is_asked_for_as_its_class_does(function: str, said: str, test: str) -> None:
    words = {"function": function, "condition": said, "result": "None"}
    assert f"        if {test}:\n" in result(answered({PATH: CODE}, ("guard_return", words)), {PATH: CODE})


@pytest.mark.parametrize("said", ["shipped orders", "orders that are shipped"])
def test_each_of_several_is_in_a_state(said: str) -> None:
    done = asking.changed(CODE, f"value should skip {said}", "skip_in_loop", function="value", condition=said)
    assert "            if order.state == SHIPPED:\n                continue\n" in done


def test_a_class_that_is_only_called_like_a_name_leaves_a_mark() -> None:
    said = "return None in place when the order is empty"
    words = {"function": "place", "condition": "the order is empty", "result": "None"}
    (way, *_) = asking.answer_to(CODE, said, "guard_return", **words).ways
    assert "order was assumed to be of the class Order" in way.marked


def test_a_message_says_the_state() -> None:
    said = "place should raise ValueError when the order is empty"
    words = {"function": "place", "condition": "the order is empty", "exception": "ValueError"}
    assert 'raise ValueError("order must not be empty")' in asking.changed(CODE, said, "guard_raise", **words)


QUEUE = """class Task:
    priority = 0


class Queue:
    def __init__(self, tasks):
        self.tasks = tasks

    def first(self):
        for task in self.tasks:
            if task.ready:
                return task
        return None

    def run(self, name):
        handler = self.handlers.get(name)
        if handler is None:
            self.failed = name
            return
        handler()
"""


def test_an_object_without_a_length_is_not_asked_for_its_truth() -> None:
    said = "return None in first when the queue is empty"
    words = {"function": "first", "condition": "the queue is empty", "result": "None"}
    assert "not self:" not in str(asking.answer_to(QUEUE, said, "guard_return", **words))


def test_a_branch_that_asks_for_none_leaves_otherwise() -> None:
    said = "run should raise KeyError when there is no handler"
    words = {"function": "run", "condition": "there is no handler", "exception": "KeyError"}
    done = asking.changed(QUEUE, said, "guard_raise", **words)
    assert "            self.failed = name\n            raise KeyError(" in done
    assert "if not handler" not in done


def test_one_item_of_a_loop_is_not_sorted() -> None:
    said = "first should return the task with the highest priority"
    done = asking.changed(QUEUE, said, "sort_by", function="first", key="priority", order="highest")
    assert "in sorted(self.tasks, key=lambda task: task.priority, reverse=True):" in done


CLUB = """class Member:
    def __init__(self, name):
        self.name = name
        self.active = True


class Club:
    def __init__(self):
        self.members = {}
        self.places = 3

    def left(self):
        return self.places - len(self.members)

    def names(self):
        out = []
        for member in self.members.values():
            out.append(member.name)
        return out

    def leave(self, name):
        self.members[name].active = False
"""


def test_the_opposite_of_a_state_is_its_denial() -> None:
    said = "skip inactive members in names"
    done = asking.changed(CLUB, said, "skip_in_loop", function="names", condition="inactive members")
    assert "            if not member.active:\n                continue\n" in done


def test_a_guard_of_a_function_without_a_result_just_returns() -> None:
    said = "leave should return early for an empty club"
    club = CLUB.replace(
        "    def left", "    def is_empty(self):\n        return not self.members\n\n    def left"
    )
    found = asking.answer_to(club, said, "guard_return", function="leave", condition="an empty club")
    assert [str(way.calls[0]).count("self.is_empty()") for way in found.ways] == [1]


def test_a_limit_is_for_what_may_pass_it() -> None:
    code = "class Hero:\n    def __init__(self, lives):\n        self.lives = lives\n\n"
    code += "    def hit(self, damage):\n        self.lives -= damage\n"
    done = asking.changed(code, "lives never below 0", "limit_value", variable="lives", minimum="0")
    assert done == code.replace("self.lives -= damage", "self.lives = max(0, self.lives - damage)")


def test_what_is_never_negative_is_at_least_0() -> None:
    said = "Club.left should never be negative"
    done = asking.changed(CLUB, said, "limit_value", variable="Club.left", minimum="negative")
    assert "return max(0, self.places - len(self.members))" in done


def test_a_thing_is_neither_its_class_nor_a_text() -> None:
    said = "leave should return the member"
    found = asking.answer_to(CLUB, said, "set_return", function="leave", result="the member")
    assert not found.ways
    said = "leave should return a copy of the list"
    typed = f"from typing import List\n\n\n{CLUB}"
    found = asking.answer_to(typed, said, "set_return", function="leave", result="a copy of the list")
    assert not found.ways


DOOR = """class Door:
    def __init__(self, name):
        self.name = name
        self.locked = False

    def open(self):
        self.locked = False

    @staticmethod
    def check(code):
        return code + 1

    async def is_ready(self):
        return True

    def is_shut(self):
        return self.locked

    def knock(self):
        print(self.name)
"""


@pytest.mark.parametrize(
    ("function", "said", "code"),
    [
        ("knock", "the door is open", "open()"),  # it opens the door
        ("knock", "the door is ready", "is_ready()"),  # nobody waits for it
        ("check", "the door is locked", "code.locked"),  # there is no door
        ("__init__", "the door is shut", "is_shut()"),  # it is not made yet
    ],
)
def test_what_cannot_be_asked_is_not(function: str, said: str, code: str) -> None:
    words = {"function": function, "condition": said}
    found = asking.answer_to(DOOR, f"return early from {function} if {said}", "guard_return", **words)
    assert all(code not in str(way.calls) for way in found.ways)


def test_a_state_that_can_be_asked_is() -> None:
    words = {"function": "knock", "condition": "the door is shut"}
    done = asking.changed(DOOR, "return early from knock if the door is shut", "guard_return", **words)
    assert "        if self.is_shut():\n            return\n" in done


HELD = """class Part:
    def __init__(self, price):
        self.price = price
        self.sold = False


class Store:
    def __init__(self):
        self.parts = {}
        self.log = []

    def value(self):
        return sum(p.price for p in self.parts.values())


def report(store):
    for part in store.parts.values():
        print(part.price)
"""


def test_what_a_comprehension_goes_through_is_in_a_state() -> None:
    words = {"function": "value", "condition": "sold parts"}
    done = asking.changed(HELD, "value should skip sold parts", "skip_in_loop", **words)
    assert "sum(p.price for p in self.parts.values() if not p.sold)" in done


@pytest.mark.parametrize(("said", "test"), [("empty", "not store.parts"), ("not empty", "store.parts")])
def test_an_object_is_empty_with_what_is_gone_through_of_it(said: str, test: str) -> None:
    words = {"function": "report", "condition": f"the store is {said}"}
    text = f"report returns if the store is {said}"
    assert f"    if {test}:\n" in asking.changed(HELD, text, "guard_return", **words)
    sized = HELD.replace("    def value", "    def __len__(self):\n        return 1\n\n    def value")
    assert ".parts:" not in asking.changed(sized, text, "guard_return", **words)


BAG = """class Bag(list):
    def get(self, index):
        return self[index]
"""


@pytest.mark.parametrize("said", ["there are no items", "the bag is empty"])
def test_a_list_is_empty_itself(said: str) -> None:
    words = {"function": "get", "condition": said, "exception": "IndexError"}
    done = asking.changed(BAG, f"get should raise IndexError if {said}", "guard_raise", **words)
    assert '        if not self:\n            raise IndexError("there are no items")\n' in done


def test_an_index_is_no_item_of_a_list() -> None:
    source = Source(BAG)
    method = next(find_nodes(source.tree, ast.FunctionDef))
    assert [failure.condition for failure in failures(source, method)] == ["index >= len(self)"]


STORE = """class Store:
    def __init__(self, path):
        self._handle = open(path)
        self._opened = True

    def close(self):
        self._opened = False
        self._handle.close()
"""


@pytest.mark.parametrize("said", ["the handle is closed", "the handle is closed already"])
def test_a_file_tells_whether_it_is_closed(said: str) -> None:
    done = asking.changed(
        STORE, f"return from close if {said}", "guard_return", function="close", condition=said
    )
    assert "        if self._handle.closed:\n            return\n" in done


def test_a_flag_is_tested_where_a_with_could_not_hold_it() -> None:
    done = asking.changed(
        STORE, "guard close with self._opened", "wrap_in_with", function="close", context="self._opened"
    )
    assert "        if self._opened:\n            self._opened = False\n" in done


def test_a_call_that_is_made_for_what_it_does_is_no_test() -> None:
    method = next(node for node in find_nodes(Source(STORE).tree, ast.FunctionDef) if node.name == "close")
    assert not any("close()" in one.code for one in find_operands(method, Source(STORE).tree, None))


def test_other_types_are_what_the_end_of_a_comparison_is_for() -> None:
    code = "class Box:\n    def __eq__(self, other):\n        if isinstance(other, Box):\n"
    code += "            return self.size == other.size\n        return False\n"
    text = "__eq__ should return NotImplemented for other types"
    words = {"function": "__eq__", "result": "NotImplemented", "condition": "other types"}
    done = asking.changed(code, text, "guard_return", **words)
    assert done == code.replace("return False", "return NotImplemented")


def test_an_early_return_is_not_the_end_of_the_function() -> None:
    code = "def get(value, default):\n    if value is not None:\n        return value\n    return default\n"
    words = {"function": "get", "condition": "value is None"}
    done = asking.changed(code, "get: return early when value is None", "guard_return", **words)
    assert "    return default\n" in done


GATE = """class Door:
    def __init__(self):
        self._opened = True

    def enter(self):
        return 1

    def close(self):
        self._opened = False
"""


@pytest.mark.parametrize(
    ("function", "said", "test"),
    [
        ("enter", "the door is closed", "not self._opened"),
        ("enter", "closed", "not self._opened"),
        ("close", "already closed", "not self._opened"),
        ("enter", "the door is not closed", "self._opened"),
        ("enter", "the door is open", "self._opened"),
    ],
)
def test_a_state_is_what_its_opposite_is_not(function: str, said: str, test: str) -> None:
    words = {"function": function, "condition": said}
    found = answered({PATH: GATE}, ("guard_return", words))
    assert f"if {test}:\n" in result(found, {PATH: GATE})


def test_what_python_calls_so_is_no_state() -> None:
    code = "def load(path):\n    return path\n"
    found = answered({PATH: code}, ("guard_raise", {"function": "load", "condition": "not open"}))
    assert not found.ways or "not open" not in result(found, {PATH: code})
