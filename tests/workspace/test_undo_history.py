"""Undo and redo by hunk, turn and session, inside and outside of git."""

import tempfile

import pytest
from hypothesis import strategies as st
from support.edit_writers import PLAIN, changes, write
from support.git_command import git
from support.property_tests import law
from support.working_trees import FILES, FIRST, GIT, bytes_of, do, hunks_of, make, make_dirty, states

from spark_tui.errors import NothingToDo, Refused, SparkError, TreeChanged
from spark_tui.session.tree.writer import TreeWriter
from spark_tui.workspace.apply import ChangedMeanwhile, ConflictedFile


@GIT
def test_undo_brings_back_every_byte_and_redo_takes_them_again(tmp_path, in_git):
    root, ledger = make(tmp_path, FILES, in_git)
    before = states(root)
    do(root, ledger, FIRST, "t1")
    after = states(root)
    assert after["moved.py"][0] == b"x\r\nY" and "b.py" not in after and "old/c.py" not in after
    ledger.undo_last()
    assert states(root) == before
    if in_git:
        assert git(root, "status", "--porcelain") == ""
    ledger.redo()
    assert states(root) == after
    with pytest.raises(NothingToDo):
        ledger.redo()


@GIT
def test_turns_are_undone_from_the_newest(tmp_path, in_git):
    root, ledger = make(tmp_path, FILES, in_git)
    seen = [states(root)]
    do(root, ledger, FIRST, "t1")
    seen.append(states(root))
    do(root, ledger, "*** a.py\n@@ 1,2\n+ONE\n", "t2", last_id=20)
    seen.append(states(root))
    do(root, ledger, "*** a.py\n@@ 1,1\n+zero\n", "t3", last_id=30)
    seen.append(states(root))
    ledger.undo_last()
    assert states(root) == seen[2]
    ledger.undo_last()
    assert states(root) == seen[1]
    ledger.redo()
    assert states(root) == seen[2]
    ledger.redo()
    assert states(root) == seen[3]


@GIT
def test_an_older_turn_is_undone_under_a_newer_one(tmp_path, in_git):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]}, in_git)
    first = do(root, ledger, "*** a.py\n@@ 2,3\n+TWO\n", "t1")
    do(root, ledger, "*** a.py\n@@ 7,8\n+SEVEN\n", "t2", last_id=5)
    ledger.undo_hunks(first.hunks)
    assert (root / "a.py").read_bytes() == FILES["a.py"].replace(b"seven", b"SEVEN")


@GIT
def test_undo_removes_the_folders_that_the_write_made_and_no_others(tmp_path, in_git):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]}, in_git)
    (root / "empty" / "inner").mkdir(parents=True)
    do(root, ledger, "*** empty/inner/new/b.py\n@@ 1,1\n+b\n*** made/c.py\n@@ 1,1\n+c\n", "t1")
    for _ in range(2):
        ledger.undo_last()
        assert {path.name for path in root.iterdir()} - {".git"} == {"a.py", "empty"}
        assert [path.name for path in root.rglob("empty/**/*")] == ["inner"]
        ledger.redo()
        assert (root / "empty" / "inner" / "new" / "b.py").read_text() == "b\n"
        assert (root / "made" / "c.py").read_text() == "c\n"


@GIT
@pytest.mark.parametrize("first", [0, 1])
def test_a_folder_goes_with_the_last_of_its_files_in_any_order(first, tmp_path, in_git):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]}, in_git)
    turns = [do(root, ledger, f"*** made/{n}.py\n@@ 1,1\n+c\n", f"t{n}", last_id=n) for n in (5, 6)]
    for turn in (turns[first], turns[not first]):
        assert (root / "made").is_dir()
        ledger.undo_hunks(turn.hunks)
    assert not (root / "made").exists()


@GIT
def test_two_writes_of_one_turn_are_undone_one_by_one(tmp_path, in_git):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]}, in_git)
    seen = [states(root)]
    do(root, ledger, "*** a.py\n@@ 2,3\n+TWO\n", "t1")
    seen.append(states(root))
    do(root, ledger, "*** a.py\n@@ 7,8\n+SEVEN\n", "t1", last_id=5)
    seen.append(states(root))
    for go, state in ((ledger.undo_last, 1), (ledger.redo, 2), (ledger.undo_last, 1), (ledger.undo_last, 0)):
        go()
        assert states(root) == seen[state]


@GIT
def test_single_hunks_are_undone_and_what_the_person_did_elsewhere_stays(tmp_path, in_git):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]}, in_git)
    hunks, tree = hunks_of(root, "*** a.py\n@@ 2,3\n+TWO\n@@ 7,8\n+SEVEN\n+more\n")
    ledger.apply(hunks, tree, turn="t1")
    (root / "a.py").write_bytes(b"# mine\n" + (root / "a.py").read_bytes())
    written = ledger.undo_hunks([hunks[1].id])
    assert written.hunks == (hunks[1].id,)
    assert (root / "a.py").read_bytes() == b"# mine\n" + FILES["a.py"].replace(b"two", b"TWO")
    ledger.undo_last()
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
        ledger.undo_last()
    assert (root / "a.py").read_bytes() == mine
    assert caught.value.what == "the file changed on disk in the same lines since spark wrote it"
    shown = caught.value.as_dict()["files"][0]["clashes"][0]
    assert shown == {"line": 2, "disk": "my two\n", "edit": "two\n"}


@GIT
def test_what_the_person_took_back_already_does_not_stop_the_undo_of_earlier_turns(tmp_path, in_git):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]}, in_git)
    do(root, ledger, "*** a.py\n@@ 2,3\n+TWO\n", "t1")
    first = states(root)
    do(root, ledger, "*** a.py\n@@ 7,8\n+SEVEN\n", "t2", last_id=5)
    (root / "a.py").write_bytes(first["a.py"][0])
    assert ledger.undo_last().paths == ()
    ledger.undo_last()
    assert (root / "a.py").read_bytes() == FILES["a.py"]
    ledger.redo()
    assert states(root) == first


def test_undo_in_a_file_that_is_gone_says_so(tmp_path):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]})
    do(root, ledger, "*** a.py\n@@ 2,3\n+TWO\n", "t1")
    (root / "a.py").unlink()
    with pytest.raises(ConflictedFile, match="deleted or moved"):
        ledger.undo_last()
    assert not (root / "a.py").exists()


def test_undoing_a_new_file_that_was_edited_since_is_refused(tmp_path):
    root, ledger = make(tmp_path, {"a.py": b"x\n"})
    do(root, ledger, "*** Begin Patch\n*** Add File: n.py\n+a\n*** End Patch\n", "t1")
    (root / "n.py").write_text("a\nmine\n")
    with pytest.raises(TreeChanged):
        ledger.undo_last()
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
    ledger.undo_last()
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


def test_a_file_that_was_deleted_since_it_was_read_is_not_said_to_have_other_lines(tmp_path):
    root, ledger = make(tmp_path, FILES)
    hunks, tree = hunks_of(root, "*** a.py\n@@ 2,3\n+TWO\n")
    (root / "a.py").unlink()
    with pytest.raises(ConflictedFile, match="the file was deleted or moved since it was read"):
        ledger.apply(hunks, tree, turn="t1")
    assert not (root / "a.py").exists()


@st.composite
def edits_of_two_files(draw):
    return [(name, *draw(changes(tuple(PLAIN)))) for name in ("a.py", "b.py")]


@law(edits=edits_of_two_files(), in_git=st.booleans(), data=st.data(), quick=12)
def test_undo_after_apply_is_the_identity_whatever_was_applied(edits, in_git, data):
    with tempfile.TemporaryDirectory() as tmp:
        root, ledger = make_dirty(tmp, {name: bytes_of(old) for name, old, _ in edits}, in_git)
        before = states(root)
        status = git(root, "status", "--porcelain") if in_git else ""
        text = "".join(write("lines", name, old, new) for name, old, new in edits if old != new)
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
                ledger.undo_last()
            assert states(root) == before
            ledger.redo()
            if rest:
                ledger.redo()
        else:
            ledger.undo_last()
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
    ledger.undo_last()
    assert (root / "inner" / "a.py").read_bytes() == FILES["a.py"]
    assert (root / "a.py").read_bytes() == b"outer\n"


def test_a_commit_of_several_turns_leaves_out_what_was_undone_and_what_the_person_did_between(tmp_path):
    root, ledger = make(tmp_path, {"a.py": FILES["a.py"]})
    hunks, tree = hunks_of(root, "*** a.py\n@@ 2,3\n+TWO\n@@ 4,5\n+FOUR\n")
    ledger.apply(hunks, tree, turn="t1")
    (root / "a.py").write_bytes((root / "a.py").read_bytes().replace(b"six", b"mine"))
    do(root, ledger, "*** a.py\n@@ 8,9\n+EIGHT\n", "t2", last_id=5)
    ledger.undo_hunks([hunks[1].id])
    ledger.commit(0, "both\n")
    committed = FILES["a.py"].replace(b"two", b"TWO").replace(b"eight", b"EIGHT")
    assert git(root, "show", "HEAD:a.py").encode() == committed
    assert (root / "a.py").read_bytes() == committed.replace(b"six", b"mine")
    assert git(root, "status", "--porcelain") == " M a.py\n"
    with pytest.raises(NothingToDo):
        ledger.commit(0, "again\n")


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
        ledger.undo_last()
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
    ledger.undo_last()
    assert ledger.history.can_redo
    do(root, ledger, "*** a.py\n@@ 7,8\n+SEVEN\n", "t2", last_id=4)
    assert not ledger.history.can_redo
    with pytest.raises(NothingToDo):
        ledger.redo()
    ledger.undo_last()
    ledger.redo()
    assert (root / "a.py").read_bytes() == FILES["a.py"].replace(b"seven", b"SEVEN")


def test_an_edit_through_a_link_is_committed_and_undone_under_the_targets_own_name(tmp_path):
    root, ledger = make(tmp_path, {"real.py": FILES["a.py"]})
    (root / "link.py").symlink_to("real.py")
    git(root, "add", "link.py")
    git(root, "commit", "--quiet", "-m", "a link")
    do(root, ledger, "*** link.py\n@@ 2,3\n+TWO\n", "t1")
    ledger.commit(0, "through a link\n")
    assert git(root, "show", "HEAD:real.py").encode() == FILES["a.py"].replace(b"two", b"TWO")
    assert git(root, "status", "--porcelain") == ""
    ledger.undo_last()
    assert (root / "link.py").is_symlink() and (root / "real.py").read_bytes() == FILES["a.py"]


def test_a_read_only_file_is_left_as_it_is(tmp_path):
    root, ledger = make(tmp_path, FILES)
    (root / "a.py").chmod(0o444)
    hunks, tree = hunks_of(root, "*** a.py\n@@ 2,3\n+TWO\n*** b.py\n@@ 1,2\n+X\n")
    before = states(root)
    with pytest.raises(Refused, match="read-only") as refused:
        ledger.apply(hunks, tree, turn="t1")
    assert states(root) == before
    assert "chmod u+w a.py" in refused.value.hint


def test_a_conflict_counts_the_other_files():
    files = [ChangedMeanwhile(name, ()) for name in "abc"]
    assert "(and 1 more file)" in ConflictedFile(files[:2]).what
    assert "(and 2 more files)" in ConflictedFile(files).what
