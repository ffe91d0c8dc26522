"""A picture of typing in the file: what is not saved, the hunk that moved, ghost text after the caret."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from support.fake_session import CART, FakeSession, guard
from support.workbench_app import answered, app_for, bench, press, screen_text, settle, until
from textual.pilot import Pilot

from spark_tui.config.settings import Settings


def test_typing_into_the_file_with_ghost_text(snap_compare: Callable[..., bool]) -> None:
    session = FakeSession({"cart.py": CART}, {"guard it": guard()}, Settings(theme="spark-dark"))

    async def run(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        await answered(pilot)
        code = bench(pilot.app).code
        code.focus()
        code.go_to(2)
        await pilot.press("i")
        await until(pilot, lambda: code.editor is not None)
        code.editor.buffer.go_to(2, 99)
        await press(pilot, "enter", "t", "o", "t")
        code.show_ghost("al = Decimal(0)")
        await pilot.pause()
        text = screen_text(pilot.app)
        assert "total = Decimal(0)" in text
        assert "✎" in text
        assert [hunk.start for hunk in code.file.hunks] == [16, 21]

    assert snap_compare(app_for(session, clock=lambda: 0.0), terminal_size=(100, 30), run_before=run)
