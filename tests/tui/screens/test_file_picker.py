"""`@`: files and symbols in one list, as they are found; a long list never holds up a key."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from support.fake_session import CART, FakeSession, guard
from support.fakes import FakeBackend
from support.small_repositories import uncommitted
from support.workbench_app import SIZE, Settle, app_for, ask, bench, screen_text

from spark_tui.config.settings import Settings
from spark_tui.session.session import Session
from spark_tui.tui.app import SparkApp
from spark_tui.tui.screens.pickers.picker import AT_ONCE, ChoiceRow, Picker
from spark_tui.tui.settings.startup import Startup

FILES = {"cart.py": CART, "README.md": "# The shop\n", "with space.py": "def lonely():\n    pass\n"}


async def test_a_file_is_named_by_a_few_letters(settle: Settle) -> None:
    app = app_for(FakeSession(FILES, {}))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("@")
        await settle(pilot)
        await pilot.press("s", "p", "a", "c", "enter")
        await settle(pilot)
        assert bench(app).prompt.text == '@"with space.py" '


async def test_a_symbol_is_shown_with_its_place_and_named_by_its_lines(settle: Settle) -> None:
    app = app_for(FakeSession(FILES, {}))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("@")
        await settle(pilot)
        assert "Cart.subtotal" not in screen_text(app), "files come first"
        await pilot.press("s", "u", "b", "t")
        await settle(pilot)
        line = next(line for line in screen_text(app).split("\n") if "Cart.subtotal" in line)
        assert "cart.py:25" in line
        await pilot.press("enter")
        await settle(pilot)
        assert bench(app).prompt.text == "@cart.py:25 "


async def test_what_has_hunks_stands_first(settle: Settle) -> None:
    app = app_for(FakeSession(FILES, {"guard it": guard()}))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await ask(pilot)
        await settle(pilot)
        await pilot.press("@")
        await settle(pilot)
        assert isinstance(app.screen, Picker)
        assert [(c.value, c.detail) for c in app.screen.rows.found[:1]] == [("cart.py", "has hunks")]


async def test_opening_a_symbol_goes_to_its_line(settle: Settle) -> None:
    app = app_for(FakeSession(FILES, {}))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("tab", "f")
        await settle(pilot)
        await pilot.press(*"subtotal", "enter")
        await settle(pilot)
        code = bench(app).code
        assert code.file.path == "cart.py"
        assert code.row_at_cursor().old == 24


async def test_a_hunk_of_another_file_is_not_decided_in_the_file_that_was_opened(settle: Settle) -> None:
    app = app_for(FakeSession(FILES, {"guard it": guard()}))
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await settle(pilot)
        await pilot.press("tab", "f")
        await settle(pilot)
        await pilot.press(*"readme", "enter")
        await settle(pilot)
        assert bench(app).code.file.path == "README.md"
        await pilot.press("a")
        await settle(pilot)
        assert "nothing to accept here" in screen_text(app)
        assert [hunk.state for hunk in bench(app).controller.turn_state.in_view()] == ["closed", "closed"]
        await pilot.press("n", "a")
        await settle(pilot)
        assert bench(app).controller.turn_state.hunks[1].state == "accepted"


async def test_a_file_that_is_gone_meanwhile_is_not_shown_as_an_empty_one(settle: Settle) -> None:
    session = FakeSession(FILES, {})
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("tab", "f")
        await settle(pilot)
        del session.texts["README.md"]
        await pilot.press(*"readme", "enter")
        await settle(pilot)
        assert "README.md: no such file" in screen_text(app)


async def test_enter_before_the_search_is_done_takes_what_it_finds(settle: Settle) -> None:
    """A list that is too long to be searched within a key press."""
    app, taken = app_for(FakeSession({}, {})), list[Any]()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        choices = [ChoiceRow(f"file_{n}.py", f"file_{n}.py") for n in range(AT_ONCE * 2)]
        picker = Picker("file", choices, bench(app).palette)
        app.push_screen(picker, taken.append)
        await settle(pilot)
        begin, found = threading.Event(), picker._found

        def slow(given_up: threading.Event) -> Any:
            begin.wait(60)
            return found(given_up)

        picker._found = slow  # type: ignore[method-assign]
        await pilot.press(*"5432", "enter")
        assert not taken
        begin.set()
        await settle(pilot)
        assert taken == ["file_5432.py"]


async def test_what_is_no_file_stays_text_of_the_prompt(settle: Settle) -> None:
    """A file that does not exist yet, and `@property` in an instruction."""
    app = app_for(FakeSession(FILES, {}))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        for key in ("enter", "space", "escape"):
            await pilot.press("space", "@")
            await settle(pilot)
            await pilot.press("z", "q", "x")
            assert isinstance(app.screen, Picker)
            assert "no match: Enter keeps the text" in screen_text(app)
            await pilot.press(key)
            await settle(pilot)
        assert bench(app).prompt.text == " @zqx @zqx  @zqx"


async def test_what_is_found_after_something_was_chosen_does_no_harm(settle: Settle) -> None:
    """The index of a large repository is still being read while the file has long been named."""
    session = FakeSession(FILES, {})
    begin, symbols = threading.Event(), session.finding.symbols

    def slow(files: Any, stop: threading.Event) -> Any:
        assert begin.wait(60)
        return symbols(files, threading.Event())

    session.finding.symbols = slow  # type: ignore[method-assign]
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("@")
        while not (isinstance(app.screen, Picker) and app.screen.rows.found):
            await pilot.pause(0.01)
        await pilot.press(*"cart.py", "tab")
        while isinstance(app.screen, Picker):
            await pilot.pause(0.01)
        begin.set()
        await settle(pilot)
        assert bench(app).prompt.text == "@cart.py "


async def test_what_was_typed_before_the_files_were_known_reaches_the_prompt(settle: Settle) -> None:
    app = app_for(FakeSession(FILES, {}))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("@")
        await settle(pilot)
        app.screen._first.clear()
        app.screen._more.clear()
        await pilot.press(*"cart.py", "space", *"and")
        await settle(pilot)
        assert bench(app).prompt.text == "@cart.py and"


async def test_what_was_typed_after_a_name_that_is_none_stays_in_the_prompt(settle: Settle) -> None:
    app = app_for(FakeSession(FILES, {}))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("@")
        await settle(pilot)
        await pilot.press(*"zzz", "space", *"and", "escape")
        await settle(pilot)
        assert bench(app).prompt.text == "@zzz and"


async def test_a_space_after_the_whole_name_continues_with_the_prompt(settle: Settle) -> None:
    app = app_for(FakeSession(FILES, {}))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("@")
        await settle(pilot)
        await pilot.press(*"cart.py", "space", *"and")
        await settle(pilot)
        assert bench(app).prompt.text == "@cart.py and"


async def test_enter_after_the_whole_name_sends(settle: Settle) -> None:
    session = FakeSession(FILES, {})
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press(*"look at ", "@")
        await settle(pilot)
        assert "Enter insert" in screen_text(app)
        await pilot.press(*"cart.py")
        await settle(pilot)
        assert "Enter send" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert session.calls[-1][:2] == ("turn", "look at @cart.py")


async def test_a_line_is_jumped_to_by_its_number(settle: Settle) -> None:
    app = app_for(FakeSession(FILES, {}))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await bench(app).open_file.show_file("cart.py")
        await pilot.press("tab", ":", "1", "7", "enter")
        await settle(pilot)
        assert bench(app).code.row_at_cursor().old == 16
        await pilot.press(":", "9", "9", "9", "enter")
        await settle(pilot)
        assert bench(app).code.row_at_cursor().old == len(bench(app).code.file.lines) - 1


async def test_a_path_that_is_not_there_makes_an_empty_file_and_undo_takes_it_away(
    settle: Settle, tmp_path: Path
) -> None:
    root = uncommitted(tmp_path / "shop", {"utils/cart.py": "x = 1\n"})
    session = Session(root, FakeBackend(["x"]), Settings(ghost=False), tmp_path / "state")
    app = SparkApp(Startup(root, session.settings, lambda: session), environ={})
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("tab", "f", *"cart.py")
        await settle(pilot)
        assert isinstance(app.screen, Picker)
        assert [row.label for row in app.screen.rows.found] == ["utils/cart.py", "new file cart.py"]
        await pilot.press("escape")
        for path, label in (("utils/cart.py", "utils/cart.py"), (".gitignore", "new file .gitignore")):
            assert bench(app).slash_command(f"/open {path}")
            await settle(pilot)
            assert isinstance(app.screen, Picker)
            assert [row.label for row in app.screen.rows.found] == [label]
            await pilot.press("escape")
        bench(app).slash_command("/open lib/utils.py")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert bench(app).message[0].startswith("lib/utils.py is new and empty: i types in it")
        await pilot.press("i", *"x=2", "ctrl+s", "escape")
        await settle(pilot)
        assert (root / "lib/utils.py").read_text() == "x=2\n"
        await pilot.press("u", "u")
        await settle(pilot)
        assert not (root / "lib").exists()
