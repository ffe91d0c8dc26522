"""Special methods use what a class holds, or say what was assumed."""

from __future__ import annotations

import pytest
from codemods.repositories import changed_lines, plan, refusal, repository

from spark_tui.codemods.plan import Refused
from spark_tui.codemods.registry import parse

HELD = """class Post:
    def __init__(self, host):
        self.host = host
        self.failed = []

    def note(self, item):
        self.failed.append(item)
"""


@pytest.mark.parametrize(
    ("old", "new", "doubts"),
    [
        ("", "", ["failed was assumed"]),
        ("self.failed.append(item)", "return [one for one in self.failed if one]", []),
        ("        self.host = host\n", "", []),
    ],
)
def test_what_a_class_holds_is_what_it_goes_through_or_all_that_it_has(
    old: str, new: str, doubts: list[str]
) -> None:
    found = plan("add_special_method Post contains", {"m.py": HELD.replace(old, new) if old else HELD})
    assert [unfollowed.reason for unfollowed in found.unfollowed] == doubts


def test_a_base_shows_the_class_of_the_object() -> None:
    files = {"m.py": HELD + "\n\nclass Letter(Post):\n    pass\n"}
    shown = 'return f"{type(self).__name__}(host={self.host!r}, failed={self.failed!r})"'
    assert changed_lines("add_special_method Post repr", files)["m.py"][-1] == shown


MIXED = """from collections import deque
from dataclasses import dataclass, field


class Sender:
    def __init__(self, host, port, **options):
        self.host, self.port = host, port
        self.options = options
        self.filters = []
        self.dead = deque(maxlen=3)


@dataclass
class Event:
    KINDS: ClassVar[tuple] = ("a",)
    kind: str
    payload: dict = field(default_factory=dict)
    tries: int = field(default=0, compare=False)
    level: int = 0


class Call:
    def __init__(self, name):
        self.name = name
        self.count = 0

    def __call__(self):
        self.count += 1


class SendError(Exception):
    def __init__(self, text, code):
        super().__init__(text)
        self.code = code
"""


@pytest.mark.parametrize(
    ("call", "last", "doubts"),
    [
        ("Sender repr attribute=host,port", 'return f"Sender(host={self.host!r}, port={self.port!r})"', []),
        ("Event repr attribute=kind", 'return f"Event(kind={self.kind!r})"', []),
        ("Event hash", "return hash((self.kind, self.level))", []),
        ("Call hash", "return hash((self.name, self.count))", ["count changes, and the hash with it"]),
        ("SendError str", "return str(self.code)", ["the message of the error is not shown any more"]),
    ],
)
def test_what_is_hashed_held_and_shown_is_told_by_its_kind(call: str, last: str, doubts: list[str]) -> None:
    found = plan(f"add_special_method {call}", {"m.py": MIXED})
    assert changed_lines(f"add_special_method {call}", {"m.py": MIXED})["m.py"][-1] == last
    assert [one.reason for one in found.unfollowed] == doubts


def test_of_several_containers_none_is_taken() -> None:
    found = parse("add_special_method Sender len").plan(repository({"m.py": MIXED}))
    assert isinstance(found, Refused)


def test_attributes_that_are_set_together_are_shown_too() -> None:
    code = "class Box:\n    def __init__(self, left, top):\n        self.left, self.top = left, top\n"
    shown = 'return f"Box(left={self.left!r}, top={self.top!r})"'
    assert changed_lines("add_special_method Box repr", {"m.py": code})["m.py"][-1] == shown


def test_attributes_that_every_way_sets_are_shown_too() -> None:
    code = """class Conn:
    def __init__(self, host, port=None):
        self.host = host
        if port is None:
            self.port = 80
        elif port < 0:
            raise ValueError(port)
        else:
            self.port, self.own = port, True
"""
    shown = 'return f"Conn(host={self.host!r}, port={self.port!r})"'
    assert changed_lines("add_special_method Conn repr", {"m.py": code})["m.py"][-1] == shown


def test_eq_compares_what_a_dataclass_does() -> None:
    shown = "return (self.kind, self.payload, self.level) == (other.kind, other.payload, other.level)"
    assert changed_lines("add_special_method Event eq", {"m.py": MIXED})["m.py"][-1] == shown


def test_another_type_of_a_class_variable_makes_no_field_of_it() -> None:
    new = changed_lines("annotate_variable Event.KINDS 'tuple[str, ...]'", {"m.py": MIXED})["m.py"]
    assert new == ['KINDS: ClassVar[tuple[str, ...]] = ("a",)']


@pytest.mark.parametrize(
    ("method", "name", "line"),
    [("contains", "has", "return self.has(item)"), ("getitem", "find", "return self.find(key)")],
)
def test_a_method_with_one_argument_is_given_it(method: str, name: str, line: str) -> None:
    code = f"{HELD}\n    def {name}(self, at, deep=False):\n        return at in self.failed\n"
    assert changed_lines(f"add_special_method Post {method} {name}", {"m.py": code})["m.py"][-1] == line


def test_a_method_that_needs_an_argument_counts_nothing() -> None:
    assert refusal("add_special_method Post len note", {"m.py": HELD}).reason == "note needs item"
