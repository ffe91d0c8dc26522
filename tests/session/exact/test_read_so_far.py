"""While a repository is being indexed, an answer is found in so many files that it comes soon."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from support.scripted_backend import Scripted
from support.small_repositories import committed

from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.session.exact import exact_turns
from spark_tui.session.session import Session
from spark_tui.workspace import file_listing


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


@pytest.mark.parametrize("most", [2, 6])
def test_before_the_first_file_is_indexed_a_large_repository_is_not_read_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(exact_turns, "_MOST_SO_FAR", most)
    root = committed(tmp_path / "tree", {f"{name}.py": f"the_{name} = 1\n" for name in "abcdef"})
    session = Session(root, Scripted({}), Settings(), tmp_path / "state")
    exact, stop = session.exact, threading.Event()
    for _ in range(2):
        with (
            exact.announced(),
            exact.reading(ContextRequest("set the_e to 2", in_view="a.py"), stop) as edits,
        ):
            few = ["a.py", "e.py"] if most == 2 else [f"{name}.py" for name in "abcdef"]
            assert list(edits.files.paths()) == few
            assert ("Only 0 of 6 files are read so far" in edits.partly) == (most == 2)
    endless = " ".join(f"{'x' * 20}_{number}" for number in range(100_000))
    with exact.announced(), exact.reading(ContextRequest(f"{endless} {'the_e' * 50_000}"), stop) as edits:
        assert list(edits.files.paths()) == ([] if most == 2 else few)
    with exact.reading(ContextRequest("set the_e to 2"), stop) as edits:
        assert len(list(edits.files.paths())) == 6 and not edits.partly
    session.close()


@pytest.mark.parametrize("words", ["in far/e.py set the_e to 2", "set the_e to 2 in e.py", "set it to 2"])
def test_a_named_file_is_read_however_many_files_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.setattr(file_listing, "MOST_CODE", 1)
    for name in ("a.py", "b.py", "far/e.py", "far/f.py"):
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).write_text("the_e = 1\n")
    session = Session(tmp_path / "tree", Scripted({}), Settings(), tmp_path / "state")
    exact, stop = session.exact, threading.Event()
    exact.load(stop)
    for asked in (ContextRequest(words), ContextRequest("nothing"), ContextRequest(words)):
        with exact.reading(asked, stop) as edits:
            named = ["far/e.py"] * ("e.py" in asked.instruction)
            assert list(edits.files.paths()) == ["a.py", "b.py", *named]
            assert edits.repo.has("far/e.py") == bool(named)
            assert edits.partly
    with exact.reading(ContextRequest("set it to 2", in_view="far/f.py"), stop) as edits:
        assert "far/f.py" in edits.files.paths()
    session.close()
