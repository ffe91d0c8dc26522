"""Commits beside other programs that commit in the same repository: nothing of theirs is taken back."""

import fcntl
import os
import shlex
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from support.git_command import git, write_hook
from support.serving import until
from support.small_repositories import committed

from spark_tui.errors import Refused, TreeChanged
from spark_tui.session.tree.decided_text import merge_changed_file
from spark_tui.workspace import commit as commit_module
from spark_tui.workspace import repository
from spark_tui.workspace.commit import CommitPiece, commit
from spark_tui.workspace.git import git as plain_git

WAITS = "touch .git/begun\nwhile [ ! -e .git/go ]; do sleep 0.02; done\n"


@pytest.fixture
def root(tmp_path):
    return committed(tmp_path / "root", {f"f{number}.py": "before\n" for number in range(6)})


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(commit_module, "_TRIES", 2)
    monkeypatch.setattr(commit_module, "_PAUSE_SECONDS", 0.0)


def change(root, path, seen=None, says=None, before=b"before\n"):
    (root / path).write_bytes(b"after\n")
    piece = CommitPiece(path, before, b"after\n")
    seen = seen or repository.require_repository(root)
    return commit(seen, [piece], f"Change {path}\n", merge_changed_file, says)


def test_commits_that_are_made_at_the_same_time_all_stay(root):
    together, made = threading.Barrier(6), []

    def one(number):
        seen = repository.require_repository(root)
        together.wait()
        made.append(change(root, f"f{number}.py", seen))

    threads = [threading.Thread(target=one, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(git(root, "log", "--format=%H").split()) > set(made)
    assert len(set(made)) == 6
    assert [git(root, "show", f"HEAD:f{number}.py") for number in range(6)] == ["after\n"] * 6
    assert git(root, "status", "--porcelain") == ""


def test_a_commit_of_someone_else_that_came_in_between_is_not_undone(root, monkeypatch):
    theirs = []

    def beside(folder, *words, **how):
        out = plain_git(folder, *words, **how)
        if words[0] == "hash-object" and not theirs:
            (root / "f5.py").write_bytes(b"theirs\n")
            git(root, "commit", "-qm", "theirs", "--", "f5.py")
            theirs.append(git(root, "rev-parse", "HEAD"))
        return out

    monkeypatch.setattr(commit_module, "git", beside)
    with pytest.raises(TreeChanged, match="meanwhile"):
        change(root, "f0.py")
    assert git(root, "rev-parse", "HEAD") == theirs[0]
    assert git(root, "status", "--porcelain") == " M f0.py\n"
    change(root, "f0.py")
    assert git(root, "show", "HEAD:f5.py") == "theirs\n"
    assert git(root, "show", "HEAD:f0.py") == "after\n"


def test_what_is_staged_while_a_hook_runs_stays_staged(root, monkeypatch):
    write_hook(
        root, "pre-commit", "unset GIT_INDEX_FILE\necho mine > mine\ngit update-index --add mine f0.py"
    )
    change(root, "f0.py")
    assert git(root, "show", ":f0.py") == "after\n"
    assert git(root, "status", "--porcelain") == "A  mine\n"
    write_hook(root, "pre-commit", "unset GIT_INDEX_FILE\ngit update-index --cacheinfo 100644,$BLOB,f1.py")
    monkeypatch.setenv("BLOB", git(root, "hash-object", "-w", "mine").strip())
    change(root, "f1.py")
    assert git(root, "show", ":f1.py") == "mine\n"


def kill_while_the_hook_runs(root, formats="", hook="pre-commit", stop=subprocess.Popen.kill):
    """Change f0.py and kill the process while a hook runs that formats; wait until nothing is left of it."""
    write_hook(root, hook, WAITS + formats)
    code = (
        "import sys, pathlib; sys.path[:0] = sys.argv[2:]; from workspace import test_concurrent_commits;"
        "test_concurrent_commits.change(pathlib.Path(sys.argv[1]), 'f0.py')"
    )
    folders = [str(Path(__file__).parents[1]), *sys.path]
    with subprocess.Popen(
        [sys.executable, "-c", code, str(root), *folders],
        start_new_session=True,
    ) as killed:
        until((root / ".git" / "begun").exists)
        stop(killed)
        # It has ended, and nobody reaps it, as in a container without an init.
        os.waitid(os.P_PID, killed.pid, os.WEXITED | os.WNOWAIT)
        (root / ".git" / "go").touch()
        until(lambda: not list((root / ".git").glob("spark-commit-*")))


def with_its_group(number):
    return lambda process: os.killpg(process.pid, number)


def test_if_spark_is_killed_while_a_hook_runs_the_commit_and_the_index_are_finished(root):
    git(root, "update-index", "--assume-unchanged", "f0.py")
    git(root, "update-index", "--skip-worktree", "f0.py")
    kill_while_the_hook_runs(root)
    assert git(root, "log", "-1", "--format=%s") == "Change f0.py\n"
    assert git(root, "ls-files", "-v", "f0.py") == "s f0.py\n"
    assert git(root, "diff", "--cached") == ""


def test_if_spark_is_killed_while_a_hook_formats_the_index_has_what_the_hook_made(root):
    (root / "f1.py").write_bytes(b"staged beside\n")
    git(root, "add", "f1.py")
    kill_while_the_hook_runs(root, "echo formatted >> f0.py\ngit add f0.py\n")
    assert git(root, "show", "HEAD:f0.py") == "after\nformatted\n"
    assert git(root, "status", "--porcelain") == "M  f1.py\n"


def test_if_spark_is_killed_the_index_has_the_other_files_that_a_hook_changes_adds_and_removes(
    root,
):
    for name in ("f1.py", "a b.py"):
        (root / name).write_bytes(b"before\n")
    git(root, "add", "f1.py", "a b.py")
    git(root, "commit", "-qm", "more")
    (root / "f1.py").write_bytes(b"staged beside\n")
    git(root, "add", "f1.py")
    hook = "echo made > new.py\necho made >> 'a b.py'\ngit add new.py 'a b.py'\ngit rm -q --cached f2.py\n"
    kill_while_the_hook_runs(root, hook)
    assert (
        git(root, "show", "--format=", "--name-status", "HEAD")
        == "M\ta b.py\nM\tf0.py\nD\tf2.py\nA\tnew.py\n"
    )
    assert git(root, "status", "--porcelain") == "M  f1.py\n?? f2.py\n"


@pytest.mark.parametrize("name", ["é.py", 'q"\\t.py', "-x.py", "end ", "  lead.py", "a\tb.py", "a\nb.py"])
def test_if_spark_is_killed_the_index_has_what_a_hook_changes_whatever_its_name(root, name):
    (root / name).write_bytes(b"before\n")
    git(root, "add", "--", name)
    git(root, "commit", "-qm", "more")
    quoted = shlex.quote(f"./{name}")
    kill_while_the_hook_runs(root, f"echo made >> {quoted}\ngit add -- {quoted}\n")
    assert git(root, "show", f"HEAD:{name}") == "before\nmade\n"
    assert git(root, "status", "--porcelain") == ""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_if_all_of_it_is_stopped_behind_the_commit_the_index_is_finished(root, number):
    (root / "f1.py").write_bytes(b"staged beside\n")
    git(root, "add", "f1.py")
    kill_while_the_hook_runs(root, hook="post-commit", stop=with_its_group(number))
    assert git(root, "show", "HEAD:f0.py") == "after\n"
    assert git(root, "status", "--porcelain") == "M  f1.py\n"


def test_a_commit_whose_git_is_stopped_behind_it_is_made_all_the_same(root):
    """As a signal to the whole group does, where spark itself goes on."""
    write_hook(root, "post-commit", "kill -TERM $PPID\nsleep 5\n")
    made = change(root, "f0.py")
    assert git(root, "rev-parse", "HEAD").strip() == made
    assert git(root, "status", "--porcelain") == ""
    write_hook(root, "pre-commit", "kill -TERM $PPID\nsleep 5\n")
    with pytest.raises(Refused, match="nothing was committed"):
        change(root, "f1.py")
    assert git(root, "rev-parse", "HEAD").strip() == made
    assert git(root, "status", "--porcelain") == " M f1.py\n"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_if_all_of_it_is_stopped_before_the_commit_nothing_is_staged(root, number):
    head = git(root, "rev-parse", "HEAD")
    kill_while_the_hook_runs(root, stop=with_its_group(number))
    assert git(root, "rev-parse", "HEAD") == head
    assert git(root, "status", "--porcelain") == " M f0.py\n"


def test_a_commit_of_someone_else_while_a_hook_runs_comes_first(root):
    hook = write_hook(
        root, "pre-commit", "unset GIT_INDEX_FILE\ngit commit --no-verify --allow-empty -qm theirs"
    )
    with pytest.raises(TreeChanged, match="another commit was made meanwhile"):
        change(root, "f0.py")
    hook.unlink()
    change(root, "f0.py")
    assert git(root, "log", "--format=%s", "-2").split("\n")[:2] == ["Change f0.py", "theirs"]


def test_a_lock_that_another_git_left_on_the_head_is_named(root):
    """To commit again, as after a commit of someone else, would never help."""
    (root / ".git" / "HEAD.lock").touch()
    with pytest.raises(Refused, match="nothing was committed") as refused:
        change(root, "f0.py")
    assert "HEAD.lock" in refused.value.hint
    assert "remove the file" in refused.value.hint
    (root / ".git" / "HEAD.lock").unlink()
    change(root, "f0.py")
    assert git(root, "show", "HEAD:f0.py") == "after\n"


def test_where_another_git_has_the_index_nothing_is_committed(root, impatient):
    head = git(root, "rev-parse", "HEAD")
    (root / ".git" / "index.lock").touch()
    with pytest.raises(Refused, match=r"locked by another program .*; nothing was committed"):
        change(root, "f0.py")
    (root / ".git" / "index.lock").unlink()
    assert git(root, "rev-parse", "HEAD") == head
    assert git(root, "diff", "--cached") == ""
    change(root, "f0.py")


def test_who_has_the_index_is_said_while_it_is_waited_for(root):
    write_hook(root, "pre-commit", WAITS)
    said = []

    def says(text):
        said.append(text)
        (root / ".git" / "go").touch()

    reads = ["git", "cat-file", "--batch"]  # as editors keep one
    commits = ["git", "-c", "user.name=Other", "commit", "-qam", "theirs", "--allow-empty"]
    with (
        subprocess.Popen(reads, cwd=root, stdin=subprocess.PIPE),
        subprocess.Popen(commits, cwd=root) as other,
    ):
        until((root / ".git" / "begun").exists)
        change(root, "f0.py", says=says)
    assert said == [f"waiting up to 10 s: the index is locked by git commit (process {other.pid})"]
    assert git(root, "log", "--format=%s", "-2").split("\n")[:2] == ["Change f0.py", "theirs"]


def test_an_index_that_is_taken_after_the_commit_is_said_with_what_to_do(root, impatient):
    git(root, "mv", "f0.py", "f 0.py")
    git(root, "commit", "-qm", "second")
    write_hook(root, "post-commit", "touch .git/index.lock")
    with pytest.raises(Refused, match="committed as") as caught:
        change(root, "f 0.py")
    (root / ".git" / "index.lock").unlink()
    assert git(root, "show", "HEAD:f 0.py") == "after\n"
    assert git(root, "diff", "--cached", "--name-only") == "f 0.py\n"
    subprocess.run(caught.value.hint.split(": ")[1], shell=True, cwd=root, check=True)
    assert git(root, "status", "--porcelain") == ""


def test_flags_stay_where_the_index_is_taken_for_a_while(root):
    git(root, "update-index", "--skip-worktree", "f0.py")
    write_hook(root, "post-commit", "touch .git/index.lock")
    said = []

    def says(text):
        said.append(text)
        (root / ".git" / "index.lock").unlink()

    change(root, "f0.py", says=says)
    assert said
    assert git(root, "ls-files", "-v", "f0.py") == "S f0.py\n"
    assert git(root, "diff", "--cached") == ""


def test_another_spark_that_commits_is_waited_for(root, impatient):
    other = os.open(root / ".git", os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(Refused, match="another spark commits here; nothing"):
            change(root, "f0.py")
    finally:
        os.close(other)
    change(root, "f0.py")


def test_a_file_is_deleted_in_a_repository_of_long_hashes(tmp_path):
    git(tmp_path, "init", "-q", "--object-format=sha256")
    committed(tmp_path, {"a.py": "a\n", "b.py": "b\n"})
    (tmp_path / "a.py").unlink()
    piece = CommitPiece("a.py", b"a\n", None)
    commit(repository.require_repository(tmp_path), [piece], "Remove\n", merge_changed_file)
    assert git(tmp_path, "ls-tree", "--name-only", "HEAD") == "b.py\n"


def test_a_hunk_on_lines_that_are_not_committed_says_what_was_not_done(root):
    with pytest.raises(TreeChanged) as caught:
        change(root, "f0.py", before=b"mine\n")
    assert "uncommitted" in caught.value.what
    assert "Nothing was committed" in caught.value.hint
