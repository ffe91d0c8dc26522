"""Each pane shows whether the keys are in it, also without colours."""

from __future__ import annotations

from support.fake_session import FakeSession
from support.workbench_app import answered, app_for, bench, press, running, screen_text

from spark_tui.tui.app import SparkApp


def signs(app: SparkApp) -> list[str]:
    """The line above the code from its sign on, and the current row of the list."""
    rows = screen_text(app).split("\n")
    row = next(row for row in rows if "L15" in row)
    return [bench(app).bar("title").text[:8], row.partition("│")[0].rstrip()[-1]]


async def test_the_code_and_the_list_say_whether_they_have_the_keys(session: FakeSession) -> None:
    app = app_for(session, environ={"NO_COLOR": "1"})
    async with running(app) as pilot:
        await answered(pilot)
        await press(pilot, "tab")
        assert signs(app) == ["▸cart.py", "▹"]
        await press(pilot, "tab")
        assert signs(app) == [" cart.py", "▸"]
        await press(pilot, "escape")
        assert signs(app) == [" cart.py", "▹"]
