"""Repairs are looked for as long as it takes: two seconds of a busy machine are too few for some."""

import pytest

from spark_tui.intent.trying import repairs


@pytest.fixture(autouse=True)
def _time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repairs, "_SECONDS", 20.0)
