"""Calls of the standard library that fail whatever they are given."""

from __future__ import annotations

import pytest
from codemods.repositories import reasons

CODE = """\
import codecs
from typing import Any, ClassVar, Deque, NewType, Optional, cast

NAMES = {"a"}


def load(path):
    with open(path, "rb") as file:
        return file.read()


def load_text(path):
    return codecs.open(path, "rb", "utf-8"), open(path), path.open("rb")
"""


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"rb")', '"rb", newline="")', "a file that is opened for bytes takes no newline"),
        (
            '(path, "rb")',
            '(path, mode="br", encoding="utf-8")',
            "a file that is opened for bytes takes no encoding",
        ),
        (
            'path.open("rb")',
            'path.open("rb", errors="strict")',
            "a file that is opened for bytes takes no errors",
        ),
        ("open(path), ", 'open(path, newline=""), ', ""),
        ('"rb", "utf-8")', '"rb", encoding="utf-8")', ""),
        ('{"a"}', 'ClassVar({"a"})', "ClassVar is for annotations and cannot be called"),
        ('{"a"}', 'Optional({"a"})', "Optional is for annotations and cannot be called"),
        ('{"a"}', 'Any({"a"})', "Any is for annotations and cannot be called"),
        ('{"a"}', 'cast("set[str]", {"a"})', ""),
        ('{"a"}', 'NewType("Names", str)', ""),
        ('{"a"}', 'list({"a"})', ""),
        ('{"a"}', 'Deque({"a"})', ""),
    ],
)
def test_a_call_that_always_fails_is_harm(old: str, new: str, reason: str) -> None:
    found = reasons("library calls", {"main.py": CODE}, {"main.py": CODE.replace(old, new, 1)})
    assert found == ([reason] if reason else [])
