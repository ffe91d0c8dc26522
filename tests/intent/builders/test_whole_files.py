"""A file that is named alone goes; what is named in it goes alone."""

from __future__ import annotations

import pytest
from intent.asking import answer_to
from intent.support import PATH

FILES = {PATH: "def total():\n    return 1\n", "tax.py": "def rate():\n    return 2\n"}


@pytest.mark.parametrize(
    ("text", "slots", "gone"),
    [
        ("delete the file", {"symbol": "file"}, PATH),
        ("delete tax.py", {"file": "tax.py"}, "tax.py"),
    ],
)
def test_a_file_that_is_named_alone_is_deleted(text: str, slots: dict[str, str], gone: str) -> None:
    found = answer_to(FILES, text, "remove_definition", **slots)
    assert found.ways[0].plan.removed == (gone,)


def test_a_definition_that_is_called_so_is_no_file() -> None:
    files = {PATH: "def file():\n    return 1\n\n\ndef total():\n    return 2\n"}
    found = answer_to(files, "delete the file", "remove_definition", symbol="file")
    assert found.ways and not found.ways[0].plan.removed


def test_the_importers_are_named_where_a_file_cannot_go() -> None:
    files = {**FILES, PATH: "from tax import rate\n\nprint(rate())\n"}
    found = answer_to(files, "delete tax.py", "remove_definition", file="tax.py")
    assert not found.ways and f"tax.py is imported by {PATH}" in found.reason


def test_more_of_one_name_is_not_said_to_be_gone() -> None:
    code = "from typing import overload\n\n\n@overload\ndef total(x: int) -> int: ...\n"
    code += "def total(x):\n    return x\n"
    found = answer_to(code, "drop the overloads", "remove_import", module="overloads")
    assert found.kind != "nothing" and not found.ways


def test_a_file_that_is_only_nearly_named_stays() -> None:
    files = {PATH: "x = 1\n", "tests/test_cart1.py": "y = 1\n"}
    found = answer_to(files, "delete tests/test_cart2.py", "remove_definition", file="tests/test_cart2.py")
    assert not found.ways and "there is no file tests/test_cart2.py" in found.reason


def test_a_definition_moves_to_a_new_file_whose_name_is_nearly_that_of_its_own() -> None:
    files = {"shop/a.py": "def total():\n    return 1\n\n\nprint(total())\n", PATH: "x = 1\n"}
    found = answer_to(files, "move total to shop/b.py", "move_definition", symbol="total", file="shop/b.py")
    assert found.ways and "shop/b.py" in found.ways[0].plan.paths
