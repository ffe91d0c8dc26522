"""What a model sees, and what its edits of that mean for the files themselves."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spark_tui import events
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import Refused
from spark_tui.tools.overlay import Overlay, PendingHunk
from spark_tui.tools.overlay_stream import superseded
from spark_tui.workspace.files import FileText, Tree


def tree_of(tmp, **files):
    known = {name.replace("_py", ".py"): FileText("x", text.encode()) for name, text in files.items()}
    return Tree(tmp, known=known)


def overlay(tree, *hunks, state="open", **more):
    return Overlay(tree, [PendingHunk(hunk, state) for hunk in hunks], **more)


def test_pending_hunks_are_applied_and_rejected_ones_are_not(tmp_path):
    tree = tree_of(tmp_path, a_py="one\ntwo\nthree\n")
    hunk = Hunk(1, "a.py", 2, ("two",), ("TWO", "and more"))
    for state in ("open", "accepted", "edited", "applied"):
        seen = overlay(tree, hunk, state=state)
        assert seen.lines("a.py") == ("one", "TWO", "and more", "three")
        assert seen.data("a.py") == b"one\nTWO\nand more\nthree\n"
        assert seen.read("a.py") == "one\nTWO\nand more\nthree\n"
    for state in ("rejected", "dropped", "partial", "undone"):
        assert overlay(tree, hunk, state=state).lines("a.py") == ("one", "two", "three")


def test_new_deleted_and_moved_files(tmp_path):
    tree = tree_of(tmp_path, a_py="one\n", b_py="two\n")
    seen = overlay(
        tree,
        Hunk(1, "new.py", 1, (), ("x",), "add"),
        Hunk(2, "a.py", 1, ("one",), (), "delete"),
        Hunk(3, "b.py", 1, (), (), "move", "c.py"),
        Hunk(4, "b.py", 1, ("two",), ("zwei",)),
        listed=lambda: ("a.py", "b.py"),
    )
    assert seen.paths == ("c.py", "new.py")
    assert seen.lines("new.py") == ("x",)
    assert seen.data("c.py") == b"zwei\n"
    assert seen.lines("a.py") is None is seen.lines("b.py")
    assert seen.base_path("c.py") == "b.py"


def test_withheld_and_outside_paths_are_refused(tmp_path):
    seen = Overlay(tree_of(tmp_path), withheld=lambda path: "may hold secrets" if path == ".env" else "")
    for path in (".env", "../x", "/etc/passwd", ".git/config", "a\\b"):
        with pytest.raises(Refused):
            seen.lines(path)


@st.composite
def cases(draw):
    """Files of distinct lines, hunks of them that may touch, and an edit of what these make of the file."""
    size = draw(st.integers(0, 8))
    lines = [f"l{n}" for n in range(size)]
    hunks, at, count = [], 0, 0
    while at <= size and draw(st.booleans()):
        start = draw(st.integers(at, size))
        end = draw(st.integers(start, min(size, start + 2)))
        new = tuple(f"h{len(hunks)}-{n}" for n in range(draw(st.integers(0 if end > start else 1, 2))))
        hunks.append(Hunk(len(hunks) + 1, "a.py", start + 1, tuple(lines[start:end]), new))
        at = end
        count += len(new) - (end - start)
    total = size + count
    start = draw(st.integers(0, total))
    end = draw(st.integers(start, total))
    return lines, hunks, start, end, tuple(f"n{n}" for n in range(draw(st.integers(0, 2))))


@given(cases())
def test_an_edit_of_the_overlay_is_the_same_edit_of_the_file(case):
    lines, hunks, start, end, new = case
    text = "".join(line + "\n" for line in lines)
    tree = Tree(Path("/"), known={"a.py": FileText("a.py", text.encode())})
    seen = overlay(tree, *hunks)
    before = list(seen.lines("a.py"))
    wanted = [*before[:start], *new, *before[end:]]
    found = seen.to_base("a.py", start, end, new)
    merged = {item.hunk.id for item in found.merged}
    made = Hunk(99, "a.py", found.start + 1, tuple(lines[found.start : found.end]), found.new)
    left = [hunk for hunk in hunks if hunk.id not in merged]
    assert all(hunk.old_end <= made.old_start or made.old_end <= hunk.old_start for hunk in left)
    assert list(overlay(tree, *left, made).lines("a.py")) == wanted


def test_after_a_kill_only_hunks_of_the_turn_itself_take_the_place_of_others():
    part, rival = Hunk(1_000_001, "a.py", 1, ("a",), ("b",)), Hunk(6, "a.py", 1, ("a",), ("c",))
    earlier = [PendingHunk(hunk, "open", earlier=True) for hunk in (part, rival)]
    assert list(superseded(earlier)) == []
    own = PendingHunk(Hunk(7, "a.py", 1, ("a",), ("d",)), "open")
    gone = [events.Decided(hunk.id, "rejected", "7") for hunk in (part, rival)]
    assert list(superseded([*earlier, own])) == gone
