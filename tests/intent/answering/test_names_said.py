"""What an instruction describes is called by its name."""

from __future__ import annotations

import pytest
from intent.support import PATH, situation

from spark_tui.intent.answering.said_members import with_list_named
from spark_tui.intent.answering.shown_lines import with_name_set

CODE = """from enum import Enum


class Status(Enum):
    OPEN = "open"


class Level(Enum):
    low = 1


PHASES = ["draft", "final"]
LIMITS = [1, 2]
VALUES = ["a"]


class Task:
    PRIORITIES = ("low", "high")
"""


@pytest.mark.parametrize(
    ("said", "comes"),
    [
        ("add a cancelled status", "add CANCELLED to Status"),
        ("add the status CANCELLED to Status", "add CANCELLED to Status"),
        ("we need a new 'review' phase", 'add "review" to PHASES'),
        ("add a medium priority to Task", 'add "medium" to PRIORITIES'),
        ("add a medium priority to Status", None),
        ("add a medium level", None),
        ("add a lower limit", None),
        ("add a default value", None),
        ("add a cancelled status and sort the imports", None),
    ],
)
def test_what_the_file_lists_is_named(said: str, comes: str | None) -> None:
    there = situation({PATH: CODE})
    assert with_list_named(with_name_set(said, there), there) == (comes or said)
