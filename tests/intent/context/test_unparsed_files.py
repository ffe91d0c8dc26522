"""Orders about a file that does not parse: they say so and where, and nothing else is changed instead."""

from __future__ import annotations

import pytest
from intent.support import answered

BROKEN = "LIMIT = 10\n\n\ndef fetch(cust, limit=10):\n    return cust[:limit]\n\n\ndef main(:\n    pass\n"
FILES = {"bad.py": BROKEN, "good.py": "from bad import fetch\n\nprint(fetch([1], limit=2))\n"}
RENAME = ("rename", {"symbol": "fetch", "new": "load"})
WHERE = "bad.py does not parse: line 8"


@pytest.mark.parametrize("path", ["", "good.py"])
def test_an_import_is_not_renamed_for_what_it_names_in_a_broken_file(path: str) -> None:
    found = answered(FILES, RENAME, path=path)
    assert not found.ways and WHERE in found.reason


def test_an_import_of_another_package_is_renamed_beside_a_broken_file() -> None:
    files = {**FILES, "good.py": "from far import fetch\n\nprint(fetch([1]))\n"}
    found = answered(files, RENAME, path="good.py")
    assert found.ways and found.ways[0].plan.paths == ("good.py",)


@pytest.mark.parametrize(
    ("intent", "words"),
    [
        ("set_value", {"variable": "LIMIT", "value": "20"}),
        ("set_default", {"parameter": "limit", "default": "20"}),
        RENAME,
        ("delete_definition", {"symbol": "fetch"}),
    ],
)
@pytest.mark.parametrize("path", ["", "bad.py"])
def test_what_cannot_be_found_in_a_broken_file_says_that_it_is_broken(
    intent: str, words: dict[str, str], path: str
) -> None:
    found = answered(FILES if path else {"bad.py": BROKEN}, (intent, words), path=path)
    assert not found.ways and WHERE in found.reason


def test_that_there_is_nothing_to_do_is_not_said_of_a_broken_file() -> None:
    found = answered({"bad.py": BROKEN}, ("delete_calls", {"call": "print"}), path="bad.py")
    assert found.kind != "nothing" and WHERE in found.reason


def test_a_broken_file_that_is_named_says_so_too() -> None:
    found = answered(FILES, ("set_value", {"variable": "LIMIT", "value": "20", "file": "bad.py"}), path="")
    assert not found.ways and WHERE in found.reason


def test_a_file_in_the_middle_of_a_merge_says_so() -> None:
    text = "<<<<<<< HEAD\ndef fetch(cust):\n=======\ndef fetch(cart):\n>>>>>>> other\n    pass\n"
    found = answered({"bad.py": text}, RENAME, path="bad.py")
    assert not found.ways and "bad.py has a merge conflict in line 1: resolve it first" in found.reason


def test_a_broken_file_that_has_nothing_to_do_with_it_is_not_named() -> None:
    found = answered(FILES, ("set_value", {"variable": "SIZE", "value": "20"}), path="good.py")
    assert not found.ways and "parse" not in found.reason


def test_a_file_whose_names_are_nested_too_deeply_says_so() -> None:
    deep = "def fetch(cust):\n    pass\n\n\nx = a" + ".b()" * 900 + "\n"
    found = answered({"bad.py": deep}, RENAME, path="bad.py")
    assert not found.ways and "bad.py does not parse: maximum recursion depth" in found.reason
