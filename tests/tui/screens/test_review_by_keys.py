from __future__ import annotations

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
    press,
    running,
    screen_text,
    settle,
    until,
)

from spark_tui import events
from spark_tui.context.shown_context import ContextRequest
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import Refused
from spark_tui.events import Decided
from spark_tui.tui.app import SparkApp
from spark_tui.tui.messages import Intent
from spark_tui.tui.screens.pickers.page import Page
from spark_tui.tui.settings.keys import ACTIONS


async def test_a_prompt_becomes_hunks_and_accepting_writes_the_file(
    session: FakeSession, app: SparkApp
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        assert [hunk.state for hunk in bench(app).controller.turn_state.in_view()] == ["closed", "closed"]
        await press(pilot, "tab", "a", "a", "w")
        assert session.calls == [
            ("turn", "guard it", ""),
            ("decide", 1, "accepted", ""),
            ("decide", 2, "accepted", ""),
            ("write",),
        ]
        assert "if qty < 1:" in session.texts["cart.py"]
        assert "wrote 2 hunks to cart.py" in screen_text(app)


async def test_rejecting_every_hunk_leaves_the_file_untouched(session: FakeSession, app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "r", "r", "w")
        assert session.texts["cart.py"] == CART
        assert "nothing to write here" in screen_text(app)


async def test_undo_gives_the_file_back(session: FakeSession, app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "a", "w")
        assert session.texts["cart.py"] != CART
        await press(pilot, "u")
        assert session.texts["cart.py"] == CART
        assert bench(app).controller.turn_state.hunks[1].state == "undone"


async def test_a_letter_that_is_no_key_says_where_the_keys_are(app: SparkApp) -> None:
    async with running(app, (80, 24)) as pilot:
        await press(pilot, "tab", "q")
        assert "q is no key here: ? lists every key, Ctrl+Q quits" in screen_text(app)


async def test_a_closed_hunk_is_decided_while_the_next_one_streams() -> None:
    pause = Pause()
    session = FakeSession({"cart.py": CART}, {"guard it": guard(pause_after=pause)})
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pause.come()
        await until(pilot, bench(app).controller.turn_state.open_hunks)
        await pilot.press("shift+tab", "shift+tab", "a")
        await until(pilot, lambda: bench(app).controller.turn_state.hunks[1].state == "accepted")
        assert bench(app).controller.running
        pause.go()
        await settle(pilot)
        assert bench(app).controller.turn_state.hunks[2].state == "closed"


async def test_a_decision_that_the_session_refuses_is_taken_back_and_said(
    session: FakeSession, app: SparkApp
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        session.refuse = Refused("the file is locked", where="cart.py", hint="Unlock it.")
        await press(pilot, "tab", "a")
        assert bench(app).controller.turn_state.hunks[1].state == "closed"
        assert "cart.py: the file is locked — Unlock it." in screen_text(app)


async def test_next_previous_and_the_ends_wrap_round(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await pilot.press("tab")
        seen = [bench(app).navigation.current_id]
        for key in ("n", "n", "p"):
            await pilot.press(key)
            await pilot.pause()
            seen.append(bench(app).navigation.current_id)
        assert seen == [1, 2, 1, 2]


async def test_the_diff_page_shows_what_would_be_written(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "a", "enter")
        assert isinstance(app.screen, Page)
        text = screen_text(app)
        assert "what w would write" in text
        assert "+        if qty < 1:" in text
        await pilot.press("escape")
        assert app.screen is bench(app)


async def test_a_hunk_is_edited_in_its_place_and_stands_as_the_persons_own(
    session: FakeSession, app: SparkApp
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await pilot.press("tab", "n", "e", "end", "x", "y", "enter", "z")
        await pilot.pause()
        assert "return not self.linesxy" in screen_text(app)
        await press(pilot, "escape")
        text = "        return not self.linesxy\n        z\n"
        assert session.calls[-1] == ("decide", 2, "edited", text)
        assert bench(app).controller.turn_state.hunks[2].state == "edited"
        await press(pilot, "w")
        assert text in session.texts["cart.py"]


async def test_an_edited_hunk_that_is_reopened_is_shown_as_the_model_wrote_it(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "n", "e", "end", "x", "y", "escape")
        await press(pilot, "o")
        assert bench(app).controller.turn_state.hunks[2].new == ["        return not self.lines"]
        assert "return not self.linesxy" not in screen_text(app)


async def test_leaving_the_editor_without_a_change_decides_nothing(
    session: FakeSession, app: SparkApp
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "e", "right", "escape")
        assert [call[0] for call in session.calls] == ["turn"]


async def test_single_lines_are_left_out_and_the_rest_accepted(session: FakeSession, app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await pilot.press("tab", "j", "space")
        await pilot.pause()
        assert "·             raise ValueError(qty)" in screen_text(app)
        await press(pilot, "a")
        assert session.calls[-1] == ("decide", 1, "edited", "        if qty < 1:\n")


async def test_a_hunk_is_split_and_its_parts_are_decided_alone(session: FakeSession, app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "s")
        starts = [(h.start, h.new) for h in bench(app).navigation.ordered()]
        assert starts[:2] == [(15, ["        if qty < 1:"]), (15, ["            raise ValueError(qty)"])]
        await press(pilot, "a", "r")
        await press(pilot, "w")
        assert "if qty < 1:" in session.texts["cart.py"]
        assert "raise ValueError" not in session.texts["cart.py"]


async def test_parts_are_called_by_the_number_of_their_whole(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "s")
        assert "1.1 L15" in screen_text(app)
        assert "1.2 L15" in screen_text(app)
        await press(pilot, "c")
        assert bench(app).prompt.text == "about hunk 1.1 (cart.py:15): "
        assert "1000001" not in screen_text(app)


async def test_a_kept_session_with_a_split_hunk_opens_as_it_stood(session: FakeSession) -> None:
    past = list(session.start(ContextRequest("guard it"), stop=Event()))
    first, second = session.review.split(1)
    past += [Decided(1, "split"), Decided(first, "accepted")]
    session.review.accept(first)
    app = app_for(session, past)
    async with running(app):
        shown = {hunk.id: (hunk.label, hunk.state) for hunk in bench(app).navigation.ordered()}
        assert shown == {first: ("1.1", "accepted"), second: ("1.2", "closed"), 2: ("2", "closed")}


async def test_what_was_typed_in_a_hunk_stands_when_something_is_said(
    session: FakeSession, app: SparkApp
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await pilot.press("tab", "e", "x")
        await pilot.click("#prompt")
        await answered(pilot, "no, other")
        assert bench(app).code.editor is None
        assert [call[:3] for call in session.calls if call[0] == "decide"] == [("decide", 1, "edited")]
        assert bench(app).controller.turn_state.hunks[1].state == "edited"


async def test_a_comment_takes_the_place_of_the_hunk_to_the_prompt(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await pilot.press("tab", "n", "c", "w", "h", "y")
        assert bench(app).prompt.text == "about hunk 2 (cart.py:20): why"
        await press(pilot, *["backspace"] * 3, "escape")
        assert bench(app).prompt.text == "" and app.focused is bench(app).code


async def test_what_was_written_is_committed_once(session: FakeSession, app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "C")
        assert "nothing to commit here" in screen_text(app)
        await press(pilot, "w")
        assert "no hunk is accepted yet" in screen_text(app)
        await press(pilot, "a", "C")
        assert "the accepted hunks are not written yet" in screen_text(app)
        await press(pilot, "w")
        await press(pilot, "C", "C")
        assert [call for call in session.calls if call[0] == "commit"] == [
            ("commit", "Guard it\n\n- cart.py\n")
        ]
        assert "committed abc1234: Guard it" in screen_text(app)
        await press(pilot, "u", "C")
        assert len([call for call in session.calls if call[0] == "commit"]) == 1
        assert "C commit" not in screen_text(app) and "nothing to commit here" in screen_text(app)


async def test_a_commit_takes_the_persons_own_message(session: FakeSession, app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "a", "w")
        await press(pilot, "escape", "/", *"commit", "space", *"Mine", "enter")
        assert session.calls[-1] == ("commit", "Mine")
        assert "committed abc1234: Mine" in screen_text(app)


@pytest.mark.parametrize("action", [action.id for action in ACTIONS if action.place != "prompt"])
async def test_every_action_does_something_or_says_why_not(app: SparkApp, action: str) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        bench(app).navigation.pick(1)
        bench(app).post_message(Intent(action))
        await settle(pilot)
        assert "there is no hunk to" not in screen_text(app)


async def test_typing_in_a_hunk_begins_where_the_keys_are(session: FakeSession, app: SparkApp) -> None:
    async with running(app) as pilot:
        await answered(pilot)
        await press(pilot, "tab")
        code = bench(app).code
        end = code.layout_rows.span(1)[1]
        code.go_to(end - 1)
        await press(pilot, "i", "#")
        assert code.editor is not None
        assert code.editor.buffer.lines[-1] == "            #raise ValueError(qty)"


@pytest.mark.parametrize("key", ["A", "ctrl+a", "R"])
async def test_the_one_hunk_that_is_left_is_decided_with_the_keys_for_many(
    session: FakeSession, app: SparkApp, key: str
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "a", "p", key)
        states = [hunk.state for hunk in bench(app).controller.turn_state.hunks.values()]
        assert states == ["accepted", "rejected" if key == "R" else "accepted"]


async def test_a_message_that_cannot_become_a_turn_is_shown_above_the_reason() -> None:
    class Refusing(FakeSession):
        def start(self, ask: ContextRequest, *, stop: Event) -> Iterator[events.Event]:
            raise Refused("nothing is called prices")

    app = app_for(Refusing({"cart.py": CART}, {}))
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        said = [(line.speaker, line.text) for line in bench(app).controller.turn_state.lines]
        assert said == [("you", "guard it"), ("error", "nothing is called prices")]


async def test_the_key_to_the_code_goes_to_the_hunks_of_the_last_turn(session: FakeSession) -> None:
    session.texts["b.py"] = "x = 1\n"
    hunks = [
        Hunk(number, path, 1, (session.texts[path].splitlines()[0],), ("y = 2",))
        for number, path in enumerate(("b.py", "cart.py"), 1)
    ]
    session.review.extend(hunks)
    past = [
        event
        for hunk in hunks
        for event in (
            events.TurnStarted(f"t{hunk.id}", "change it", "fake", "lines"),
            hunk.closed(),
            events.Finished("stop"),
        )
    ]
    async with running(app_for(session, past)) as pilot:
        await settle(pilot)
        await press(pilot, "tab", "a", "a")
        assert [call[1] for call in session.calls if call[0] == "decide"] == [2, 1]
