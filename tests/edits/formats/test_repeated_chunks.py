"""A patch that comes back to a file which an earlier part of it has changed."""

from __future__ import annotations

from spark_tui.edits.parser import answer_parser
from spark_tui.events import Event, HunkClosed, HunkFailed

_LINES = ["def f():", "    a = 1", "    b = 2", "    c = 3", "    d = 4", "    return a"]


def _ends(*chunks: str) -> list[Event]:
    """How the hunks of a patch end that updates the file once for each chunk."""
    parser = answer_parser("apply_patch", lambda path: _LINES if path == "a.py" else None)
    updates = "".join(f"*** Update File: a.py\n@@\n{chunk}" for chunk in chunks)
    events = [*parser.feed(f"*** Begin Patch\n{updates}*** End Patch\n"), *parser.finish()]
    return [event for event in events if isinstance(event, HunkClosed | HunkFailed)]


def _changes(*chunks: str) -> list[tuple[int, tuple[str, ...], tuple[str, ...]]]:
    out = []
    for event in _ends(*chunks):
        assert isinstance(event, HunkClosed), event
        out.append((event.old_start, event.old_lines, event.new_lines))
    return out


def test_lines_that_an_earlier_part_wrote_are_context_of_a_later_one() -> None:
    first = " def f():\n-    a = 1\n+    a = 10\n     b = 2\n"
    second = "     a = 10\n-    b = 2\n-    c = 3\n+    b = 20\n+    c = 3\n+    c += 1\n     d = 4\n"
    assert _changes(first, second) == [
        (2, ("    a = 1",), ("    a = 10",)),
        (3, ("    b = 2",), ("    b = 20",)),
        (5, (), ("    c += 1",)),
    ]


def test_a_line_that_an_earlier_part_wrote_may_be_quoted_among_those_that_change() -> None:
    first = "     a = 1\n+    x = 5\n     b = 2\n"
    second = "     a = 1\n-    x = 5\n-    b = 2\n+    x = 5\n+    b = 20\n     c = 3\n"
    assert _changes(first, second) == [(3, (), ("    x = 5",)), (3, ("    b = 2",), ("    b = 20",))]
