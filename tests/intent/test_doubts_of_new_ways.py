"""Edits that may be wrong and have to be looked at: taken names, conditions that go, words as messages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from intent.following import answer_behind
from intent.support import PATH, answered, result

CODE = """import os

LIMITS = {"rows": 5, "size": 3}


class Probe:
    def __init__(self, name, values, unit):
        self.name = name
        self.values = values
        self.unit = unit

    def mean(self):
        return sum(self.values) / len(self.values)


def show(probes, limit):
    for probe in probes:
        print(probe, limit)
    return {}
"""
GUARD = (
    "        return sum",
    '        if not self.values:\n            raise ValueError("no values")\n        return sum',
)
SORTED = (
    "    for probe in probes:\n",
    "    ordered = sorted(probes)\n    for probe in ordered:\n",
)
KEY = ('"size": 3}', '"size": 3, "wait": 9}')
RETURN = ("return {}", "return []")


def marks(edit: tuple[str, str], text: str, intent: str, **slots: str) -> Sequence[str]:
    answer, _ = answer_behind(CODE, CODE.replace(*edit), text, intent, **slots)
    return answer.ways[0].marked if answer.ways else ("refused",)


@pytest.mark.parametrize("name", ["limit", "probes", "print", "sorted", "show", "os", "Probe"])
def test_a_new_name_that_something_else_has_is_doubted(name: str) -> None:
    said = marks(SORTED, f"call it {name}", "amend.name", new=name)
    assert "refused" in said or f"{name} is the name of something else" in said


def test_a_new_key_that_the_dictionary_has_is_doubted() -> None:
    assert "rows is the name of something else" in marks(KEY, "call it rows", "amend.name", new="rows")


def test_a_free_name_is_not_doubted() -> None:
    assert not any(
        "something else" in mark for mark in marks(SORTED, "call it rows", "amend.name", new="rows")
    )


def test_a_condition_behind_only_that_looks_at_something_else_is_doubted() -> None:
    said = marks(GUARD, "only if unit is None", "amend.condition", condition="unit is None")
    assert "the previous condition is removed" in said
    same = marks(GUARD, "only if values is None", "amend.condition", condition="values is None")
    assert "the previous condition is removed" not in same


def test_a_length_is_not_compared_with_none() -> None:
    answer, text = answer_behind(
        CODE, CODE.replace(*GUARD), "== None", "amend.condition", condition="== None"
    )
    assert answer.kind != "edit" or "len(self.values) == None" not in text


@pytest.mark.parametrize("words", ["with the unit in it", "without the dot", "self.unit"])
def test_words_that_tell_what_is_to_be_in_a_message_are_no_message_without_a_doubt(words: str) -> None:
    assert "the words were read as the text" in marks(GUARD, words, "amend.message", message=words)


def test_the_doubts_of_a_value_are_those_of_the_edit() -> None:
    assert "lower was read as a string" in marks(RETURN, "lower", "amend.value", value="lower")


LOGGED = ("        print(probe, limit)\n", '        print(probe, limit)\n        print("probe", probe)\n')
NONE = ("    return {}", "    if not probes:\n        return None\n    return {}")


def test_lines_that_are_moved_to_where_their_names_are_not_set_are_doubted() -> None:
    assert "probe is not set yet there" in marks(LOGGED, "move it to the top", "amend.first")
    loop = marks(LOGGED, "before the loop", "amend.before", anchor="the loop")
    assert "refused" in loop or "probe is not set yet there" in loop
    free = marks((LOGGED[0], LOGGED[1].replace(", probe)\n", ", limit)\n")), "first", "amend.first")
    assert not any("not set" in mark for mark in free)


def test_a_return_that_is_to_be_logged_is_not_only_written_in_another_form() -> None:
    assert "refused" in marks(NONE, "log it and return", "amend.return_instead")


OPTIONS = """import argparse


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("path")
    parser.add_argument("--limit", type=int, default=10)
    parser.add_argument("--mode", choices=["a", "b"], default="a")
    parser.add_argument("--loud", action="store_true")
    parser.add_argument("--rate", type=float)
    given = vars(parser.parse_args())
    print(given["rate"])
"""


def option_marks(**words: str) -> Sequence[str]:
    intent = "set_option" if len(words) > 1 else "remove_option"
    return answered({PATH: OPTIONS}, (intent, words)).ways[0].marked


def test_an_option_whose_parts_do_not_fit_is_doubted() -> None:
    assert "'c' is not of type int" in option_marks(name="limit", default="'c'")
    assert "'c' is none of the choices" in option_marks(name="mode", default="'c'")
    assert "'a' is not of type float" in option_marks(name="mode", type="float")
    assert "it is an option without a value" in option_marks(name="loud", default="'c'")
    assert not any("no int" in mark for mark in option_marks(name="limit", default="5"))


def test_an_argument_without_dashes_may_only_be_left_out_where_it_has_a_default() -> None:
    found = answered({PATH: OPTIONS}, ("set_option", {"name": "path", "default": "'c'"}))
    assert 'add_argument("path", nargs="?", default=\'c\')' in str(found.ways[0].calls).replace('"c"', "'c'")
    required = answered({PATH: OPTIONS}, ("set_option", {"name": "path required"}))
    assert not required.ways


def test_an_option_that_may_be_read_from_a_dictionary_is_not_removed_without_a_doubt() -> None:
    assert "all options are used as one dictionary there" in option_marks(name="rate")


HELD = """import threading

lock = threading.Lock()


def work(host, rows):
    lock.acquire(timeout=1)
    print(rows)
    lock.release()


def call(host):
    thing = Thing(host)
    print(thing)
    thing.close()
"""


def test_a_lock_with_a_timeout_is_no_with_block() -> None:
    found = answered({PATH: HELD}, ("wrap_in_with", {"context": "lock"}))
    assert not found.ways or "timeout=1" in result(found, {PATH: HELD})


def test_what_may_not_be_closed_by_a_with_is_doubted() -> None:
    found = answered({PATH: HELD}, ("wrap_in_with", {"context": "thing"}))
    assert "Thing(host) was assumed to be what a with can hold" in found.ways[0].marked


def test_an_object_is_not_read_from_the_environment_without_a_doubt() -> None:
    found = answered({PATH: HELD}, ("from_environment", {"variable": "lock", "name": "LOCK"}))
    assert "threading.Lock() was assumed to be a text" in found.ways[0].marked
