"""While a repository is being indexed, an answer is found in so many files that it comes soon."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from support.scripted_backend import Scripted

from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.session.exact import exact_turns
from spark_tui.session.session import Session


@pytest.mark.parametrize(("indexed", "read"), [(1, 1), (2, 2), (4, 2)])
def test_of_many_indexed_files_some_are_read_beside_the_file_in_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, indexed: int, read: int
) -> None:
    monkeypatch.setattr(exact_turns, "_MOST_SO_FAR", 2)
    root = tmp_path / "tree"
    root.mkdir()
    for name in "abcdef":
        (root / f"{name}.py").write_text(f"{name} = 1\n")
    session = Session(root, Scripted({}), Settings(), tmp_path / "state")
    exact, stop = session.exact, threading.Event()
    exact.load(stop)
    exact._indexed, exact._loading, exact.done = False, True, indexed
    with exact.reading(ContextRequest("set f to 2", in_view="f.py"), stop) as edits:
        assert list(edits.files.paths()) == [*(f"{name}.py" for name in "abcdef"[:read]), "f.py"]
        assert edits.partly.startswith(f"Only {read} of 6 files are read so far")
    session.close()
