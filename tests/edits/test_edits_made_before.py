"""An answer that repeats an edit which the file has already, as after tool calls, is no failure."""

from __future__ import annotations

import pytest

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
