"""Checkpoints keep bytes, touch nothing of the user's, and are numbered and pruned."""

import hashlib
import os
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import strategies as st
from support.edit_writers import PLAIN, changes, write
from support.git_command import git, write_hook
from support.property_tests import law
from support.working_trees import FILES, FIRST, GIT, bytes_of, do, hunks_of, make, make_dirty, states

from spark_tui.edits.hunk import Hunk
from spark_tui.errors import NothingToDo, UsageError
from spark_tui.session.tree.writer import TreeWriter
from spark_tui.workspace.checkpoints import PruneBounds, prune
from spark_tui.workspace.files import Tree


def digest_of_git(root):
    """Everything of the repository that a checkpoint must not touch."""
    folder = root / ".git"
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_file() and not name.startswith(("objects/", "refs/spark/")):
            digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@law(change=changes(tuple(PLAIN)), staged=st.booleans(), stashed=st.booleans(), quick=6, slow=1000)
def test_a_checkpoint_leaves_head_index_stash_config_and_hooks_as_they_were(change, staged, stashed):
    old, new = change
    with tempfile.TemporaryDirectory() as tmp:
        root, ledger = make_dirty(tmp, {"a.py": bytes_of(old), "b.py": b"b\n"})
        write_hook(root, "reference-transaction", f"touch {tmp}/hook-ran")
        with (root / ".git" / "config").open("a") as config:
            config.write("[core]\nhooksPath = .git/hooks\nautocrlf = true\nlogAllRefUpdates = always\n")
        if stashed:
            (root / "b.py").write_bytes(b"stashed\n")
            git(root, "stash", "--quiet")
            (root / "a.py").write_bytes(bytes_of(old))
        if staged:
            (root / "b.py").write_bytes(b"staged\n")
            git(root, "add", "b.py")
        (Path(tmp) / "hook-ran").unlink(missing_ok=True)
        kept = digest_of_git(root)
        hunks, tree = hunks_of(root, write("lines", "a.py", old, new), "lines")
        if not hunks:
            return
        ledger.apply(hunks, tree, turn="t")
        ledger.undo_last()
        # HEAD, branches, the stash and its log, the index, config and hooks are all files of it.
        assert digest_of_git(root) == kept
        assert not (Path(tmp) / "hook-ran").exists()
        assert git(root, "fsck", "--no-dangling") == ""


def test_a_checkpoint_keeps_bytes_that_filters_would_change(tmp_path):
    root, ledger = make(
        tmp_path, {"a.py": b"one\r\ntwo\r\n", ".gitattributes": b"*.py text eol=lf filter=upper\n"}
    )
    git(root, "config", "filter.upper.clean", "tr a-z A-Z")
    git(root, "config", "core.autocrlf", "input")
    written = do(root, ledger, "*** a.py\n@@ 2,3\n+TWO\n", "t1")
    session, number = written.checkpoint.split("/")
    ref = f"refs/spark/{session}/{number}"
    for commit, data in ((f"{ref}^", b"one\r\ntwo\r\n"), (ref, b"one\r\nTWO\r\n")):
        words = ["git", "cat-file", "blob", f"{commit}:a.py"]
        assert subprocess.run(words, cwd=root, check=True, capture_output=True).stdout == data


def test_untracked_files_and_odd_names_are_in_the_checkpoint(tmp_path):
    names = ["plain.py", "a b.py", 'quo"te.py', "ü.py", "new\nline.py", "tab\t.py", "-dash.py"]
    root, ledger = make(tmp_path, {"a.py": b"x\n"})
    for name in names:
        (root / name).write_bytes(b"old\n")
    before = states(root)
    hunks = [Hunk(k, name, 1, ("old",), ("new",)) for k, name in enumerate(names, 1)]
    ledger.apply(hunks, Tree(root), turn="t")
    assert all((root / name).read_bytes() == b"new\n" for name in names)
    ledger.undo_last()
    assert states(root) == before


def test_the_private_store_is_used_where_the_repository_cannot_be_written(tmp_path, monkeypatch):
    root, _ = make(tmp_path, FILES)
    from spark_tui.workspace import repository

    monkeypatch.setattr(repository.Repository, "writable", property(lambda self: False))
    ledger = TreeWriter(root, tmp_path / "state", "s")
    do(root, ledger, FIRST, "t1")
    assert git(root, "for-each-ref", "refs/spark") == ""
    ledger.undo_last()
    assert git(root, "status", "--porcelain") == ""


@GIT
def test_checkpoints_are_pruned_by_count_age_and_bytes(tmp_path, in_git):
    root, ledger = make(tmp_path, {"a.py": b"0\n"}, in_git)
    for number in range(1, 9):
        do(root, ledger, f"*** a.py\n@@ 1,2\n+{'x' * 1000}{number}\n", f"t{number}", last_id=number)

    def gone(now, **bounds):
        return [checkpoint.number for checkpoint in prune(ledger.store, PruneBounds(**bounds), now=now)]

    assert gone(10.0, max_count=6) == [1, 2]
    ages = [checkpoint.note.at for checkpoint in ledger.store.list()]
    assert gone(ages[2] + 10, max_age_seconds=10) == [3, 4]
    assert gone(ages[-1], max_bytes=3500) == [5, 6]
    assert [checkpoint.number for checkpoint in ledger.store.list()] == [7, 8]
    assert gone(ages[-1], max_count=2) == []
    ledger.undo_last()
    assert (root / "a.py").read_bytes().endswith(b"7\n")


@GIT
def test_a_number_is_never_given_twice_and_restore_goes_back_to_any_of_them(tmp_path, in_git):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]}, in_git)
    first = do(root, ledger, "*** a.py\n@@ 2,3\n+TWO\n", "t1")
    second = do(root, ledger, "*** a.py\n@@ 5,6\n+FIVE\n", "t2", last_id=4)
    third = do(root, ledger, "*** a.py\n@@ 8,9\n+EIGHT\n", "t3", last_id=8)
    assert [item.checkpoint for item in (first, second, third)] == ["s/1", "s/2", "s/3"]
    assert ledger.restore("s/2").checkpoint == "s/4"
    expected = FILES["a.py"].replace(b"two", b"TWO").replace(b"eight", b"EIGHT")
    assert (root / "a.py").read_bytes() == expected
    with pytest.raises(NothingToDo):
        ledger.restore("s/2")


def test_the_checkpoints_of_another_working_tree_are_not_this_ones(tmp_path):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]})
    git(root, "worktree", "add", "--quiet", str(tmp_path / "linked"))
    do(root, ledger, "*** a.py\n@@ 2,3\n+TWO\n", "t1")
    mine = bytes_of(["one", "TWO", *["three", "four", "five", "six", "seven", "eight"]])
    (tmp_path / "linked" / "a.py").write_bytes(mine)
    other = TreeWriter(tmp_path / "linked", tmp_path / "other", "s")
    assert other.store.list() == []
    with pytest.raises(NothingToDo):
        other.undo_last()
    with pytest.raises(UsageError):
        other.restore("s/1")
    assert (tmp_path / "linked" / "a.py").read_bytes() == mine
    hunks, tree = hunks_of(tmp_path / "linked", "*** a.py\n@@ 3,4\n+THREE\n")
    assert other.apply(hunks, tree).checkpoint == "s/2"
    ledger.undo_last()
    assert (root / "a.py").read_bytes() == FILES["a.py"]
    assert [item.id for item in other.store.list()] == ["s/2"]
    everywhere = [item.id for item in prune(other.store, PruneBounds(max_count=0), now=0.0)]
    assert sorted(everywhere) == ["s/1", "s/2", "s/3"]


@pytest.mark.parametrize("body", ['{"spark":1}', '{"spark":1,"kind":'])
def test_a_checkpoint_that_cannot_be_read_hides_no_other(tmp_path, body):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]})
    do(root, ledger, "*** a.py\n@@ 2,3\n+TWO\n", "t1")
    made = git(root, "commit-tree", "HEAD^{tree}", "-m", f"spark apply\n\n{body}").strip()
    git(root, "update-ref", "refs/spark/s/2", made)
    assert [item.id for item in ledger.store.list()] == ["s/1"]
    ledger.undo_last()
    assert (root / "a.py").read_bytes() == FILES["a.py"]


@GIT
def test_where_the_clock_went_back_the_number_says_which_checkpoint_is_older(tmp_path, in_git):
    root, ledger = make(tmp_path, {"a.py": b"0\n"}, in_git)
    times = iter([500.0, 100.0, 120.0, 130.0])
    ledger._clock = lambda: next(times)
    for number in (1, 2, 3):
        do(root, ledger, f"*** a.py\n@@ 1,2\n+{number}\n", f"t{number}", last_id=number)
    assert [item.number for item in prune(ledger.store, PruneBounds(max_count=1), now=600.0)] == [1, 2]
    ledger.undo_last()
    assert (root / "a.py").read_bytes() == b"2\n"


def test_a_lock_that_a_killed_git_left_on_a_name_stops_no_write(tmp_path):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]})
    do(root, ledger, "*** a.py\n@@ 2,3\n+TWO\n", "t1")
    (root / ".git" / "refs" / "spark" / "s" / "2.lock").touch()
    assert do(root, ledger, "*** a.py\n@@ 5,6\n+FIVE\n", "t2", last_id=4).checkpoint == "s/3"
    ledger.undo_last()
    ledger.undo_last()
    assert (root / "a.py").read_bytes() == FILES["a.py"]


def test_what_a_killed_process_left_of_a_checkpoint_goes_with_the_next(tmp_path):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]})
    if not (child := os.fork()):
        ledger.store._commit = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        try:
            do(root, ledger, "*** a.py\n@@ 2,3\n+TWO\n", "t1")
        finally:
            os._exit(1)
    os.waitpid(child, 0)
    scratch = tmp_path / "state" / "checkpoints" / "scratch"
    assert list(scratch.iterdir())
    do(root, ledger, "*** a.py\n@@ 2,3\n+TWO\n", "t1")
    assert not scratch.exists()
