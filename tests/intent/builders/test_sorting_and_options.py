"""What loops and lists are sorted by in words, and settings whose value passes on or stands elsewhere."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """import argparse
import datetime
import logging
import sys

log = logging.getLogger("trail")
NOTES = "notes.txt"


class Hike:
    def __init__(self, km, ts):
        self.km = km
        self.ts = ts


def longest(hikes):
    return sorted(hikes, key=lambda h: h.km)


def shown(huts):
    for name in huts:
        print(name, huts[name])


def each(hikes):
    for h in hikes:
        print(h.km)


def middle(hikes):
    lengths = [h.km for h in hikes]
    return lengths[len(lengths) // 2]


def tags(hike):
    return [hike.km, hike.ts]


def main():
    logging.basicConfig(level=logging.DEBUG)
    log.debug("start")
    parser = argparse.ArgumentParser()
    parser.add_argument("--since")
    parser.add_argument("--year", type=int, default=2019)
    print(sys.argv[1])
"""


@pytest.mark.parametrize(
    ("intent", "text", "slots", "old", "new"),
    [
        (
            "sort_by",
            "in longest sort them as integers",
            {"key": "integers", "function": "longest"},
            "lambda h: h.km",
            "lambda h: int(h.km)",
        ),
        (
            "sort_loop",
            "the huts alphabetical in shown",
            {"variable": "huts", "key": "alphabetical", "function": "shown"},
            "in huts:",
            "in sorted(huts):",
        ),
        (
            "sort_loop",
            "shown lists the huts by their values",
            {"variable": "huts", "key": "values", "function": "shown"},
            "in huts:",
            "in sorted(huts, key=huts.get):",
        ),
        (
            "sort_by",
            "nobody sorts the lengths in middle",
            {"variable": "lengths", "function": "middle"},
            "[h.km for h in hikes]",
            "sorted([h.km for h in hikes])",
        ),
        (
            "apply_function",
            "tags gives them with commas between",
            {"transform": "with commas between", "function": "tags"},
            "[hike.km, hike.ts]",
            '", ".join([hike.km, hike.ts])',
        ),
        (
            "change_log_level",
            "logging stands at DEBUG, WARNING will do",
            {"level": "WARNING", "old": "DEBUG"},
            "level=logging.DEBUG",
            "level=logging.WARNING",
        ),
        (
            "change_log_level",
            "a warning is better than debug",
            {"level": "warning", "old": "debug"},
            "log.debug",
            "log.warning",
        ),
    ],
)
def test_the_words_are_read_as_the_code_allows_it(
    intent: str, text: str, slots: dict[str, str], old: str, new: str
) -> None:
    assert changed(CODE, text, intent, **slots) == CODE.replace(old, new)


def test_objects_without_an_order_are_not_sorted_by_what_they_do_not_have() -> None:
    said = {"key": "sweetest", "function": "each"}
    assert not answer_to(CODE, "the sweetest in each", "sort_loop", **said).ways


def test_pairs_turned_round_by_their_keys_are_marked_where_values_may_be_meant() -> None:
    code = "def board(marks):\n    for who, mark in sorted(marks.items()):\n        print(who, mark)\n"
    said = {"order": "best pupils first", "function": "board"}
    way = answer_to(code, "best pupils first in board", "sort_by", **said).ways[0]
    assert any("by the keys" in mark for mark in way.marked)


@pytest.mark.parametrize(("key", "known"), [("ts", True), ("height", False)])
def test_a_key_that_no_class_has_is_marked(key: str, known: bool) -> None:
    code = CODE + "\n\ndef tallest(peaks):\n    return max(peaks).height()\n"
    said = {"key": key, "function": "longest"}
    way = answer_to(code, f"sort by {key} in longest", "sort_loop", **said).ways[0]
    assert way.plan.edits[0].new == key
    assert (f"{key} was taken for an attribute" not in way.marked) is known


PAGES, TITLE = 'row["pages"]', 'row["title"]'
BOOKS = """class Book:
    title: str
    pages: int


def longest(books):
    return sorted(books, key=lambda b: b.pages, reverse=True)


def newest(books):
    books.sort(key=lambda b: (b.year, b.pages))
    print([b.title for b in books])


def rows(table):
    return sorted(table, key=lambda row: row["pages"])
"""


@pytest.mark.parametrize(
    ("text", "slots", "old", "new"),
    [
        ("in rows, sort those with the same pages by title", {"key": "title"}, PAGES, f"({PAGES}, {TITLE})"),
        ("rows: pages first, title after that", {"key": "title"}, PAGES, f"({PAGES}, {TITLE})"),
        ("newest sorts by title as well", {"key": "title"}, "b.pages))", "b.pages, b.title))"),
        ("newest sorts by pages and title too", {"key": "title"}, "b.pages))", "b.pages, b.title))"),
        ("rows by title instead of pages", {"key": "title"}, PAGES, TITLE),
        ("rows by title", {"variable": "by title"}, PAGES, TITLE),
    ],
)
def test_a_second_key_stands_behind_the_one_that_is_named_beside_it(
    text: str, slots: dict[str, str], old: str, new: str
) -> None:
    name = "newest" if "newest" in text else "rows"
    assert changed(BOOKS, text, "sort_by", function=name, **slots) == BOOKS.replace(old, new)


def test_a_second_key_that_is_sorted_downwards_with_the_first_is_marked() -> None:
    (way,) = answer_to(BOOKS, "ties in longest by title", "sort_by", function="longest", key="title").ways
    assert "b.title is sorted downwards as well" in way.marked


def test_what_is_sorted_is_not_sorted_again() -> None:
    assert not answer_to(BOOKS, "sort rows", "sort_by", function="rows", variable="rows").ways


RETURNED = """def nearby(huts, km):
    near = []
    for hut in huts:
        if hut.km < km:
            near.append(hut)
    return {"near": near, "count": len(near)}


def high(huts):
    return [hut for hut in huts if hut.height > 99]
"""


def test_what_is_returned_is_sorted_where_nothing_sorts_it() -> None:
    after = changed(RETURNED, "sort near by km", "sort_by", variable="near", key="km")
    assert "    near = sorted(near, key=lambda hut: hut.km)\n    return" in after
    after = changed(RETURNED, "sort high by height", "sort_by", variable="high", key="height")
    assert "return sorted([hut for hut in huts if hut.height > 99], key=lambda hut: hut.height)" in after


@pytest.mark.parametrize(
    ("key", "code"), [("name", "item[1].name"), ("sku", "item[0]"), ("value", "item[1]")]
)
def test_entries_are_sorted_by_what_their_values_have(key: str, code: str) -> None:
    program = "def show(parts):\n    for sku, part in parts.items():\n        print(sku, part.name)\n"
    words = {"function": "show", "variable": "parts", "key": key}
    done = changed(program, f"show lists the parts sorted by {key}", "sort_by", **words)
    assert f"sorted(parts.items(), key=lambda item: {code})" in done
