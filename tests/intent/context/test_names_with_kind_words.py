"""A word for what something is may be a part of its name."""

from __future__ import annotations

import pytest
from intent.asking import changed

CODE = """class Ship:
    def __init__(self):
        self.new = 1

    def field(self, ship):
        new_name = ship.title()
        return new_name


def load(file_name, name):
    return file_name + name
"""


@pytest.mark.parametrize("said", ["new name", "the new name", "the new name variable", "new_name"])
def test_a_name_is_found_with_all_its_words(said: str) -> None:
    found = changed(CODE, f"inline {said} in field", "inline_variable", variable=said, function="field")
    assert "        return ship.title()\n" in found and "new_name" not in found


def test_without_such_a_name_the_word_says_what_it_is() -> None:
    text = "rename the name parameter of load to ship"
    found = changed(CODE, text, "rename", symbol="name parameter", new="ship")
    assert "def load(file_name, ship):\n    return file_name + ship\n" in found


def test_a_file_name_is_no_name_of_a_file() -> None:
    text = "rename the file name of load to path"
    found = changed(CODE, text, "rename", symbol="file name", new="path")
    assert "def load(path, name):\n    return path + name\n" in found
