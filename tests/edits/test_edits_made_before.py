"""An answer that repeats an edit which the file has already, as after tool calls, is no failure."""

from __future__ import annotations

import pytest

from spark_tui.edits.hunk import apply_to_lines
from spark_tui.edits.parser import Parser
from spark_tui.events import HunkClosed, HunkOpened

NOW = ("def f(a):", "    b = a", "    return b + 1", "", "def g(a):", "    return a")
OLD, NEW = "    return b", "    return b + 1"

SEARCH = "a.py\n```\n<<<<<<< SEARCH\n    b = a\n{}\n=======\n    b = a\n{}\n>>>>>>> REPLACE\n```\n"
DIFF = "```diff\n--- a/a.py\n+++ b/a.py\n@@ -2,3 +2,3 @@\n     b = a\n-{}\n+{}\n \n```\n"
PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n     b = a\n-{}\n+{}\n*** End Patch\n"


def read(text: str, lines: tuple[str, ...] = NOW) -> Parser:
    parser = Parser("auto", lambda path: lines if path == "a.py" else None)
    events = [event for character in text for event in parser.feed(character)]
    events += parser.finish()
    opened = {event.hunk_id for event in events if isinstance(event, HunkOpened)}
    closed = {event.hunk_id for event in events if isinstance(event, HunkClosed)}
    assert parser.failures or opened <= closed
    return parser


@pytest.mark.parametrize("form", [SEARCH, DIFF, PATCH], ids=["search_replace", "udiff", "apply_patch"])
def test_an_edit_that_the_file_has_already_changes_nothing(form: str) -> None:
    parser = read(form.format(OLD, NEW))
    assert parser.edits and not parser.failures and not parser.hunks


@pytest.mark.parametrize("form", [SEARCH, DIFF, PATCH], ids=["search_replace", "udiff", "apply_patch"])
def test_another_outcome_than_the_file_has_is_a_failure(form: str) -> None:
    parser = read(form.format(OLD, "    return b + 2"))
    assert [failure.path for failure in parser.failures] == ["a.py"]
    assert not parser.hunks


@pytest.mark.parametrize("form", [SEARCH, DIFF, PATCH], ids=["search_replace", "udiff", "apply_patch"])
def test_an_outcome_that_stands_in_two_places_is_a_failure(form: str) -> None:
    parser = read(form.format(OLD, NEW), (*NOW, "", *NOW))
    assert len(parser.failures) == 1


def test_lines_that_only_go_are_not_taken_for_an_edit_made_before() -> None:
    parser = read(
        "a.py\n```\n<<<<<<< SEARCH\n    b = a\n    log(b)\n=======\n    b = a\n>>>>>>> REPLACE\n```\n"
    )
    assert len(parser.failures) == 1


def test_the_rest_of_the_answer_is_made() -> None:
    other = "a.py\n```\n<<<<<<< SEARCH\n    return a\n=======\n    return -a\n>>>>>>> REPLACE\n```\n"
    parser = read(SEARCH.format(OLD, NEW) + other)
    assert not parser.failures
    assert [hunk.new_lines for hunk in parser.hunks] == [("    return -a",)]


ADDED = [
    "a.py\n<<<<<<< SEARCH\n=======\n\ndef h():\n    return 3\n>>>>>>> REPLACE\n",
    "```diff\n--- a/a.py\n+++ b/a.py\n@@ -2,0 +3,1 @@\n+    log(b)\n```\n",
    "*** Begin Patch\n*** Update File: a.py\n@@ def g(a):\n+    log(a)\n*** End Patch\n",
]


@pytest.mark.parametrize("text", ADDED, ids=["search_replace", "udiff", "apply_patch"])
def test_lines_that_wait_are_not_put_in_again_without_a_quoted_line(text: str) -> None:
    waits = read(text)
    assert len(waits.hunks) == 1
    now = {"a.py": tuple(apply_to_lines(NOW, waits.hunks))}
    again = Parser("auto", now.get, read_base={"a.py": NOW}.get)
    list(again.feed(text))
    list(again.finish())
    assert again.edits and not again.hunks and not again.failures
    other = Parser("auto", now.get, read_base={"a.py": NOW}.get)
    elsewhere = text.replace("-2,0 +3", "-5,0 +6").replace("def g", "def f").replace("h()", "i()")
    assert [*other.feed(elsewhere), *other.finish()] and len(other.hunks) == 1


def test_a_whole_file_without_its_docstring_loses_it_where_that_is_said() -> None:
    lines = ('"""Sums."""', "", *NOW)
    fence = "```python\n" + "\n".join(NOW) + "\n```\n"
    parser = read(f"This is a.py without its docstring:\n\n{fence}", lines)
    assert [(hunk.old_lines, hunk.new_lines) for hunk in parser.hunks] == [(lines[:2], ())]
    assert read(f"All of a.py is fine as it is:\n\n{fence}", lines).hunks == []


@pytest.mark.parametrize("text", ADDED, ids=["search_replace", "udiff", "apply_patch"])
def test_an_answer_that_says_it_twice_puts_the_lines_in_once(text: str) -> None:
    assert len(read(text * 2).hunks) == 1


SUMS = ("def f(a):", "    x(a)", "    return a", "def g(a):", "    x(a)", "    return a")
LOG = "*** Begin Patch\n*** Update File: a.py\n@@ def f(a):\n+    log(a)\n*** End Patch\n"


@pytest.mark.parametrize("with_answer", [False, True])
def test_lines_that_wait_in_another_function_are_put_in_here_too(with_answer: bool) -> None:
    """Lines on top move this function to where the other one was, those that wait or those of the answer."""
    waits, top = [*SUMS[:4], "    log(a)", *SUMS[4:]], ["import p", "import q", "import r"]
    first = "*** Begin Patch\n*** Update File: a.py\n@@\n"
    first += "".join(f"+{line}\n" for line in top) + " def f(a):\n*** End Patch\n"
    now = waits if with_answer else [*top, *waits]
    parser = Parser("auto", {"a.py": tuple(now)}.get, read_base={"a.py": SUMS}.get)
    assert [*parser.feed(first + LOG if with_answer else LOG), *parser.finish()]
    assert parser.hunks[-1].new_lines == ("    log(a)",)
    assert parser.hunks[-1].old_start == now.index("def f(a):") + 2
