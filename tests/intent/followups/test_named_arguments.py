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


@pytest.mark.parametrize("text", ["the item", "indent", "what about the mode"])
def test_a_word_alone_is_no_argument(text: str) -> None:
    answer, _ = answer_behind(CODE, CODE.replace("    return path\n", CALLS), text, "amend.also")
    assert answer.kind == "write"
