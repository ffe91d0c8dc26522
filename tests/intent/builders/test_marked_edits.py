"""Edits that stand at the edge of what a way can do: they are whole code there, or carry a mark."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, answered, result

CODE = """\
import gzip
from pathlib import Path

SPAN = {"day": (8, 18), "night": (20, 6)}
NAMES = ["ann", "bob"]
COUNTS = {}


def weight(left, right):
    return float(left + right)


def packed(path):
    with gzip.open(path) as file:
        return file.read()


def raw(path):
    with open(path, mode="rb") as file:
        return list(file)


def keep(base: Path, name, text):
    with open(base / name, "w") as file:
        file.write(text)


def took(word, some, more):
    COUNTS[word] -= some + more


def put(groups, key, one):
    groups[key] += [one]


def ask(path):
    link, reader = linked(path)
    rows = reader.fetch()
    print(rows)
    link.close()


class Desk:
    def start(self, path):
        link = linked(path)
        link.ping()
        self.link = link


def total(rows):
    at = out = 0
    while at < len(rows):
        size = int(rows[at])
        out += size
        at += 1
    return out


def ages(rows):
    out = []
    for row in rows:
        line = row.strip()
        out.append(line)
    return out


def parsed(lines):
    for one in lines:
        try:
            print(int(one))
        except ValueError:
            pass


def menu(dishes, rest):
    for at in range(len(dishes) or rest):
        print(at, "dish")
"""


@pytest.mark.parametrize(
    ("text", "error", "new"),
    [
        ("took: KeyError: 'tea'", "KeyError: 'tea'", "COUNTS.get(word, 0) - (some + more)"),
        ("put: KeyError: 'tea'", "KeyError: 'tea'", "groups.get(key, []) + [one]"),
    ],
)
def test_a_fix_leaves_what_it_is_put_around_whole(text: str, error: str, new: str) -> None:
    shown = error if error in text else error.partition(": ")[2]
    assert new in changed(CODE, text, "fix_error", error=shown, function=text.partition(":")[0])


@pytest.mark.parametrize("name", ["packed", "raw"])
def test_what_is_read_as_bytes_gets_no_encoding(name: str) -> None:
    text = f"{name}: UnicodeDecodeError, it is latin-1"
    assert not answer_to(CODE, text, "fix_error", error="UnicodeDecodeError", function=name).ways


def test_a_loop_that_goes_on_counts_first() -> None:
    text = changed(CODE, "total: ignore a ValueError of int", "try_pass", exception="ValueError", code="int")
    assert "        except ValueError:\n            at += 1\n            continue\n" in text


def test_words_behind_an_error_that_say_nothing_known_leave_a_mark() -> None:
    said = "in parsed raise ValueError with the line instead of pass"
    slots = {"function": "parsed", "code": "raise ValueError with the line", "old": "pass"}
    answer = answer_to(CODE, said, "replace_statement", **slots)
    assert "raise ValueError with the line was assumed to be raise ValueError" in answer.ways[0].marked


def test_a_local_of_the_loop_is_not_taken_for_what_it_goes_through() -> None:
    said, slots = "in ages skip when line is empty", {"function": "ages", "condition": "line is empty"}
    assert "if not row" not in changed(CODE, said, "skip_in_loop", **slots)


def test_one_value_in_the_place_of_several_leaves_a_mark() -> None:
    answer = answer_to(CODE, "set day in SPAN to 3", "set_entry", key="day", variable="SPAN", value="3")
    assert "(8, 18) was more than one value" in answer.ways[0].marked


@pytest.mark.parametrize(
    ("said", "value", "mark"),
    [
        ("add 7 to NAMES", "7", "7 is not text like the others"),
        ("add 'cleo' at the start of NAMES", "cleo", "it was put after the others"),
    ],
)
def test_an_item_unlike_the_others_or_not_at_the_end_leaves_a_mark(said: str, value: str, mark: str) -> None:
    assert mark in answer_to(CODE, said, "add_item", value=value, variable="NAMES").ways[0].marked


def test_rounds_that_are_numbered_from_one_are_as_many_as_before() -> None:
    said = "menu starts at 0, the numbers should begin at 1"
    text = changed(CODE, said, "replace_value", function="menu", old="0", new="1")
    assert "range(1, (len(dishes) or rest) + 1)" in text


SHOP = """\
QUERY = "select name from people order by name"


class Shop:
    def __init__(self):
        self.people = []

    def add(self, person):
        self.people.append(person)

    def named(self, name):
        return [one for one in self.people if one.name == name]

    def oldest(self):
        return sorted(self.people, key=lambda one: one.age)


def fields(line):
    return line.split(",")
"""


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("person is in people", "person in self.people"),
        ("person is inside of people", "person in self.people"),
        ("person is not in people", "person not in self.people"),
    ],
)
def test_what_is_in_something_is_not_the_same_as_it(condition: str, code: str) -> None:
    slots = {"function": "add", "condition": condition, "exception": "ValueError"}
    assert f"if {code}:" in changed(SHOP, f"raise ValueError in add if {condition}", "guard_raise", **slots)


def test_a_type_that_something_is_looked_for_in_leaves_a_mark() -> None:
    said = "raise ValueError in add if person is in the list"
    slots = {"function": "add", "condition": "person is in the list", "exception": "ValueError"}
    found = answer_to(SHOP, said, "guard_raise", **slots)
    assert all("list is the type there" in way.marked for way in found.ways if "in list" in str(way.calls))
    assert any("in list" in str(way.calls) for way in found.ways)


def test_a_semicolon_alone_is_the_sign() -> None:
    text = changed(SHOP, "split at ; instead of , in fields", "replace_value", new=";", old=",")
    assert 'line.split(";")' in text


def test_something_else_than_what_is_named_is_sorted_with_a_mark() -> None:
    answer = answer_to(SHOP, "sort QUERY by name", "sort_by", variable="QUERY", key="name")
    assert "self.people is sorted there, not QUERY" in answer.ways[0].marked


@pytest.mark.parametrize("code", ['WORDS = {"en": "Hello"}\n', 'WORDS = ["Hello", "you"]\n'])
def test_a_collection_is_no_text_and_no_number(code: str) -> None:
    assert not answer_to(code, "compare WORDS case-insensitively", "ignore_case", variable="WORDS").ways
    slots = {"variable": "WORDS", "transform": "int"}
    assert not answer_to(code, "make WORDS an int", "apply_function", **slots).ways


def test_a_dictionary_has_no_upper_case() -> None:
    slots = {"variable": "WORDS", "transform": "uppercase"}
    assert not answer_to('WORDS = {"a": "b"}\n', "make WORDS uppercase", "apply_function", **slots).ways


GATEWAYS = """class Gateway:
    def charge(self, amount):
        return amount


class Fake(Gateway):
    def charge(self, amount):
        return 0
"""


def test_methods_that_change_together_leave_no_doubt_which_is_meant() -> None:
    words = {"function": "charge", "name": "currency", "default": '"EUR"'}
    (way,) = answered({PATH: GATEWAYS}, ("add_parameter", words)).ways
    assert result(answered({PATH: GATEWAYS}, ("add_parameter", words)), {PATH: GATEWAYS}).count('"EUR"') == 2
    assert not any("symbols are called" in mark or "places fit" in mark for mark in way.marked)
    several = answered({PATH: GATEWAYS}, ("guard_return", {"function": "charge", "condition": "not amount"}))
    assert len(several.ways) > 1 or any("2 " in mark for mark in several.ways[0].marked)


def test_a_name_is_made_public_and_not_private_again() -> None:
    code = "class Box:\n    def _open(self):\n        return 1\n\n    def lid(self):\n        self._open()\n"
    written = changed(code, "make _open public", "make_private", symbol="_open")
    assert written == code.replace("_open", "open")
    assert changed(code, "make lid private", "make_private", symbol="lid") == code.replace("lid", "_lid")


def test_a_loop_whose_items_a_condition_uses_no_longer_is_marked() -> None:
    head = "def tagged(rows, tag):\n    out = []\n    for row in rows:\n        for one in row.tags:\n"
    code = f"{head}            if one == tag:\n                out.append(row)\n    return out\n"
    text = "in tagged use `if tag in row.tags`"
    found = answer_to(code, text, "change_condition", function="tagged", condition="if tag in row.tags")
    assert "the loop does not use one any more" in found.ways[0].marked
    same = answer_to(
        code, "use `one is tag` in tagged", "change_condition", function="tagged", condition="one is tag"
    )
    assert not any("the loop" in mark for mark in same.ways[0].marked)


def test_a_module_that_is_imported_under_its_name_too_is_marked() -> None:
    found = answer_to("import config\n", "import config as cfg", "add_import", module="config", alias="cfg")
    assert "config is imported as config, too" in found.ways[0].marked
    other = answer_to("import json\n", "import config as cfg", "add_import", module="config", alias="cfg")
    assert not any("too" in mark for mark in other.ways[0].marked)


def test_the_default_of_a_field_is_of_its_new_type() -> None:
    head = "from dataclasses import dataclass, field\n\n\n@dataclass\nclass Note:\n"
    code = f"{head}    tags: list[str] = field(default_factory=list)\n    size: int = 1\n"
    slots = {"variable": "tags", "type": "set[str]"}
    after = changed(code, "tags: set[str]", "annotate_variable", **slots)
    assert "    tags: set[str] = field(default_factory=set)\n" in after
    found = answer_to(code, "size: str", "annotate_variable", variable="size", type="str")
    assert "1 is not of type str" in " ".join(found.ways[0].marked)
    wider = answer_to(code, "size: float", "annotate_variable", variable="size", type="float")
    assert "not of type" not in " ".join(wider.ways[0].marked)
    used = f"{code}\n\ndef mark(note, tag):\n    note.tags.append(tag)\n"
    found = answer_to(used, "tags: set[str]", "annotate_variable", **slots)
    assert "note.tags.append is not of type set" in " ".join(found.ways[0].marked)
