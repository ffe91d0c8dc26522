"""What a connected model and its server may do, in a real terminal; `tests/tui/screens` has all rows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.connected_rows import ASK, PATH, ROWS
from support.scripted_model import ScriptedModel
from support.tmux_terminal import Shop, Start

pytestmark = pytest.mark.terminal


def contains(part: str) -> Callable[[str], bool]:
    """Whether a screen has these words, wherever its lines are broken."""
    return lambda screen: part in " ".join(screen.split())


@pytest.mark.parametrize("name", ["a unified diff", "it looks for itself", "a stall", "a missing key"])
def test_the_workbench_makes_the_edit_or_says_why_not(name: str, start: Start, shop: Shop) -> None:
    row = ROWS[name]
    with ScriptedModel(*row.answers, models=row.models) as server:
        words = ["--connect", server.url, "--model", "m", "--api", row.api]
        terminal = start(*words, live=True, environ={"SPARK_MODEL_STALL_SECONDS": "1"})
        terminal.enter(f"{ASK} in {PATH}")
        for part in row.says:
            terminal.until(contains(part), part)
        if row.new:
            terminal.until("✓ done")
            terminal.until(f"+ {row.new}")
            terminal.until("●1")
        seen = terminal.screen()
        assert not [part for part in row.never if part in seen]
        assert "nothing to change" not in seen
