from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from support.fake_session import BODY, CART, FakeSession, Pause, guard
from support.workbench_app import (
    SIZE,
    answered,
    app_for,
    ask,
    bench,
    halfway,
    press,
    screen_text,
    settle,
    until,
)

from spark_tui import events
from spark_tui.errors import NoPlace, Refused, UsageError
from spark_tui.tui.app import SparkApp
from spark_tui.tui.settings.startup import Startup


async def test_enter_while_it_writes_steers() -> None:
    async with halfway() as (app, pilot, session, _):
        await answered(pilot, "no")
        assert session.calls == [("turn", "guard it", ""), ("steer", "no")]
        said = [(line.speaker, line.text) for line in bench(app).controller.turn_state.lines]
        assert ("steer", "no") in said
        assert not [text for speaker, text in said if speaker == "note" and "stopped" in text]
        assert bench(app).prompt.text == ""


async def test_a_hunk_in_the_place_of_a_rejected_one_is_shown_as_the_file_will_be() -> None:
    pause = Pause()
    first = [events.HunkClosed(1, "cart.py", 14, BODY, ("    def add(self):", "        return 1")), pause]
    again = [
        events.Decided(1, "rejected"),
        events.HunkClosed(2, "cart.py", 14, BODY, ("    def add(self, sku):",)),
    ]
    app = app_for(FakeSession({"cart.py": CART}, {"guard it": first, "no": again}))
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pause.come()
        await answered(pilot, "no")
        rows = [row.partition("│")[2] for row in screen_text(app).split("\n")]
        at = next(number for number, row in enumerate(rows) if "def add(self, sku, qty=1):" in row)
        shown = [row[:50].strip(" ●▌│") for row in rows[at : at + 5]]
        assert shown == [
            *(f"{14 + n} ▌− {line}"[:48] for n, line in enumerate(BODY)),
            "14 ▌+     def add(self, sku):",
        ]
        assert "2 lines rejected" in rows[at - 1]


async def test_an_insertion_that_begins_has_no_number_of_lines() -> None:
    pause = Pause()
    begun = [events.HunkOpened(1, "cart.py", 15, 0), pause]
    app = app_for(FakeSession({"cart.py": CART}, {"guard it": begun}))
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pause.come()
        await until(pilot, lambda: "◌    streaming" in screen_text(app))
        pause.go()


async def test_tab_queues_and_the_queue_is_said_in_its_order() -> None:
    async with halfway() as (app, pilot, session, pause):
        for text in ("one", "two"):
            await pilot.press(*text, "tab")
        await pilot.pause()
        assert "2 queued" in screen_text(app)
        pause.go()
        await settle(pilot)
        assert [call[1] for call in session.calls if call[0] == "turn"] == ["guard it", "one", "two"]


async def test_an_exact_edit_that_is_typed_while_the_model_writes_waits_in_the_prompt() -> None:
    async with halfway() as (app, pilot, session, pause):
        await pilot.press(*"/rename add put", "enter")
        await pilot.pause()
        assert bench(app).prompt.text == "/rename add put"
        await until(pilot, lambda: "the model is writing: Esc stops it" in screen_text(app))
        pause.go()
        await settle(pilot)
        assert [call[0] for call in session.calls] == ["turn"]


async def test_quitting_while_it_streams_leaves_no_thread_behind() -> None:
    before = set(threading.enumerate())
    async with halfway() as (_, pilot, session, _):
        await pilot.press("ctrl+q")
    assert session.closed
    assert not [thread for thread in set(threading.enumerate()) - before if thread.name.startswith("spark-")]


async def test_after_ctrl_c_nothing_is_said_to_stop_that_has_stopped() -> None:
    async with halfway() as (app, pilot, *_):
        await press(pilot, "ctrl+c")
        await settle(pilot)
        assert "Ctrl+C again quits" in screen_text(app) and "stopping" not in screen_text(app)
        assert [line.text for line in bench(app).controller.turn_state.lines if "stopped after" in line.text]


async def test_quitting_asks_once_when_accepted_hunks_are_not_written(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "a", "ctrl+q")
        assert "1 accepted hunk is not written: Ctrl+Q again quits, w writes" in screen_text(app)
        await press(pilot, "escape", "q", "ctrl+q")
        # Another key withdrew the question.
        assert "1 accepted hunk is not written: Ctrl+Q again quits, Tab then w writes" in screen_text(app)
        assert app.is_running
        await pilot.press("ctrl+q")
        await pilot.pause()
    assert app.return_value == 0


async def test_several_steers_typed_before_the_model_stopped_are_said_together() -> None:
    async with halfway() as (app, pilot, session, _):
        bench(app).controller.submit("one")
        bench(app).controller.submit("two")
        await settle(pilot)
        assert session.calls[1:] == [("steer", "one\ntwo")]


async def test_a_steer_that_another_message_stops_before_it_counts_is_said_with_that() -> None:
    async with halfway() as (app, pilot, session, _):
        steered, before = session.steer, Pause()

        def slow(message: str, *, stop: threading.Event) -> Iterator[events.Event]:
            sent = session.outbox.accept(message, "steer")
            if message == "one":
                before.wait(stop)
                session.outbox.give_back(sent)
                return
            session.outbox.commit(sent)
            yield from steered(message, stop=stop)

        session.steer = slow
        controller = bench(app).controller
        controller.submit("one")
        await before.come()
        controller.submit("two")
        await settle(pilot)
        assert session.calls[1:] == [("steer", "one\ntwo")]
        assert bench(app).prompt.text == ""


async def test_escape_before_a_steer_counts_gives_it_back() -> None:
    async with halfway() as (app, pilot, session, _):
        controller = bench(app).controller
        controller.submit("use Decimal")
        controller.stop()
        await settle(pilot)
        assert bench(app).prompt.text == "use Decimal"
        assert [call[0] for call in session.calls] == ["turn"]


async def test_a_message_that_the_session_returns_is_in_the_prompt_before_what_was_typed_since() -> None:
    async with halfway() as (app, pilot, session, pause):
        bench(app).prompt.insert("later")
        session.outbox.give_back(session.outbox.accept("lost", "steer"))
        pause.go()
        await settle(pilot)
        assert bench(app).prompt.text == "lost\nlater"


@pytest.mark.parametrize("keys", [("ctrl+r",), ("tab", "ctrl+r")])
async def test_a_stopped_hunk_continues_where_it_was_cut_off(keys: tuple[str, ...]) -> None:
    pause = Pause()
    more: list[events.Event] = [
        events.Token(9, "e"),
        events.HunkText(1, "e ValueError(qty)\n"),
        events.HunkClosed(1, "cart.py", 15, (), ("        if qty < 1:", "            raise ValueError(qty)")),
    ]
    session = FakeSession({"cart.py": CART}, {"guard it": guard(pause_inside=pause), "resume": more})
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pause.come()
        await press(pilot, "escape")
        assert bench(app).controller.turn_state.hunks[1].state == "partial"
        await press(pilot, *keys)
        assert session.calls[-1] == ("resume",)
        hunk = bench(app).controller.turn_state.hunks[1]
        assert (hunk.state, hunk.new) == (
            "closed",
            ["        if qty < 1:", "            raise ValueError(qty)"],
        )


async def test_escape_on_an_idle_prompt_goes_back_after_a_hunk(session: FakeSession, app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "escape")
        assert app.screen is bench(app)
        assert "Esc again rewinds this turn to a hunk" in screen_text(app)
        await press(pilot, "escape", "enter")
        assert "continue after hunk 1" in screen_text(app)
        await answered(pilot, "other")
        assert session.calls[-1] == ("branch_at", 1, "other")


async def test_an_escape_that_came_too_late_is_forgotten_with_the_next_letter(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "escape", "x", "escape")
        assert app.screen is bench(app)


async def test_a_prompt_sent_while_the_session_opens_is_said_when_it_is_open(session: FakeSession) -> None:
    gate = threading.Event()

    def slow() -> FakeSession:
        gate.wait(60)
        return session

    app = SparkApp(Startup(session.root, session.settings, slow), environ={})
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await ask(pilot)
        await pilot.pause()
        assert "opening" in screen_text(app)
        assert session.calls == []
        gate.set()
        await settle(pilot)
        assert session.calls == [("turn", "guard it", "")]


async def test_a_session_that_cannot_be_opened_ends_the_app_with_its_error(session: FakeSession) -> None:
    error = Refused("no model here", hint="Name one.")

    def refuse() -> FakeSession:
        raise error

    app = SparkApp(Startup(session.root, session.settings, refuse), environ={})
    async with app.run_test(size=SIZE) as pilot:
        while app.is_running:
            await pilot.pause(0.01)
    assert app.return_value is error


async def test_what_is_said_after_a_stop_continues_with_the_turn() -> None:
    async with halfway() as (app, pilot, session, _):
        await press(pilot, "escape")
        bench(app).prompt.insert("no, TypeError")
        await settle(pilot)
        assert "Enter steer · Tab new turn" in screen_text(app)
        await press(pilot, "enter")
        assert session.calls == [("turn", "guard it", ""), ("steer", "no, TypeError")]
        await answered(pilot, "the turn has ended now")
        assert session.calls[-1][:2] == ("turn", "the turn has ended now")


async def test_tab_after_a_stop_asks_again() -> None:
    async with halfway() as (_, pilot, session, _):
        await press(pilot, "escape")
        await press(pilot, *"other", "tab")
        assert [call[:2] for call in session.calls] == [("turn", "guard it"), ("turn", "other")]


async def test_a_stopped_turn_whose_hunks_are_decided_is_not_steered() -> None:
    async with halfway() as (_, pilot, session, _):
        await press(pilot, "escape")
        await press(pilot, "tab", "r", "escape")
        await answered(pilot, "something else")
        assert session.calls[-1][:2] == ("turn", "something else")


async def test_a_queued_message_is_taken_back_into_the_prompt() -> None:
    async with halfway() as (app, pilot, session, pause):
        for text in ("one", "two"):
            await pilot.press(*text, "tab")
        await pilot.pause()
        assert "Alt+Q take back the last" in screen_text(app)
        await pilot.press("alt+q")
        await pilot.pause()
        assert bench(app).prompt.text == "two"
        assert "1 queued" in screen_text(app)
        pause.go()
        await settle(pilot)
        assert [call[1] for call in session.calls if call[0] == "turn"] == ["guard it", "one"]
        assert bench(app).prompt.text == "two", "the draft stays"
        await pilot.press("alt+q")
        await pilot.pause()
        assert "nothing to withdraw here" in screen_text(app)


async def test_esc_brings_back_what_was_queued_and_the_stopped_turn_continues() -> None:
    async with halfway() as (app, pilot, session, _):
        for text in ("one", "two"):
            await pilot.press(*text, "tab")
        await press(pilot, *"more", "escape")
        assert bench(app).prompt.text == "one\ntwo\nmore"
        assert [call[1] for call in session.calls if call[0] == "turn"] == ["guard it"]


async def test_what_was_sent_before_the_session_was_open_is_taken_back() -> None:
    opened = threading.Event()
    session = FakeSession({"cart.py": CART}, {})

    def open_late() -> FakeSession:
        assert opened.wait(60)
        return session

    app = SparkApp(Startup(session.root, session.settings, open_late), environ={})
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot, "too early")
        await pilot.press("alt+q")
        await pilot.pause()
        assert bench(app).prompt.text == "too early"
        opened.set()
        await settle(pilot)
        assert session.calls == []


async def test_after_a_steer_the_file_is_shown_as_its_turn_read_it() -> None:
    async with halfway() as (app, pilot, session, _):
        controller = bench(app).controller
        read = await controller.lines_of("cart.py")
        # Read again once its hunks were written, they would stand there twice.
        session.texts["cart.py"] = "# written\n" + CART
        await answered(pilot, "no")
        assert await controller.lines_of("cart.py") == read


async def test_a_turn_that_the_disk_had_no_room_to_begin_is_no_turn_to_resume() -> None:
    class Full(FakeSession):
        def start(self, ask: object, *, stop: threading.Event) -> Iterator[events.Event]:
            raise NoPlace("cannot save this session", hint="Make room.")

    app = app_for(Full({"cart.py": CART}, {}))
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        assert "cannot save this session" in screen_text(app) and "Make room." in screen_text(app)
        assert bench(app).prompt.text == "guard it"
        assert bench(app).message[0] == "not sent: your message is back in the prompt"
        assert not bench(app).view_state().resumable


async def test_a_turn_that_the_disk_had_no_room_for_is_resumed_by_key() -> None:
    class Full(FakeSession):
        def _play(self, name: str, stop: threading.Event) -> Iterator[events.Event]:
            for event in super()._play(name, stop):
                yield event
                if name != "resume" and isinstance(event, events.HunkOpened):
                    raise NoPlace("the state of this session cannot be kept", hint="Make room.")

    session = Full({"cart.py": CART}, {"guard it": guard()})
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        assert "failed" in screen_text(app)
        assert "cannot be kept" in screen_text(app)
        await press(pilot, "tab")
        await press(pilot, "ctrl+r")
        assert session.calls[-1] == ("resume",)


async def test_a_turn_that_its_model_alone_can_resume_stays_resumable() -> None:
    class Other(FakeSession):
        def _play(self, name: str, stop: threading.Event) -> Iterator[events.Event]:
            if name == "resume":
                raise UsageError("the turn was written by a, but b is in use", hint="Switch back.")
            yield events.Finished("interrupted")

    app = app_for(Other({"cart.py": CART}, {}))
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "ctrl+r")
        assert "but b is in use" in screen_text(app)
        assert "Ctrl+R resume" in screen_text(app)
