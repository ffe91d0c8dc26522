"""Checkpoints, undo and redo, inside and outside of git."""

import functools
import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import strategies as st
from support.edit_writers import PLAIN, changes, write
from support.property_tests import law

from spark_tui.edits.hunk import Hunk
from spark_tui.edits.parser import Parser
from spark_tui.errors import NothingToDo, SparkError, TreeChanged
from spark_tui.session.writer import TreeWriter
from spark_tui.workspace.apply import ConflictedFile
from spark_tui.workspace.checkpoints import PruneBounds, prune
from spark_tui.workspace.files import Tree
from spark_tui.workspace.repository import create_repository

GIT = pytest.mark.parametrize("in_git", [True, False], ids=["git", "no git"])


def git(folder, *words, check=True):
    done = subprocess.run(["git", *words], cwd=folder, check=check, capture_output=True, text=True)
    return done.stdout


def states(root):
    return {
        str(path.relative_to(root)): (path.read_bytes(), path.stat().st_mode & 0o777)
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }


def make(tmp, files, in_git=True):
    root = Path(tmp) / "root"
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    root.mkdir(exist_ok=True)
    if in_git:
        create_repository(root, message="as it came")
    clock = iter(range(1, 10_000))
    return root, TreeWriter(root, Path(tmp) / "state", "s", clock=lambda: float(next(clock)))


TEMPLATE = tempfile.TemporaryDirectory(prefix="spark-template-")


@functools.cache
def template():
    """A repository to copy: making one takes a dozen processes, and laws want a thousand."""
    root = Path(TEMPLATE.name) / "root"
    root.mkdir()
    for name in ("a.py", "b.py"):
        (root / name).write_bytes(b"as it came\n")
    create_repository(root, message="as it came")
    return root


def make_dirty(tmp, files, in_git=True):
    """As `make`, but in git the files stand there as changes that are not committed."""
    if not in_git:
        return make(tmp, files, in_git=False)
    root = Path(tmp) / "root"
    shutil.copytree(template(), root, symlinks=True)
    for name, data in files.items():
        (root / name).write_bytes(data)
    clock = iter(range(1, 10_000))
    return root, TreeWriter(root, Path(tmp) / "state", "s", clock=lambda: float(next(clock)))


def hunks_of(root, text, name="auto", last_id=0):
    tree = Tree(root)
    parser = Parser(name, tree.read_lines, last_id=last_id)
    list(parser.feed(text))
    list(parser.finish())
    assert not parser.failures, parser.failures
    return list(parser.hunks), tree


def do(root, ledger, text, turn, last_id=0):
    hunks, tree = hunks_of(root, text, last_id=last_id)
    return ledger.apply(hunks, tree, turn=turn, label=f"turn {turn}")


FILES = {
    "a.py": b"one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n",
    "b.py": b"x\r\ny",
    "old/c.py": b"gone\n",
}
FIRST = """*** Begin Patch
*** Update File: a.py
@@
-two
+TWO
 three
@@
 six
-seven
+SEVEN
+more
*** Add File: new/d.py
+fresh
*** Delete File: old/c.py
*** Update File: b.py
*** Move to: moved.py
@@
-y
+Y
*** End Patch
"""


@GIT
def test_undo_brings_back_every_byte_and_redo_takes_them_again(tmp_path, in_git):
    root, ledger = make(tmp_path, FILES, in_git)
    before = states(root)
    do(root, ledger, FIRST, "t1")
    after = states(root)
    assert after["moved.py"][0] == b"x\r\nY" and "b.py" not in after and "old/c.py" not in after
    ledger.undo_turn()
    assert states(root) == before
    if in_git:
        assert git(root, "status", "--porcelain") == ""
    ledger.redo()
    assert states(root) == after
    with pytest.raises(NothingToDo):
        ledger.redo()


@GIT
def test_turns_are_undone_from_the_newest_and_a_session_all_at_once(tmp_path, in_git):
    root, ledger = make(tmp_path, FILES, in_git)
    seen = [states(root)]
    do(root, ledger, FIRST, "t1")
    seen.append(states(root))
    do(root, ledger, "*** a.py\n@@ 1,2\n+ONE\n", "t2", last_id=20)
    seen.append(states(root))
    do(root, ledger, "*** a.py\n@@ 1,1\n+zero\n", "t3", last_id=30)
    seen.append(states(root))
    ledger.undo_turn()
    assert states(root) == seen[2]
    ledger.undo_turn()
    assert states(root) == seen[1]
    ledger.redo()
    assert states(root) == seen[2]
    ledger.redo()
    assert states(root) == seen[3]
    ledger.undo_session()
    assert states(root) == seen[0]
    ledger.redo()
    assert states(root) == seen[3]


@GIT
def test_an_older_turn_is_undone_under_a_newer_one(tmp_path, in_git):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]}, in_git)
    do(root, ledger, "*** a.py\n@@ 2,3\n+TWO\n", "t1")
    do(root, ledger, "*** a.py\n@@ 7,8\n+SEVEN\n", "t2", last_id=5)
    ledger.undo_turn("t1")
    assert (root / "a.py").read_bytes() == FILES["a.py"].replace(b"seven", b"SEVEN")


@GIT
def test_single_hunks_are_undone_and_what_the_person_did_elsewhere_stays(tmp_path, in_git):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]}, in_git)
    hunks, tree = hunks_of(root, "*** a.py\n@@ 2,3\n+TWO\n@@ 7,8\n+SEVEN\n+more\n")
    ledger.apply(hunks, tree, turn="t1")
    (root / "a.py").write_bytes(b"# mine\n" + (root / "a.py").read_bytes())
    written = ledger.undo_hunks([hunks[1].id])
    assert written.hunks == (hunks[1].id,)
    assert (root / "a.py").read_bytes() == b"# mine\n" + FILES["a.py"].replace(b"two", b"TWO")
    ledger.undo_turn()
    assert (root / "a.py").read_bytes() == b"# mine\n" + FILES["a.py"]
    ledger.redo()
    ledger.redo()
    assert b"SEVEN\nmore" in (root / "a.py").read_bytes()


@GIT
def test_undo_over_the_persons_own_edit_of_the_same_line_asks_and_eats_nothing(tmp_path, in_git):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]}, in_git)
    do(root, ledger, "*** a.py\n@@ 2,3\n+TWO\n", "t1")
    mine = (root / "a.py").read_bytes().replace(b"TWO", b"my two")
    (root / "a.py").write_bytes(mine)
    with pytest.raises(ConflictedFile) as caught:
        ledger.undo_turn()
    assert (root / "a.py").read_bytes() == mine
    shown = caught.value.as_dict()["files"][0]["clashes"][0]
    assert shown == {"line": 2, "disk": "my two\n", "edit": "two\n"}


def test_undoing_a_new_file_that_was_edited_since_is_refused(tmp_path):
    root, ledger = make(tmp_path, {"a.py": b"x\n"})
    do(root, ledger, "*** Begin Patch\n*** Add File: n.py\n+a\n*** End Patch\n", "t1")
    (root / "n.py").write_text("a\nmine\n")
    with pytest.raises(TreeChanged):
        ledger.undo_turn()
    assert (root / "n.py").read_text() == "a\nmine\n"


@GIT
def test_a_file_changed_elsewhere_since_it_was_read_is_merged(tmp_path, in_git):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]}, in_git)
    hunks, tree = hunks_of(root, "*** a.py\n@@ 2,3\n+TWO\n@@ 7,8\n+SEVEN\n")
    mine = b"# mine\n" + FILES["a.py"]
    (root / "a.py").write_bytes(mine)
    written = ledger.apply(hunks, tree, turn="t1")
    assert written.merged == ("a.py",)
    assert (root / "a.py").read_bytes() == mine.replace(b"two", b"TWO").replace(b"seven", b"SEVEN")
    ledger.undo_hunks([hunks[0].id])
    assert (root / "a.py").read_bytes() == mine.replace(b"seven", b"SEVEN")
    ledger.undo_turn()
    assert (root / "a.py").read_bytes() == mine


def test_a_file_changed_in_the_same_lines_shows_both_versions_and_writes_nothing(tmp_path):
    root, ledger = make(tmp_path, FILES)
    hunks, tree = hunks_of(root, "*** a.py\n@@ 2,3\n+TWO\n*** b.py\n@@ 1,2\n+X\n")
    (root / "a.py").write_bytes(FILES["a.py"].replace(b"two", b"mine"))
    before = states(root)
    with pytest.raises(ConflictedFile) as caught:
        ledger.apply(hunks, tree, turn="t1")
    assert states(root) == before
    clash = caught.value.disagreements[0].clashes[0]
    assert (clash.ours, clash.theirs) == ((b"mine\n",), (b"TWO\n",))
    assert ledger.store.list() == []


@st.composite
def edits_of_two_files(draw):
    return [(name, *draw(changes(tuple(PLAIN)))) for name in ("a.py", "b.py")]


def bytes_of(lines):
    return "".join(line + "\n" for line in lines).encode()


@law(edits=edits_of_two_files(), in_git=st.booleans(), data=st.data(), quick=12)
def test_undo_after_apply_is_the_identity_whatever_was_applied(edits, in_git, data):
    with tempfile.TemporaryDirectory() as tmp:
        root, ledger = make_dirty(tmp, {name: bytes_of(old) for name, old, _ in edits}, in_git)
        before = states(root)
        status = git(root, "status", "--porcelain") if in_git else ""
        text = "".join(write("lines", name, old, new) for name, old, new in edits)
        hunks, tree = hunks_of(root, text, "lines")
        chosen = [hunk for hunk in hunks if data.draw(st.booleans())]
        if not chosen:
            return
        ledger.apply(chosen, tree, turn="t")
        after = states(root)
        if data.draw(st.booleans()):
            one = data.draw(st.sampled_from(chosen))
            ledger.undo_hunks([one.id])
            rest = [hunk for hunk in chosen if hunk is not one]
            if rest:
                ledger.undo_turn()
            assert states(root) == before
            ledger.redo()
            if rest:
                ledger.redo()
        else:
            ledger.undo_turn()
            assert states(root) == before
            if in_git:
                assert git(root, "status", "--porcelain") == status
            ledger.redo()
        assert states(root) == after


@law(change=changes(tuple(PLAIN)), other=st.data(), quick=25)
def test_a_file_changed_between_read_and_apply_is_merged_or_refused_and_never_overwritten(change, other):
    old, new = change
    with tempfile.TemporaryDirectory() as tmp:
        root, ledger = make(tmp, {"a.py": bytes_of(old)}, in_git=False)
        hunks, tree = hunks_of(root, write("lines", "a.py", old, new), "lines")
        mine = list(old)
        at = other.draw(st.integers(0, len(mine)))
        mine[at : at + other.draw(st.integers(0, 2))] = other.draw(
            st.lists(st.sampled_from(["my own", "mine too"]), min_size=1, max_size=2)
        )
        (root / "a.py").write_bytes(bytes_of(mine))
        own = [line for line in mine if line.startswith(("my own", "mine too"))]
        try:
            ledger.apply(hunks, tree, turn="t")
        except SparkError:
            assert (root / "a.py").read_bytes() == bytes_of(mine)
            return
        result = (root / "a.py").read_text().splitlines()
        assert [line for line in result if line in own] == own
        # All of the model's new lines are in it as well.
        for hunk in hunks:
            assert all(line in result for line in hunk.new_lines)


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
        hook = root / ".git" / "hooks" / "reference-transaction"
        hook.write_text(f"#!/bin/sh\ntouch {tmp}/hook-ran\n")
        hook.chmod(0o755)
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
        ledger.undo_turn()
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
    done = subprocess.run(
        ["git", "cat-file", "blob", f"{ref}^:a.py"], cwd=root, check=True, capture_output=True
    )
    assert done.stdout == b"one\r\ntwo\r\n"
    done = subprocess.run(
        ["git", "cat-file", "blob", f"{ref}:a.py"], cwd=root, check=True, capture_output=True
    )
    assert done.stdout == b"one\r\nTWO\r\n"


def test_untracked_files_and_odd_names_are_in_the_checkpoint(tmp_path):
    names = ["plain.py", "a b.py", 'quo"te.py', "ü.py", "new\nline.py", "tab\t.py", "-dash.py"]
    root, ledger = make(tmp_path, {"a.py": b"x\n"})
    for name in names:
        (root / name).write_bytes(b"old\n")
    before = states(root)
    hunks = [Hunk(k, name, 1, ("old",), ("new",)) for k, name in enumerate(names, 1)]
    ledger.apply(hunks, Tree(root), turn="t")
    assert all((root / name).read_bytes() == b"new\n" for name in names)
    ledger.undo_turn()
    assert states(root) == before


def test_the_private_store_is_used_where_the_repository_cannot_be_written(tmp_path, monkeypatch):
    root, _ = make(tmp_path, FILES)
    from spark_tui.workspace import repository

    monkeypatch.setattr(repository.Repository, "writable", property(lambda self: False))
    ledger = TreeWriter(root, tmp_path / "state", "s")
    do(root, ledger, FIRST, "t1")
    assert git(root, "for-each-ref", "refs/spark") == ""
    ledger.undo_turn()
    assert git(root, "status", "--porcelain") == ""


@GIT
def test_a_tree_in_a_subfolder_of_a_repository_keeps_its_own_paths(tmp_path, in_git):
    root, _ = make(tmp_path, {"inner/a.py": FILES["a.py"], "a.py": b"outer\n"}, in_git)
    ledger = TreeWriter(root / "inner", tmp_path / "state2", "s")
    written = do(root / "inner", ledger, "*** a.py\n@@ 2,3\n+TWO\n", "t1")
    if in_git:
        assert (
            git(root, "show", "--format=", "--name-only", f"refs/spark/{written.checkpoint}")
            == "inner/a.py\n"
        )
    ledger.undo_turn()
    assert (root / "inner" / "a.py").read_bytes() == FILES["a.py"]
    assert (root / "a.py").read_bytes() == b"outer\n"


@GIT
def test_checkpoints_are_pruned_by_count_age_and_bytes(tmp_path, in_git):
    root, ledger = make(tmp_path, {"a.py": b"0\n"}, in_git)
    for number in range(1, 9):
        do(root, ledger, f"*** a.py\n@@ 1,2\n+{'x' * 1000}{number}\n", f"t{number}", last_id=number)
    assert [one.number for one in prune(ledger.store, PruneBounds(max_count=6), now=10.0)] == [1, 2]
    ages = [one.note.at for one in ledger.store.list()]
    assert [one.number for one in prune(ledger.store, PruneBounds(max_age_seconds=10), now=ages[2] + 10)] == [
        3,
        4,
    ]
    gone = prune(ledger.store, PruneBounds(max_bytes=3500), now=ages[-1])
    assert [one.number for one in gone] == [5, 6]
    assert [one.number for one in ledger.store.list()] == [7, 8]
    assert prune(ledger.store, PruneBounds(max_count=2), now=ages[-1]) == []
    ledger.undo_turn()
    assert (root / "a.py").read_bytes().endswith(b"7\n")


@GIT
def test_a_number_is_never_given_twice_and_restore_goes_back_to_any_of_them(tmp_path, in_git):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]}, in_git)
    first = do(root, ledger, "*** a.py\n@@ 2,3\n+TWO\n", "t1")
    second = do(root, ledger, "*** a.py\n@@ 5,6\n+FIVE\n", "t2", last_id=4)
    third = do(root, ledger, "*** a.py\n@@ 8,9\n+EIGHT\n", "t3", last_id=8)
    assert [one.checkpoint for one in (first, second, third)] == ["s/1", "s/2", "s/3"]
    assert ledger.restore("s/2").checkpoint == "s/4"
    expected = FILES["a.py"].replace(b"two", b"TWO").replace(b"eight", b"EIGHT")
    assert (root / "a.py").read_bytes() == expected
    with pytest.raises(NothingToDo):
        ledger.restore("s/2")


def test_a_commit_of_several_turns_leaves_out_what_was_undone_and_what_the_person_did_between(tmp_path):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]})
    hunks, tree = hunks_of(root, "*** a.py\n@@ 2,3\n+TWO\n@@ 4,5\n+FOUR\n")
    first = ledger.apply(hunks, tree, turn="t1")
    (root / "a.py").write_bytes((root / "a.py").read_bytes().replace(b"six", b"mine"))
    second = do(root, ledger, "*** a.py\n@@ 8,9\n+EIGHT\n", "t2", last_id=5)
    ledger.undo_hunks([hunks[1].id])
    ledger.commit([first.checkpoint, second.checkpoint], "both\n")
    committed = FILES["a.py"].replace(b"two", b"TWO").replace(b"eight", b"EIGHT")
    assert git(root, "show", "HEAD:a.py").encode() == committed
    assert (root / "a.py").read_bytes() == committed.replace(b"six", b"mine")
    assert git(root, "status", "--porcelain") == " M a.py\n"
    with pytest.raises(NothingToDo):
        ledger.commit([first.checkpoint, second.checkpoint], "again\n")


@GIT
def test_hunks_of_one_answer_can_be_written_one_after_the_other_even_where_they_touch(tmp_path, in_git):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]}, in_git)
    text = "*** a.py\n@@ 2,3\n+TWO\n+and\n@@ 3,4\n+THREE\n@@ 4,4\n+put in\n@@ 4,6\n@@ 8,9\n+EIGHT\n"
    hunks, tree = hunks_of(root, text)
    every, one = ledger.plan(hunks, tree).changes[0].after, []
    seen = [FILES["a.py"]]
    for hunk in (hunks[2], hunks[0], hunks[4], hunks[1], hunks[3]):
        ledger.apply([hunk], tree, turn=f"t{hunk.id}", standing=one)
        one.append(hunk)
        seen.append((root / "a.py").read_bytes())
    assert seen[-1] == every
    for before in reversed(seen[:-1]):
        ledger.undo_turn()
        assert (root / "a.py").read_bytes() == before


def test_a_hunk_of_a_file_that_was_moved_by_another_goes_to_its_new_name(tmp_path):
    root, ledger = make(tmp_path, {"b.py": b"x\ny\n"})
    hunks, tree = hunks_of(
        root, "*** Begin Patch\n*** Update File: b.py\n*** Move to: c.py\n@@\n-y\n+Y\n*** End Patch\n"
    )
    ledger.apply(hunks[:1], tree, turn="t1")
    ledger.apply(hunks[1:], tree, turn="t2", standing=hunks[:1])
    assert states(root) == {"c.py": (b"x\nY\n", 0o644)}


@GIT
def test_a_new_change_ends_the_chance_to_redo_an_old_one(tmp_path, in_git):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]}, in_git)
    do(root, ledger, "*** a.py\n@@ 2,3\n+TWO\n", "t1")
    ledger.undo_turn()
    assert ledger.history.can_redo
    do(root, ledger, "*** a.py\n@@ 7,8\n+SEVEN\n", "t2", last_id=4)
    assert not ledger.history.can_redo
    with pytest.raises(NothingToDo):
        ledger.redo()
    ledger.undo_turn()
    ledger.redo()
    assert (root / "a.py").read_bytes() == FILES["a.py"].replace(b"seven", b"SEVEN")


def test_an_edit_through_a_link_is_committed_and_undone_under_the_targets_own_name(tmp_path):
    root, ledger = make(tmp_path, {"real.py": FILES["a.py"]})
    (root / "link.py").symlink_to("real.py")
    git(root, "add", "link.py")
    git(root, "commit", "--quiet", "-m", "a link")
    written = do(root, ledger, "*** link.py\n@@ 2,3\n+TWO\n", "t1")
    ledger.commit([written.checkpoint], "through a link\n")
    assert git(root, "show", "HEAD:real.py").encode() == FILES["a.py"].replace(b"two", b"TWO")
    assert git(root, "status", "--porcelain") == ""
    ledger.undo_turn()
    assert (root / "link.py").is_symlink() and (root / "real.py").read_bytes() == FILES["a.py"]
