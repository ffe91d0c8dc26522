"""An anchor that is not a whole line of the file finds its place where that is certain."""

import pytest

from spark_tui.edits.parser import answer_parser

FILE = """class Cart:
    def add(self, n):
        self.n += n
        return self.n

    def total(self):
        result = self.n
        return result

    def total_of(self, n):
        return self.n
"""


def made(*rows):
    parser = answer_parser("apply_patch", lambda path: FILE.splitlines() if path == "a.py" else None)
    text = "\n".join(["*** Begin Patch", "*** Update File: a.py", *rows, "*** End Patch", ""])
    for _ in (*parser.feed(text), *parser.finish()):
        pass
    return [(hunk.old_start, hunk.new_lines) for hunk in parser.hunks], [
        one.message for one in parser.failures
    ]


@pytest.mark.parametrize("anchors", [["@@ def total"], ["@@ class Cart", "@@ def total(self)"]])
def test_the_beginning_of_a_line_is_an_anchor(anchors):
    rows = ["-        result = self.n", "+        result = 0"]
    assert made(*anchors, *rows) == ([(7, ("        result = 0",))], [])
    assert made(*anchors, "+        # a note") == ([(7, ("        # a note",))], [])


def test_a_longer_name_is_none():
    rows = ["-        return self.n", "+        return 0"]
    assert made("@@ def total_o", *rows) == ([], ["the anchor is not in the file: 'def total_o'"])
    assert made("@@ def total_of", *rows) == ([(11, ("        return 0",))], [])


def test_several_lines_of_one_place_need_no_anchor():
    rows = ["-        result = self.n", "-        return result", "+        return self.n"]
    assert made("@@ def sum_up(self):", *rows) == ([(7, ("        return self.n",))], [])


@pytest.mark.parametrize(
    "rows",
    [
        ["-        result = self.n", "+        result = 0"],
        ["-        result = 1", "-        return result", "+        return 0"],
        [" ", "-        return self.n", "+        return 0"],
        ["+        # a note"],
    ],
)
def test_one_line_or_none_may_be_of_another_place(rows):
    hunks, failures = made("@@ def sum_up(self):", *rows)
    assert hunks == []
    assert failures == ["the anchor is not in the file: 'def sum_up(self):'"]
