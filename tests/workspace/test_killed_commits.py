"""A commit that is killed with all that it started, and the user's next commit: nothing is taken back."""

import errno
import fcntl
import os
import shutil
import signal
import subprocess
import sys

import pytest
from support.git_command import git, write_hook
from support.serving import until
from support.small_repositories import committed

from spark_tui.session.tree.decided_text import merge_changed_file
from spark_tui.workspace import commit as commit_module
from spark_tui.workspace import commit_finisher, git_index, repository
from spark_tui.workspace.commit import CommitPiece, commit
from spark_tui.workspace.commit_finisher import IndexNotUpdated, finish_killed

BASE = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"
MODULES = {commit_module.__file__, commit_finisher.__file__, git_index.__file__}


@pytest.fixture
def root(tmp_path):
    root = committed(tmp_path / "root", {"a.py": BASE, "b.py": "b\n", "c.py": "c\n", "d.py": "d\n"})
    git(root, "update-index", "--skip-worktree", "c.py")
    (root / "a.py").write_text(BASE.replace("one", "staged"))
    (root / "b.py").write_text("staged\n")
    git(root, "add", "a.py", "b.py")
    return root


def change(root):
    before = BASE.replace("one", "staged").encode()
    after = before.replace(b"seven", b"SEVEN")
    (root / "a.py").write_bytes(after)
    pieces = [CommitPiece("a.py", before, after), CommitPiece("c.py", b"c\n", b"C\n")]
    (root / "c.py").write_bytes(b"C\n")
    return commit(repository.require_repository(root), pieces, "Change it\n", merge_changed_file)


class NoShell:
    """In place of `subprocess`: the shell that finishes is killed too."""

    PIPE = DEVNULL = None

    class Popen:
        def __init__(self, *_, **__):
            pass

        def communicate(self, *_):
            pass


def lines_until_killed(root, stop_at):
    """Commit in a process that is killed before it runs the line of this number, from the
    record on; how many there are."""
    read, write = os.pipe()
    if not (pid := os.fork()):
        count = 0

        def trace(frame, event, _):
            nonlocal count
            if frame.f_code.co_filename not in MODULES:
                return None
            if event == "line" and (count or frame.f_code.co_name == "_write_record"):
                count += 1
                if count == stop_at:
                    os.kill(os.getpid(), signal.SIGKILL)
            return trace

        commit_finisher.subprocess = NoShell
        sys.settrace(trace)
        try:
            change(root)
            os.write(write, str(count).encode())
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    os.close(write)
    with os.fdopen(read) as said:
        return int(said.read() or 0)


@pytest.fixture
def killed(root, tmp_path):
    """Copies of the repository, each killed before another line, from the record to the end."""

    def at_each(stride=1):
        shutil.copytree(root, tmp_path / "whole", symlinks=True)
        count = lines_until_killed(tmp_path / "whole", 0)
        assert count > 50
        for number in range(1, count + 1, stride):
            copy = tmp_path / f"copy-{number}"
            shutil.copytree(root, copy, symlinks=True)
            lines_until_killed(copy, number)
            yield copy
            shutil.rmtree(copy)

    return at_each


def recovered(root):
    finish_killed(repository.require_repository(root))
    assert not list((root / ".git").glob("spark-commit-*"))
    assert not (root / ".git" / "index.lock").exists()


@pytest.mark.parametrize("hook", ["", "echo made > new.py; echo D > d.py; git add new.py d.py"])
def test_killed_before_any_line_the_next_start_and_the_users_commit_take_nothing_back(root, killed, hook):
    if hook:
        write_hook(root, "pre-commit", hook)
    old, made = git(root, "rev-parse", "HEAD"), set()
    for copy in killed(stride=13):
        recovered(copy)
        is_made = git(copy, "rev-parse", "HEAD") != old
        made.add(is_made)
        assert git(copy, "diff", "--cached", "--name-only") == "a.py\nb.py\n"
        git(copy, "commit", "--no-verify", "-qm", "mine")
        assert git(copy, "show", "HEAD:a.py") == BASE.replace("one", "staged").replace(
            *("seven", "SEVEN") if is_made else ("", "")
        )
        assert git(copy, "show", "HEAD:c.py") == ("C\n" if is_made else "c\n")
        assert git(copy, "show", "HEAD:d.py") == ("D\n" if is_made and hook else "d\n")
        assert git(copy, "ls-files", "-v", "c.py").lower() == "s c.py\n"
    assert made == {True, False}


@pytest.mark.parametrize("damaged", [b"", b"{", b"null", b'{"head": ""}'])
def test_a_record_that_cannot_be_read_stops_nothing(root, damaged):
    folder = root / ".git" / "spark-commit-x"
    folder.mkdir()
    (folder / "record.json").write_bytes(damaged)
    recovered(root)
    assert change(root) == git(root, "rev-parse", "HEAD").strip()


@pytest.fixture
def killed_behind_the_head(root):
    """Killed while it has the index."""
    write_hook(root, "post-commit", "cp -r .git/spark-commit-* .git/kept")
    made = change(root)
    (root / ".git" / "hooks" / "post-commit").unlink()
    git(root, "reset", "-q", "HEAD~", "--", "a.py", "c.py")
    (root / ".git" / "kept").rename(root / ".git" / "spark-commit-kept")
    return made


def test_what_was_staged_since_the_kill_stays(root, killed_behind_the_head):
    mine = git(root, "hash-object", "-w", "b.py").strip()
    git(root, "update-index", "--cacheinfo", f"100644,{mine},a.py")
    recovered(root)
    assert git(root, "show", ":a.py") == "staged\n"
    assert git(root, "show", ":c.py") == "C\n"


def test_behind_a_newer_commit_of_the_user_the_index_is_left_alone(root, killed_behind_the_head):
    git(root, "commit", "-qm", "mine", "--", "b.py")
    index = (root / ".git" / "index").read_bytes()
    recovered(root)
    assert (root / ".git" / "index").read_bytes() == index


def test_a_lock_of_another_git_is_waited_for_by_the_next_start(root, killed_behind_the_head):
    (root / ".git" / "index.lock").touch()
    finish_killed(repository.require_repository(root))
    assert git(root, "show", ":c.py") == "c\n"
    (root / ".git" / "index.lock").unlink()
    recovered(root)
    assert git(root, "show", ":c.py") == "C\n"


def test_a_lock_that_the_killed_commit_left_is_taken_away(root, killed_behind_the_head):
    folder = root / ".git" / "spark-commit-kept"
    (folder / "mark").touch()
    os.link(folder / "mark", root / ".git" / "index.lock")
    recovered(root)
    assert git(root, "show", ":c.py") == "C\n"


def test_the_next_start_leaves_a_commit_alone_that_still_runs(root):
    write_hook(root, "pre-commit", "touch .git/begun; while [ ! -e .git/go ]; do sleep 0.02; done")
    folder = root / ".git" / "spark-commit-x"
    folder.mkdir()
    with subprocess.Popen(["git", "commit", "-qm", "theirs"], cwd=root) as running:
        (folder / "git").write_text(str(running.pid))
        until((root / ".git" / "begun").exists)
        finish_killed(repository.require_repository(root))
        assert folder.exists()
        (root / ".git" / "go").touch()
    recovered(root)


def test_the_next_start_leaves_the_commit_of_another_spark_alone(root, killed_behind_the_head):
    other = os.open(root / ".git", os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(other, fcntl.LOCK_EX)
        finish_killed(repository.require_repository(root))
        assert (root / ".git" / "spark-commit-kept").exists()
    finally:
        os.close(other)
    recovered(root)
    assert git(root, "show", ":c.py") == "C\n"


def test_on_a_disk_that_is_full_behind_the_commit_the_next_start_updates_the_index(root, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(commit_module, "replace_in_index", full)
    with pytest.raises(IndexNotUpdated, match=r"committed as \w+, but No space left on device: the index"):
        change(root)
    assert git(root, "show", ":c.py") == "c\n"
    recovered(root)
    assert git(root, "diff", "--cached", "--name-only") == "a.py\nb.py\n"
    assert git(root, "show", ":c.py") == "C\n"


@pytest.mark.parametrize("taken", [False, True])
def test_the_index_is_locked_without_hard_links_too(root, monkeypatch, taken):
    def no_links(*_):
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", no_links)
    monkeypatch.setattr(commit_module, "_TRIES", 2)
    lock = root / ".git" / "index.lock"
    if not taken:
        change(root)
        assert not lock.exists()
    else:
        write_hook(root, "post-commit", "touch .git/index.lock")
        with pytest.raises(IndexNotUpdated, match="locked by another program"):
            change(root)
        assert lock.exists()
    assert git(root, "show", ":c.py") == ("c\n" if taken else "C\n")
