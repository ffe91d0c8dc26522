# ruff: noqa: E501 - tables of instructions read better unbroken
"""Values are made clean where they come in, and get a default where they may be missing."""

from __future__ import annotations

import pytest

from spark_tui.refactor import checks
from spark_tui.refactor import known as knowing
from spark_tui.refactor.known import PLAIN, known


@pytest.fixture(autouse=True)
def only_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other families make of these instructions is their concern."""
    monkeypatch.setattr(knowing, "RULES", checks.RULES)


CODE = """\
def greet(name, tags, volume):
    \"\"\"Say hello.\"\"\"
    title = name.title()
    print(title, tags, volume)


def read(path):
    names = []
    for line in open(path):
        names.append(line)
    return names


def mean(values):
    total = sum(values)
    return total / len(values)


def weather(report):
    wind = report["wind"]
    return report["temp"], wind
"""
TOP = "    title = name.title()\n"


def edited(instruction: str) -> str | None:
    lines = CODE.split("\n")[:-1]
    found = known(lines, instruction)
    if not found or found[0].plain != PLAIN:
        return None
    for hunk in reversed(found[0].hunks):
        lines[hunk.first : hunk.last] = hunk.new
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("instruction", "old", "new"),
    [
        ("strip name first in greet", TOP, "    name = name.strip()\n" + TOP),
        ("lowercase the name at the top of greet", TOP, "    name = name.lower()\n" + TOP),
        ("convert tags to a list first", TOP, "    tags = list(tags)\n" + TOP),
        ("clamp volume to 0..100 at the start of greet", TOP, "    volume = max(0, min(volume, 100))\n" + TOP),
        ("strip the title in greet", TOP, "    title = name.title().strip()\n"),
        ("strip the line first in read", "        names.append(line)\n", "        line = line.strip()\n        names.append(line)\n"),
        ("default tags to an empty list when it is None", TOP, "    if tags is None:\n        tags = []\n" + TOP),
        ("wind may be missing, take 0 then", 'report["wind"]', 'report.get("wind", 0)'),
        ('use .get for "temp"', 'report["temp"]', 'report.get("temp")'),
        ("return 0 on division by zero in mean", "    return total / len(values)\n", "    if not values:\n        return 0\n    return total / len(values)\n"),
    ],
)  # fmt: skip
def test_a_value_is_made_clean_where_it_comes_in(instruction: str, old: str, new: str) -> None:
    assert CODE.count(old) == 1
    assert edited(instruction) == CODE.replace(old, new)


@pytest.mark.parametrize(
    "instruction",
    [
        "strip the comments",
        "sort the imports",
        "round the corners",
        "default to dark mode",
        "limit the rate to 5",
        "use get",
        "limit the tags to 5",
    ],
)
def test_what_is_not_understood_makes_no_plain_edit(instruction: str) -> None:
    assert edited(instruction) is None
