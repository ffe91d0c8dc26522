"""Where a line of code goes on out of view."""

from __future__ import annotations

import pytest
from support.fake_session import FakeSession
from support.workbench_app import app_for, bench, press, running, screen_text

FITS, LONG, WIDE = "x = 'fits'", f"y = '{'long ' * 40}'", f"z = '{'漢' * 90}'"


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_a_line_that_is_cut_says_so_until_its_end_is_in_view(size: tuple[int, int]) -> None:
    app = app_for(FakeSession({"wide.py": f"{FITS}\n{LONG}\n{WIDE}\n"}, {}))
    async with running(app, size) as pilot:
        await bench(app).open_file.show_file("wide.py")
        await press(pilot, "tab")
        assert marked(screen_text(app)) == [False, True, True]
        await press(pilot, *["l"] * 20)
        assert marked(screen_text(app)) == [False, False, False]


def marked(screen: str) -> list[bool]:
    """For each line of the file, whether a mark stands at its right edge."""
    rows = screen.split("\n")
    first = next(at for at, row in enumerate(rows) if "wide.py" in row) + 1
    return [row.rstrip(" │┃").endswith("…") for row in rows[first : first + 3]]
