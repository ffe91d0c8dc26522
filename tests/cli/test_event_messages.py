"""What is said about single events."""

from spark_tui import events
from spark_tui.cli.event_messages import doubtful_hunks, misfit
from spark_tui.edits.hunk import Hunk


def test_a_reason_that_several_hunks_have_is_said_once():
    hunks = [Hunk(1, "a.py", 3, (), ("x",)), Hunk(2, "a.py", 9, (), ("y",)), Hunk(3, "b.py", 1, (), ("z",))]
    doubts = {item: [events.Doubt(item, 0.5, "the text was made up")] for item in (1, 2, 3)}
    doubts[3].append(events.Doubt(3, 0.0, "breaks c.py:1: imports z"))
    assert list(doubtful_hunks(hunks, doubts.__getitem__)) == [
        "check these 3 hunks: the text was made up\n  a.py:3, a.py:9, b.py:1",
        "b.py:1: check this hunk: breaks c.py:1: imports z",
    ]
    told = "→ rename(x, y)\n? the text was made up\n"
    assert [line[:5] for line in doubtful_hunks(hunks, doubts.__getitem__, told)] == ["b.py:"]


def test_lines_of_the_file_are_shown_only_where_some_are_near():
    failed = events.HunkFailed(1, "a.py", "no such lines", 3, expected="x = 1")
    assert misfit(failed) == "a.py: no such lines\n  the edit expects 'x = 1'"


def test_a_failure_without_a_file_begins_with_its_message():
    assert misfit(events.HunkFailed(1, "", "there is no edit in this patch", 2)) == (
        "there is no edit in this patch"
    )


def test_the_line_that_is_named_is_not_listed_as_similar() -> None:
    failed = events.HunkFailed(1, "a.py", "the edit does not match line 7 of the file", 3, 7, "x", "y", (7,))
    assert "similar" not in misfit(failed)
