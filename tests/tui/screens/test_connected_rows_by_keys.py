"""What a connected model and its server may do, on the workbench: the edit is made, or the reason is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.connected_rows import ASK, PATH, ROWS
from support.scripted_model import ScriptedModel
from support.workbench_app import app_for, ask, bench, screen_text, settle, until

from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.retries import RetryLimits
from spark_tui.config.settings import Settings
from spark_tui.session.session import Session


@pytest.mark.parametrize("name", ROWS)
async def test_the_workbench_makes_the_edit_or_says_why_not(
    name: str, repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spark_tui.backends.remote.backend._UNNEEDED_LIST_SECONDS", 0.2)
    row = ROWS[name]
    with ScriptedModel(*row.answers, models=row.models) as server:
        retries = RetryLimits(jitter=lambda: 0.0)
        backend = RemoteBackend(server.url, "m", key="", api=row.api, stall_seconds=1.0, retries=retries)
        session = Session(repo, backend, Settings(), tmp_path / "state")
        app = app_for(session)
        async with app.run_test(size=(120, 36)) as pilot:
            await until(pilot, lambda: not bench(app).controller.opening)
            await ask(pilot, f"{ASK} in {PATH}")
            expected = [*row.says, *(["✓ done", f"+ {row.new.strip()}", "●1"] if row.new else [])]

            def shown() -> str:
                """Wherever its lines are broken, also what the transcript has scrolled by."""
                lines = (line.text for line in bench(app).controller.turn_state.lines)
                return " ".join(" ".join([screen_text(app), *lines]).split())

            for part in expected:
                await until(pilot, lambda part=part: part in shown())
            await settle(pilot)
            seen = screen_text(app)
            assert not [part for part in row.never if part in seen]
            assert "nothing to change" not in seen
        session.close()
