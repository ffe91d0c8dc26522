"""What is called a check goes, and what it guards stays; what a bare call of a method is meant for."""

from __future__ import annotations

from intent.asking import answer_to, changed
from intent.support import PATH, situation

CODE = """import os


class Store:
    def __init__(self, path):
        self.handle = open(path)
        self.tables = {}

    def make(self, folder):
        if folder and not os.path.exists(folder):
            os.makedirs(folder)

    def load(self, path, mode):
        if path is None or (mode is None and path):
            raise ValueError("no path")
        if mode == "w":
            self.handle.flush()
        return path

    def drop(self, name):
        if name in self.tables:
            del self.tables[name]

    def close(self):
        self.handle.close()


class Base:
    def close(self):
        pass
"""


def test_a_check_of_a_part_of_a_condition_is_that_part() -> None:
    text = "drop the os.path.exists check in make"
    new = changed(CODE, text, "delete_statement", code="os.path.exists check", function="make")
    assert "        if folder:\n            os.makedirs(folder)\n" in new


def test_what_is_left_of_a_guard_still_guards() -> None:
    text = "remove the path is None check from load"
    new = changed(CODE, text, "delete_statement", code="path is None check", function="load")
    assert "        if mode is None and path:\n            raise ValueError" in new


def test_of_a_check_that_guards_no_end_both_are_offered() -> None:
    text = "remove the mode w check from load"
    found = answer_to(CODE, text, "delete_statement", code="mode w check", function="load")
    kept = [
        "self.handle.flush()" in (way.plan.texts(situation({PATH: CODE}).repo)[PATH] or "")
        for way in found.ways
    ]
    assert kept == [True, False]


def test_a_bare_call_of_a_method_is_of_the_collection_in_the_old_statement() -> None:
    text = "in drop use pop(name, None) rather than the if"
    slots = {"code": "pop(name, None)", "old": "the if", "function": "drop"}
    assert "        self.tables.pop(name, None)\n" in changed(CODE, text, "replace_statement", **slots)


def test_an_attribute_that_the_named_method_does_not_set_is_set_there() -> None:
    text = "set self.handle to None in close"
    slots = {"variable": "self.handle", "value": "None", "function": "close"}
    new = changed(CODE, text, "set_value", **slots)
    assert "        self.handle = open(path)\n" in new
    assert "        self.handle.close()\n        self.handle = None\n" in new and new.count("= None") == 1


def test_a_value_that_is_told_as_code_need_not_be_of_the_kind_of_the_first_one() -> None:
    text = "at the end of Store.close set self.handle to None"
    slots = {"code": "set self.handle to None", "function": "Store.close"}
    assert "self.handle.close()\n        self.handle = None\n" in changed(
        CODE, text, "insert_at_end", **slots
    )
