"""What a closed session knew of a large repository is freed when the next one is loaded."""

from __future__ import annotations

import weakref
from pathlib import Path
from threading import Event

import pytest
from support.fakes import FakeBackend
from support.small_repositories import committed

from spark_tui.config.settings import Settings
from spark_tui.pysource.repository import Repository
from spark_tui.session.session import Session


def loaded(root: Path, state: Path) -> weakref.ref[Repository]:
    """The repository of a session that was loaded and closed."""
    session = Session(root, FakeBackend(["x"]), Settings(), state)
    session.exact.load(Event())
    edits = session.exact._edits
    assert edits is not None
    session.close()
    return weakref.ref(edits.repo)


def test_the_next_session_frees_what_a_closed_one_knew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = committed(tmp_path / "root", {f"m{number}.py": f"x = {number}\n" for number in range(100)})
    first = loaded(root, tmp_path / "one")
    loaded(root, tmp_path / "two")
    assert first() is None
