from __future__ import annotations

import asyncio
from collections.abc import Iterator
from threading import Event

import pytest
from support.fake_session import CART, FakeSession, Pause, guard
from support.workbench_app import (
    SIZE,
    answered,
    app_for,
    ask,
    bench,
    halfway,
    press,
    running,
    screen_text,
    settle,
    until,
)
from textual.scrollbar import ScrollBar

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.errors import Refused
from spark_tui.tui.app import SparkApp
from spark_tui.tui.screens.pickers.page import PageRows
from spark_tui.tui.settings.startup import Startup


async def test_hunks_grow_in_place_while_they_stream() -> None:
    async with halfway() as (app, pilot, _, pause):
        turn_state = bench(app).controller.turn_state
        await until(pilot, lambda: 1 in turn_state.hunks and turn_state.hunks[1].tail)
        await pilot.pause()
        text = screen_text(app)
        assert "+         if qty < 1:" in text
        assert "▊" in text
        assert "Esc stop" in text
        pause.go()
        await settle(pilot)
        assert "▊" not in screen_text(app)


async def test_help_lists_every_action_with_its_keys_in_force(session: FakeSession) -> None:
    session.settings = Settings(keys={"accept": "ctrl+t"})
    app = app_for(session)
    async with running(app) as pilot:
        await pilot.press("f1")
        await pilot.pause()
        rows = app.screen.query_one(PageRows)._rows
        said = "\n".join("".join(text for text, _ in row) for row in rows)
        assert f" of {len(rows)} ─" in screen_text(app), "how long it is"
        assert " 1–" in screen_text(app)
        for action in app.active_keymap.keys:
            assert app.active_keymap.shown_all(action) in said
        assert "Ctrl+T" in said


async def test_hostile_text_is_drawn_as_marks() -> None:
    script = [
        events.Token(1, "x"),
        events.Prose("\x1b]0;owned\x07 \u202edrowssap\n"),
        events.HunkOpened(1, "e\x1bvil.py", 1, 0, "add"),
        events.HunkText(1, "a = '\x1b[2J'\n"),
        events.HunkClosed(1, "e\x1bvil.py", 1, (), ("a = '\x1b[2J'",), "add"),
    ]
    app = app_for(FakeSession({}, {"go": script}))
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot, "go")
        text = screen_text(app)
        assert not [char for char in text if ord(char) < 32 and char != "\n"]
        assert "\u202e" not in text
        for mark in ("␛]0;owned␇", "‹202E›", "e␛vil.py", "␛[2J"):
            assert mark in text


@pytest.mark.parametrize("size", [(40, 12), (60, 16), (80, 24), (120, 40), (200, 60), (300, 100)])
async def test_every_size_shows_code_prompt_and_keys(app: SparkApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await answered(pilot)
        lines = screen_text(app).split("\n")
        assert len(lines) == size[1]
        # Both hunks do not fit on the smallest: which one is in view depends on the frames drawn.
        assert any("raise ValueError(" in line or "return not self.lines" in line for line in lines)
        assert lines[-3].startswith(" › ")
        assert "Tab" in lines[-1]


async def test_a_screen_that_is_too_small_for_it_has_no_scrollbar(app: SparkApp) -> None:
    async with app.run_test(size=(20, 6)) as pilot:
        await settle(pilot)
        assert not any(bar.display and bar.region for bar in pilot.app.screen.query(ScrollBar))
        assert not bench(app).scrollbars_enabled[0]


async def test_a_resize_storm_ends_with_the_picture_of_the_last_size(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await pilot.press("tab", "g")
        await pilot.pause()
        before = screen_text(app)
        for width, height in ((60, 16), (200, 50), (80, 24), (61, 40), SIZE):
            await pilot.resize_terminal(width, height)
        await settle(pilot)
        assert screen_text(app) == before


async def test_the_theme_changes_live_and_the_text_stays(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        name = app.themes.theme.name
        await pilot.press("f4")
        await pilot.pause()
        assert app.themes.theme.name != name
        assert "; F5 keeps one" in screen_text(app)
        assert bench(app).code._painter.text.style is app.themes.theme.palette


async def test_no_color_takes_the_theme_without_colour(session: FakeSession) -> None:
    app = app_for(session, environ={"NO_COLOR": "1"})
    async with app.run_test(size=SIZE) as pilot:
        assert app.themes.theme.name == "mono"
        await pilot.press("f4")
        assert app.themes.theme.name == "mono"


async def test_problems_of_keys_and_themes_are_in_the_transcript(session: FakeSession) -> None:
    session.settings = Settings(keys={"acept": "x"}, theme="spark-drak")
    app = app_for(session)
    async with running(app):
        text = screen_text(app)
        assert "did you mean `accept`?" in text
        assert "did you mean `spark-dark`?" in text
        assert app.themes.theme.name == "spark-dark"


async def test_the_view_follows_until_the_person_scrolls_and_follows_again_on_demand() -> None:
    long = "".join(f"line {n}\n" for n in range(400))
    pause = Pause()
    new = [f"new {n}" for n in range(60)]
    script = [
        events.Token(1, "x"),
        events.HunkOpened(1, "long.txt", 200, 0),
        *(events.HunkText(1, line + "\n") for line in new),
        pause,
        events.HunkClosed(1, "long.txt", 200, (), tuple(new)),
    ]
    app = app_for(FakeSession({"long.txt": long}, {"go": script}))
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot, "go")
        await pause.come()
        await until(pilot, lambda: "new 59" in screen_text(app))
        await pilot.press("shift+tab", "shift+tab", "g")
        await pilot.pause()
        assert "line 0" in screen_text(app)
        assert "writes in long.txt:259" in screen_text(app)
        bench(app).navigation.pick(0)
        await pilot.press(".")
        await pilot.pause()
        assert "new 59" in screen_text(app)
        assert bench(app).navigation.current_id == 1, "the keys are about what is followed"
        await pilot.press("up")
        await pilot.pause()
        assert "new 55" in screen_text(app)
        pause.go()
        await settle(pilot)


async def test_an_answer_that_comes_at_once_is_jumped_to_in_another_file() -> None:
    at_once = [
        events.HunkOpened(3, "b.py", 1, 1),
        events.HunkText(3, "two\n"),
        events.HunkClosed(3, "b.py", 1, ("one",), ("two",)),
    ]
    app = app_for(FakeSession({"cart.py": CART, "b.py": "one\n"}, {"guard it": guard(), "other": at_once}))
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        assert bench(app).code.file.path == "cart.py"
        await answered(pilot, "other")
        await until(pilot, lambda: bench(app).code.file.path == "b.py")
        await settle(pilot)
        assert "+ two" in " ".join(screen_text(app).split())


async def test_a_file_that_is_read_late_does_not_hide_the_one_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pause, closed = Pause(), events.HunkClosed(3, "b.py", 1, ("one",), ("two",))
    scripts = {"guard it": guard(), "other": [pause, events.HunkOpened(3, "b.py", 1, 1), closed]}
    app = app_for(FakeSession({"cart.py": CART, "b.py": "one\n"}, scripts))
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        controller, later = bench(app).controller, asyncio.Event()
        lines_of = controller.lines_of

        async def late(path: str, *, wanted: bool = False) -> object:
            found = await lines_of(path, wanted=wanted)
            if path == "cart.py":
                await later.wait()
            return found

        monkeypatch.setattr(controller, "lines_of", late)
        await ask(pilot, "other")
        await pause.come()
        pause.go()
        await until(pilot, lambda: bench(app).code.file.path == "b.py")
        later.set()
        await settle(pilot)
        assert bench(app).code.file.path == "b.py"


async def test_a_file_that_is_named_is_shown_though_nothing_in_it_changes(
    session: FakeSession, app: SparkApp
) -> None:
    session.scripts = {
        "look at @README.md": [events.Finished("stop")],
        "see @cart.py": [events.Finished("stop")],
    }
    async with running(app) as pilot:
        await answered(pilot, "look at @README.md")
        assert bench(app).code.file.path == "README.md"
        assert "# The shop" in screen_text(app)
        await answered(pilot, "see @cart.py")
        assert bench(app).code.file.path == "README.md", "what somebody looks at is not taken away"


async def test_the_line_at_which_spark_is_opened_has_lines_around_it() -> None:
    session = FakeSession({"long.py": "".join(f"a{at} = {at}\n" for at in range(1, 100))}, {})
    start = Startup(session.root, session.settings, lambda: session, {}, shown=("long.py", 40))
    app = SparkApp(start, environ={})
    async with running(app, (80, 24)):
        assert "a40 = 40" in screen_text(app)
        assert "a45 = 45" in screen_text(app)


@pytest.mark.parametrize(("size", "rows"), [((80, 16), 1), ((80, 24), 3)])
async def test_of_a_long_error_the_beginning_is_seen_where_there_are_few_rows(
    app: SparkApp, size: tuple[int, int], rows: int
) -> None:
    failed = events.Failed("no such model", hint="One of these would do: " + "another one, " * 30)
    async with running(app, size) as pilot:
        assert bench(app).transcript.size.height == rows
        bench(app)._changed(bench(app).controller.turn_state.apply([failed]))
        await settle(pilot)
        shown = screen_text(app).split("\n")
        first = next(at for at, row in enumerate(shown) if "no such model" in row)
        assert shown[first].startswith(" ! no such model")
        assert shown[first + rows - 1].rstrip().endswith("…")
        await answered(pilot)
        assert "no such model" not in screen_text(app), "what comes next is seen next"
        assert "2 hunks in cart.py" in screen_text(app)


async def test_old_lines_are_struck_while_the_new_ones_come_and_by_the_word_once_they_are_there() -> None:
    pause = Pause()
    old, new = "        return len(self.lines) == 0", "        return not self.lines"
    script = [
        events.HunkOpened(1, "cart.py", 20, 1),
        events.HunkText(1, new[:20]),
        pause,
        events.HunkText(1, new[20:] + "\n"),
        events.HunkClosed(1, "cart.py", 20, (old,), (new,)),
    ]
    app = app_for(FakeSession({"cart.py": CART}, {"guard it": script}))

    def struck() -> list[str]:
        code = bench(app).code
        strips = [code.render_line(y) for y in range(code.size.height)]
        return [s.text.strip() for strip in strips for s in strip if s.style and s.style.strike]

    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pause.come()
        turn_state = bench(app).controller.turn_state
        await until(pilot, lambda: turn_state.hunks.get(1) and turn_state.hunks[1].tail)
        await pilot.pause()
        whole = struck()
        pause.go()
        await settle(pilot)
        assert whole == [old.strip()]
        assert struck() and old.strip() not in struck()


async def test_the_list_of_hunks_has_all_of_them_when_the_screen_becomes_wide(app: SparkApp) -> None:
    async with running(app, (100, 32)) as pilot:
        await pilot.resize_terminal(80, 24)
        await answered(pilot)
        assert "1  L15" not in screen_text(app)
        await pilot.resize_terminal(120, 32)
        await settle(pilot)
        assert "1  L15" in screen_text(app)
        assert "2  L20" in screen_text(app)


LONG = "".join(f"line_{number} = {number}\n" for number in range(1, 200))


async def test_a_line_that_is_jumped_to_is_seen_with_lines_around_it() -> None:
    app = app_for(FakeSession({"long.py": LONG}, {}))
    async with running(app, (100, 32)) as pilot:
        await bench(app).open_file.show_file("long.py")
        await press(pilot, "tab", ":")
        assert "line of 199" in screen_text(app) and "0 of 0" not in screen_text(app)
        await press(pilot, "9", "0", "enter")
        assert all(f"line_{number} = " in screen_text(app) for number in (85, 90, 95))
        for _ in range(12):
            await pilot.press("j")
        assert all(f"line_{number} = " in screen_text(app) for number in (102, 105))


async def test_a_kept_session_opens_at_what_is_to_decide() -> None:
    change = (
        events.HunkOpened(1, "long.py", 150, 1),
        events.HunkClosed(1, "long.py", 150, ("line_150 = 150",), ("line_150 = 0",)),
    )
    session = FakeSession({"long.py": LONG}, {"clear it": change})
    past = list(session.start(ContextRequest("clear it"), stop=Event()))
    app = app_for(session, past)
    async with running(app, (100, 32)):
        assert "line_150 = 0" in screen_text(app)
        assert bench(app).focused is bench(app).prompt


async def test_a_task_that_cannot_be_done_is_said_and_ends_nothing() -> None:
    async def read() -> None:
        raise Refused("this is a binary file", where="long.py")

    app = app_for(FakeSession({"long.py": LONG}, {}))
    async with running(app, (100, 32)) as pilot:
        bench(app).start_task(read)
        await settle(pilot)
        assert "long.py: this is a binary file" in screen_text(app)


async def test_a_problem_that_has_no_room_on_the_status_line_is_told_in_the_transcript(app: SparkApp) -> None:
    async with running(app):
        told = "cart.py:19: the file changed on disk in the same lines — " + "nothing was written " * 4
        bench(app).show_message("short", True)
        bench(app).show_message(told, True)
        assert bench(app).message[0].startswith("nothing was written"), "what is cut off is not the remedy"
        lines = bench(app).controller.turn_state.lines
        assert [(line.speaker, line.text) for line in lines] == [("error", told)]
        assert "nothing was written nothing was written" in screen_text(app)


async def test_a_change_beyond_the_edge_of_a_long_line_is_brought_into_view() -> None:
    line = "value = [" + "1, " * 60 + "{}]"
    hunk = events.HunkClosed(1, "a.py", 1, (line.format("LAST"),), (line.format("NEXT"),))
    app = app_for(FakeSession({"a.py": line.format("LAST") + "\n"}, {"guard it": [hunk]}))
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        assert "LAST]" in screen_text(app) and "NEXT]" in screen_text(app)
        await press(pilot, "tab", "left", "left", "n")
        assert "NEXT]" in screen_text(app)


async def test_a_doubt_about_an_answer_that_changes_nothing_is_not_shown() -> None:
    nothing = events.HunkClosed(1, "cart.py", 1, (), ())
    app = app_for(FakeSession({"cart.py": CART}, {"guard it": [nothing, events.Doubt(1, 0.2, "unsure")]}))
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        assert "the edit changes nothing" in screen_text(app)
        assert "unsure" not in screen_text(app)


async def test_a_message_is_shown_before_its_turn_begins_and_once_when_it_has() -> None:
    class Slow(FakeSession):
        def start(self, ask: ContextRequest, *, stop: Event) -> Iterator[events.Event]:
            begins.wait(stop)
            yield from super().start(ask, stop=stop)

    begins = Pause()
    app = app_for(Slow({"cart.py": CART}, {"guard it": guard()}))
    async with running(app) as pilot:
        await ask(pilot)
        await until(pilot, lambda: "› guard it" in screen_text(app))
        assert not bench(app).controller.turn_state.lines
        begins.go()
        await settle(pilot)
        assert screen_text(app).count("guard it") == 1
