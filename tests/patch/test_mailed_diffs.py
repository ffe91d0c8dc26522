"""Numbered diffs that lost blanks on their way, as `git apply` and `patch` take them."""

import subprocess

import pytest

from spark_tui.cli.main import main

FILES = {"a.txt": "1\n\n3\n4\n\n6\n7\n8\n9\n10\n\n12\n", "b.txt": "x\n\ny\n"}
FIRST = "--- a/a.txt\n+++ b/a.txt\n"
SECOND = "--- a/b.txt\n+++ b/b.txt\n@@ -1,3 +1,3 @@\n-x\n+X\n\n y\n"
TWO = "@@ -1,5 +1,5 @@\n 1\n\n-3\n+three\n 4\n\n"
DIFFS = {
    "in the middle": FIRST + "@@ -1,4 +1,4 @@\n 1\n\n-3\n+three\n 4\n",
    "first": FIRST + "@@ -2,3 +2,3 @@\n\n-3\n+three\n 4\n",
    "last": FIRST + TWO,
    "the only context": FIRST + "@@ -1,2 +1,1 @@\n-1\n\n",
    "between changed lines": FIRST + "@@ -1,4 +1,4 @@\n-1\n+one\n\n-3\n+three\n 4\n",
    "before a new line": FIRST + "@@ -1,3 +1,4 @@\n 1\n\n+new\n 3\n",
    "last, before a hunk": FIRST + TWO + "@@ -10,3 +10,3 @@\n 10\n\n-12\n+twelve\n",
    "last, before a file": FIRST + TWO + SECOND,
    "last, before a file of git": FIRST + TWO + "diff --git a/b.txt b/b.txt\n" + SECOND,
    "last, and a blank line before a file": FIRST + TWO + "\n" + SECOND,
    "last, before a signature": FIRST + TWO + "-- \n2.40.1\n",
    "in a file of several": SECOND + FIRST + TWO,
    "all of them": FIRST + "@@ -1,12 +1,12 @@\n 1\n\n 3\n 4\n\n 6\n-7\n+seven\n 8\n 9\n 10\n\n 12\n",
}


@pytest.fixture
def roots(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("git", "spark"):
        (tmp_path / folder).mkdir()
        for name, text in FILES.items():
            (tmp_path / folder / name).write_text(text)
    return tmp_path / "git", tmp_path / "spark"


def spark(root, text, *flags):
    (root.parent / "text").write_text(text)
    return main(["patch", "--root", str(root), *flags, "text"])


def texts(root):
    return {path.name: path.read_text() for path in root.iterdir()}


@pytest.mark.parametrize("flags", [(), ("--format", "udiff")], ids=["auto", "udiff"])
@pytest.mark.parametrize("name", DIFFS)
def test_an_empty_context_line_without_its_blank_is_taken_as_git_takes_it(roots, name, flags):
    theirs, ours = roots
    subprocess.run(["git", "apply", "-"], cwd=theirs, input=DIFFS[name].encode(), check=True)
    assert spark(ours, DIFFS[name], *flags) == 0
    assert texts(ours) == texts(theirs) != FILES


def test_prose_after_a_last_empty_line_without_its_blank_is_prose(roots):
    _, ours = roots
    assert spark(ours, "```diff\n" + FIRST + TWO + "```\nDone.\n") == 0
    assert texts(ours)["a.txt"] == FILES["a.txt"].replace("3\n", "three\n", 1)
    assert spark(ours, FIRST + TWO.replace("3", "4").replace("three", "4") + "\nDone.\n") != 0


def test_a_file_that_cannot_be_edited_does_not_swallow_the_next_one(roots, capsys):
    _, ours = roots
    assert spark(ours, FIRST.replace("a.txt", "none.txt") + TWO + SECOND, "--json") == 3
    assert '"path": "b.txt"' in capsys.readouterr().out


def test_a_header_that_counts_more_lines_than_there_are_is_malformed(roots):
    _, ours = roots
    assert spark(ours, FIRST + "@@ -1,9 +1,9 @@\n 1\n\n-3\n+three\n 4\n") == 2
    assert texts(ours) == FILES


def test_stripped_trailing_space_and_a_lost_newline_mark_keep_the_files_own_bytes(roots):
    _, ours = roots
    (ours / "a.txt").write_text("one  \ntwo\nlast")
    assert spark(ours, FIRST + "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n last\n") == 0
    assert texts(ours)["a.txt"] == "one  \nTWO\nlast"
