"""Where a line of code goes on out of view."""

from __future__ import annotations

import pytest
from support.fake_session import FakeSession
from support.workbench_app import app_for, bench, press, running, screen_text

FITS, LONG, WIDE = "x = 'fits'", f"y = '{'long ' * 40}'", f"z = '{'漢' * 90}'"


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_a_line_that_is_cut_says_so_until_its_end_is_in_view(size: tuple[int, int]) -> None:
    app = app_for(FakeSession({"wide.py": f"{FITS}\n{LONG}\n{WIDE}\n{' ' * 150}\n"}, {}))
    async with running(app, size) as pilot:
        await bench(app).open_file.show_file("wide.py")
        await press(pilot, "tab")
        assert marked(screen_text(app)) == ["  ", " …", " …", "  "]
        await press(pilot, "l")
        assert marked(screen_text(app)) == ["… ", "……", "……", "  "]
        await press(pilot, *["l"] * 20)
        assert marked(screen_text(app)) == ["… ", "… ", "… ", "  "]


def marked(screen: str) -> list[str]:
    """For each line of the file, what stands at its left edge and, as a mark, at its right one."""
    rows = screen.split("\n")
    first = next(at for at, row in enumerate(rows) if "wide.py" in row) + 1
    lines = (row.partition("│")[2] if row[20:30].count("│") else row for row in rows[first : first + 4])
    cells = (line[8:].rstrip(" │┃●") for line in lines)
    return [(line[:1] if line[:1] == "…" else " ") + (" " if line[1:][-1:] != "…" else "…") for line in cells]


async def test_the_mark_never_covers_where_one_types() -> None:
    app = app_for(FakeSession({"wide.py": f"{LONG}\n"}, {}))
    async with running(app, (80, 24)) as pilot:
        await bench(app).open_file.show_file("wide.py")
        await press(pilot, "tab", "i", "end")
        code = bench(app).code
        for _ in range(160):
            await pilot.press("left")
            assert code.editor is not None
            assert code.editor.buffer.column > code.scroll_offset.x or not code.scroll_offset.x
