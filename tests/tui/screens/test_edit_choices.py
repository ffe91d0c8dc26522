"""The edits that an instruction may have meant: one key takes one, Esc leaves them."""

from __future__ import annotations

from typing import Any

import pytest
from support.fake_session import CART, FakeSession
from support.workbench_app import SIZE, answered, app_for, bench, press, screen_text, settle
from textual.pilot import Pilot

from spark_tui import events
from spark_tui.session.storage.index_rows import EXACT_BACKEND
from spark_tui.tui.screens.edits.edit_choices import EditChoices
from spark_tui.tui.screens.pickers.page import Page

TITLES = ("rename qty → quantity in Cart.add", "rename qty → quantity in Cart.count", "ask the model")


class Meant(FakeSession):
    """Every instruction may mean several edits."""

    def start(self, ask: Any, *, stop: Any) -> Any:
        self.calls.append(("turn", ask.instruction, ask.in_view))
        yield events.TurnStarted("t", ask.instruction, EXACT_BACKEND, "lines")
        yield events.Choices(TITLES)
        yield events.Finished("choices")


@pytest.fixture
def meant() -> Meant:
    return Meant({"cart.py": CART}, {})


async def _asked(pilot: Pilot[Any]) -> None:
    await settle(pilot)
    await answered(pilot, "rename qty")


@pytest.mark.parametrize(
    ("keys", "number"), [("1", 1), ("2", 2), ("3", 3), ("enter", 1), ("down enter", 2), ("up enter", 3)]
)
@pytest.mark.parametrize("size", [SIZE, (44, 14)])
async def test_a_key_takes_one(keys: str, number: int, size: tuple[int, int], meant: Meant) -> None:
    app = app_for(meant)
    async with app.run_test(size=size) as pilot:
        await _asked(pilot)
        assert isinstance(app.screen, EditChoices)
        shown = screen_text(app)
        assert "1  rename qty" in shown
        assert "3  ask the model" in shown
        await press(pilot, *keys.split())
        assert app.screen is bench(app)
        assert meant.calls[-1] == ("choose", number)


@pytest.mark.parametrize("size", [SIZE, (80, 24), (44, 14)])
async def test_they_take_whole_rows_above_the_prompt(size: tuple[int, int], meant: Meant) -> None:
    """Nothing of what is below shows at their sides."""
    app = app_for(meant)
    async with app.run_test(size=size) as pilot:
        await _asked(pilot)
        rows = [row.rstrip() for row in screen_text(app).split("\n")]
        edge = next(at for at, row in enumerate(rows) if row.startswith("─ you"))
        title, *choices, keys = rows[edge - 5 : edge]
        assert title.startswith("─ several edits may be meant ─"[: size[0]])
        assert title.endswith("─")
        assert [row.strip(" ▸") for row in choices] == [f"{at}  {text}" for at, text in enumerate(TITLES, 1)]
        assert keys.startswith(" 1–3 choose")


async def test_escape_leaves_them_and_they_can_be_taken_later(meant: Meant) -> None:
    app = app_for(meant)
    async with app.run_test(size=SIZE) as pilot:
        await _asked(pilot)
        await press(pilot, "escape")
        assert app.screen is bench(app)
        assert meant.calls[-1][0] == "turn"
        await answered(pilot, "/take 7")
        assert meant.calls[-1][0] == "turn"
        await answered(pilot, "/take 2")
        assert meant.calls.count(("choose", 2)) == 1
        await answered(pilot, "/take 2")
        assert meant.calls.count(("choose", 2)) == 1


async def test_a_function_key_goes_to_what_is_below_a_list(meant: Meant) -> None:
    app = app_for(meant)
    async with app.run_test(size=SIZE) as pilot:
        await _asked(pilot)
        await press(pilot, "f1")
        assert isinstance(app.screen, Page)
        await press(pilot, "escape", "f7")
        assert "model ›" in screen_text(app)
        await press(pilot, "f6")
        assert "session ›" in screen_text(app)
        assert meant.calls[-1][0] == "turn"


async def test_one_is_taken_by_typing_the_command(meant: Meant) -> None:
    app = app_for(meant)
    async with app.run_test(size=SIZE) as pilot:
        await _asked(pilot)
        await press(pilot, "escape")
        await press(pilot, "/", *"take", "space", "2", "enter")
        assert meant.calls[-1] == ("choose", 2)


async def test_a_letter_is_for_the_prompt(meant: Meant) -> None:
    app = app_for(meant)
    async with app.run_test(size=SIZE) as pilot:
        await _asked(pilot)
        await press(pilot, "n", "o")
        assert app.screen is bench(app)
        assert bench(app).prompt.text == "no"


async def test_the_key_in_the_code_opens_them_again(meant: Meant) -> None:
    app = app_for(meant)
    async with app.run_test(size=SIZE) as pilot:
        await _asked(pilot)
        await press(pilot, "escape", "tab", "m")
        assert isinstance(app.screen, EditChoices)


class Beside(FakeSession):
    """A model writes an edit, and the reader knows of others."""

    def start(self, ask: Any, *, stop: Any) -> Any:
        self.calls.append(("turn", ask.instruction, ask.in_view))
        yield events.TurnStarted("t", ask.instruction, self.backend.name, "lines")
        yield events.HunkOpened(1, "cart.py", 1, 1)
        yield events.HunkClosed(1, "cart.py", 1, tuple(CART.splitlines()[:1]), ("changed",))
        yield events.Choices(TITLES)
        yield events.Finished("stop")


async def test_beside_an_edit_they_wait_for_their_key() -> None:
    session = Beside({"cart.py": CART}, {})
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await _asked(pilot)
        assert app.screen is bench(app)
        assert "2 other edits may be meant" in screen_text(app)
        await press(pilot, "tab", "m")
        assert isinstance(app.screen, EditChoices)
        assert "not sure what you mean" in screen_text(app)
        await press(pilot, "2")
        assert session.calls[-1] == ("choose", 2)


class Renamed(FakeSession):
    """A turn that is run again makes another hunk in the place of the one before."""

    def retry(self, *, stop: Any) -> Any:
        yield events.TurnStarted("again", "rename qty", EXACT_BACKEND, "lines")
        yield events.Decided(1, "rejected")
        yield events.HunkOpened(3, "cart.py", 3, 1, "edit", "")
        yield events.HunkClosed(3, "cart.py", 3, ("",), ("# again",))
        yield events.Finished("stop")


async def test_the_hunk_of_a_turn_that_is_run_again_is_the_current_one() -> None:
    script = [
        events.HunkOpened(1, "cart.py", 1, 1, "edit", ""),
        events.HunkClosed(1, "cart.py", 1, (CART.splitlines()[0],), ("# first",)),
    ]
    app = app_for(Renamed({"cart.py": CART}, {"go": script}))
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot, "go")
        await press(pilot, "tab", "n", "t")
        assert bench(app).navigation.current_id == 3
