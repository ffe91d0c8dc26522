"""Tests that make no sense at a place, or say less than the words that they are taken for."""

from __future__ import annotations

import ast

import pytest
from intent.asking import answer_to, changed
from intent.following import answer_behind

from spark_tui.intent.conditions.likely_tests import flag_names
from spark_tui.intent.conditions.sensible_tests import is_senseless
from spark_tui.pysource.source import Source

KENNEL = """\
BREEDS = ("terrier", "poodle")


class Dog:
    def __init__(self, chip):
        self.chip = chip
        self.asleep = False
        self.fed = None


class Kennel:
    def __init__(self, size):
        self.size = size
        self.dogs = {}
        self.guests = []

    def take_in(self, dog, days, code, owner):
        self.dogs[dog.chip] = dog
        self.guests.append(dog)
        return days * code

    def feed(self, food):
        for dog in self.guests:
            dog.fed = food

    def find(self, chip):
        return self.dogs.get(chip)

    def names(self, text):
        return text.split()


def read_list(path):
    with open(path) as file:
        return file.read()
"""


@pytest.mark.parametrize(
    ("test", "place"),
    [
        ("Dog", "take_in"),
        ("not Kennel", "take_in"),
        ("days == range", "take_in"),
        ("days is days", "take_in"),
        ("Dog < 3", "take_in"),
        ("not statistics.mean", "take_in"),
        ("self.feed < self.find", "take_in"),
        ("len(self.guests) > BREEDS", "take_in"),
        ("text < 5", "names"),
        ("not self.guests", "loop"),
    ],
)
def test_a_test_that_holds_always_or_never_makes_no_sense(test: str, place: str) -> None:
    source = Source(KENNEL)
    named = [
        node for node in ast.walk(source.tree or ast.Module([], [])) if getattr(node, "name", "") == place
    ]
    loop = [node for node in ast.walk(source.tree or ast.Module([], [])) if isinstance(node, ast.For)]
    root = (named or loop)[0]
    assert is_senseless(ast.parse(test, mode="eval").body, root, source)


@pytest.mark.parametrize("test", ["days < 5", "not self.guests", "dog.chip in BREEDS", "not dog.asleep"])
def test_other_tests_make_sense(test: str) -> None:
    source = Source(KENNEL)
    (root,) = (
        node for node in ast.walk(source.tree or ast.Module([], [])) if getattr(node, "name", "") == "take_in"
    )
    assert not is_senseless(ast.parse(test, mode="eval").body, root, source)


def test_an_object_that_a_length_is_compared_with_is_doubted() -> None:
    text = "take_in: raise ValueError if guests is longer than dog"
    slots = {"function": "take_in", "condition": "guests is longer than dog", "exception": "ValueError"}
    (way, *_) = answer_to(KENNEL, text, "guard_raise", **slots).ways
    assert "the code does not say that dog is a number" in way.marked


def marked(text: str, **slots: str) -> bool:
    why = answer_to(KENNEL, text, "guard_raise", **slots).ways[0].marked
    return any("does not say" in item or "was taken" in item for item in why)


@pytest.mark.parametrize(
    "condition",
    [
        "a code is given without an owner",
        "the dog is already here for three days",
        "code has fewer than four digits",
        "days is more than two weeks",
        "the code is taken by the owner",
        "code is missing in dog",
        "the owner has no code",
    ],
)
def test_what_the_words_say_and_the_test_does_not_is_doubted(condition: str) -> None:
    text = f"take_in should raise a ValueError if {condition}"
    assert marked(text, function="take_in", condition=condition, exception="ValueError")


@pytest.mark.parametrize(
    "condition",
    [
        "days is negative",
        "the code is the same as the owner",
        "days is more than 14",
        "code is not in owner",
        "owner does not contain 3",
    ],
)
def test_words_that_are_tested_need_no_mark(condition: str) -> None:
    text = f"take_in should raise a ValueError if {condition}"
    assert not marked(text, function="take_in", condition=condition, exception="ValueError")


def test_what_a_dictionary_is_asked_for_is_not_in_it() -> None:
    text = "find: raise KeyError if chip isn't known"
    new = changed(
        KENNEL, text, "guard_raise", function="find", condition="chip isn't known", exception="KeyError"
    )
    assert "        if chip not in self.dogs:\n            raise KeyError(chip)\n" in new


def test_an_error_of_files_is_raised_where_there_is_no_file() -> None:
    text = "read_list: raise FileNotFoundError when path is missing"
    slots = {"function": "read_list", "condition": "path is missing", "exception": "FileNotFoundError"}
    new = changed(KENNEL, text, "guard_raise", **slots)
    assert '    if not os.path.exists(path):\n        raise FileNotFoundError("path does not exist")\n' in new


def test_a_flag_that_is_said_is_set() -> None:
    assert flag_names(ast.parse(KENNEL)) == {"asleep"}
    text = "feed should skip asleep dogs"
    new = changed(KENNEL, text, "skip_in_loop", function="feed", condition="asleep dogs")
    assert "            if dog.asleep:\n                continue\n" in new


def test_a_condition_that_an_amendment_takes_none_of_is_marked() -> None:
    was = "def sow(bed):\n    return bed + 1\n\n\ndef reap(bed):\n    return bed - 1\n"
    now = was.replace("def sow(bed):\n", "def sow(bed):\n    if bed < 0:\n        return 0\n")
    answer, _ = answer_behind(was, now, "the same in reap, when bed is large", "amend.also", function="reap")
    assert answer.ways and "not used: when bed is large" in answer.ways[0].marked


@pytest.mark.parametrize(
    ("test", "given", "senseless"),
    [
        ("job is None or not dict", "job", True),
        ("not list", "job", True),
        ("job is None or not dict", "job, dict", False),
        ("not job", "job", False),
        ("isinstance(job, dict)", "job", False),
    ],
)
def test_a_class_is_not_asked_whether_it_is_true(test: str, given: str, senseless: bool) -> None:
    source = Source(f"def go({given}):\n    return job\n", "a.py")
    assert source.tree is not None
    made = ast.parse(test, mode="eval").body
    assert is_senseless(made, source.tree.body[0], source) is senseless
