"""Names of the standard library that are not there."""

from __future__ import annotations

import pytest
from codemods.repositories import findings, reasons

CODE = """import os.path
import sys as system
import logging
from json import dumps


def main(logging=None):
    print(system.argv, os.path.join("a"), os.lost)
    return dumps(logging.level)
"""


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("system.argv", "system.argparse", "sys has no argparse"),
        ("import dumps", "import dump_all, dumps", "json has no dump_all"),
        ("os.path.join", "os.paths.join", "os has no paths"),
        ("system.argv", "system.path", ""),
        ("logging.level", "logging.mood", ""),  # a parameter, not the module
        ('"a"', '"b"', ""),  # what was lost before is lost still
    ],
)
def test_a_new_name_of_a_library_is_looked_for(old: str, new: str, reason: str) -> None:
    found = findings("library names", {"main.py": CODE}, {"main.py": CODE.replace(old, new, 1)})
    assert [(item.reason, item.sure) for item in found] == ([(reason, False)] if reason else [])


@pytest.mark.parametrize(("name", "harm"), [("utf-8", False), ("latin1", False), ("read_text", True)])
def test_an_encoding_is_one_of_python(name: str, harm: bool) -> None:
    code = "def load(path):\n    return open(path).read()\n"
    text = code.replace("(path).", f'(path, encoding="{name}").')
    found = reasons("library names", {"main.py": code}, {"main.py": text})
    assert found == ([f"there is no encoding {name!r}"] if harm else [])
