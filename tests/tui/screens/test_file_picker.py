"""`@`: files and symbols in one list, as they are found; a long list never holds up a key."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from support.fake_session import CART, FakeSession, guard
from support.fakes import FakeBackend
from support.small_repositories import uncommitted
from support.workbench_app import (
    SIZE,
    answered,
    app_for,
    bench,
    command,
    press,
    running,
    screen_text,
    settle,
    until,
)

from spark_tui.config.settings import Settings
from spark_tui.session.session import Session
from spark_tui.tui.screens.pickers.picker import AT_ONCE, ChoiceRow, Picker

FILES = {"cart.py": CART, "README.md": "# The shop\n", "with space.py": "def lonely():\n    pass\n"}


async def test_a_file_is_named_by_a_few_letters() -> None:
    app = app_for(FakeSession(FILES, {}))
    async with running(app) as pilot:
        await press(pilot, "@")
        await press(pilot, "s", "p", "a", "c", "enter")
        assert bench(app).prompt.text == '@"with space.py" '


async def test_of_a_long_query_the_end_is_in_view_and_a_word_is_deleted_at_once() -> None:
    app = app_for(FakeSession(FILES, {}))
    async with running(app, (80, 24)) as pilot:
        await press(pilot, "ctrl+p", *("word " * 20).replace(" ", "_"), "space", *"theend")
        assert "theend▏" in screen_text(app)
        await press(pilot, "ctrl+w")
        assert "_ ▏" in screen_text(app)
        await press(pilot, "ctrl+w")
        assert "word" not in screen_text(app).splitlines()[3]
        assert isinstance(app.screen, Picker) and app.screen.typed == ""


async def test_a_symbol_is_shown_with_its_place_and_named_by_its_lines() -> None:
    app = app_for(FakeSession(FILES, {}))
    async with running(app) as pilot:
        await press(pilot, "@")
        assert "Cart.subtotal" not in screen_text(app), "files come first"
        await press(pilot, "s", "u", "b", "t")
        line = next(line for line in screen_text(app).split("\n") if "Cart.subtotal" in line)
        assert "cart.py:25" in line
        await press(pilot, "enter")
        assert bench(app).prompt.text == "@cart.py:25 "


async def test_what_has_hunks_stands_first() -> None:
    app = app_for(FakeSession(FILES, {"guard it": guard()}))
    async with running(app) as pilot:
        await answered(pilot)
        await press(pilot, "@")
        assert isinstance(app.screen, Picker)
        assert [(c.value, c.detail) for c in app.screen.rows.found[:1]] == [("cart.py", "has hunks")]


async def test_opening_a_symbol_goes_to_its_line() -> None:
    app = app_for(FakeSession(FILES, {}))
    async with running(app) as pilot:
        await press(pilot, "tab", "f")
        await press(pilot, *"subtotal", "enter")
        code = bench(app).code
        assert code.file.path == "cart.py"
        assert code.row_at_cursor().old == 24


async def test_a_hunk_of_another_file_is_not_decided_in_the_file_that_was_opened() -> None:
    app = app_for(FakeSession(FILES, {"guard it": guard()}))
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "f")
        await press(pilot, *"readme", "enter")
        assert bench(app).code.file.path == "README.md"
        await press(pilot, "a")
        assert "nothing to accept here" in screen_text(app)
        assert [hunk.state for hunk in bench(app).controller.turn_state.in_view()] == ["closed", "closed"]
        await press(pilot, "n", "a")
        assert bench(app).controller.turn_state.hunks[1].state == "accepted"


async def test_a_file_that_is_gone_meanwhile_is_not_shown_as_an_empty_one() -> None:
    session = FakeSession(FILES, {})
    app = app_for(session)
    async with running(app) as pilot:
        await press(pilot, "tab", "f")
        del session.texts["README.md"]
        await press(pilot, *"readme", "enter")
        assert "README.md: no such file" in screen_text(app)


async def test_enter_before_the_search_is_done_takes_what_it_finds() -> None:
    """A list that is too long to be searched within a key press."""
    app, taken = app_for(FakeSession({}, {})), list[Any]()
    async with running(app) as pilot:
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


async def test_a_search_ends_while_more_and_more_is_found_to_choose_from() -> None:
    """Among 100,000 files it takes longer than the index from one batch of symbols to the next."""
    app = app_for(FakeSession({}, {}))
    async with running(app) as pilot:
        choices = [ChoiceRow(f"file_{n}.py", f"file_{n}.py") for n in range(AT_ONCE * 2)]
        picker = Picker("file", choices, bench(app).palette, query="5432")
        begin, found, searches = threading.Event(), picker._found, list[threading.Event]()

        def slow(given_up: threading.Event) -> Any:
            searches.append(given_up)
            begin.wait(60)
            return found(given_up)

        picker._found = slow  # type: ignore[method-assign]
        app.push_screen(picker)
        await until(pilot, lambda: searches)
        picker.add([ChoiceRow("later_5432.py", "later_5432.py")])
        await pilot.pause()
        assert "looking …" in screen_text(app)
        assert len(searches) == 1
        assert not searches[0].is_set()
        begin.set()
        await until(pilot, lambda: len(picker.rows.found) == 2)


async def test_until_the_files_are_listed_nothing_is_said_not_to_match() -> None:
    session, listed = FakeSession(FILES, {}), threading.Event()
    app, files = app_for(session), session.finding.files

    def slow() -> Any:
        listed.wait(60)
        return files()

    session.finding.files = slow  # type: ignore[method-assign]
    async with running(app) as pilot:
        await pilot.press("@", "c", "a", "r", "t")
        await until(pilot, lambda: "looking …" in screen_text(app))
        assert "no match" not in screen_text(app)
        listed.set()
        await settle(pilot)
        assert "cart.py" in screen_text(app)


async def test_what_is_no_file_stays_text_of_the_prompt() -> None:
    """A file that does not exist yet, and `@property` in an instruction."""
    app = app_for(FakeSession(FILES, {}))
    async with running(app) as pilot:
        for key in ("enter", "space", "escape"):
            await press(pilot, "space", "@")
            await pilot.press("z", "q", "x")
            assert isinstance(app.screen, Picker)
            assert "no match: Enter keeps the text" in screen_text(app)
            await press(pilot, key)
        assert bench(app).prompt.text == " @zqx @zqx  @zqx"


async def test_what_is_found_after_something_was_chosen_does_no_harm() -> None:
    """The index of a large repository is still being read while the file has long been named."""
    session = FakeSession(FILES, {})
    begin, symbols = threading.Event(), session.finding.symbols

    def slow(files: Any, stop: threading.Event) -> Any:
        assert begin.wait(60)
        return symbols(files, threading.Event())

    session.finding.symbols = slow  # type: ignore[method-assign]
    app = app_for(session)
    async with running(app) as pilot:
        await pilot.press("@")
        await until(pilot, lambda: isinstance(app.screen, Picker) and app.screen.rows.found)
        await pilot.press(*"cart.py", "tab")
        await until(pilot, lambda: not isinstance(app.screen, Picker))
        begin.set()
        await settle(pilot)
        assert bench(app).prompt.text == "@cart.py "


async def test_what_was_typed_before_the_files_were_known_reaches_the_prompt() -> None:
    app = app_for(FakeSession(FILES, {}))
    async with running(app) as pilot:
        await press(pilot, "@")
        app.screen._first.clear()
        app.screen._more.clear()
        await press(pilot, *"cart.py", "space", *"and")
        assert bench(app).prompt.text == "@cart.py and"


async def test_what_was_typed_after_a_name_that_is_none_stays_in_the_prompt() -> None:
    app = app_for(FakeSession(FILES, {}))
    async with running(app) as pilot:
        await press(pilot, "@")
        await press(pilot, *"zzz", "space", *"and", "escape")
        assert bench(app).prompt.text == "@zzz and"


async def test_a_space_after_the_whole_name_continues_with_the_prompt() -> None:
    app = app_for(FakeSession(FILES, {}))
    async with running(app) as pilot:
        await press(pilot, "@")
        await press(pilot, *"cart.py", "space", *"and")
        assert bench(app).prompt.text == "@cart.py and"


async def test_enter_after_the_whole_name_sends() -> None:
    session = FakeSession(FILES, {})
    app = app_for(session)
    async with running(app) as pilot:
        await press(pilot, *"look at ", "@")
        assert "Enter insert" in screen_text(app)
        await press(pilot, *"cart.py")
        assert "Enter send" in screen_text(app)
        await press(pilot, "enter")
        assert session.calls[-1][:2] == ("turn", "look at @cart.py")


async def test_a_line_is_jumped_to_by_its_number() -> None:
    app = app_for(FakeSession(FILES, {}))
    async with running(app) as pilot:
        await bench(app).open_file.show_file("cart.py")
        await press(pilot, "tab", ":", "1", "7", "enter")
        assert bench(app).code.row_at_cursor().old == 16
        await press(pilot, ":", "9", "9", "9", "enter")
        assert bench(app).code.row_at_cursor().old == len(bench(app).code.file.lines) - 1


async def test_a_path_that_is_not_there_makes_an_empty_file_and_undo_takes_it_away(tmp_path: Path) -> None:
    root = uncommitted(tmp_path / "shop", {"utils/cart.py": "x = 1\n"})
    session = Session(root, FakeBackend(["x"]), Settings(ghost=False), tmp_path / "state")
    app = app_for(session)
    async with running(app) as pilot:
        await press(pilot, "tab", "f", *"cart.py")
        assert isinstance(app.screen, Picker)
        assert [row.label for row in app.screen.rows.found] == ["utils/cart.py", "new file cart.py"]
        await pilot.press("escape")
        await command(pilot, "/open .gitignore")
        assert isinstance(app.screen, Picker)
        assert [row.label for row in app.screen.rows.found] == ["new file .gitignore"]
        await pilot.press("escape")
        await command(pilot, "/open lib/utils.py")
        await press(pilot, "enter")
        assert bench(app).message[0].startswith("lib/utils.py is new and empty: i types in it")
        await press(pilot, "i", *"x=2", "ctrl+s", "escape")
        assert (root / "lib/utils.py").read_text() == "x=2\n"
        await press(pilot, "u", "u")
        assert not (root / "lib").exists()


async def test_a_path_that_is_typed_in_full_is_opened_without_a_list(tmp_path: Path) -> None:
    root = uncommitted(tmp_path / "shop", {"utils/cart.py": "x = 1\n", "my file.py": "a\nb\nc\nd\n"})
    (tmp_path / "other.py").write_text("y = 1\n")
    session = Session(root, FakeBackend(["x"]), Settings(ghost=False), tmp_path / "state")
    app = app_for(session)
    async with running(app) as pilot:
        await command(pilot, "/open ./utils/cart.py")
        assert not isinstance(app.screen, Picker)
        assert bench(app).code.file.path == "utils/cart.py"
        for path in ('"my file.py"', "@my file.py:3"):
            await command(pilot, f"/open {path}")
            assert not isinstance(app.screen, Picker)
            assert bench(app).code.file.path == "my file.py"
        assert bench(app).code.row_at_cursor().old == 2
        for path in ("../other.py", "/etc/hosts", "utils", "cart.py", "utils/\0"):
            await command(pilot, f"/open {path}")
            assert isinstance(app.screen, Picker)
            await pilot.press("escape")


async def test_quitting_in_a_list_quits() -> None:
    app = app_for(FakeSession(FILES, {}))
    async with running(app) as pilot:
        await bench(app).open_file.show_file("cart.py")
        await press(pilot, "tab", ":", "q", "ctrl+q")
        assert not app.is_running
