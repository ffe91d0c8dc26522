"""What a dataclass is asked to be becomes an option of its decorator."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH

CODE = """from dataclasses import dataclass


@dataclass
class Entry:
    host: str
    size: int = 0


@dataclass(eq=False, frozen=True)
class Point:
    x: int


class Plain:
    def __init__(self, host):
        self.host = host
"""
SETS = "from shop import Entry\n\n\ndef grow(entry: Entry):\n    entry.size = 2\n"


@pytest.mark.parametrize(
    ("text", "intent", "slots", "old", "new"),
    [
        (
            "give Entry __slots__",
            "add_field",
            {"name": "__slots__"},
            "@dataclass\n",
            "@dataclass(slots=True)\n",
        ),
        (
            "Entry needs __slots__",
            "add_special_method",
            {"method": "__slots__"},
            "@dataclass\n",
            "@dataclass(slots=True)\n",
        ),
        ("make Entry immutable", "to_dataclass", {}, "@dataclass\n", "@dataclass(frozen=True)\n"),
        (
            "Entry should be frozen",
            "add_decorator",
            {"decorator": "frozen"},
            "@dataclass\n",
            "@dataclass(frozen=True)\n",
        ),
        (
            "Point with slots",
            "to_dataclass",
            {},
            "eq=False, frozen=True",
            "eq=False, frozen=True, slots=True",
        ),
    ],
)
def test_a_dataclass_gets_the_option_that_is_said(
    text: str, intent: str, slots: dict[str, str], old: str, new: str
) -> None:
    words = {"class": "Point" if "Point" in text else "Entry", **slots}
    assert changed(CODE, text, intent, **words) == CODE.replace(old, new, 1)


def test_another_class_gets_slots_of_its_own() -> None:
    written = changed(CODE, "give Plain __slots__", "add_field", **{"class": "Plain", "name": "__slots__"})
    assert '__slots__ = ("host",)' in written


def test_an_option_that_is_there_is_not_given_again() -> None:
    assert answer_to(CODE, "make Point frozen", "to_dataclass", **{"class": "Point"}).kind == "nothing"


@pytest.mark.parametrize(
    ("text", "intent", "slots"),
    [
        ("make Point not frozen", "to_dataclass", {}),
        ("drop frozen from Point", "add_slots", {}),
        ("unfreeze Point", "to_dataclass", {}),
        ("remove frozen from Point", "remove_argument", {"argument": "frozen"}),
    ],
)
def test_an_option_that_is_to_go_goes_and_what_is_lost_with_it_is_said(
    text: str, intent: str, slots: dict[str, str]
) -> None:
    found = answer_to(CODE, text, intent, **{"class": "Point", **slots})
    best = found.ways[0] if found.ways else found.best
    assert best is not None and "may be in sets" in "; ".join(best.marked)
    assert changed(CODE, text, intent, **{"class": "Point", **slots}) == CODE.replace(", frozen=True", "")


def test_an_option_that_is_not_there_cannot_go() -> None:
    assert not answer_to(CODE, "drop slots from Point", "add_slots", **{"class": "Point"}).ways


def test_what_an_option_forbids_is_said() -> None:
    project = '[project]\nrequires-python = ">=3.9"\n'
    files = {PATH: CODE, "grow.py": SETS, "pyproject.toml": project}
    found = answer_to(files, "make Entry frozen with slots", "to_dataclass", **{"class": "Entry"})
    best = found.ways[0] if found.ways else found.best
    marks = "; ".join(best.marked if best is not None else ())
    assert "self.host" not in marks  # of another class
    assert "grow.py:5 changes entry.size" in marks
    assert "Python 3.9, which has no slots" in marks


WRAPPER = """def cached(store):
    def wrap(func):
        def inner(*args):
            return func(*args)

        return inner

    return wrap
"""


def test_wraps_goes_to_the_function_that_takes_the_place_of_another() -> None:
    done = changed(WRAPPER, "cached: use wraps", "add_decorator", definition="cached", decorator="wraps")
    assert "        @functools.wraps(func)\n        def inner" in done
    words = {"definition": "plain", "decorator": "wraps"}
    assert not answer_to("def plain():\n    return 1\n", "use wraps on plain", "add_decorator", **words).ways


def test_an_abstract_class_has_its_stubs_abstract() -> None:
    code = (
        "class Shape:\n    def area(self):\n        raise NotImplementedError\n\n"
        '    def name(self):\n        """Of the kind."""\n        raise NotImplementedError("name")\n\n'
        "    def size(self):\n        if not self.known:\n            raise NotImplementedError\n"
        "        return 1\n"
    )
    after = changed(
        code, "make Shape abstract", "add_decorator", **{"class": "Shape", "decorator": "abstract"}
    )
    assert "from abc import ABC, abstractmethod" in after
    assert "class Shape(ABC):\n    @abstractmethod\n    def area" in after
    assert "    @abstractmethod\n    def name" in after
    assert after.count("    @abstractmethod\n") == 2


def test_an_argument_that_is_an_option_of_the_dataclass_goes_there() -> None:
    code = "from dataclasses import dataclass\n\n\n@dataclass\nclass Pair:\n    x: int\n"
    assert "@dataclass(frozen=True)\n" in changed(code, "frozen", "set_argument", argument="frozen")


@pytest.mark.parametrize(
    ("text", "intent", "slots"),
    [
        ("make all the dataclasses slots=True", "set_argument", {"call": "dataclasses", "argument": "slots"}),
        ("every dataclass should use slots", "add_slots", {}),
        ("make the dataclasses use slots", "add_slots", {}),
        ("alle Datenklassen bekommen slots", "to_dataclass", {}),
    ],
)
def test_all_dataclasses_of_a_file(text: str, intent: str, slots: dict[str, str]) -> None:
    pair = "@dataclass\nclass A:\n    x: int\n\n\n@dataclass\nclass B:\n    y: int\n"
    code = f"from dataclasses import dataclass\n\n\n{pair}"
    made = answer_to(code, text, intent, **slots)
    assert made.kind == "edit" and not any("places fit" in mark for mark in made.ways[0].marked)
    assert changed(code, text, intent, **slots).count("@dataclass(slots=True)\n") == 2
    one = code.replace("@dataclass\nclass A", "@dataclass(slots=True)\nclass A")
    assert changed(one, text, intent, **slots) == changed(code, text, intent, **slots)


KIN = CODE + "\n\n@dataclass\nclass Late(Entry):\n    when: int = 0\n"


@pytest.mark.parametrize(
    ("code", "text", "name", "kin"),
    [
        (KIN, "make Entry frozen", "Entry", "Late is not frozen"),
        (KIN, "make Late frozen", "Late", "Entry is not frozen"),
        (
            KIN.replace("@dataclass\n", "@dataclass(frozen=True)\n"),
            "unfreeze Entry",
            "Entry",
            "Late is frozen",
        ),
    ],
)
def test_all_dataclasses_of_a_family_are_frozen_or_none(code: str, text: str, name: str, kin: str) -> None:
    (way,) = answer_to(code, text, "to_dataclass", **{"class": name}).ways
    assert f"{kin}, and neither may inherit from the other then" in map(str, way.marked)


@pytest.mark.parametrize(
    ("old", "text", "new"),
    [
        ("(slots=True, weakref_slot=True)", "drop slots from Entry", ""),
        ("(slots=True)", "don't remove slots, make Entry frozen", "(slots=True, frozen=True)"),
        ("", "make Entry frozen and not slotted", "(frozen=True)"),
    ],
)
def test_what_an_option_needs_goes_and_what_is_kept_stays(old: str, text: str, new: str) -> None:
    code = CODE.replace("@dataclass\n", f"@dataclass{old}\n")
    done = changed(code, text, "to_dataclass", **{"class": "Entry"})
    assert done == CODE.replace("@dataclass\n", f"@dataclass{new}\n")
