"""No two choices are the same edit, or are called the same."""

from __future__ import annotations

from spark_tui.codemods.plan import Plan
from spark_tui.edits.hunk import Hunk
from spark_tui.session.exact.exact_turn import PlannedEdit
from spark_tui.session.reader.read_instruction import ReadWay, told_apart


def way(title: str, line: int, new: str, number: int = 1) -> ReadWay:
    hunks = (Hunk(number, "a.py", line, ("x",), (new,)),)
    return ReadWay(title, PlannedEdit("use y", title, Plan(), hunks, {}))


def test_an_edit_is_offered_once_whatever_its_calls_are_named() -> None:
    ways = told_apart([way("use y", 3, "y"), way("x → y", 3, "y", 7), way("use z", 3, "z")])
    assert [one.title for one in ways] == ["use y", "use z"]


def test_edits_of_one_title_are_told_apart_by_their_lines() -> None:
    ways = told_apart([way("use y", 3, "y"), way("use y", 9, "y"), way("use z", 3, "z")])
    assert [one.title for one in ways] == ["use y, line 3", "use y, line 9", "use z"]
