"""Fixtures of the workbench: an app over a scripted session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.fake_session import CART, FakeSession, guard
from support.idle import count_calls
from support.next_edit_thread import find_next_edits_in_a_thread
from support.parsed_styles import share_parsed_styles
from support.workbench_app import app_for

from spark_tui.tui.app import SparkApp


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for variable in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable.lower()))
    monkeypatch.delenv("NO_COLOR", raising=False)
    count_calls(monkeypatch)
    share_parsed_styles(monkeypatch)
    find_next_edits_in_a_thread(monkeypatch)
    yield


@pytest.fixture
def session() -> FakeSession:
    return FakeSession({"cart.py": CART, "README.md": "# The shop\n"}, {"guard it": guard()})


@pytest.fixture
def app(session: FakeSession) -> SparkApp:
    return app_for(session)
