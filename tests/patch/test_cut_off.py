"""A text that stops inside a second header is malformed in every format, and nothing of it is written."""

import pytest

from spark_tui.cli.main import main

A, B = "1\n2\n3\n", "x\ny\nz\n"
FIRST = {
    "apply_patch": "*** Begin Patch\n*** Update File: a.txt\n@@\n-2\n+two\n",
    "udiff": "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n",
    "search_replace": "a.txt\n<<<<<<< SEARCH\n2\n=======\ntwo\n>>>>>>> REPLACE\n",
    "lines": "*** a.txt\n@@ 2,3\n+two\n",
    "whole": "a.txt\n```\n1\ntwo\n3\n```\n",
}
SECOND = {
    "apply_patch": "*** Update File: b.txt\n@@\n",
    "udiff": (
        "diff --git a/b.txt b/b.txt\nindex 1111111..2222222 100644\n--- a/b.txt\n+++ b/b.txt\n@@ -1,3 +1,3"
        " @@\n"
    ),
    "search_replace": "<<<<<<< SEARCH\n",
    "lines": "*** b.txt\n@@ 2,3",
    "whole": "b.txt\n```\n",
}
PLAIN = "--- a/b.txt\n+++ b/b.txt\n@@ -1,3 +1,3 @@\n"
CASES = [(name, first, SECOND[name]) for name, first in FIRST.items()] + [
    ("udiff", FIRST["udiff"], PLAIN),
    ("udiff", FIRST["udiff"].replace("@@ -1,3 +1,3 @@", "@@"), PLAIN.replace("@@ -1,3 +1,3 @@", "@@")),
    ("udiff", FIRST["udiff"], "diff --git a/b.txt b/c.txt\nsimilarity index 100%\nrename from b.txt\n"),
    ("udiff", FIRST["udiff"], "diff --git a/b.txt b/b.txt\nold mode 100644\n"),
    ("search_replace", FIRST["search_replace"], "b.txt\n```\n<<<<<<< SEARCH\n"),
]


@pytest.fixture
def root(tmp_path, monkeypatch):
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "a.txt").write_text(A)
    (folder / "b.txt").write_text(B)
    monkeypatch.chdir(tmp_path)
    return folder


def run(root, text, *flags):
    (root.parent / "text").write_text(text)
    return main(["patch", "--root", str(root), *flags, "text"])


def starts(name, second):
    """Where a header is begun for certain: a name alone may still be prose."""
    named = second.split("\n", 1)[0] + "\n" if second.startswith("b.txt") else ""
    return range(len(named) or 1, len(second) + 1)


@pytest.mark.parametrize("auto", [False, True], ids=["named", "auto"])
@pytest.mark.parametrize("case", range(len(CASES)), ids=lambda at: f"{CASES[at][0]}-{at}")
def test_a_text_that_stops_anywhere_in_a_second_header_is_malformed_and_writes_nothing(root, case, auto):
    name, first, second = CASES[case]
    flags = () if auto else ("--format", name)
    for end in starts(name, second):
        code = run(root, first + second[:end], *flags)
        assert (code, (root / "a.txt").read_text(), (root / "b.txt").read_text()) == (2, A, B), second[:end]


@pytest.mark.parametrize("name", FIRST)
def test_the_first_edit_alone_is_complete(root, name):
    text = FIRST[name] + ("*** End Patch\n" if name == "apply_patch" else "")
    assert run(root, text, "--format", name) == 0
    assert (root / "a.txt").read_text() == "1\ntwo\n3\n"


@pytest.mark.parametrize("name", FIRST)
def test_a_cut_text_is_malformed_also_where_an_edit_before_does_not_fit(root, name):
    first = FIRST[name].replace("a.txt", "none.txt") if name != "whole" else FIRST[name]
    assert run(root, first + SECOND[name], "--format", name) == 2


@pytest.mark.parametrize("end", ["Changed:\n\n- a.txt\n- b.txt\n", "Done.\n", "Done", "That is d", "\n\n"])
def test_prose_after_the_last_edit_is_no_header(root, end):
    assert run(root, FIRST["search_replace"] + end) == 0
    assert (root / "a.txt").read_text() == "1\ntwo\n3\n"


MARKERS = [
    "*** Begin Patch",
    "*** Update File: a.txt",
    "*** End of File",
    "*** Add File: n.txt",
    "*** End Patch",
]


@pytest.mark.parametrize("before", ["", " ", "\t", "   "])
@pytest.mark.parametrize("behind", ["", "  ", "\t"])
def test_markers_are_taken_with_blanks_around_them(root, before, behind):
    begin, update, end_file, add, end = (before + marker + behind for marker in MARKERS)
    text = "\n".join([begin, update, "@@", "-3", "+three", end_file, add, "+new", end, "Done."]) + "\n"
    assert run(root, text) == 0
    assert (root / "a.txt").read_text() == "1\n2\nthree\n"
    assert (root / "n.txt").read_text() == "new\n"


def test_a_context_line_that_reads_like_a_marker_stays_one(root):
    (root / "a.txt").write_text("*** End Patch\n2\n")
    text = "*** Begin Patch\n*** Update File: a.txt\n@@\n *** End Patch\n-2\n+two\n*** End Patch\n"
    assert run(root, text) == 0
    assert (root / "a.txt").read_text() == "*** End Patch\ntwo\n"


@pytest.mark.parametrize("name", [" a.txt", "  a.txt", " in a folder/ b.txt"])
def test_names_with_a_leading_space_are_read_as_they_are(root, name):
    path = root / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("1\n2\n")
    edit = f"*** Begin Patch\n*** Update File: {name}\n@@\n-2\n+two\n*** End Patch\n"
    assert run(root, edit) == 0
    assert path.read_text() == "1\ntwo\n" and (root / "a.txt").read_text() == A
    move = f"*** Begin Patch\n*** Update File: {name}\n*** Move to:  moved.txt\n*** End Patch\n"
    assert run(root, move) == 0
    assert (root / " moved.txt").read_text() == "1\ntwo\n" and not path.exists()
    assert run(root, "*** Begin Patch\n*** Add File:  new.txt\n+n\n*** End Patch\n") == 0
    assert run(root, "*** Begin Patch\n*** Delete File:  new.txt\n*** End Patch\n") == 0
    assert not (root / " new.txt").exists()
    assert run(root, "***  moved.txt\n@@ 2,3\n+zwei\n", "--format", "lines") == 0
    assert (root / " moved.txt").read_text() == "1\nzwei\n"
    # Two blanks before a name that has none are no part of it.
    assert run(root, "*** Begin Patch\n*** Delete File:   b.txt\n*** End Patch\n") == 0
    assert not (root / "b.txt").exists()
