"""An edit that is placed by line numbers alone has a mark where lines close by are more like the new ones."""

import json

import pytest

from spark_tui.edits.parser import answer_parser
from spark_tui.edits.places.nearest_match import likelier_line
from spark_tui.events import Doubt, HunkClosed

LINES = [
    "def add(self, sku):",
    "    self.items.append(sku)",
    "",
    "def total(self):",
    "    return len(self.items)",
]


def by_number(first, last, new):
    parser = answer_parser("search_replace", lambda path: LINES if path == "a.py" else None)
    edit = {"path": "a.py", "start_line": first, "end_line": last, "new_text": new}
    events = [*parser.feed(f"```json\n{json.dumps(edit)}\n```\n"), *parser.finish()]
    return [event for event in events if isinstance(event, (Doubt, HunkClosed))]


@pytest.mark.parametrize(
    ("first", "last", "new", "marked"),
    [
        (2, 2, "    self.items.append(sku, 1)", 0),
        (3, 3, "    self.items.append(sku, 1)", 2),
        (3, 4, "    self.items.append(sku, 1)\n\ndef total(self):", 2),
        (4, 4, "def total(self, tax):", 0),
        (5, 5, "    return sum(self.prices)", 0),
        (3, 3, "", 0),
    ],
)
def test_a_number_that_is_off_is_marked(first, last, new, marked):
    *doubts, closed = by_number(first, last, new)
    assert closed.changes
    assert [doubt.hunk_id for doubt in doubts] == [closed.hunk_id] * bool(marked)
    assert all(f"line {marked} is more like" in doubt.reason for doubt in doubts)


@pytest.mark.parametrize(
    ("first", "last", "new", "likelier"),
    [
        (1, 1, ["def shown(price):", "    if price < 0:", "        return None"], 0),
        (1, 2, ["def shown(price):", "    if price:", "        return None"], 3),
        (2, 2, ["    return None"], 3),
    ],
    ids=["another like it", "the one behind", "its only line"],
)
def test_lines_that_begin_at_the_right_one_may_end_as_another_does(first, last, new, likelier):
    lines = ["def shown(prices):", "    if not price:", "        return None", "    return str(price)"]
    assert likelier_line(new, lines, first, last) == likelier


def test_an_insertion_and_an_empty_file_have_no_likelier_line():
    assert likelier_line(["x"], LINES, 3, 2) == 0
    assert likelier_line(["x"], [], 1, 0) == 0
