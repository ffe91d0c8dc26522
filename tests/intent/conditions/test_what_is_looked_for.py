"""Something that is not there, or is there already, is asked of what the function looks it up in."""

from __future__ import annotations

import pytest
from intent.asking import changed

CODE = """\
from lib import Room


class Hotel:
    def __init__(self):
        self.rooms = {}
        self.guests = []

    def find(self, number):
        return self.rooms[number]

    def open(self, number):
        self.rooms[number] = Room(number)

    def leave(self, name):
        self.guests = [guest for guest in self.guests if guest.name != name]

    def first(self, name):
        return next(guest for guest in self.guests if guest.name == name)
"""


@pytest.mark.parametrize(
    ("function", "words", "test"),
    [
        ("find", "there is no such room", "number not in self.rooms"),
        ("find", "the room does not exist", "number not in self.rooms"),
        ("open", "an existing number", "number in self.rooms"),
        ("leave", "the name is not there", "not any(guest.name == name for guest in self.guests)"),
        ("first", "nobody has that name", "not any(guest.name == name for guest in self.guests)"),
    ],
)
def test_the_test_is_of_what_is_looked_up(function: str, words: str, test: str) -> None:
    slots = {"function": function, "exception": "KeyError", "condition": words}
    after = changed(CODE, f"{function} should raise KeyError if {words}", "guard_raise", **slots)
    assert f"        if {test}:\n            raise KeyError(" in after
