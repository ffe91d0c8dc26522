"""What kind of place a folder is, and what is said about the ones that do not do."""

import os

import pytest
from support.git_command import git as run
from support.small_repositories import written

from spark_tui.edits.hunk import Hunk
from spark_tui.errors import ExitCode, NoPlace, Refused
from spark_tui.session.tree.writer import TreeWriter
from spark_tui.workspace import repository
from spark_tui.workspace.files import Tree
from spark_tui.workspace.git import GitFailed, git


@pytest.fixture
def created(tmp_path):
    return repository.create_repository(written(tmp_path / "root", {"a.py": "a\nb\nc\n"}), message="first")


def test_a_repository_says_its_root_branch_and_head_from_any_folder_in_it(created):
    (created.root / "deep" / "er").mkdir(parents=True)
    found = repository.find_repository(created.root / "deep" / "er")
    assert found == created
    assert (found.branch, found.unborn, found.underway) == ("main", False, "")
    assert found.place == "main"
    assert found.writable


def test_outside_of_git_there_is_no_repository(tmp_path):
    assert repository.find_repository(tmp_path) is None
    with pytest.raises(NoPlace) as caught:
        repository.require_repository(tmp_path)
    assert caught.value.exit_code == ExitCode.NO_PLACE and "git init" in caught.value.hint


def test_a_bare_repository_and_the_inside_of_a_git_folder_are_no_place(tmp_path, created):
    run(tmp_path, "init", "--quiet", "--bare", "bare.git")
    with pytest.raises(NoPlace, match="bare"):
        repository.find_repository(tmp_path / "bare.git")
    with pytest.raises(NoPlace, match="inside"):
        repository.find_repository(created.root / ".git" / "refs")


def test_a_missing_folder_and_a_missing_git_are_said_as_such(tmp_path, monkeypatch, created):
    with pytest.raises(NoPlace, match="no such folder"):
        repository.find_repository(tmp_path / "nowhere")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoPlace, match="git is not installed"):
        repository.require_repository(created.root)
    assert repository.find_repository(created.root) is None


def test_a_repository_without_a_commit_is_unborn(tmp_path):
    run(tmp_path, "init", "--quiet", "--initial-branch=trunk")
    found = repository.find_repository(tmp_path)
    assert (found.branch, found.head, found.unborn) == ("trunk", "", True)
    assert found.place == "trunk (no commit yet)"


def test_a_detached_head_says_so(created):
    run(created.root, "checkout", "--quiet", "--detach")
    found = repository.find_repository(created.root)
    assert not found.branch and found.place == f"detached at {created.head[:8]}"


def conflict(root, how):
    run(root, "checkout", "--quiet", "-b", "other")
    (root / "a.py").write_text("theirs\n")
    run(root, "commit", "--quiet", "-am", "theirs")
    run(root, "checkout", "--quiet", "main")
    (root / "a.py").write_text("ours\n")
    run(root, "commit", "--quiet", "-am", "ours")
    run(root, how, "other", check=False)


@pytest.mark.parametrize("how", ["merge", "rebase", "cherry-pick"])
def test_what_is_underway_is_named(created, how):
    conflict(created.root, how)
    found = repository.find_repository(created.root)
    assert found.underway == how
    assert how in found.place


def test_a_worktree_and_its_repository_share_their_common_folder(created, tmp_path):
    run(created.root, "worktree", "add", "--quiet", str(tmp_path / "tree"), "-b", "side")
    found = repository.find_repository(tmp_path / "tree")
    assert found.branch == "side" and found.common_dir == created.common_dir
    assert found.git_dir != created.git_dir


def test_dirty_paths_have_their_states(created):
    (created.root / "a.py").write_text("changed\n")
    (created.root / "new file.py").write_text("x\n")
    (created.root / "staged.py").write_text("x\n")
    run(created.root, "add", "staged.py")
    assert repository.dirty(created) == {"a.py": " M", "new file.py": "??", "staged.py": "A "}
    run(created.root, "mv", "-f", "a.py", "b.py")
    assert "b.py" in repository.dirty(created)


def test_ignored_paths_are_found_and_tracked_ones_never_are(created):
    (created.root / ".gitignore").write_text("*.log\nbuild/\na.py\n")
    paths = ["x.log", "build/x", "a.py", "b.py", ":(glob)c.py", ":(glob).log"]
    assert repository.ignored(created, paths) == {"x.log", "build/x", ":(glob).log"}
    assert repository.ignored(created, []) == set()


def test_a_folder_that_cannot_be_written_to_is_refused(created, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(Refused, match="not writable"):
        repository.check_writable(created.root)
    assert not created.writable


def test_a_repository_that_git_does_not_trust_comes_with_the_command_that_git_names(created, monkeypatch):
    command = f"git config --global --add safe.directory '{created.root}'"
    words = (
        f"fatal: detected dubious ownership in repository at …\nTo add an exception, call:\n\n\t{command}\n"
    )

    def refused(*arguments, **more):
        raise GitFailed("git rev-parse failed", code=128, stderr=words, where="")

    monkeypatch.setattr(repository, "git", refused)
    with pytest.raises(NoPlace, match="belongs to someone else") as caught:
        repository.find_repository(created.root)
    assert caught.value.hint == command


def test_a_folder_that_was_deleted_is_said_to_be_gone(tmp_path):
    with pytest.raises(NoPlace, match="is gone"):
        repository.check_writable(tmp_path / "gone")


def test_a_failing_git_says_what_git_said(created):
    with pytest.raises(GitFailed) as caught:
        git(created.root, "cat-file", "blob", "0" * 40)
    assert caught.value.code == 128 and caught.value.hint


def test_a_new_file_that_a_sparse_checkout_leaves_out_is_refused(tmp_path):
    files = {"inner/here/a.py": "x = 1\n", "inner/away here/b.py": "x = 1\n"}
    known = repository.create_repository(written(tmp_path / "root", files), message="first")
    root = known.root
    repository.check_checked_out(known, ["inner/away here/b.py"])
    run(root, "sparse-checkout", "set", "inner/here")
    repository.check_checked_out(known, ["inner/away here/new.py", "inner/here/a.py"])
    writer = TreeWriter(root / "inner", tmp_path / "state", "s")
    with pytest.raises(Refused, match="sparse checkout") as refused:
        writer.plan([Hunk(1, "away here/b.py", 1, (), ("y = 2",), "add")], Tree(root / "inner"))
    assert "git sparse-checkout add 'inner/away here'" in str(refused.value)
