"""A write that fails and cannot be rolled back either: what the next start completes can be undone."""

import errno
import os
from contextlib import suppress

import pytest
from support.small_repositories import committed, written

from spark_tui.edits.hunk import Hunk
from spark_tui.errors import SparkError
from spark_tui.session.tree.writer import TreeWriter
from spark_tui.workspace import apply as workspace_apply
from spark_tui.workspace.disk import Disk
from spark_tui.workspace.files import Tree

TEXTS = {"a.txt": "old a\n", "b.txt": "old b\n"}
HUNKS = [Hunk(at, path, 1, (f"old {path[0]}",), (f"new {path[0]}",)) for at, path in enumerate(TEXTS, 1)]


@pytest.mark.parametrize("make", [committed, written], ids=["git", "no git"])
def test_a_write_that_the_next_start_completes_has_its_checkpoint(tmp_path, monkeypatch, make):
    root, real, seen = make(tmp_path / "root", TEXTS), workspace_apply.apply, set()
    for last in range(1, 60):
        left = iter(range(last))

        def step(operation, name, left=left):
            if next(left, None) is None:
                raise OSError(errno.EIO, os.strerror(errno.EIO), name)

        failing = Disk(step)
        monkeypatch.setattr(
            workspace_apply, "apply", lambda ready, folder, disk=failing: real(ready, folder, disk=disk)
        )
        session = f"s{last}"
        with suppress(SparkError):
            TreeWriter(root, tmp_path / "state", session).apply(HUNKS, Tree(root))
        monkeypatch.setattr(workspace_apply, "apply", real)
        again = TreeWriter(root, tmp_path / "state", session)
        again.recover()
        texts = {path: (root / path).read_text() for path in TEXTS}
        assert texts in (TEXTS, {path: text.replace("old", "new") for path, text in TEXTS.items()})
        seen.add(texts == TEXTS)
        if texts != TEXTS:
            again.undo_last()
            assert {path: (root / path).read_text() for path in TEXTS} == TEXTS
    assert seen == {True, False}


@pytest.mark.parametrize("make", [committed, written], ids=["git", "no git"])
@pytest.mark.parametrize(
    ("error", "hint"),
    [(errno.ENOSPC, "Make room on the disk"), (errno.EFBIG, "ulimit -f"), (errno.EIO, "Check")],
)
def test_a_checkpoint_that_cannot_be_written_says_where_and_what_to_do(
    tmp_path, monkeypatch, make, error, hint
):
    root = make(tmp_path / "root", TEXTS)
    ledger = TreeWriter(root, tmp_path / "state", "s")

    def full(*_):
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(type(ledger.store), "_store" if make is committed else "_put", full)
    with pytest.raises(SparkError) as caught:
        ledger.apply(HUNKS, Tree(root))
    assert caught.value.where == str(tmp_path / "state")
    assert caught.value.hint.startswith("Nothing was written. ")
    assert hint in caught.value.hint
    assert caught.value.exit_code == (5 if error == errno.EIO else 7)
    assert {path: (root / path).read_text() for path in TEXTS} == TEXTS
