"""Rewrites and annotations by what the words and the code say together."""

from __future__ import annotations

import pytest
from intent.asking import after

HEAD = "LIMIT = 3\nNAMES = ['x']\n\n\n"


def comprehension(body: str) -> str:
    return f"class Box:\n    def f(self, lines):\n{body}"


LOOP = "        out = []\n        for line in lines:\n            out.append(line.strip())\n"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (f"{LOOP}        return out\n", "        return [line.strip() for line in lines]\n"),
        (
            f"{LOOP}        print(out)\n",
            "        out = [line.strip() for line in lines]\n        print(out)\n",
        ),
        (
            f"{LOOP}        return sorted(out, key=len)\n",
            "        return sorted([line.strip() for line in lines], key=len)\n",
        ),
        (
            "        for one in self.kept:\n            if one.old:\n                self.kept.remove(one)\n",
            "        self.kept = [one for one in self.kept if not one.old]\n",
        ),
        (
            "        for one in lines:\n            if one == '':\n                lines.remove(one)\n",
            "        lines[:] = [one for one in lines if one != '']\n",
        ),
    ],
)
def test_a_list_is_returned_or_kept_where_the_loop_left_it(body: str, wanted: str) -> None:
    said = "f as a comprehension"
    assert after("pattern.list_comprehension", said, comprehension(body), function="f") == comprehension(
        wanted
    )


def test_a_list_stays_in_the_name_that_is_said() -> None:
    code = comprehension(f"{LOOP}        return out\n")
    made = after("pattern.list_comprehension", "out in f", code, function="f", variable="out")
    assert "        out = [line.strip() for line in lines]\n        return out\n" in made


INDEXED = "def f(rows):\n    for i in range(len(rows)):\n        print(rows[i].name)\n"


@pytest.mark.parametrize(
    ("said", "code", "head"),
    [
        ("no index in f", INDEXED, "for row in rows:"),
        ("f with enumerate", INDEXED, "for i, row in enumerate(rows):"),
        ("no index in f", INDEXED.replace("print(", "print(i, "), "for i, row in enumerate(rows):"),
        ("no index in f", f"{INDEXED}    return i\n", "for i, row in enumerate(rows):"),
        (
            "f counts by hand",
            "def f(path):\n    n = 0\n    with open(path) as file:\n        for line in file:\n"
            "            n = n + 1\n            print(n, line)\n",
            "for n, line in enumerate(file, 1):",
        ),
    ],
)
def test_an_index_goes_where_it_only_looks_items_up(said: str, code: str, head: str) -> None:
    assert head in after("pattern.enumerate", said, code, function="f")


def test_the_values_of_a_dictionary_are_added_up() -> None:
    code = "def f(d: dict):\n    n = 0\n    for k in d:\n        n += d[k]\n    return n\n"
    assert after("pattern.sum", "sum in f", code, function="f").endswith("    return sum(d.values())\n")
    rows = (
        "def f(rows):\n    n = 0\n    for i in range(len(rows)):\n        n += rows[i].size\n    return n\n"
    )
    assert after("pattern.sum", "sum in f", rows, function="f").endswith("sum(row.size for row in rows)\n")


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("snake_case", "low_stock"),
        ("upper case", "LOW_STOCK"),
        ("CapWords", "LowStock"),
        ("PEP 8", "low_stock"),
    ],
)
def test_a_style_is_no_name(said: str, name: str) -> None:
    code = "def lowStock():\n    return 1\n"
    assert after("rename", f"lowStock in {said}", code, symbol="lowStock", new=said).startswith(
        f"def {name}("
    )


@pytest.mark.parametrize("name", ["UpperCase", "LowerCase"])
def test_a_name_that_is_written_as_one_is_no_style(name: str) -> None:
    code = "class Upper:\n    pass\n"
    assert after("rename", f"Upper to {name}", code, symbol="Upper", new=name) == code.replace("Upper", name)


def test_a_class_method_makes_its_own_class() -> None:
    code = "class Box:\n    @staticmethod\n    def of(text):\n        return Box(text, Box.size)\n"
    made = after("make_class_method", "of as a classmethod", code, function="of")
    assert made.endswith("    @classmethod\n    def of(cls, text):\n        return cls(text, cls.size)\n")
    bare = "class Box:\n    def of(text):\n        return Box(text)\n"
    assert "    @staticmethod\n    def of(text):\n" in after("make_static", "of static", bare, function="of")


def test_a_property_takes_the_brackets_off_calls_on_unknown_objects() -> None:
    code = "class Box:\n    def volume(self):\n        return 1\n\n\ndef f(box):\n    return box.volume()\n"
    assert after("make_property", "volume", code, function="volume").endswith("return box.volume\n")
    taken = code.replace("volume", "strip")
    assert after("make_property", "strip", taken, function="strip").endswith("return box.strip()\n")


@pytest.mark.parametrize("intent", ["make_property", "make_sync", "make_static", "make_class_method"])
def test_a_property_that_is_to_be_a_method_is_called(intent: str) -> None:
    code = "class Box:\n    @property\n    def volume(self):\n        return 1\n\n\nprint(Box().volume)\n"
    wanted = code.replace("    @property\n", "").replace(".volume", ".volume()")
    assert after(intent, "volume should be a normal method", code, function="volume") == wanted
    for said in ("make the method volume a property", "volume should be a property, not a method"):
        assert after(intent, said, code, function="volume") == ""


TYPED = (
    "class Row:\n    def __init__(self, key):\n        self.key = key\n\n"
    "    def shown(self):\n        return f'{self.key}'\n\n"
    "    def size(self):\n        return len(self.key)\n\n\n"
    "def join(a, b):\n    return a.key + b.key\n"
)


@pytest.mark.parametrize(
    ("intent", "said", "slots", "wanted"),
    [
        (
            "annotate_parameter",
            "in join both are Row",
            {"parameter": "both", "type": "Row"},
            "a: Row, b: Row)",
        ),
        ("annotate_all", "join: two Rows in, a str out", {}, "def join(a: Row, b: Row) -> str:"),
        ("annotate_all", "join takes a Row and a str, returns a str", {}, "(a: Row, b: str) -> str:"),
    ],
)
def test_types_are_read_from_words(intent: str, said: str, slots: dict[str, str], wanted: str) -> None:
    assert wanted in after(intent, said, TYPED, function="join", **slots)


def test_all_methods_that_return_a_type_get_it() -> None:
    said = "every method of Row that gives a str"
    made = after("annotate_return", said, TYPED, function="every method of Row", type="str")
    assert "def shown(self) -> str:" in made and "def size(self):" in made and "join(a, b):" in made


def test_several_imports_go_at_once() -> None:
    code = "import os\nimport re\nfrom typing import Any, List\n\nx: Any = 1\n"
    made = after("remove_import", "os, re and List", code, module=("os", "re", "List"))
    assert made == "from typing import Any\n\nx: Any = 1\n"


def test_only_the_strings_that_are_meant_become_f_strings() -> None:
    code = "def f(a, b):\n    print('%s' % (a,))\n    raise ValueError('no ' + b)\n"
    made = after("to_f_string", "the % in f", code, function="f")
    assert "print(f'{a}')" in made and "'no ' + b" in made
    raised = after("to_f_string", "the raise in f", code, function="f")
    assert "f'no {b}'" in raised and "'%s' % (a,)" in raised


def test_a_mutable_default_falls_back_to_what_is_said() -> None:
    code = f"{HEAD}def f(rows=[]):\n    return rows\n"
    made = after("fix_mutable_default", "rows in f: NAMES if none is given", code, parameter="rows")
    assert "        rows = NAMES\n" in made
    fixed = after("fix_mutable_default", "rows: use an empty tuple", code, parameter="rows")
    assert "def f(rows=()):" in fixed


def test_a_dataclass_keeps_lists_apart_and_sets_what_is_no_parameter() -> None:
    head = "class Row:\n    def __init__(self, key: str, tags=[]):\n"
    code = f"{head}        self.key = key\n        self.tags = tags\n"
    made = after("to_dataclass", "Row", f"{code}        self.seen = 0\n", **{"class": "Row"})
    assert "from dataclasses import dataclass, field\n" in made
    assert (
        "    tags: list = field(default_factory=list)\n    seen: int = field(default=0, init=False)\n" in made
    )


def test_a_use_beside_the_class_is_renamed_where_nothing_else_has_the_name() -> None:
    code = "class Box:\n    def volume(self):\n        return 1\n\n\ndef f(box):\n    return box.volume()\n"
    slots = {"symbol": "volume", "new": "size"}
    assert after("rename", "volume to size", code, **slots).endswith("return box.size()\n")
    two = f"{code}\n\nclass Tin:\n    def volume(self):\n        return 2\n"
    made = after("rename", "Box.volume to size", two, symbol="Box.volume", new="size")
    assert "return box.volume()" in made
