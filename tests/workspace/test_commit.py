"""A commit holds the accepted hunks and nothing else, whatever else is dirty or staged."""

import pytest
from support.git_command import git, write_hook, write_program
from support.small_repositories import committed

from spark_tui.errors import NothingToDo, Refused, TreeChanged, UsageError
from spark_tui.session.tree.decided_text import merge_changed_file
from spark_tui.workspace import commit as commit_module
from spark_tui.workspace import git_index, repository
from spark_tui.workspace.commit import CommitPiece, commit, draft_message
from spark_tui.workspace.git import git as run

BASE = b"one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n"


@pytest.fixture
def root(tmp_path):
    return committed(tmp_path / "root", {"a.py": BASE.decode(), "b.py": "b\n"})


def commit_piece(root, *piece, message="Change it\n", **modes):
    found = repository.require_repository(root)
    return commit(found, [CommitPiece(*piece, **modes)], message, merge_changed_file)


def do(root, before, after, message="Change it\n", path="a.py"):
    if after is None:
        (root / path).unlink()
    else:
        (root / path).write_bytes(after)
    return commit_piece(root, path, before, after, message=message)


def test_only_the_hunks_go_in_and_the_persons_own_changes_stay_dirty(root):
    before = BASE.replace(b"one", b"my own")
    (root / "b.py").write_bytes(b"dirty\n")
    made = do(root, before, before.replace(b"seven", b"SEVEN"))
    assert git(root, "rev-parse", "HEAD").strip() == made
    assert git(root, "show", "HEAD:a.py").encode() == BASE.replace(b"seven", b"SEVEN")
    assert git(root, "diff", "--stat", "HEAD~", "HEAD", "--name-only") == "a.py\n"
    assert git(root, "status", "--porcelain") == " M a.py\n M b.py\n"
    assert "SEVEN" not in git(root, "diff", "a.py").replace(" SEVEN", "")


def test_what_is_staged_stays_staged_and_stays_out(root):
    (root / "a.py").write_bytes(BASE.replace(b"one", b"staged"))
    (root / "b.py").write_bytes(b"staged too\n")
    git(root, "add", ".")
    before = BASE.replace(b"one", b"staged")
    do(root, before, before.replace(b"seven", b"SEVEN"))
    assert git(root, "show", "HEAD:a.py").encode() == BASE.replace(b"seven", b"SEVEN")
    assert git(root, "show", ":a.py").encode() == before.replace(b"seven", b"SEVEN")
    assert git(root, "status", "--porcelain") == "M  a.py\nM  b.py\n"


def test_hunks_on_lines_that_are_not_committed_are_refused_and_nothing_happens(root):
    before = BASE.replace(b"seven", b"mine")
    head = git(root, "rev-parse", "HEAD")
    with pytest.raises(TreeChanged):
        do(root, before, before.replace(b"mine", b"SEVEN"))
    assert git(root, "rev-parse", "HEAD") == head
    with pytest.raises(Refused, match="not committed yet"):
        (root / "n.py").write_bytes(b"x\n")
        do(root, b"x\n", b"y\n", path="n.py")
    assert git(root, "diff", "--cached", "--stat") == ""


def test_a_path_that_begins_with_a_colon_is_a_path(root):
    """To git `:a.py` is a pattern for `a.py`."""
    do(root, None, b"new\n", path=":a.py")
    assert git(root, "show", "HEAD::a.py") == "new\n"
    do(root, b"new\n", b"newer\n", path=":a.py")
    assert git(root, "show", "HEAD::a.py") == "newer\n"
    assert git(root, "show", "HEAD:a.py").encode() == BASE
    assert git(root, "status", "--porcelain") == ""


def test_new_and_deleted_files_and_modes_are_committed(root):
    (root / "sub").mkdir()
    do(root, None, b"new\n", path="sub/n.py")
    assert git(root, "show", "HEAD:sub/n.py") == "new\n"
    do(root, b"b\n", None, path="b.py")
    assert git(root, "ls-tree", "--name-only", "HEAD") == "a.py\nsub\n"
    (root / "a.py").chmod(0o755)
    commit_piece(root, "a.py", BASE, BASE, executable=True)
    assert git(root, "ls-tree", "HEAD", "a.py").startswith("100755")
    assert git(root, "status", "--porcelain") == ""


def test_flags_of_the_index_and_modes_that_only_the_user_changed_stay(root):
    git(root, "update-index", "--skip-worktree", "a.py")
    git(root, "update-index", "--assume-unchanged", "a.py", "b.py")
    git(root, "config", "core.splitIndex", "true")
    before = BASE.replace(b"one", b"my own")
    do(root, before, before.replace(b"seven", b"SEVEN"))
    assert git(root, "ls-files", "-v") == "s a.py\nh b.py\n"
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "show", "HEAD:a.py").encode() == BASE.replace(b"seven", b"SEVEN")
    commit_piece(root, "b.py", b"b\n", b"c\n", was_executable=True, executable=True)
    assert git(root, "ls-tree", "HEAD", "b.py").startswith("100644")


def test_a_new_file_with_the_intent_to_add_it_is_committed(root):
    (root / "n.py").write_bytes(b"new\n")
    git(root, "add", "--intent-to-add", "n.py")
    do(root, None, b"new\n", path="n.py")
    assert git(root, "status", "--porcelain") == ""


def test_a_hook_that_adds_everything_deletes_no_file_of_a_sparse_checkout(root):
    (root / "sub").mkdir()
    do(root, None, b"new\n", path="sub/n.py")
    git(root, "sparse-checkout", "set", "nothing")
    assert not (root / "sub").exists()
    write_hook(root, "pre-commit", "git add --update")
    do(root, BASE, BASE.replace(b"two", b"TWO"))
    assert git(root, "show", "--format=", "--name-only", "HEAD") == "a.py\n"
    assert git(root, "status", "--porcelain") == ""


def test_the_first_commit_of_a_repository_works(tmp_path):
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    do(tmp_path, None, b"x\n", path="n.py")
    assert git(tmp_path, "log", "--format=%s") == "Change it\n"
    assert git(tmp_path, "status", "--porcelain") == ""


def test_line_endings_are_stored_the_way_git_keeps_them(root):
    git(root, "config", "core.autocrlf", "true")
    windows = BASE.replace(b"\n", b"\r\n")
    do(root, windows, windows.replace(b"two", b"TWO"))
    assert git(root, "show", "HEAD:a.py").encode() == BASE.replace(b"two", b"TWO")


@pytest.mark.parametrize("how", ["true", "input", "* text=auto\n", "* text=auto eol=lf\n", "*.py text\n"])
def test_a_file_that_was_committed_with_crlf_keeps_it_as_git_add_does(root, how):
    windows = BASE.replace(b"\n", b"\r\n")
    (root / "a.py").write_bytes(windows)
    git(root, "commit", "--quiet", "--all", "-m", "with CRLF")
    if how.startswith("*"):
        (root / ".git" / "info" / "attributes").write_text(how)
    else:
        git(root, "config", "core.autocrlf", how)
    after = windows.replace(b"two", b"TWO")
    if how.endswith(" text\n"):  # git would convert every line
        with pytest.raises(TreeChanged):
            do(root, windows, after)
        return
    do(root, windows, after)
    assert git(root, "diff", "--numstat", "HEAD~", "HEAD") == "1\t1\ta.py\n"
    assert git(root, "status", "--porcelain") == ""


def test_hooks_run_and_can_say_no(root):
    hook = write_hook(root, "pre-commit", "echo 'not like this' >&2\nexit 1")
    head = git(root, "rev-parse", "HEAD")
    with pytest.raises(Refused, match="nothing was committed") as caught:
        do(root, BASE, BASE.replace(b"two", b"TWO"))
    assert "not like this" in caught.value.hint
    assert git(root, "rev-parse", "HEAD") == head
    assert git(root, "status", "--porcelain") == " M a.py\n"
    write_hook(root, "commit-msg", 'echo "Signed-off-by: hook" >> "$1"')
    hook.unlink()
    commit_piece(root, "a.py", BASE, BASE.replace(b"two", b"TWO"))
    assert "Signed-off-by: hook" in git(root, "log", "-1", "--format=%B")


def test_files_that_a_hook_adds_are_not_taken_back_by_the_next_commit(root):
    (root / "c.py").write_text("c\n")
    git(root, "add", "c.py")
    write_hook(
        root, "pre-commit", "echo made > b.py\necho made > c.py\necho made > d.py\ngit add b.py c.py d.py"
    )
    do(root, BASE, BASE.replace(b"two", b"TWO"))
    assert git(root, "show", "--format=", "--name-only", "HEAD") == "a.py\nb.py\nc.py\nd.py\n"
    assert git(root, "status", "--porcelain") == "MM c.py\n"


def test_signing_is_as_the_persons_git_has_it(root, tmp_path):
    signer = write_program(
        tmp_path / "signer",
        'cat > /dev/null\nprintf "\\n[GNUPG:] SIG_CREATED \\n" >&2\n'
        'echo "-----BEGIN PGP SIGNATURE-----"\necho "x"\necho "-----END PGP SIGNATURE-----"',
    )
    git(root, "config", "gpg.program", str(signer))
    git(root, "config", "commit.gpgSign", "true")
    do(root, BASE, BASE.replace(b"two", b"TWO"))
    assert "gpgsig -----BEGIN PGP SIGNATURE-----" in git(root, "cat-file", "commit", "HEAD")


def test_in_the_middle_of_a_merge_nothing_is_committed(root):
    (root / ".git" / "MERGE_HEAD").write_text(git(root, "rev-parse", "HEAD"))
    with pytest.raises(Refused, match="merge"):
        do(root, BASE, BASE.replace(b"two", b"TWO"))


def test_nothing_to_commit_and_no_message_are_said(root):
    with pytest.raises(NothingToDo):
        do(root, BASE, BASE)
    with pytest.raises(UsageError):
        do(root, BASE, BASE.replace(b"two", b"TWO"), message=" \n")


def test_nothing_is_pushed(root, tmp_path):
    git(tmp_path, "init", "--quiet", "--bare", "remote.git")
    git(root, "remote", "add", "origin", str(tmp_path / "remote.git"))
    git(root, "config", "push.default", "current")
    do(root, BASE, BASE.replace(b"two", b"TWO"))
    assert git(tmp_path / "remote.git", "for-each-ref") == ""


@pytest.mark.parametrize(
    ("requests", "paths", "message"),
    [
        (["rename qty to quantity. Keep the tests green!"], ["a.py"], "Rename qty to quantity\n"),
        (["fix it"], ["b.py", "a.py"], "Fix it\n\n- a.py\n- b.py\n"),
        ([], ["a.py"], "Edit a.py\n"),
        (["rename qty @src/a.py"], ["src/a.py"], "Rename qty\n"),
        (["set LIMIT to 5 in @a.py"], ["a.py"], "Set LIMIT to 5\n"),
        (['@"my a.py": set LIMIT to 5'], ["my a.py"], "Set LIMIT to 5\n"),
        (["add @property as in @b.py"], ["src/a.py"], "Add @property as in @b.py\n"),
        (["guard add. Now!", "about hunk 1 (a.py:3): use TypeError"], ["a.py"], "Guard add; use TypeError\n"),
        (
            ["word " * 20 + "\nend"],
            ["a.py", "b.py"],
            f"Word{' word' * 13}…\n\nword{' word' * 13}\n{'word ' * 5}word\nend\n\n- a.py\n- b.py\n",
        ),
    ],
)
def test_a_message_is_drafted_from_what_was_asked(requests, paths, message):
    assert draft_message(requests, paths) == message
    assert len(message.split("\n")[0]) <= 72


@pytest.mark.parametrize("most", [3, 500])
def test_a_commit_of_many_files_starts_few_processes(tmp_path, monkeypatch, most):
    started = []

    def counted(*words, **how):
        started.append(words)
        return run(*words, **how)

    monkeypatch.setattr(git_index, "_MOST_PATHS", most)
    monkeypatch.setattr(git_index, "git", counted)
    monkeypatch.setattr(commit_module, "git", counted)
    names = [f"f{number}.py" for number in range(9)]
    root = committed(tmp_path / "root", dict.fromkeys(names, BASE.decode()))
    after = BASE.replace(b"two", b"TWO")
    for name in names:
        (root / name).write_bytes(after)
    pieces = [CommitPiece(name, BASE, after) for name in names]
    commit(repository.require_repository(root), pieces, "Change them\n", merge_changed_file)
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "show", "--format=", "--name-only", "HEAD").split() == names
    assert len(started) < 50
