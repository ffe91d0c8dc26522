"""An answer that says an edit again: it never goes to another place that is alike."""

from __future__ import annotations

import pytest

from spark_tui.edits.parser import Parser, answer_parser
from spark_tui.events import Doubt

FILE = [
    "class A:",
    "    def total(self):",
    "        n = 0",
    "        return n",
    "",
    "class B:",
    "    def total(self):",
    "        n = 0",
    "        return n",
    "    n = 0",
]
UDIFF = "```diff\n--- a/a.py\n+++ b/a.py\n@@ -2,3 +2,3 @@\n     def total(self):\n{}         return n\n```\n"
PATCH = "*** Begin Patch\n*** Update File: a.py\n@@ class A:\n{}*** End Patch\n"
BLOCK = "a.py\n<<<<<<< SEARCH\n{}=======\n{}>>>>>>> REPLACE\n"
HINTED = BLOCK.replace("SEARCH\n", "SEARCH\n:start_line:3\n-------\n")
FORMS = [
    UDIFF.format("-        n = 0\n+        n = {}\n"),
    PATCH.format("-        n = 0\n+        n = {}\n"),
    HINTED.format("        n = 0\n", "        n = {}\n"),
]


def read(text: str) -> Parser:
    parser = answer_parser("udiff", lambda path: FILE if path == "a.py" else None, shown=("a.py",))
    list(parser.feed(text))
    list(parser.finish())
    return parser


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("again", ["1", "2"])
def test_lines_that_are_changed_already_are_not_looked_for_elsewhere(form: str, again: str) -> None:
    parser = read(f"{form.format(1)}\nOnce more:\n\n{form.format(again)}")
    assert [(hunk.old_start, hunk.new_lines) for hunk in parser.hunks] == [(3, ("        n = 1",))]
    assert len(parser.failures) == (again != "1")


def test_neither_is_another_indentation_of_them() -> None:
    block = BLOCK.format("    n = 0\n", "    n = 5\n")
    assert [hunk.old_start for hunk in read(block + block).hunks] == [10]


def test_a_place_further_on_is_edited_where_the_text_claims_it() -> None:
    other = FORMS[0].replace("-2,3 +2,3", "-7,3 +7,3")
    parser = read(FORMS[0].format(1) + other.format(1))
    assert [hunk.old_start for hunk in parser.hunks] == [3, 8]


@pytest.mark.parametrize(
    "form",
    [
        UDIFF.format("         n = 0\n+        n += 1\n"),
        PATCH.format("         n = 0\n+        n += 1\n         return n\n"),
        BLOCK.format("    n = 0\n", "    n = 0\n    m = 0\n"),
    ],
)
def test_lines_that_are_put_in_twice_count_once(form: str) -> None:
    parser = read(f"{form}\nAgain:\n\n{form}")
    assert not parser.failures
    assert [(hunk.old_lines, len(hunk.new_lines)) for hunk in parser.hunks] == [((), 1)]


def test_a_copy_with_fewer_lines_that_fits_the_next_like_place_has_a_mark() -> None:
    parser = Parser("auto", {"a.py": FILE[:9]}.get)
    wide = BLOCK.format(
        "class A:\n    def total(self):\n        n = 0\n", "class A:\n    def total(self):\n        n = 1\n"
    )
    events = [*parser.feed(wide + BLOCK.format("        n = 0\n", "        n = 1\n")), *parser.finish()]
    marked = [event.hunk_id for event in events if isinstance(event, Doubt)]
    assert [(hunk.old_start, hunk.id in marked) for hunk in parser.hunks] == [(3, False), (8, True)]
