"""The three-way merge, beside git's own."""

import subprocess
import tempfile
from itertools import pairwise
from pathlib import Path

from hypothesis import strategies as st
from support.edit_writers import PLAIN, changes
from support.property_tests import law

from spark_tui.edits.diff import diff
from spark_tui.edits.merge import merge

BASE = b"one\ntwo\nthree\nfour\nfive\n"


def bytes_of(lines):
    return "".join(line + "\n" for line in lines).encode()


def test_changes_apart_are_both_made():
    merged = merge(BASE, BASE.replace(b"one", b"1"), BASE.replace(b"four", b"4\n4b"))
    assert merged.data == b"1\ntwo\nthree\n4\n4b\nfive\n"


def test_the_same_change_on_both_sides_is_made_once():
    both = BASE.replace(b"two", b"2")
    assert merge(BASE, both, both).data == both
    assert merge(BASE, both, both.replace(b"five", b"5")).data == both.replace(b"five", b"5")


def test_changes_of_the_same_line_are_a_conflict_with_both_versions():
    merged = merge(BASE, BASE.replace(b"two", b"2"), BASE.replace(b"two", b"zwei"))
    assert merged.data is None
    (conflict,) = merged.conflicts
    assert (conflict.line, conflict.ours, conflict.theirs) == (2, (b"2\n",), (b"zwei\n",))


def test_replaced_lines_side_by_side_are_both_made():
    ours, theirs = BASE.replace(b"two", b"2\n2b"), BASE.replace(b"one", b"1").replace(b"three\n", b"")
    assert merge(BASE, ours, theirs).data == b"1\n2\n2b\nfour\nfive\n"


def test_an_insertion_that_touches_a_change_is_a_conflict():
    inserted = BASE.replace(b"three", b"yours\nthree")
    for touching in (BASE.replace(b"two", b"2"), BASE.replace(b"three", b"3")):
        merged = merge(BASE, touching, inserted)
        assert (merged.data, len(merged.conflicts)) == (None, 1)
    assert (
        merge(BASE, BASE.replace(b"two\n", b"two\nmine\n"), BASE.replace(b"two\n", b"two\nyours\n")).data
        is None
    )
    assert merge(BASE, BASE.replace(b"two\n", b""), BASE.replace(b"three\n", b"yours\nthree\n")).data is None


def test_a_change_of_repeated_lines_that_can_be_told_in_two_ways_is_a_conflict():
    base, theirs = b"a\na\na\na\nb\nb\n", b"b\na\n"  # the first b may be a new one, or the one of line 5
    merged = merge(base, b"a\na\na\na\nmine\nb\n", theirs)
    assert merged.data is None
    assert merged.conflicts
    assert merge(base, b"mine\n" + base, base + b"theirs\n").data == b"mine\n" + base + b"theirs\n"


def test_line_endings_are_part_of_a_line():
    windows = BASE.replace(b"\n", b"\r\n")
    assert merge(
        windows, windows.replace(b"one", b"1"), windows.replace(b"five", b"5")
    ).data == windows.replace(b"one", b"1").replace(b"five", b"5")
    assert merge(b"a\rb\rc\r", b"A\rb\rc\r", b"a\rb\rC").data == b"A\rb\rC"


@st.composite
def sides(draw):
    base, ours = draw(changes(tuple(PLAIN)))
    theirs = list(base)
    at = draw(st.integers(0, len(theirs)))
    theirs[at : at + draw(st.integers(0, 2))] = draw(
        st.lists(st.sampled_from([*PLAIN, "theirs"]), max_size=2)
    )
    return bytes_of(base), bytes_of(ours), bytes_of(theirs)


@st.composite
def numbered_sides(draw):
    """No line stands twice: how repeated lines are aligned is a matter of taste, and git has its own."""
    base = [f"line {n}" for n in range(draw(st.integers(1, 12)))]
    files = [bytes_of(base)]
    for name in ("ours", "theirs"):
        side = list(base)
        for turn in range(draw(st.integers(0, 2))):
            at = draw(st.integers(0, len(side)))
            side[at : at + draw(st.integers(0, 2))] = [
                f"{name} {turn} {k}" for k in range(draw(st.integers(0, 2)))
            ]
        files.append(bytes_of(side))
    return tuple(files)


@law(files=numbered_sides(), quick=40)
def test_what_merges_here_merges_to_the_same_in_git(files):
    base, ours, theirs = files
    merged = merge(base, ours, theirs)
    assert merge(base, theirs, ours).data == merged.data
    if merged.data is None or merged.data in files:
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, data in zip(("base", "ours", "theirs"), files, strict=True):
            (Path(folder) / name).write_bytes(data)
        done = subprocess.run(
            ["git", "merge-file", "-p", "ours", "base", "theirs"],
            cwd=folder,
            capture_output=True,
            check=False,
        )
    if done.returncode == 0:
        assert done.stdout == merged.data
        return
    # Git wants an unchanged line between two changes: here replaced lines may stand side by side.
    old, changed = base.splitlines(True), set()  # what both sides changed alike counts once
    for side in (ours, theirs):
        new = side.splitlines(True)
        changed |= {(a0, a1, tuple(new[b0:b1])) for a0, a1, b0, b1 in diff(old, new)}
    blocks = sorted(changed)
    borders = [(before, after) for before, after in pairwise(blocks) if before[1] >= after[0]]
    assert borders, "git refuses nothing else that merges here"
    for (a0, a1, _), (b0, b1, _) in borders:
        assert a0 < a1 == b0 < b1
    for a0, a1, lines in reversed(blocks):
        old[a0:a1] = lines
    assert merged.data == b"".join(old)


@law(files=sides())
def test_every_line_that_a_side_wrote_is_in_the_merge(files):
    base, ours, theirs = files
    merged = merge(base, ours, theirs)
    if merged.data is not None:
        for side in (ours, theirs):
            new = set(side.split(b"\n")) - set(base.split(b"\n"))
            assert new <= set(merged.data.split(b"\n"))
