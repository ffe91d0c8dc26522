"""Looking for text in the code pane by keys: where the view goes, what is marked, what Esc does."""

from __future__ import annotations

from typing import Any

from support.fake_session import FakeSession, Pause, guard
from support.workbench_app import SIZE, answered, app_for, ask, bench, press, running, screen_text, settle
from textual import events as textual_events
from textual.pilot import Pilot

from spark_tui.tui.app import SparkApp
from spark_tui.tui.settings.themes import PLAIN


async def look_at_cart(pilot: Pilot[Any]) -> None:
    await settle(pilot)
    await bench(pilot.app).open_file.show_file("cart.py")
    bench(pilot.app).code.focus()
    await settle(pilot)


def title(app: SparkApp) -> str:
    return bench(app).bar("title").text


def footer(app: SparkApp) -> str:
    return bench(app).bar("footer").text


async def test_each_letter_goes_to_the_next_place_and_the_count_is_shown(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await look_at_cart(pilot)
        code = bench(app).code
        await pilot.press("slash", "q")
        assert code.cursor == 6 and "▸/q▏ 1 of " in title(app)
        await pilot.press("t", "y")
        assert code.cursor == 13
        assert "▸/qty▏ 1 of 4 " in title(app)
        await pilot.press("backspace", "backspace", "backspace", *"lines")
        assert "1 of " in title(app)
        assert "Esc go back" in footer(app)


async def test_esc_goes_back_to_where_one_was(app: SparkApp) -> None:
    async with app.run_test(size=(100, 24)) as pilot:
        await look_at_cart(pilot)
        code = bench(app).code
        code.go_to(4)
        before = code.scroll_offset
        await pilot.press("slash", *"return total")
        assert code.cursor == 28 and code.scroll_offset != before
        await press(pilot, "escape")
        assert (code.cursor, code.scroll_offset, code.find) == (4, before, None)
        assert bench(app).focused is code
        assert "cart.py" in title(app)


async def test_enter_stays_n_goes_on_round_the_end_and_esc_ends_it_there(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await look_at_cart(pilot)
        code = bench(app).code
        await pilot.press("slash", *"def ", "enter")
        assert "n next match" in footer(app)
        seen = [code.cursor]
        for key in ("n", "n", "N", "n", "n", "n", "n"):
            await pilot.press(key)
            seen.append(code.cursor)
        assert seen == [8, 13, 18, 13, 18, 21, 24, 8]
        assert "1 of 5, wrapped" in title(app)
        await pilot.press("j", "j", "j", "n")
        assert code.cursor == 13, "from where the keys are"
        await press(pilot, "escape")
        assert (code.cursor, code.find) == (13, None)
        await pilot.press("slash", *"def", "enter", "e")
        assert code.find is not None, "no hunk to type in"


async def test_what_is_not_there_stays_where_it_began_and_says_so(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await look_at_cart(pilot)
        code = bench(app).code
        await pilot.press("slash", *"total")
        assert code.cursor != 0
        await pilot.press("x")
        assert code.cursor == 0
        assert "not found" in title(app)
        await press(pilot, "enter")
        assert code.find is None


async def test_places_are_marked_without_colour_too(session: FakeSession) -> None:
    app = app_for(session, environ={"NO_COLOR": "1"})
    async with app.run_test(size=SIZE) as pilot:
        await look_at_cart(pilot)
        await pilot.press("slash", *"self.lines")
        code = bench(app).code
        strips = [code.render_line(y) for y in range(code.size.height)]
        marked = [(s.text, s.style) for strip in strips for s in strip if s.text == "self.lines"]
        assert code.find is not None and code.find.total == 7
        assert len(marked) > 3
        assert [style.reverse for _, style in marked if style].count(True) == 1
        assert all(style is not None and (style.underline or style.reverse) for _, style in marked)
        assert PLAIN.palette["found"] != PLAIN.palette["found.current"]
        assert "┤" in screen_text(app)


async def test_what_the_model_writes_is_found_and_followed_by_the_count(session: FakeSession) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await answered(pilot)
        await press(pilot, "tab")
        await pilot.press("slash", *"raise")
        code = bench(app).code
        assert code.find is not None and code.find.hit is not None
        assert code.find.hit.new
        assert " of " in title(app)


async def test_esc_stops_the_model_first_and_leaves_the_search_next(session: FakeSession) -> None:
    pause = Pause()
    session.scripts = {"guard it": guard(pause_inside=pause)}
    app = app_for(session)
    async with running(app) as pilot:
        await ask(pilot)
        await pause.come()
        await pilot.press("shift+tab")
        code = bench(app).code
        code.focus()
        await pilot.pause()
        await pilot.press("slash", *"tot")
        await press(pilot, "escape")
        assert not bench(app).controller.turn_state.busy
        assert code.find is not None and code.find.query == "tot"
        await press(pilot, "escape")
        assert code.find is None


async def test_it_begins_in_the_prompt_too_and_what_was_typed_after_the_key_is_looked_for(
    app: SparkApp,
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await look_at_cart(pilot)
        prompt = bench(app).prompt
        prompt.focus()
        await pilot.pause()
        for key in ("ctrl+f", "q", "t", "y"):
            prompt.post_message(textual_events.Key(key, key if len(key) == 1 else None))
        await settle(pilot)
        find = bench(app).code.find
        assert find is not None and (find.query, prompt.text) == ("qty", "")
        assert bench(app).focused is bench(app).code


async def test_letters_after_the_key_in_the_list_of_hunks_are_no_commands(app: SparkApp) -> None:
    async with running(app) as pilot:
        await answered(pilot)
        workbench = bench(app)
        workbench.list.focus()
        await pilot.pause()
        for key in ("slash", "a", "r"):
            workbench.list.post_message(textual_events.Key(key, "/" if key == "slash" else key))
        await settle(pilot)
        assert workbench.code.find is not None and workbench.code.find.query == "ar"
        assert len(workbench.controller.turn_state.open_hunks()) == 2


async def test_with_no_file_open_it_says_so_and_the_letters_stay_in_the_prompt(app: SparkApp) -> None:
    async with running(app) as pilot:
        await press(pilot, "ctrl+f", "a")
        assert bench(app).prompt.text == "a"
        assert bench(app).code.find is None


async def test_enter_alone_looks_for_the_same_again(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await look_at_cart(pilot)
        code = bench(app).code
        await press(pilot, "slash", *"def ", "enter", "escape")
        await pilot.press("slash", "enter")
        assert code.cursor == 13


async def test_what_is_folded_is_unfolded_while_one_looks(app: SparkApp) -> None:
    async with running(app) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "z")
        code = bench(app).code
        folded = code.layout_rows.height
        await pilot.press("slash")
        assert code.layout_rows.height > folded
        await press(pilot, "escape")
        assert code.layout_rows.height == folded


async def test_a_place_far_to_the_right_comes_into_view(session: FakeSession) -> None:
    session.texts["cart.py"] = "first\n" + "\t界" * 3_000 + "needle\n" + "last needle\n"
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await look_at_cart(pilot)
        code = bench(app).code
        await press(pilot, "slash", *"needle")
        assert "needle" in code.render_line(1).text
        await press(pilot, "down")
        assert code.scroll_offset.x == 0


async def test_another_window_takes_the_focus_and_neither_the_search_nor_the_footer_goes(
    app: SparkApp,
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await look_at_cart(pilot)
        in_the_code = footer(app)
        app.post_message(textual_events.AppBlur())
        await settle(pilot)
        bench(app).paint_status()
        assert bench(app).focused is None
        assert footer(app) == in_the_code
        app.post_message(textual_events.AppFocus())
        await pilot.press("slash", *"qt")
        app.post_message(textual_events.AppBlur())
        await settle(pilot)
        app.post_message(textual_events.AppFocus())
        await settle(pilot)
        await pilot.press("y")
        find = bench(app).code.find
        assert find is not None and (find.query, find.typing) == ("qty", True)


async def test_typing_begins_at_the_place_that_was_found_and_goes_on_at_the_next_one(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await look_at_cart(pilot)
        code = bench(app).code
        await press(pilot, "slash", *"qty=1", "enter", "i")
        assert code.editor is not None and code.find is None
        await pilot.press(*"my_")
        assert code.editor.buffer.lines[13] == "    def add(self, sku, my_qty=1):"
        await pilot.press("ctrl+f", *"+ qty", "enter", "end", "#")
        assert code.editor.buffer.lines[15].endswith("+ qty#")
