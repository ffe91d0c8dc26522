"""Configuration files that could be read, and cannot any more."""

from __future__ import annotations

import pytest
from codemods.repositories import reasons


@pytest.mark.parametrize(
    ("path", "old", "new", "breaks"),
    [
        ("pyproject.toml", '[project]\nname = "x"\n', '[project]\nname = "x"\nhttpx>=0.27\n', True),
        ("pyproject.toml", '[project]\nname = "x"\n', '[project]\nname = "y"\n', False),
        ("pyproject.toml", "[project\n", "[project\nname\n", False),
        ("package.json", '{"name": "x"}\n', '{"name": "x",}\n', True),
        ("setup.cfg", "[metadata]\nname = x\n", "name = x\n", True),
        ("notes.txt", "[metadata]\n", "{", False),
    ],
)
def test_a_file_that_can_no_longer_be_read_is_found(path: str, old: str, new: str, breaks: bool) -> None:
    found = reasons("configuration", {path: old}, {path: new})
    assert [one.partition(": ")[0] for one in found] == ["the file could not be read"] * breaks
