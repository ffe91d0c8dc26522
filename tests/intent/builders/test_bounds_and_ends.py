"""Bounds that are no values, the ends of bodies at which something goes, and imports of what is missing."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, edited
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.building.bound_values import is_bound
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import repository_roles, told_files
from spark_tui.intent.words.readings import Span

OPTIONS = """\
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--limit", type=int, default=10)
"""
LOAD = """\
def load(name, limit, floor=None):
    rows = read(name)
    rows = rows[:limit]
    return rows
"""


@pytest.mark.parametrize(
    ("text", "word", "wanted"),
    [
        ("make --limit at least 1", "1", True),
        ("limit mindestens 1", "1", True),
        ("limit 至少 1", "1", True),
        ("limit is 5 or more", "5", True),
        ("at least set it to 7", "7", False),
        ("at most two tries, limit 7", "7", False),
    ],
)
def test_a_value_is_a_bound_by_the_words_beside_it(text: str, word: str, wanted: bool) -> None:
    at = text.index(word)
    assert is_bound(Span(at, at + len(word), word), text) is wanted


@pytest.mark.parametrize(
    ("code", "text", "intent", "slots"),
    [
        (OPTIONS, "make --limit at least 1", "set_option", {"name": "--limit", "default": "1"}),
        (LOAD, "limit is at most 9", "set_default", {"parameter": "limit", "default": "9"}),
        (LOAD, "limit at least None", "limit_value", {"variable": "limit", "minimum": "None"}),
        (LOAD, "limit at least 1 unless it's None", "limit_value", {"variable": "limit", "minimum": "1"}),
    ],
)
def test_what_is_no_value_or_no_bound_makes_no_edit(
    code: str, text: str, intent: str, slots: dict[str, str]
) -> None:
    assert not answer_to(code, text, intent, **slots).ways


def test_a_default_is_set_where_it_is_no_bound() -> None:
    found = edited("--limit 1 by default", "set_option", {"name": "--limit", "default": "1"}, OPTIONS)
    assert found == OPTIONS.replace("default=10", "default=1")


def test_a_name_that_nobody_quoted_is_a_bound_and_no_text() -> None:
    found = edited("limit at most floor", "limit_value", {"variable": "limit", "maximum": "floor"}, LOAD)
    assert found is not None
    assert "min(floor, limit)" in found


GUARD = "    if not rows:\n        raise ValueError"


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("in load raise ValueError if not rows, at the end", "    return rows"),
        ("in load raise ValueError if not rows am Ende", "    return rows"),
        ("in load raise ValueError at the end of the function if not rows", "    return rows"),
        ("in load raise ValueError if not rows at the end of the line", "    rows = rows[:limit]"),
        ("in load raise ValueError if not rows", "    rows = rows[:limit]"),
    ],
)
def test_a_guard_stands_at_the_end_that_is_said(text: str, before: str) -> None:
    slots = {"function": "load", "exception": "ValueError", "condition": "not rows"}
    code = LOAD.replace("rows[:limit]", "sum(rows) / len(rows)")
    found = edited(text, "guard_raise", slots, code)
    assert found is not None
    behind = found[found.index(GUARD) :].split("\n")[2]
    assert behind == before.replace("rows[:limit]", "sum(rows) / len(rows)")


def test_what_is_logged_at_the_end_may_be_a_local() -> None:
    found = edited("log rows at the end of load", "add_log", {"message": "rows", "function": "load"}, LOAD)
    assert found is not None
    assert 'logger.info("load rows=%s", rows)\n    return rows' in found


@pytest.mark.parametrize("text", ["import it", "and import that too"])
def test_a_pronoun_is_no_module_but_what_is_missing(text: str) -> None:
    files = {PATH: "import os\n\n\ndef load(f):\n    return json.load(f), os\n"}
    told = situation(files, instruction=text)
    symbols = repository_roles(told.repo.index, told_files(text, told.repo.index, PATH))
    found = answer(text, Reader.load(), told, symbols)
    assert found.ways[0].plan.texts(told.repo)[PATH] == "import json\n" + files[PATH]


@pytest.mark.parametrize(
    ("text", "slot", "bound", "wanted"),
    [
        ("ROWS should be at most 5000", "maximum", "5000", "ROWS = 5000\n"),
        ("ROWS should be at least 20000", "minimum", "20000", "ROWS = 20000\n"),
        ("ROWS should be at least 5000", "minimum", "5000", None),
    ],
)
def test_a_number_that_is_written_there_is_limited_at_once(
    text: str, slot: str, bound: str, wanted: str | None
) -> None:
    assert edited(text, "limit_value", {"variable": "ROWS", slot: bound}, "ROWS = 10_000\n") == wanted


def test_what_a_value_grows_by_may_be_negative() -> None:
    code = "class Game:\n    def __init__(self):\n        self.score = 0\n\n    def win(self, points):\n"
    end = "        self.score += points\n"
    slots = {"variable": "score", "minimum": "0"}
    wanted = f"{code}        self.score = max(0, self.score + points)\n"
    assert edited("score at least 0", "limit_value", slots, code + end) == wanted


def test_what_surely_leads_to_the_limit_is_meant_first() -> None:
    code = (
        "class Tank:\n    def fill(self, more):\n        self.level += more\n\n    def drain(self, less):\n"
    )
    end = "        self.level -= less\n"
    slots = {"variable": "level", "minimum": "0"}
    wanted = f"{code}        self.level = max(0, self.level - less)\n"
    assert edited("level at least 0", "limit_value", slots, code + end) == wanted


def test_limits_that_are_said_the_wrong_way_round_are_put_in_order() -> None:
    slots = {"variable": "score", "minimum": "100", "maximum": "0"}
    code = "def grade(score):\n    kept = score\n    return kept\n"
    found = edited("clamp score between 100 and 0", "limit_value", slots, code)
    assert "max(0, min(score, 100))" in found
