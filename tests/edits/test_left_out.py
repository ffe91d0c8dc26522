"""Lines that stand for others are no new ones: an edit that deletes the others is refused or doubted."""

import json

import pytest

from spark_tui.edits.code_words import left_out
from spark_tui.edits.parser import answer_parser
from spark_tui.events import Doubt, HunkClosed, HunkFailed
from spark_tui.tools.argument_reader import ArgumentReader
from spark_tui.tools.edit_calls import QuotedEdit, WriteFile

OLD = (
    "    def add(self):\n        self.n += 1\n        self.log()\n\n    def total(self):\n        return 0\n"
)
TEXT = f"class Cart:\n{OLD}"
NEW = "{}\n\n    def total(self):\n        return self.n\n"


def lines_of(path):
    return TEXT.splitlines() if path == "cart.py" else None


def search_replace(old, new):
    parser = answer_parser("search_replace", lines_of)
    text = f"cart.py\n```\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```\n"
    return [*parser.feed(text), *parser.finish()]


def patched(old, new):
    parser = answer_parser("apply_patch", lines_of)
    rows = [*(f"-{line}" for line in old.splitlines()), *(f"+{line}" for line in new.splitlines())]
    text = "\n".join(["*** Begin Patch", "*** Update File: cart.py", "@@", *rows, "*** End Patch", ""])
    return [*parser.feed(text), *parser.finish()]


def called(kind, **arguments):
    call, reader = kind(lines_of, 0), ArgumentReader()
    out = [event for piece in reader.feed(json.dumps(arguments)) for event in call.take(piece)]
    return [*out, *call.finish()]


def edited(old, new):
    return called(QuotedEdit, path="cart.py", old=old, new=new)


def written(old, new):
    return called(WriteFile, path="cart.py", text=TEXT.replace(old, new))


ways = pytest.mark.parametrize("way", [search_replace, patched, edited, written])


def of(kind, events):
    return [event for event in events if isinstance(event, kind)]


@ways
@pytest.mark.parametrize(
    "gap", ["    # ... existing code ...", "    # …", "    # ... rest of the class", "    // ..."]
)
def test_a_comment_that_begins_with_dots_deletes_nothing(way, gap):
    events = way(OLD, NEW.format(gap))
    assert [event.message for event in of(HunkFailed, events)] == [
        f"{gap.strip()!r} stands for lines that this edit would delete: write all of them"
    ]
    assert not any(event.changes for event in of(HunkClosed, events))


@ways
@pytest.mark.parametrize(
    "line", ["# other methods stay", "# rest of the class...", "# ... because the log is written elsewhere"]
)
def test_words_that_may_stand_for_others_are_doubted(way, line):
    events = way(OLD, NEW.format(f"    {line}"))
    assert not of(HunkFailed, events)
    doubts = of(Doubt, events)
    assert [doubt.reason for doubt in doubts] == [f"{line!r} may stand for lines that this deletes"]
    assert doubts[0].hunk_id in [event.hunk_id for event in of(HunkClosed, events) if event.changes]


@ways
@pytest.mark.parametrize("line", ["    # Loading...", "    ...", "    # Count one more."])
def test_a_line_of_its_own_is_new(way, line):
    events = way(OLD, NEW.format(line))
    assert not of(HunkFailed, events) + of(Doubt, events)


@pytest.mark.parametrize("way", [search_replace, edited])
def test_a_comment_that_deletes_nothing_and_one_that_stands_there_are_left_alone(way):
    head = "    def total(self):\n"
    assert not of(HunkFailed, way(head, "    # ... sums ...\n" + head))
    file = "    # ... sums ...\n    x = 1\n"

    def lines_of(_path):
        return file.splitlines()

    call, reader = QuotedEdit(lines_of, 0), ArgumentReader()
    arguments = {"path": "a.py", "old": file, "new": file.replace("x = 1", "y = 1")}
    for piece in reader.feed(json.dumps(arguments)):
        list(call.take(piece))
    assert not of(HunkFailed, list(call.finish()))


def test_prose_may_show_what_is_left_out():
    found = left_out("README.md", ("old example",), ("```python", "# ... your code ...", "```"))
    assert found.line and not found.certain
    assert left_out("cart.py", ("old example",), ("# ... your code ...",)).certain


def test_blank_lines_are_nothing_that_is_left_out():
    assert not left_out("cart.py", ("", "    "), ("# ... sums ...", "x = 1")).line
