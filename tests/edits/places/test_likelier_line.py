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


def test_an_insertion_and_an_empty_file_have_no_likelier_line():
    assert likelier_line(["x"], LINES, 3, 2) == 0
    assert likelier_line(["x"], [], 1, 0) == 0
