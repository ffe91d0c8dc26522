"""Several programs write one file at the same time: what they change elsewhere is merged, not refused."""

import threading

import pytest
from support.small_repositories import written

from spark_tui.edits.hunk import Hunk
from spark_tui.errors import TreeChanged
from spark_tui.session.tree.writer import TreeWriter
from spark_tui.workspace import apply as workspace_apply
from spark_tui.workspace.checkpoints import ChangedContents, CheckpointNote, FileContent, contents
from spark_tui.workspace.file_checkpoints import FileCheckpoints
from spark_tui.workspace.files import Tree

LINES = [f"line {number}\n" for number in range(40)]


@pytest.fixture
def root(tmp_path):
    return written(tmp_path / "root", {"a.txt": "".join(LINES)})


def at(number, text):
    return Hunk(1, "a.txt", number + 1, (f"line {number}",), (text,))


def beside(monkeypatch, root, changes):
    """Before each write somebody else makes the next of the changes."""
    real = workspace_apply.apply

    def apply(ready, journal_dir):
        if changes:
            old, new = changes.pop(0)
            path = root / "a.txt"
            path.write_text(path.read_text().replace(old, new))
        return real(ready, journal_dir)

    monkeypatch.setattr(workspace_apply, "apply", apply)


def test_a_change_between_reading_and_writing_is_merged(root, tmp_path, monkeypatch):
    ledger, tree = TreeWriter(root, tmp_path / "state", "s"), Tree(root)
    tree.file("a.txt")
    beside(monkeypatch, root, [("line 3\n", "theirs\n"), ("line 9\n", "theirs too\n")])
    written = ledger.apply([at(20, "mine")], tree)
    assert written.merged == ("a.txt",)
    text = (root / "a.txt").read_text().splitlines()
    assert (text[3], text[9], text[20]) == ("theirs", "theirs too", "mine")
    assert [item.number for item in ledger.store.list("s")] == [1]
    ledger.undo_last()
    assert (root / "a.txt").read_text().splitlines()[20] == "line 20"


def test_a_change_between_reading_and_undoing_is_merged(root, tmp_path, monkeypatch):
    ledger, tree = TreeWriter(root, tmp_path / "state", "s"), Tree(root)
    ledger.apply([at(20, "mine")], tree)
    for go, line in ((ledger.undo_last, "line 20"), (ledger.redo, "mine")):
        beside(monkeypatch, root, [("line 3\n", "theirs\n"), ("line 9\n", "theirs too\n")])
        go()
        text = (root / "a.txt").read_text().splitlines()
        assert (text[3], text[9], text[20]) == ("theirs", "theirs too", line)
        (root / "a.txt").write_text(
            "\n".join(text).replace("theirs too", "line 9").replace("theirs", "line 3")
        )
    assert [item.note.kind for item in ledger.store.list("s")] == ["apply", "undo", "redo"]


def test_the_same_lines_are_refused_and_an_endless_change_too(root, tmp_path, monkeypatch):
    ledger, tree = TreeWriter(root, tmp_path / "state", "s"), Tree(root)
    tree.file("a.txt")
    beside(monkeypatch, root, [("line 20\n", "theirs\n")])
    with pytest.raises(TreeChanged, match="same lines"):
        ledger.apply([at(20, "mine")], tree)
    assert "mine" not in (root / "a.txt").read_text()
    with pytest.raises(TreeChanged, match="same lines"):
        ledger.check_apply([at(20, "mine")], tree)
    ledger.check_apply([at(30, "mine")], tree)
    assert "mine" not in (root / "a.txt").read_text()
    beside(monkeypatch, root, [(f"line {number}\n", f"x{number}\n") for number in range(15)])
    with pytest.raises(TreeChanged, match="during the write"):
        ledger.apply([at(30, "mine")], tree)
    assert ledger.store.list("s") == []


def test_six_at_once_are_all_written(root, tmp_path):
    together, failed = threading.Barrier(6), []

    def one(number):
        ledger, tree = TreeWriter(root, tmp_path / "state", f"s{number}"), Tree(root)
        tree.file("a.txt")
        together.wait()
        try:
            ledger.apply([at(number * 6, f"mine {number}")], tree)
        except TreeChanged as error:
            failed.append(error)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    text = (root / "a.txt").read_text().splitlines()
    assert text[:36:6] == [f"mine {number}" for number in range(6)] and not failed


def test_contents_are_not_forgotten_before_their_record_is_written(tmp_path, monkeypatch):
    mine, other = FileCheckpoints(tmp_path), FileCheckpoints(tmp_path)
    forgets = threading.Thread(target=other.remove, args=([],))
    real = FileCheckpoints._put

    def put(store, data):
        key = real(store, data)
        if not forgets.ident:
            forgets.start()
            forgets.join(0.2)  # it ends within it only where it does not wait
        return key

    monkeypatch.setattr(FileCheckpoints, "_put", put)
    kept = mine.save(
        "s", CheckpointNote(), ChangedContents({"a": FileContent(b"before")}, {"a": FileContent(b"after")})
    )
    forgets.join()
    sides = [contents(mine, kept.files, side)[kept.files[0].path].data for side in ("before", "after")]
    assert sides == [b"before", b"after"]
