# ruff: noqa: E501 - tables read better unbroken
"""Expressions that an order spells, in the place of those that they grow out of."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known

CODE = """\
import asyncio
import json
import os
import time

WAIT = 0.25


def pull(feed, tries):
    for attempt in range(tries):
        try:
            return feed.read()
        except OSError:
            time.sleep(0.5)
    raise OSError(feed.name)


async def watch(feed):
    while not feed.done():
        time.sleep(2)
    return feed.read()


def sender(mail):
    name = mail["From"]
    return name.title()


def is_flat(a, b):
    return a.slope == b.slope


def is_level(a):
    return a.slope == 0


def mean(rows):
    total = sum(row["kg"] for row in rows)
    return total / len(rows)


def home():
    return os.environ["HOME"] + "/feeds"


def label(feed, width):
    text = feed.title
    return text.upper()
"""
LINES = tuple(CODE.splitlines())


def made(say: str) -> list[str] | None:
    found = known(LINES, say)
    if not found or found[0].plain != PLAIN:
        return None
    return [line.strip() for hunk in found[0].hunks for line in hunk.new]


@pytest.mark.parametrize(
    ("say", "lines"),
    [
        ("0.5 * 2 ** attempt", ["time.sleep(0.5 * 2 ** attempt)"]),
        ("let the pause double every time: 0.5 * 2 ** attempt", ["time.sleep(0.5 * 2 ** attempt)"]),
        ("use 0.5 * (attempt + 1) in pull", ["time.sleep(0.5 * (attempt + 1))"]),
        ('mails without a sender crash, mail["From"] or ""', ['name = mail["From"] or ""']),
        ('fall back to "nobody": mail["From"] or "nobody"', ['name = mail["From"] or "nobody"']),
        ('use (mail["From"] or "nobody").strip() there', ['name = (mail["From"] or "nobody").strip()']),
        ("should be text.upper()[:width]", ["return text.upper()[:width]"]),
        ("use text.upper().center(width)", ["return text.upper().center(width)"]),
        ("total / len(rows) if rows else 0.0", ["return total / len(rows) if rows else 0.0"]),
        ("max(len(rows), 1)", ["return total / max(len(rows), 1)"]),
        ("watch blocks the loop, should be await asyncio.sleep", ["await asyncio.sleep(2)"]),
        ("in watch use await asyncio.sleep", ["await asyncio.sleep(2)"]),
        ("is_flat must not compare floats exactly, use abs(...) < 1e-9", ["return abs(a.slope - b.slope) < 1e-9"]),
        ("use abs(...) < 1e-6 in is_level", ["return abs(a.slope) < 1e-6"]),
        ("is_level is too strict, use abs(...) <= 0.01", ["return abs(a.slope) <= 0.01"]),
        ('os.environ["HOME"] is not there on windows. use os.path.expanduser("~")', ['return os.path.expanduser("~") + "/feeds"']),
        ("feed.title can be None. feed.title or feed.name", ["text = feed.title or feed.name"]),
        ("make it str(feed.title)", ["text = str(feed.title)"]),
        ("name.title() breaks McDonald, use name.strip()", ["return name.strip()"]),
    ],
)  # fmt: skip
def test_the_expression_that_is_meant(say: str, lines: list[str]) -> None:
    assert made(say) == lines


@pytest.mark.parametrize(
    "say",
    [
        "0.7 * 2 ** attempt",
        "0.25 * 2 ** attempt",
        "use feed.read().strip()",
        "should be await asyncio.sleep",
        "use await asyncio.sleep in pull",
        "use await asyncio.gather in watch",
        "use abs(...) < 1e-6",
        "use abs(...) < 1e-6 in mean",
        "use feed.title or nothing in particular",
        "text or name",
        "print(total / len(rows))",
        'mail["From"] or nothing',
        "mean of rows and total",
        "return feed.read() in watch or in pull",
        "use rows.count() if there is one",
        "make it missing(feed.title)",
        "not 0.5 * 2 ** attempt",
        "why 0.5 * 2 ** attempt?",
        "0.5 * 2 ** attempt, but only in tests",
        "use time.sleep",
    ],
)
def test_what_is_no_expression_of_the_file(say: str) -> None:
    assert made(say) is None
