"""A patch that deletes or moves a symbolic link changes the link and never the file that it points to."""

import subprocess

import pytest
from support.small_repositories import committed

from spark_tui.cli.main import main
from spark_tui.edits.parser import Parser
from spark_tui.edits.patch import build
from spark_tui.errors import Refused, SparkError
from spark_tui.session.tree.decided_text import file_of
from spark_tui.session.tree.writer import TreeWriter
from spark_tui.workspace.apply import WantedFile, apply, plan, recover
from spark_tui.workspace.disk import Disk
from spark_tui.workspace.files import LINK_MODE, Tree

REAL = b"one\ntwo\n"


@pytest.fixture
def root(tmp_path, monkeypatch):
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "real.txt").write_bytes(REAL)
    (folder / "l.txt").symlink_to("real.txt")
    monkeypatch.chdir(tmp_path)
    return folder


def git(root, *words, data=None):
    return subprocess.run(["git", *words], cwd=root, input=data, check=True, capture_output=True).stdout


def look(root):
    """Every name in the tree: a link as where it points, a file as its bytes."""
    found = {}
    for path in sorted(root.rglob("*")):
        if ".git" not in path.parts and (path.is_symlink() or path.is_file()):
            found[str(path.relative_to(root))] = (
                str(path.readlink()) if path.is_symlink() else path.read_bytes()
            )
    return found


def operation(*lines):
    return "*** Begin Patch\n" + "".join(line + "\n" for line in lines) + "*** End Patch\n"


def run(root, text, *flags):
    (root.parent / "text").write_text(text)
    return main(["patch", "--root", str(root), *flags, "text"])


DELETE = operation("*** Delete File: l.txt")
MOVE = operation("*** Update File: l.txt", "*** Move to: sub/m.txt")
GIT_DELETE = (
    "diff --git a/l.txt b/l.txt\ndeleted file mode 120000\nindex 3fa0d4b..0000000\n--- a/l.txt\n+++"
    " /dev/null\n@@ -1 +0,0 @@\n-real.txt\n\\ No newline at end of file\n"
)
GIT_MOVE = "diff --git a/l.txt b/sub/m.txt\nsimilarity index 100%\nrename from l.txt\nrename to sub/m.txt\n"
GONE = {"real.txt": REAL}
MOVED = {"real.txt": REAL, "sub/m.txt": "real.txt"}
CASES = {
    "delete": (DELETE, GONE),
    "move": (MOVE, MOVED),
    "git delete": (GIT_DELETE, GONE),
    "git delete without its text": (GIT_DELETE.split("---")[0], GONE),
    "git move": (GIT_MOVE, MOVED),
    "replace by a file": (
        operation("*** Delete File: l.txt", "*** Add File: l.txt", "+new"),
        {"real.txt": REAL, "l.txt": b"new\n"},
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("store", ["git", "no git"])
def test_the_link_goes_or_moves_and_its_target_stays_and_undo_brings_the_link_back(root, name, store):
    text, expected = CASES[name]
    if store == "git":
        committed(root, {})
    before = look(root)
    assert run(root, text) == 0
    assert look(root) == expected
    assert main(["checkpoints", "restore", "-C", str(root), "1"]) == 0
    assert look(root) == before
    if store == "git":
        assert git(root, "status", "--porcelain") == b""


@pytest.mark.parametrize("target", ["nowhere", "folder", "../outside.txt", "l.txt"])
def test_a_link_to_nothing_to_a_folder_out_of_the_tree_or_to_itself_can_be_deleted(root, target):
    (root / "folder").mkdir()
    (root / "folder" / "kept.txt").write_text("kept\n")
    (root.parent / "outside.txt").write_text("kept\n")
    (root / "l.txt").unlink()
    (root / "l.txt").symlink_to(target)
    assert run(root, DELETE) == 0
    assert not (root / "l.txt").is_symlink()
    assert (root / "folder" / "kept.txt").read_text() == (root.parent / "outside.txt").read_text() == "kept\n"


def test_a_move_over_a_link_replaces_the_link_and_not_its_target(root):
    (root / "new.txt").write_text("new\n")
    move = operation("*** Update File: new.txt", "*** Move to: l.txt")
    assert run(root, move) == 5
    assert run(root, move, "--overwrite") == 0
    assert look(root) == {"real.txt": REAL, "l.txt": b"new\n"}
    assert main(["checkpoints", "restore", "-C", str(root), "1"]) == 0
    assert look(root) == {"real.txt": REAL, "l.txt": "real.txt", "new.txt": b"new\n"}


REFUSED = {
    "a link that is moved and edited": (
        5,
        operation("*** Update File: l.txt", "*** Move to: m.txt", "@@", "-one", "+ONE"),
    ),
    "a new link": (
        5,
        (
            "diff --git a/n b/n\nnew file mode 120000\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+real.txt\n"
            "\\ No newline at end of file\n"
        ),
    ),
    "a link that is to point elsewhere": (
        5,
        (
            "diff --git a/l.txt b/l.txt\nindex 3fa0d4b..9daeafb 120000\n--- a/l.txt\n+++ b/l.txt\n@@ -1 +1"
            " @@\n-real.txt\n\\ No newline at end of file\n+other\n\\ No newline at end of file\n"
        ),
    ),
    "a link that points elsewhere by now": (3, GIT_DELETE.replace("-real.txt", "-other.txt")),
    "a file that is no link": (3, GIT_DELETE.replace("l.txt", "real.txt")),
    "the text of the target": (
        3,
        GIT_DELETE.replace("-real.txt", "-one\n-two").replace("-1 +0,0", "-1,2 +0,0"),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_patch_cannot_do_to_a_link_is_refused_and_nothing_is_written(root, capsys, name):
    code, text = REFUSED[name]
    before = look(root)
    assert run(root, text) == code
    said = capsys.readouterr().err
    assert "symbolic link" in said or "does not match line 1" in said
    assert look(root) == before


def hunks_of(root, text):
    tree = Tree(root)
    parser = Parser("auto", tree.read_lines, read_link=tree.read_link)
    for _ in (*parser.feed(text), *parser.finish()):
        pass
    assert not parser.failures
    return parser.hunks, tree


@pytest.mark.parametrize("name", CASES)
def test_git_makes_the_same_of_the_patch_that_is_built(root, tmp_path, name):
    text, expected = CASES[name]
    committed(root, {})
    hunks, tree = hunks_of(root, text)
    git(root, "apply", "-", data=build(hunks, lambda path: file_of(tree, path)))
    assert look(root) == expected


@pytest.mark.parametrize("name", CASES)
def test_a_change_of_a_link_is_committed_as_git_would(root, tmp_path, name):
    text, expected = CASES[name]
    committed(root, {})
    hunks, tree = hunks_of(root, text)
    ledger = TreeWriter(root, tmp_path / "state", "s")
    ledger.check_commit(0, [(hunks, tree)])
    ledger.apply(hunks, tree)
    ledger.commit(0, "links\n")
    assert look(root) == expected
    assert git(root, "status", "--porcelain") == b""
    ledger.undo_last()
    ledger.redo()
    assert git(root, "status", "--porcelain") == b""


def test_a_link_that_changed_meanwhile_is_not_deleted(root):
    hunks, tree = hunks_of(root, DELETE)
    (root / "l.txt").unlink()
    (root / "l.txt").symlink_to("other.txt")
    with pytest.raises(SparkError) as caught:
        TreeWriter(root, root.parent / "state", "s").apply(hunks, tree)
    assert caught.value.exit_code == 4
    assert str((root / "l.txt").readlink()) == "other.txt"


class Dead(BaseException):
    pass


@pytest.mark.parametrize("killed", [False, True])
def test_an_error_or_a_kill_at_any_step_leaves_all_links_old_or_all_new(tmp_path, monkeypatch, killed):
    if killed:
        monkeypatch.setattr(
            "spark_tui.workspace.transaction.Transaction._give_up", lambda self, steps, committed: None
        )
    wanted = [
        WantedFile("a", b"x", None, itself=True),
        WantedFile("b", None, b"x", LINK_MODE, itself=True),
        WantedFile("c", b"y", b"text", 0o644, itself=True),
    ]
    new = {"b": "x", "c": b"text"}
    outcomes, at = [], 0
    while not outcomes or len(outcomes) == at:
        at += 1
        root, journal = tmp_path / f"root-{at}", tmp_path / f"journal-{at}"
        root.mkdir()
        (root / "a").symlink_to("x")
        (root / "c").symlink_to("y")
        old, count = look(root), 0

        def step(operation, name, at=at):
            nonlocal count
            count += 1
            if count == at:
                raise Dead if killed else OSError(5, "no", name)

        ready = plan(root, wanted, lambda *sides: (None, ()))
        try:
            apply(ready, journal, disk=Disk(step))
        except (Dead, Refused):
            outcomes.append("failed")
        recover(root, journal)
        assert look(root) in (old, new)
    assert at > 15
    assert look(root) == new


def test_undo_brings_back_a_deleted_program_with_its_permissions(root):
    (root / "run.sh").write_text("echo\n")
    (root / "run.sh").chmod(0o755)
    assert run(root, operation("*** Delete File: run.sh")) == 0
    assert main(["checkpoints", "restore", "-C", str(root), "1"]) == 0
    assert (root / "run.sh").stat().st_mode & 0o777 == 0o755
