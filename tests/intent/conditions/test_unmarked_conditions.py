"""Conditions that were read wrongly, and without a mark."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """\
def book(room, hours, plan="basic"):
    slot = {"room": room}
    row = room.split(",") if plan == "premium" else []
    return slot, hours, plan, row


def leave(rows, name):
    row = rows[name]
    row["left"] = True
    return int(name)


def pause(hours):
    hours = hours * 2
    return hours


def give(plant, name=None):
    plant["name"] = name or "Rosa"
    return plant
"""


def guarded(function: str, condition: str) -> str:
    text = f"raise ValueError in {function} if {condition}"
    slots = {"function": function, "condition": condition, "exception": "ValueError"}
    return changed(CODE, text, "guard_raise", **slots)


@pytest.mark.parametrize(
    ("function", "condition", "test"),
    [
        ("book", "hours is outside 1 to 12", "not 1 <= hours <= 12"),
        ("book", "hours is not in 1-12", "not 1 <= hours <= 12"),
        ("book", "hours isn't between 1 and 12", "not 1 <= hours <= 12"),
        ("book", "hours is within 13..24", "13 <= hours <= 24"),
        ("book", "hours is less than 1 or more than 12", "hours < 1 or hours > 12"),
        ("book", "hours is below 1 and above 12", "hours < 1 or hours > 12"),
        ("book", "hours is above 1 and below 12", "hours > 1 and hours < 12"),
        ("book", "there is no comma in room", '"," not in room'),
        ("book", "there is a space in room", '" " in room'),
        ("book", "@ is not in room", '"@" not in room'),
        ("book", "plan is not basic or premium", 'plan != "basic" and plan != "premium"'),
        ("pause", "hours is less than half an hour", "hours < 0.5"),
        ("pause", "hours is more than 2 days", "hours > 48"),
        ("leave", "there is no such row", "name not in rows"),
        ("give", "plant has no name", '"name" not in plant'),
    ],
)
def test_a_condition_in_words(function: str, condition: str, test: str) -> None:
    assert f"if {test}:" in guarded(function, condition)


def test_of_two_tests_that_both_hold_one_has_to_fail() -> None:
    text = guarded("book", "hours is above 1 and below 12")
    assert '"hours must be at most 1 or be at least 12"' in text


@pytest.mark.parametrize(
    ("function", "condition", "wrong"),
    [("book", "slot is longer than 8 hours", "slot >"), ("book", "hours is 1-12", "hours is 1")],
)
def test_what_no_code_can_test_is_not_asked(function: str, condition: str, wrong: str) -> None:
    text = f"raise ValueError in {function} if {condition}"
    slots = {"function": function, "condition": condition, "exception": "ValueError"}
    ways = answer_to(CODE, text, "guard_raise", **slots).ways
    assert not any(f"if {wrong}" in edit.new for way in ways for edit in way.plan.edits)


def test_a_text_that_a_number_is_read_from_is_tested_for_its_type_with_a_mark() -> None:
    said, slots = "name isn't a number", {"function": "leave", "exception": "ValueError"}
    answer = answer_to(CODE, f"raise ValueError in leave if {said}", "guard_raise", condition=said, **slots)
    assert any("read as a text" in mark for mark in answer.ways[0].marked)


PRICED = """\
def fee(age):
    price = 30
    if age < 18:
        price = price * 0.5
    return price
"""


def test_what_a_branch_sets_again_is_tested_behind_it() -> None:
    said, slots = "price is negative", {"function": "fee", "exception": "ValueError"}
    text = changed(PRICED, f"raise ValueError in fee if {said}", "guard_raise", condition=said, **slots)
    assert text.index("price * 0.5") < text.index("if price < 0:") < text.index("return price")


def test_what_is_said_of_the_same_thing_again_is_read_like_the_first() -> None:
    said, slots = "room is empty or longer than 78", {"function": "book", "exception": "ValueError"}
    text = changed(CODE, f"raise ValueError in book if {said}", "guard_raise", condition=said, **slots)
    assert "if not room or len(room) > 78:" in text


def test_a_size_that_is_said_is_asked_for_as_it_is_said() -> None:
    code = "def put(count, name):\n    return count\n"
    text = "raise ValueError in put if count is less than 0"
    slots = {"function": "put", "condition": "count is less than 0", "exception": "ValueError"}
    assert "if count < 0:" in changed(code, text, "guard_raise", **slots)


@pytest.mark.parametrize(
    ("function", "condition"),
    [("book", "room is a plan"), ("book", "plan is a room"), ("give", "name is not a pause")],
)
def test_a_kind_is_no_value(function: str, condition: str) -> None:
    text = f"raise ValueError in {function} if {condition}"
    slots = {"function": function, "condition": condition, "exception": "ValueError"}
    (way, *_) = answer_to(CODE, text, "guard_raise", **slots).ways
    assert any("taken for a value" in mark for mark in way.marked)


SET = """\
class Cycle:
    def __init__(self, on_end):
        self.body = bytearray()
        self.on_end = on_end

    def prefix(self, text):
        start = end = 0
        while end < len(text):
            end += 1
        return text[start:end]


def load(URLS: URL | str, T: T):
    return URLS
"""


@pytest.mark.parametrize(
    ("text", "words", "mark"),
    [
        (
            "raise ValueError if self.body is None in __init__",
            ("__init__", "self.body is None"),
            "never None",
        ),
        ("raise ValueError if end is empty in prefix", ("prefix", "end is empty"), "is of type int"),
        (
            "raise ValueError if URLS is negative in load",
            ("load", "URLS is negative"),
            "annotated as something",
        ),
        ("raise ValueError if self.on_end is None in __init__", ("__init__", "self.on_end is None"), ""),
        ("raise ValueError if T is negative in load", ("load", "T is negative"), ""),
    ],
)
def test_what_the_code_shows_of_a_value_is_marked(text: str, words: tuple[str, str], mark: str) -> None:
    slots = {"function": words[0], "condition": words[1], "exception": "ValueError"}
    said = " ".join(answer_to(SET, text, "guard_raise", **slots).ways[0].marked)
    if mark:
        assert mark in said
    else:
        assert not any(one in said for one in ("never None", "is of type", "annotated as something"))


@pytest.mark.parametrize(
    ("head", "test"),
    [
        ("def add(word: str):", "not word.strip()"),
        ("def add(word: str | None):", "not word"),
        ("def add(word=None):", "not word"),
        ("def add(word):", "not word"),
    ],
)
def test_a_text_is_blank_where_it_has_only_white_space(head: str, test: str) -> None:
    slots = {"condition": "word is blank", "exception": "ValueError", "function": "add"}
    after = changed(
        f"{head}\n    WORDS.append(word)\n",
        "raise ValueError if word is blank in add",
        "guard_raise",
        **slots,
    )
    assert f"    if {test}:\n" in after


def test_a_folder_that_may_be_what_is_empty_is_marked() -> None:
    code = "import os\n\n\ndef newest(target):\n    return max(os.listdir(target))\n"
    slots = {"condition": "target is empty", "exception": "ValueError", "function": "newest"}
    found = answer_to(code, "raise ValueError if target is empty in newest", "guard_raise", **slots)
    assert "target is a folder" in " ".join(found.ways[0].marked)


@pytest.mark.parametrize(
    ("condition", "test"),
    [
        ("count is greater than 100", "int(count) > 100"),
        ("count is longer than 3 characters", "len(count) > 3"),
    ],
)
def test_a_text_that_is_read_as_a_number_is_compared_as_one(condition: str, test: str) -> None:
    code = 'def roll(text):\n    count, sides = text.split("d")\n    return [sides] * int(count)\n'
    slots = {"condition": condition, "exception": "ValueError", "function": "roll"}
    after = changed(code, f"raise ValueError in roll if {condition}", "guard_raise", **slots)
    assert f"    if {test}:\n" in after
    assert "int(count) must" not in after


def test_an_entry_that_is_set_below_is_marked_where_a_guard_leaves_without_it() -> None:
    code = "def late(user, now):\n    last = SEEN.get(user)\n    SEEN[user] = now\n    return now - last\n"
    slots = {"condition": "last is None", "result": "False", "function": "late"}
    found = answer_to(code, "in late return False if last is None", "guard_return", **slots)
    assert "SEEN[user] is set below" in found.ways[0].marked
    other = {"condition": "user is None", "result": "False", "function": "late"}
    found = answer_to(code, "in late return False if user is None", "guard_return", **other)
    assert "SEEN[user] is set below" not in found.ways[0].marked


@pytest.mark.parametrize(
    "first",
    [
        "    if sizes is None:\n        sizes = [1]\n",
        "    sizes = sizes or [1]\n",
        "    sizes = [1] if sizes is None else sizes\n",
    ],
)
def test_a_guard_stands_behind_what_gives_its_name_a_value(first: str) -> None:
    code = f"def mean(values, sizes=None):\n{first}    return sum(values) / sum(sizes)\n"
    condition = "len(sizes) != len(values)"
    slots = {"condition": condition, "exception": "ValueError", "function": "mean"}
    after = changed(code, f"raise ValueError in mean if {condition}", "guard_raise", **slots)
    assert after.index(first) < after.index("raise")


@pytest.mark.parametrize(("body", "marked"), [("len(self._rows)", True), ("self._size", False)])
def test_an_attribute_beside_a_hidden_one_of_its_name_is_marked(body: str, marked: bool) -> None:
    code = f"""class Cache:
    def __init__(self, size):
        self._rows, self._size = [], size

    @property
    def size(self):
        return {body}

    def put(self, row):
        self._rows.append(row)
"""
    slots = {"function": "put", "condition": "size is 0"}
    found = answer_to(code, "put should do nothing if size is 0", "guard_return", **slots)
    assert ("size was taken for self.size" in found.ways[0].marked) == marked


@pytest.mark.parametrize(
    ("said", "test"), [("the order is paid", "order.paid"), ("the order is not paid", "not order.paid")]
)
def test_a_state_that_only_its_use_tells_is_asked_for_its_truth(said: str, test: str) -> None:
    code = "def ship(order):\n    print(order.paid)\n    return order\n"
    text = f"raise ValueError in ship if {said}"
    found = changed(code, text, "guard_raise", function="ship", condition=said, exception="ValueError")
    assert f"    if {test}:\n" in found
