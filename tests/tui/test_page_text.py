from __future__ import annotations

import re
import time

import pytest
from rich.cells import cell_len
from textual.app import App

from spark_tui.tui.page_text import diff_rows, help_rows, welcome_rows
from spark_tui.tui.screens.overlays import _when
from spark_tui.tui.screens.pickers.page import Page, PageRows
from spark_tui.tui.settings.keys import ACTIONS, keymap
from spark_tui.tui.settings.themes import PLAIN

PATCH = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-old\x1b\n+new\n+\n same\n"


def test_each_line_of_a_diff_is_a_row_in_its_style() -> None:
    rows = diff_rows(PATCH)
    assert [row[0][1] for row in rows] == ["title", "number", "number", "open", "old", "new", "new", "text"]
    assert rows[4] == [(" -old␛", "old")]
    assert rows[1:3] == [rows[1], rows[2]]
    assert len(rows) == 8


def test_an_empty_diff_says_so() -> None:
    assert [piece for row in diff_rows("\n") for piece in row] == [
        (" nothing would be written", "title.soft")
    ]


def test_a_large_diff_is_not_read_before_it_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr("spark_tui.tui.page_text.visible", lambda line: made.append(line) or line)
    rows = diff_rows("+line\n" * 50_000)
    assert (len(rows), made) == (50_000, [])
    assert rows[49_999] == [(" +line", "new")]
    assert len(made) == 1


@pytest.mark.parametrize("cells", [40, 60, 80, 120, 300])
def test_every_key_is_said_whole_in_any_width(cells: int) -> None:
    rows = help_rows(keymap(), cells)
    said = " ".join("".join(text for text, _ in row) for row in rows)
    words = " ".join(said.split())
    for action in ACTIONS:
        assert " ".join(action.help.split()[:3]) in words
        assert action.help.split()[-1] in words
    assert max(cell_len("".join(text for text, _ in row)) for row in rows) <= cells


async def test_a_change_far_to_the_right_of_the_plain_diff_can_be_reached() -> None:
    rows = diff_rows("diff --git a/a b/a\n-" + "x" * 9_000 + "old\n+" + "x" * 9_000 + "new\n")

    class Shown(App[None]):
        def on_mount(self) -> None:
            self.push_screen(Page("diff", rows, PLAIN.palette))

    app = Shown()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()

        def text() -> str:
            shown = app.screen.query_one(PageRows)
            return "\n".join(shown.render_line(y).text for y in range(4))

        assert "…" in text() and "new" not in text()
        await pilot.press("dollar_sign")
        assert "new" in text() and "old" in text() and "…" not in text()
        await pilot.press("0")
        assert "diff --git" in text()
        await pilot.press("right", "left")
        assert "diff --git" in text()


def test_when_a_session_changed_last_is_short() -> None:
    assert re.fullmatch(r"\d\d:\d\d", _when(time.time()))
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", _when(time.time() - 3 * 86_400))


def test_the_welcome_fits_a_terminal_of_60_columns() -> None:
    rows = welcome_rows(keymap(), "shop")
    assert any("For example: rename " in text for row in rows for text, _ in row)
    assert max(sum(cell_len(text) for text, _ in row) for row in rows) <= 60
