"""Messages that name a parameter of what an edit calls."""

from __future__ import annotations

import pytest
from intent.following import answer_behind

CODE = """import json
import os


def add(item, dry_run=False):
    return item


def save(data, path):
    return path
"""
CALLS = """    os.makedirs(path)
    json.dump(data, path)
    add(data)
    return path
"""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("and indent 4", "json.dump(data, path, indent=4)"),
        ("sort the keys", "json.dump(data, path, sort_keys=True)"),
        ("exist ok, please", "os.makedirs(path, exist_ok=True)"),
        ("as a dry run", "add(data, dry_run=True)"),
        ("exist ok is False", "os.makedirs(path, exist_ok=False)"),
    ],
)
def test_an_argument_that_is_named_is_passed(text: str, says: str) -> None:
    _, made = answer_behind(CODE, CODE.replace("    return path\n", CALLS), text, "amend.further")
    assert says in made


@pytest.mark.parametrize("text", ["the item", "indent", "what about the mode"])
def test_a_word_alone_is_no_argument(text: str) -> None:
    answer, _ = answer_behind(CODE, CODE.replace("    return path\n", CALLS), text, "amend.also")
    assert answer.kind == "write"
