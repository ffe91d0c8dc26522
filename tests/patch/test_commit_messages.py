"""`spark patch` reads mailed patches and `git log -p`: what their messages quote is no edit."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.git_command import git

from spark_tui.cli.main import main
from spark_tui.edits.finished_patch import begins_with_message, diff_of, without_signature

QUOTED = {
    "search and replace": "b.txt\n```\n<<<<<<< SEARCH\nkeep\n=======\nlost\n>>>>>>> REPLACE\n```\n",
    "a whole file": "b.txt\n```\nlost\n```\n",
    "lines": "*** b.txt\n@@ 1,2\n+lost\n",
    "apply_patch": "*** Begin Patch\n*** Update File: b.txt\n@@\n-keep\n+lost\n*** End Patch\n",
    "nothing": "Plain words.\n",
}


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "tree"
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch=main")
    for name, text in {
        "a.txt": "one\ntwo\nthree\n",
        "b.txt": "keep\n",
        "c.txt": "c\n\n",
        "run.sh": "x\n",
    }.items():
        (root / name).write_text(text)
    commit(root, "first")
    return root


def commit(root, message):
    git(root, "add", "--all")
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    git(root, *identity, "commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "-m", message)


def contents(root):
    files = (path for path in root.iterdir() if path.is_file())
    return {path.name: (path.read_bytes(), path.stat().st_mode) for path in files}


def changed(root, message):
    """Two commits with changes of every kind; their message quotes an edit."""
    (root / "a.txt").write_text("one\nTWO\nthree")
    (root / "run.sh").chmod(0o755)
    (root / "c.txt").rename(root / "d.txt")
    commit(root, f"Change two\n\n{message}\nIt is so.")
    (root / "a.txt").write_text("one\nTWO\nTHREE\n")
    (root / "new.txt").write_text("new\n")
    (root / "empty.txt").touch()
    commit(root, f"Change three\n\n{message}\nIt is so.")
    return contents(root)


@pytest.mark.parametrize("flags", [(), ("--format", "udiff")], ids=["auto", "udiff"])
@pytest.mark.parametrize("name", QUOTED)
def test_an_edit_quoted_in_the_message_of_a_mailed_patch_is_not_applied(tree, tmp_path, name, flags):
    after = changed(tree, QUOTED[name])
    mails = [git(tree, "format-patch", "-1", "--stdout", which) for which in ("HEAD~", "HEAD")]
    git(tree, "reset", "--quiet", "--hard", "HEAD~2")
    for mail in mails:
        (tmp_path / "mail").write_text(mail)
        assert main(["patch", "--root", str(tree), *flags, str(tmp_path / "mail")]) == 0
    assert contents(tree) == after


@pytest.mark.parametrize("name", QUOTED)
def test_an_edit_quoted_in_the_message_of_a_log_is_not_applied(tree, tmp_path, name):
    (tree / "a.txt").write_text("one\nTWO\nthree\n")
    commit(tree, f"Change two\n\n{QUOTED[name]}")
    after = contents(tree)
    (tmp_path / "log").write_text(git(tree, "log", "-p", "-1"))
    git(tree, "reset", "--quiet", "--hard", "HEAD~")
    assert main(["patch", "--root", str(tree), str(tmp_path / "log")]) == 0
    assert contents(tree) == after


def test_the_diff_of_several_mails_is_what_git_applies(tree):
    changed(tree, QUOTED["a whole file"])
    diff, behind = diff_of(git(tree, "format-patch", "-2", "--stdout"))
    assert diff == git(tree, "diff", "HEAD~2", "HEAD~") + git(tree, "diff", "HEAD~", "HEAD")
    assert not without_signature(behind).strip()


def test_a_mail_with_an_old_style_diff_is_reduced_to_it():
    diff = "--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-two\n\\ No newline at end of file\n+TWO\n"
    behind = "-- \n2.39\n"
    assert diff_of(f"From: A\nSubject: x\n\nb.txt\n```\nlost\n```\n{diff}{behind}") == (diff, behind)


@pytest.mark.parametrize(
    "text",
    [
        "From: A\nSubject: x\n\nno diff\n",
        "From: A\n\n--- a\n+++ a\n@@ -1,9 +1,9 @@\n-x\n+y\n",
        "From: A\n\n+++ a\n",
        "commit " + "0" * 40 + "\n\ndiff --cc a\n--- a/a\n+++ b/a\n@@@ -1 -1 +1 @@@\n- x\n -y\n++z\n",
        f"From: A\n\n--- a\n+++ a\n@@ -{'9' * 5000} +1 @@\n-x\n+y\n",
    ],
    ids=["no diff", "too short", "no old name", "a merge", "a number without end"],
)
def test_what_is_no_complete_patch_is_left_to_the_streaming_parsers(text):
    assert begins_with_message(text) and diff_of(text) is None


PIECES = [
    "diff --git a/x b/x\n",
    "--- a/x\n",
    "+++ b/x\n",
    "@@ -1 +1 @@\n",
    "-a\n",
    "+b\n",
    " c\n",
    "\n",
    "-- \n",
]
PIECES += [
    "new file mode 100644\n",
    "GIT binary patch\n",
    "Binary files a/x and b/x differ\n",
    "\\ No newline\n",
]
PIECES += [
    "rename from x\n",
    "deleted file mode 100644\n",
    "@@ -0,0 +1 @@\n",
    "x",
    "\r\n",
    "\udcff\n",
    "index 1..2 1\n",
]


@given(st.lists(st.sampled_from(PIECES), max_size=14))
@example(2 * ["Binary files a/x and b/x differ\n"])
def test_any_text_has_a_diff_made_of_its_own_lines_or_none(pieces):
    text = "".join(pieces)
    found = diff_of(text)
    lines = iter(text.split("\n"))
    assert found is None or all(line in lines for line in found[0].removesuffix("\n").split("\n"))
