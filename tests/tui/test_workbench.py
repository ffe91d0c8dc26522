from __future__ import annotations

import asyncio
import threading

import pytest
from fake_session import CART, FakeSession, Pause, guard
from settling import Settle, app_for
from textual.events import Paste as TextualPaste
from textual.pilot import Pilot

from spark_tui import events
from spark_tui.config import Settings
from spark_tui.errors import Refused
from spark_tui.tui.app import SparkApp
from spark_tui.tui.screens.page import Page, Rows
from spark_tui.tui.screens.workbench import Workbench

SIZE = (100, 32)


def screen_text(app: SparkApp) -> str:
    """What stands on the terminal, a line a row."""
    size = app.screen.size
    lines = app.screen._compositor.render_strips(size) if hasattr(app.screen._compositor, "render_strips") else []
    return "\n".join(strip.text for strip in lines)


def bench(app: SparkApp) -> Workbench:
    assert app.workbench is not None
    return app.workbench


async def ask(pilot: Pilot[int], text: str = "guard it") -> None:
    bench(pilot.app).prompt.insert(text)  # type: ignore[arg-type]
    await pilot.press("enter")


async def test_a_prompt_becomes_hunks_and_accepting_writes_the_file(
    session: FakeSession, app: SparkApp, settle: Settle
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await settle(pilot)
        assert [hunk.state for hunk in bench(app).conductor.board.in_view()] == ["closed", "closed"]
        await pilot.press("tab", "a", "a", "w")
        await settle(pilot)
        assert session.calls == [
            ("turn", "guard it", ""),
            ("decide", 1, "accepted", ""),
            ("decide", 2, "accepted", ""),
            ("write",),
        ]
        assert "if qty < 1:" in session.texts["cart.py"]
        assert "wrote 2 hunks to cart.py" in screen_text(app)


async def test_rejecting_every_hunk_leaves_the_file_untouched(
    session: FakeSession, app: SparkApp, settle: Settle
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await settle(pilot)
        await pilot.press("tab", "r", "r", "w")
        await settle(pilot)
        assert session.texts["cart.py"] == CART
        assert "nothing to write here" in screen_text(app)


async def test_undo_gives_the_file_back(session: FakeSession, app: SparkApp, settle: Settle) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await settle(pilot)
        await pilot.press("tab", "a", "w")
        await settle(pilot)
        assert session.texts["cart.py"] != CART
        await pilot.press("u")
        await settle(pilot)
        assert session.texts["cart.py"] == CART
        assert bench(app).conductor.board.hunks[1].state == "undone"


async def test_hunks_grow_in_place_while_they_stream(settle: Settle) -> None:
    pause = Pause()
    app = app_for(FakeSession({"cart.py": CART}, {"guard it": guard(pause_inside=pause)}))
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await asyncio.to_thread(pause.reached.wait, 5)
        while bench(app).conductor.board.hunks.get(1) is None or not bench(app).conductor.board.hunks[1].tail:
            await pilot.pause()
        await pilot.pause()
        text = screen_text(app)
        assert "+         if qty < 1:" in text
        assert "▊" in text
        assert "Esc stops" in text
        pause.go()
        await settle(pilot)
        assert "▊" not in screen_text(app)


async def test_escape_stops_and_leaves_a_partial_hunk_that_can_be_dropped(settle: Settle) -> None:
    pause = Pause()
    session = FakeSession({"cart.py": CART}, {"guard it": guard(pause_inside=pause)})
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await asyncio.to_thread(pause.reached.wait, 5)
        await pilot.press("escape")
        await settle(pilot)
        assert bench(app).conductor.board.hunks[1].state == "partial"
        assert bench(app).focused is bench(app).prompt
        await pilot.press("tab", "r")
        await settle(pilot)
        assert session.calls[-1] == ("decide", 1, "dropped", "")


async def test_a_closed_hunk_is_decided_while_the_next_one_streams(settle: Settle) -> None:
    pause = Pause()
    session = FakeSession({"cart.py": CART}, {"guard it": guard(pause_after=pause)})
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await asyncio.to_thread(pause.reached.wait, 5)
        while not bench(app).conductor.board.open_hunks():
            await pilot.pause()
        await pilot.press("shift+tab", "shift+tab", "a")
        while bench(app).conductor.board.hunks[1].state != "accepted":
            await pilot.pause()
        assert bench(app).conductor.running
        pause.go()
        await settle(pilot)
        assert bench(app).conductor.board.hunks[2].state == "closed"


async def test_enter_while_it_writes_stops_it_and_says_the_new_thing(settle: Settle) -> None:
    pause = Pause()
    session = FakeSession({"cart.py": CART}, {"guard it": guard(pause_inside=pause)})
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await asyncio.to_thread(pause.reached.wait, 5)
        await ask(pilot, "no")
        await settle(pilot)
        assert [call[1] for call in session.calls if call[0] == "turn"] == ["guard it", "no"]
        assert bench(app).prompt.text == ""


async def test_tab_queues_and_the_queue_is_said_in_its_order(settle: Settle) -> None:
    pause = Pause()
    session = FakeSession({"cart.py": CART}, {"guard it": guard(pause_inside=pause)})
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await asyncio.to_thread(pause.reached.wait, 5)
        for text in ("one", "two"):
            await pilot.press(*text, "tab")
        await pilot.pause()
        assert "2 queued" in screen_text(app)
        pause.go()
        await settle(pilot)
        assert [call[1] for call in session.calls if call[0] == "turn"] == ["guard it", "one", "two"]


async def test_a_decision_that_the_session_refuses_is_taken_back_and_said(
    session: FakeSession, app: SparkApp, settle: Settle
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await settle(pilot)
        session.refuse = Refused("the file is locked", where="cart.py", hint="Unlock it.")
        await pilot.press("tab", "a")
        await settle(pilot)
        assert bench(app).conductor.board.hunks[1].state == "closed"
        assert "cart.py: the file is locked — Unlock it." in screen_text(app)


async def test_quitting_while_it_streams_leaves_no_thread_behind() -> None:
    pause = Pause()
    session = FakeSession({"cart.py": CART}, {"guard it": guard(pause_inside=pause)})
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await asyncio.to_thread(pause.reached.wait, 5)
        await pilot.press("ctrl+q")
    assert session.closed
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("spark-")]


async def test_quitting_asks_once_when_accepted_hunks_are_not_written(app: SparkApp, settle: Settle) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await settle(pilot)
        await pilot.press("tab", "a", "ctrl+q")
        await settle(pilot)
        assert "1 accepted hunk is not written" in screen_text(app)
        assert app.is_running
        await pilot.press("ctrl+q")
        await pilot.pause()
    assert app.return_value == 0


async def test_next_previous_and_the_ends_wrap_round(app: SparkApp, settle: Settle) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await settle(pilot)
        await pilot.press("tab")
        seen = [bench(app).walk.current_id]
        for key in ("n", "n", "p"):
            await pilot.press(key)
            await pilot.pause()
            seen.append(bench(app).walk.current_id)
        assert seen == [1, 2, 1, 2]


async def test_the_diff_page_shows_what_would_be_written(app: SparkApp, settle: Settle) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await settle(pilot)
        await pilot.press("tab", "a", "enter")
        await settle(pilot)
        assert isinstance(app.screen, Page)
        text = screen_text(app)
        assert "what w would write" in text
        assert "+        if qty < 1:" in text
        await pilot.press("escape")
        assert app.screen is bench(app)


async def test_help_lists_every_action_with_its_keys_in_force(session: FakeSession, settle: Settle) -> None:
    session.settings = Settings(keys={"accept": "ctrl+t"})
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("f1")
        await pilot.pause()
        rows = app.screen.query_one(Rows)._rows
        said = "\n".join("".join(text for text, _ in row) for row in rows)
        for action in app.keymap_in_force.keys:
            assert app.keymap_in_force.shown_all(action) in said
        assert "Ctrl+T" in said


async def test_hostile_text_is_drawn_as_marks(settle: Settle) -> None:
    script = [
        events.Token(1, "x"),
        events.Prose("\x1b]0;owned\x07 \u202edrowssap\n"),
        events.HunkOpened(1, "e\x1bvil.py", 1, 0, "add"),
        events.HunkText(1, "a = '\x1b[2J'\n"),
        events.HunkClosed(1, "e\x1bvil.py", 1, (), ("a = '\x1b[2J'",), "add"),
    ]
    app = app_for(FakeSession({}, {"go": script}))
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot, "go")
        await settle(pilot)
        text = screen_text(app)
        assert not [char for char in text if ord(char) < 32 and char != "\n"]
        assert "\u202e" not in text
        for mark in ("␛]0;owned␇", "‹202E›", "e␛vil.py", "␛[2J"):
            assert mark in text


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40), (200, 60), (300, 100)])
async def test_every_size_shows_code_prompt_and_keys(app: SparkApp, settle: Settle, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await ask(pilot)
        await settle(pilot)
        lines = screen_text(app).split("\n")
        assert len(lines) == size[1]
        assert any("return not self.lines" in line for line in lines)
        assert lines[-3].startswith(" › ")
        assert "Tab" in lines[-1]


async def test_a_resize_storm_ends_with_the_picture_of_the_last_size(app: SparkApp, settle: Settle) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await settle(pilot)
        await pilot.press("tab", "g")
        await pilot.pause()
        before = screen_text(app)
        for width, height in ((60, 16), (200, 50), (80, 24), (61, 40), SIZE):
            await pilot.resize_terminal(width, height)
        await settle(pilot)
        assert screen_text(app) == before


async def test_the_theme_changes_live_and_the_text_stays(app: SparkApp, settle: Settle) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await settle(pilot)
        name = app.spark_theme.name
        await pilot.press("f4")
        await pilot.pause()
        assert app.spark_theme.name != name
        assert bench(app).code._painter._style is app.spark_theme.palette.styles


async def test_no_color_takes_the_theme_without_colour(session: FakeSession) -> None:
    app = app_for(session, environ={"NO_COLOR": "1"})
    async with app.run_test(size=SIZE):
        assert app.spark_theme.name == "mono"


async def test_problems_of_keys_and_themes_are_told_in_the_transcript(session: FakeSession, settle: Settle) -> None:
    session.settings = Settings(keys={"acept": "x"}, theme="spark-drak")
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        text = screen_text(app)
        assert "did you mean `accept`?" in text
        assert "did you mean `spark-dark`?" in text


async def test_the_view_follows_until_the_person_scrolls_and_follows_again_on_demand(settle: Settle) -> None:
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
        await asyncio.to_thread(pause.reached.wait, 5)
        while "new 59" not in screen_text(app):
            await pilot.pause()
        await pilot.press("shift+tab", "shift+tab", "g")
        await pilot.pause()
        assert "line 0" in screen_text(app)
        await pilot.press(".")
        await pilot.pause()
        assert "new 59" in screen_text(app)
        pause.go()
        await settle(pilot)


async def test_a_hunk_is_edited_in_its_place_and_stands_as_the_persons_own(
    session: FakeSession, app: SparkApp, settle: Settle
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await settle(pilot)
        await pilot.press("tab", "n", "e", "end", "x", "y", "enter", "z")
        await pilot.pause()
        assert "return not self.linesxy" in screen_text(app)
        await pilot.press("escape")
        await settle(pilot)
        text = "        return not self.linesxy\n        z\n"
        assert session.calls[-1] == ("decide", 2, "edited", text)
        assert bench(app).conductor.board.hunks[2].state == "edited"
        await pilot.press("w")
        await settle(pilot)
        assert text in session.texts["cart.py"]


async def test_leaving_the_editor_without_a_change_decides_nothing(
    session: FakeSession, app: SparkApp, settle: Settle
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await settle(pilot)
        await pilot.press("tab", "e", "right", "escape")
        await settle(pilot)
        assert [call[0] for call in session.calls] == ["turn"]


async def test_single_lines_are_left_out_and_the_rest_accepted(
    session: FakeSession, app: SparkApp, settle: Settle
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await settle(pilot)
        await pilot.press("tab", "j", "space")
        await pilot.pause()
        assert "·             raise ValueError(qty)" in screen_text(app)
        await pilot.press("a")
        await settle(pilot)
        assert session.calls[-1] == ("decide", 1, "edited", "        if qty < 1:\n")


async def test_a_hunk_is_split_and_its_parts_are_decided_alone(
    session: FakeSession, app: SparkApp, settle: Settle
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await settle(pilot)
        await pilot.press("tab", "s")
        await settle(pilot)
        starts = [(h.start, h.new) for h in bench(app).walk.ordered()]
        assert starts[:2] == [(15, ["        if qty < 1:"]), (15, ["            raise ValueError(qty)"])]
        await pilot.press("a", "r")
        await settle(pilot)
        await pilot.press("w")
        await settle(pilot)
        assert "if qty < 1:" in session.texts["cart.py"]
        assert "raise ValueError" not in session.texts["cart.py"]


async def test_a_comment_takes_the_place_of_the_hunk_to_the_prompt(app: SparkApp, settle: Settle) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await settle(pilot)
        await pilot.press("tab", "n", "c", "w", "h", "y")
        assert bench(app).prompt.text == "about hunk 2 (cart.py:20): why"


async def test_at_opens_the_files_and_puts_the_chosen_one_in(app: SparkApp, settle: Settle) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("s", "e", "e", "space", "@")
        await settle(pilot)
        await pilot.press("r", "d", "m", "enter")
        await settle(pilot)
        assert bench(app).prompt.text == "see @README.md "


async def test_an_at_inside_a_word_opens_nothing(app: SparkApp, settle: Settle) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("m", "e", "@")
        await settle(pilot)
        assert app.screen is bench(app)
        assert bench(app).prompt.text == "me@"


async def test_slash_finds_a_command_and_does_it(app: SparkApp, settle: Settle) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("/", *"unchanged", "enter")
        await settle(pilot)
        assert bench(app).code.folded
        assert bench(app).prompt.text == ""


async def test_leaving_the_commands_leaves_the_slash(app: SparkApp, settle: Settle) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("/", "escape")
        await settle(pilot)
        assert bench(app).prompt.text == "/"


async def test_a_theme_is_found_by_name(app: SparkApp, settle: Settle) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p", *"ember", "enter")
        await settle(pilot)
        assert app.spark_theme.name == "ember"


async def test_draft_and_history_outlive_the_screen(session: FakeSession, settle: Settle) -> None:
    first = app_for(session)
    async with first.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await settle(pilot)
        await pilot.press("h", "a", "l", "f")
    second = app_for(FakeSession({"cart.py": CART}, {}))
    async with second.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert bench(second).prompt.text == "half"
        await pilot.press("alt+up")
        assert bench(second).prompt.text == "guard it"
        await pilot.press("alt+down")
        assert bench(second).prompt.text == "half"
        await pilot.press("ctrl+r", *"guar", "enter")
        await settle(pilot)
        assert bench(second).prompt.text == "guard it"


async def test_a_large_paste_is_attached_and_sent_whole(session: FakeSession, app: SparkApp, settle: Settle) -> None:
    pasted = "".join(f"line {n}\r\n" for n in range(40))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("x")
        app.post_message(TextualPaste(pasted))
        await settle(pilot)
        assert bench(app).prompt.text == "x[paste 1: 41 lines]"
        await pilot.press("enter")
        await settle(pilot)
        sent = session.calls[0][1]
        assert "line 0\nline 1\n" in sent
        assert "line 39\n" in sent


async def test_a_small_paste_shows_its_controls_as_marks(app: SparkApp, settle: Settle) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        app.post_message(TextualPaste("a\x1b[2Jb"))
        await settle(pilot)
        assert bench(app).prompt.text == "a␛[2Jb"
