"""An answer that says again what a hunk does that waits: its lines stand elsewhere, or still."""

from __future__ import annotations

import pytest

from spark_tui.edits.parser import answer_parser

BASE = ("class A:", "    def total(self):", "        n = 0", "        return n")
BASE = (*BASE, "", "class B:", *BASE[1:], "", "main()")
CHANGED = (*BASE[:2], "        n = 1", *BASE[3:])
GROWN = (*BASE, "stop()")
UDIFF = "```diff\n--- a/a.py\n+++ b/a.py\n"
UDIFF += "@@ -{0},2 +{0},2 @@\n     def total(self):\n-        n = 0\n+        n = 1\n```\n"
PATCH = (
    "*** Begin Patch\n*** Update File: a.py\n@@ class {}:\n-        n = 0\n+        n = 1\n*** End Patch\n"
)
BLOCK = "a.py\n<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n"


def hunks(text: str, now: tuple[str, ...]) -> list[tuple[int, tuple[str, ...]]]:
    parser = answer_parser("udiff", {"a.py": now}.get, shown=("a.py",), read_base={"a.py": BASE}.get)
    list(parser.feed(text))
    list(parser.finish())
    assert not parser.failures
    assert parser.edits
    return [(hunk.old_start, hunk.new_lines) for hunk in parser.hunks]


@pytest.mark.parametrize(("form", "here", "there"), [(UDIFF, "2", "7"), (PATCH, "A", "B")])
def test_it_changes_nothing_and_the_same_elsewhere_is_an_edit(form: str, here: str, there: str) -> None:
    assert hunks(form.format(here), CHANGED) == []
    assert hunks(form.format(there), CHANGED) == [(8, ("        n = 1",))]


@pytest.mark.parametrize(
    "text",
    [
        BLOCK.format("main()", "main()\nstop()"),
        "```diff\n--- a/a.py\n+++ b/a.py\n@@ -11 +11,2 @@\n main()\n+stop()\n```\n",
        "*** Begin Patch\n*** Update File: a.py\n@@\n main()\n+stop()\n*** End Patch\n",
    ],
)
def test_lines_that_wait_are_not_put_in_once_more(text: str) -> None:
    assert hunks(text, GROWN) == []
    assert hunks(text, BASE) == [(12, ("stop()",))]


def test_one_that_quotes_the_lines_that_wait_is_another() -> None:
    assert hunks(BLOCK.format("stop()", "stop()\nstop()"), GROWN) == [(13, ("stop()",))]
    assert hunks(BLOCK.format("main()\nstop()", "main()\nlog()\nstop()"), GROWN) == [(12, ("log()",))]


def test_lines_of_two_places_of_which_one_is_changed_so_are_not_those_of_the_other() -> None:
    parser = answer_parser("udiff", {"a.py": CHANGED}.get, shown=("a.py",), read_base={"a.py": BASE}.get)
    list(parser.feed(BLOCK.format("        n = 0", "        n = 1") + BLOCK.format("        n = 0", "x = 2")))
    assert [failure.candidates for failure in parser.failures] == [(3, 8)]
    assert [(hunk.old_start, hunk.new_lines) for hunk in parser.hunks] == [(8, ("x = 2",))]


@pytest.mark.parametrize(
    "text",
    [
        '```json\n[{"path": "a.py", "old": "main()\\n", "new": ""}]\n```\n',
        "*** Begin Patch\n*** Update File: a.py\n@@\n-main()\n*** End Patch\n",
        BLOCK.format("main()", "").replace("=======\n\n", "=======\n"),
    ],
)
def test_lines_that_only_go_are_judged_in_the_file_as_it_would_be(text: str) -> None:
    assert hunks(text, GROWN) == [(11, ())]


def test_a_line_break_in_front_of_the_quoted_lines_is_an_empty_line_of_them() -> None:
    now = (*BASE[:10], "log()", *BASE[10:])
    assert (
        hunks('```json\n[{"path": "a.py", "old": "\\nmain()", "new": "\\nlog()\\nmain()"}]\n```\n', now) == []
    )
