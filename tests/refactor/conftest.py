"""Rules that stumble are seen here; elsewhere they make nothing."""

from __future__ import annotations

import pytest

from spark_tui.refactor import known


@pytest.fixture(autouse=True)
def _rules_raise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "raises", True)
