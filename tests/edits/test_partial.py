"""A stream that is stopped inside a hunk: what is kept, and how it goes on."""

import pytest
from support.edit_writers import FORMATS, write

from spark_tui.edits.hunk import Hunk, apply_to_lines
from spark_tui.edits.parser import Parser
from spark_tui.edits.review import Review
from spark_tui.events import HunkClosed

OLD = ["def f():", "    one = 1", "    two = 2", "    return one", "", "def g():", "    return 2", "# end"]
NEW = [
    "def f():",
    "    one = 10",
    "    extra = 3",
    "    two = 20",
    "    return one",
    "",
    "def g():",
    "    return 2",
    "# end",
]


def stopped(name, end):
    text = write(name, "a.py", OLD, NEW)
    at = text.index(end) + len(end)
    parser = Parser(name, {"a.py": OLD}.get)
    events = list(parser.feed(text[:at]))
    return parser, [event for event in parser.interrupt() if isinstance(event, HunkClosed)], events, text[at:]


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("lines", ["def f():", "    one = 10", "    ext", *OLD[3:]]),
        ("search_replace", ["def f():", "    one = 10", "    ext", *OLD[3:]]),
        ("apply_patch", ["def f():", "    one = 10", "    ext", *OLD[3:]]),
        ("udiff", ["def f():", "    one = 10", "    ext", *OLD[3:]]),
        ("whole", ["def f():", "    one = 10", "    ext", *OLD[3:]]),
    ],
)
def test_a_kept_hunk_stands_as_far_as_it_came_and_leaves_what_it_had_not_reached(name, kept):
    _, parts, _, _ = stopped(name, "+    ext" if name in ("lines", "apply_patch", "udiff") else "    ext")
    review = Review()
    review.extend(Hunk.of(part) for part in parts)
    (part,) = parts
    assert part.partial and review.state(part.hunk_id) == "partial"
    review.keep(part.hunk_id)
    review.accept(part.hunk_id)
    result = apply_to_lines(OLD, review.accepted())
    assert result == kept


@pytest.mark.parametrize("name", FORMATS)
def test_a_resumed_hunk_takes_the_place_of_its_partial_self(name):
    parser, parts, events, rest = stopped(name, "    ext")
    review = Review()
    for event in [*events, *parts]:
        if isinstance(event, HunkClosed):
            review.add(Hunk.of(event))
    for event in (*parser.feed(rest), *parser.finish()):
        if isinstance(event, HunkClosed):
            review.add(Hunk.of(event))
    assert not parser.failures
    assert set(review.ids) == {hunk.id for hunk in parser.hunks}
    for hunk_id in review.ids:
        review.accept(hunk_id)
    assert apply_to_lines(OLD, review.accepted()) == NEW


def test_a_new_file_is_partial_too():
    parser = Parser("apply_patch", {}.get)
    list(parser.feed("*** Begin Patch\n*** Add File: n.py\n+one\n+tw"))
    (part,) = parser.interrupt()
    assert (part.kind, part.new_lines, part.partial) == ("add", ("one", "tw"), True)


def test_nothing_is_partial_between_hunks():
    parser = Parser("lines", {"a.py": OLD}.get)
    list(parser.feed("Some words.\n*** a.py\n@@ 1,2\n+x\n@"))
    assert list(parser.interrupt()) == []
    assert len(parser.hunks) == 1


def test_old_lines_that_the_text_says_go_are_gone_in_the_partial_hunk_too():
    parser = Parser("apply_patch", {"a.py": OLD}.get)
    list(
        parser.feed(
            "*** Begin Patch\n*** Update File: a.py\n@@\n def f():\n-    one = 1\n-    two = 2\n+    x"
        )
    )
    (part,) = parser.interrupt()
    assert (part.old_lines, part.new_lines) == (("    one = 1", "    two = 2"), ("    x",))
