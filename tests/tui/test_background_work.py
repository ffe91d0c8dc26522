"""Work in the background ends with the screen that it works on."""

import asyncio

import pytest
from textual.app import App
from textual.dom import NoScreen
from textual.widgets import Static

from spark_tui.tui.background_work import start_work


class Text(Static):
    """Tells when it is taken down, which is before its screen is."""

    def on_mount(self):
        self.gone = asyncio.Event()

    def on_unmount(self):
        self.gone.set()


class Shown(App):
    def compose(self):
        yield Text("text")


async def reaches(reached, *, while_the_app_ends):
    """Work that asks for the screen of what has none."""
    app = Shown()

    async def work():
        if while_the_app_ends:
            await app.query_one(Text).gone.wait()
        reached.append(True)
        assert Static().screen

    async with app.run_test() as pilot:
        start_work(app.screen, work, "work")
        await pilot.pause()


async def test_work_under_way_while_the_screen_is_taken_down_is_no_failure():
    reached = []
    await asyncio.wait_for(reaches(reached, while_the_app_ends=True), 20)
    assert reached


async def test_work_that_finds_no_screen_before_is_one():
    with pytest.raises(Exception, match="no screen") as raised:
        await asyncio.wait_for(reaches([], while_the_app_ends=False), 20)
    assert isinstance(raised.value.error, NoScreen)
