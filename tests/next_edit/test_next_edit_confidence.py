"""From which confidence a candidate is shown."""

from __future__ import annotations

import pytest

from spark_tui.next_edit import confidence


@pytest.mark.parametrize(
    ("sure", "features", "shown"),
    [
        (0.85, {}, True),
        (0.75, {}, False),
        (0.85, {"in prose": 1.0}, False),
        (0.96, {"in prose": 1.0}, True),
        (0.65, {"scope next": 1.0}, True),
        (0.85, {"scope next": 1.0, "in prose": 1.0}, False),
    ],
)
def test_what_is_shown_depends_on_the_kind_of_change(
    monkeypatch: pytest.MonkeyPatch, sure: float, features: dict[str, float], shown: bool
) -> None:
    weights = {"name": {"least": 0.8, "least of next": 0.6}}
    monkeypatch.setattr(confidence, "_table", lambda: weights)
    assert confidence.is_shown("name", sure, 1, features) is shown
    assert not confidence.is_shown("other", 1.0, 1, features)
