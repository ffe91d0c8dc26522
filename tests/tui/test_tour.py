"""The tour by what the turn state shows, and the whole of it with the model that the package carries."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len
from support.fake_session import CART, FakeSession, Pause, guard
from support.workbench_app import app_for, bench, press, running, screen_text, settle, until

from spark_tui import events
from spark_tui.backends.paced import PacedBackend
from spark_tui.config import paths
from spark_tui.config.settings import Settings
from spark_tui.session.session import Session
from spark_tui.session.session_opener import demo_settings, make_demo
from spark_tui.tui.app import SparkApp
from spark_tui.tui.screens.edits.edit_choices import EditChoices
from spark_tui.tui.settings.keys import keymap
from spark_tui.tui.settings.startup import Startup
from spark_tui.tui.tour import SUGGESTIONS, WRITTEN, Tour
from spark_tui.tui.turns.state import TurnState

FIRST = SUGGESTIONS[0]
STARTED = events.TurnStarted("t", FIRST.ask, "fake", "lines")
STOPPED = (events.Interrupted(3), events.Finished("interrupted"))
HUNK = events.HunkClosed(1, "f", 1, (), ("raise TypeError",))
OTHER = events.HunkClosed(1, "f", 1, (), ("raise ValueError",))
STEERED = events.Steered(FIRST.steer)
WIDEST = 80 - len("─ ") - 1


class Watched:
    """A tour that sees every batch."""

    def __init__(self) -> None:
        self.turn_state, self.tour = TurnState(lambda: 0.0), Tour(keymap())
        self.said = [self.tour.sentence]

    def see(self, *batch: events.Event) -> str:
        if isinstance(batch[0], (events.TurnStarted, events.Steered)):
            self.turn_state.begin()
        self.turn_state.apply(batch)
        self.tour.see(self.turn_state)
        assert cell_len(self.tour.sentence) <= WIDEST, self.tour.sentence
        self.said.append(self.tour.sentence)
        return self.tour.sentence


def test_a_message_before_the_accepted_hunk_is_written_is_no_failure() -> None:
    watched = Watched()
    watched.see(STARTED, HUNK, events.Finished("stop"))
    watched.see(STEERED, events.Finished("stop"))
    assert watched.see(events.Decided(1, "accepted")).startswith("4/8 w writes")
    watched.turn_state.begin()
    watched.turn_state.apply((events.Decided(1, "rejected"),))
    watched.tour.see(watched.turn_state)
    assert watched.tour.sentence.startswith("4/8 w writes")


def test_a_message_of_ones_own_before_the_write_leaves_out_no_step() -> None:
    watched = Watched()
    for number in (1, 2, 3):
        hunk = events.HunkClosed(number, "f", 1, (), ("raise TypeError",))
        watched.see(STARTED, hunk, events.Finished("stop"))
    assert watched.see(events.Decided(3, "accepted")).startswith("4/8")
    assert watched.see(events.Applied(("f",), "c", (3,))) == "5/8 Written. u undoes it"
    assert watched.see(events.Undone(("f",), "c")).startswith("6/8")


def test_each_step_is_done_by_doing_it() -> None:
    watched = Watched()
    watched.see(STARTED, events.Token(1, "x"))
    assert watched.see(*STOPPED).startswith("2/8 Stopped. Enter steers the turn")
    assert watched.tour.prompt == FIRST.steer
    watched.see(STEERED)
    assert watched.see(HUNK, events.Finished("stop")) == "3/8 Tab goes to the hunk, a accepts it"
    watched.see(events.Decided(1, "accepted"))
    watched.see(events.Applied(("f",), "c", (1,)))
    assert watched.tour.holds_back, "slowed down until it is told otherwise"
    watched.see(events.Undone(("f",), "c"))
    assert watched.tour.prompt == WRITTEN
    watched.see(STARTED, events.Token(1, "x"))
    assert watched.tour.holds_back, "there is time to stop it"
    assert watched.see(*STOPPED) == "8/8 Stopped halfway. Ctrl+R continues"
    watched.turn_state.begin()
    assert watched.see(events.Token(2, "y")) == "8/8 It continues where it stopped"
    watched.see(HUNK, events.Finished("stop"))
    assert [text[:4] for text in watched.said[:-1]] == [f"{n}/8 " for n in (1, 1, 2, 3, 3, 4, 5, 6, 7, 8, 8)]
    assert watched.said[-1].startswith("That was the tour") and not watched.tour.holds_back
    assert watched.see(STARTED) == ""


def test_an_answer_that_was_faster_than_the_key_is_steered_all_the_same() -> None:
    watched = Watched()
    watched.see(STARTED)
    assert watched.see(OTHER, events.Finished("stop")).startswith("2/8 It was done before Esc.")
    assert watched.turn_state.is_about_the_turn(watched.tour.prompt)


def test_a_message_of_ones_own_that_changes_nothing_is_no_fault_of_the_model() -> None:
    watched = Watched()
    own = events.TurnStarted("t", "undo that", "fake", "lines")
    assert watched.see(own, events.Finished("stop")).startswith("1/8 It changed nothing.")
    watched = Watched()
    watched.see(STARTED)
    assert "small model" in watched.see(events.Finished("stop"))


@pytest.mark.parametrize(
    ("batch", "why"),
    [
        ((events.Finished("cannot"),), "1/8 It declined"),
        ((events.Finished("stop"),), "1/8 It changed nothing"),
        ((events.Failed("no answer"),), "1/8 The turn failed"),
        ((OTHER, events.Finished("stop"), events.Decided(1, "rejected")), "1/8 No hunk is left"),
    ],
)
def test_what_comes_to_nothing_is_said_and_something_else_is_suggested(
    batch: tuple[events.Event, ...], why: str
) -> None:
    watched = Watched()
    for suggestion in SUGGESTIONS:
        assert watched.tour.prompt == suggestion.ask
        watched.see(STARTED)
        said = watched.see(*batch)
        watched.turn_state.hunks.clear()
    assert watched.said[2].startswith(why)
    assert "F1 lists every key" in said, "the last one ends the tour"
    assert watched.see(STARTED) == ""


def test_an_edit_that_needed_no_model_is_corrected() -> None:
    watched = Watched()
    exact = events.TurnStarted("t", FIRST.ask, "exact edit", "lines")
    watched.see(exact)
    assert watched.see(OTHER, events.Finished("stop")).startswith("2/8 Done at once")
    assert watched.tour.prompt == FIRST.steer
    watched.see(exact, events.Decided(1, "rejected"))
    corrected = events.HunkClosed(2, "f", 1, (), ("raise TypeError",))
    assert watched.see(corrected, events.Finished("stop")) == "3/8 Tab goes to the hunk, a accepts it"


@pytest.mark.parametrize("end", [STOPPED, (events.Finished("stop"),)])
def test_an_instruction_of_ones_own_is_not_corrected_but_decided(end: tuple[events.Event, ...]) -> None:
    watched = Watched()
    watched.see(events.TurnStarted("t", "rename add to put", "exact edit", "lines"))
    assert watched.see(OTHER, *end) == "3/8 Tab goes to the hunk, a accepts it"
    assert not watched.tour.prompt
    assert watched.see(events.Decided(1, "accepted")).startswith("4/8 w writes")


def test_several_edits_that_may_be_meant_are_chosen_between() -> None:
    watched = Watched()
    exact = events.TurnStarted("t", FIRST.ask, "exact edit", "lines")
    watched.see(exact)
    titles = events.Choices(("one", "two", "ask the model"))
    assert watched.see(titles, events.Finished("choices")).startswith("1/8 Several edits may be meant")
    watched.see(exact, events.Chosen(1, 3))
    assert watched.see(OTHER, events.Finished("stop")).startswith("2/8 Done at once")


def test_a_steer_that_was_not_understood_is_said_and_can_be_rejected() -> None:
    watched = Watched()
    watched.see(STARTED)
    watched.see(*STOPPED)
    watched.see(STEERED)
    assert watched.see(OTHER, events.Finished("stop")).startswith("3/8 Not what you asked for?")
    assert watched.see(events.Decided(1, "rejected")).startswith("1/8 No hunk is left. Enter tries another")
    assert watched.tour.prompt == SUGGESTIONS[1].ask


def test_who_decides_without_steering_is_met_where_they_are() -> None:
    watched = Watched()
    watched.see(STARTED)
    watched.see(OTHER, *STOPPED)
    assert watched.see(events.Decided(1, "accepted")).startswith("4/8 w writes")
    assert watched.see(events.Decided(1, "open")).startswith("3/8")


def test_sentences_name_the_keys_in_force() -> None:
    tour = Tour(keymap({"submit": "F8"}))
    assert "F8 sends this" in tour.sentence


async def test_the_tour_fills_the_prompt_and_says_what_to_do() -> None:
    pause = Pause()
    app = app_for(FakeSession({"cart.py": CART}, {FIRST.ask: guard(pause_inside=pause)}), tour=True)
    async with running(app, (100, 32)) as pilot:
        assert bench(app).prompt.text == FIRST.ask
        assert "1/8 Enter sends" in screen_text(app)
        await pilot.press("enter")
        await pause.come()
        await press(pilot, "escape")
        assert bench(app).prompt.text == FIRST.steer
        assert "2/8 Stopped. Enter steers the turn" in screen_text(app)


async def test_a_suggestion_that_was_not_sent_gives_way_to_the_next_one() -> None:
    app = app_for(FakeSession({"cart.py": CART}, {FIRST.ask: guard()}), tour=True)
    async with app.run_test(size=(100, 32)) as pilot:
        assert bench(app).prompt.text == FIRST.ask, "before the session is open"
        await settle(pilot)
        await press(pilot, "enter")
        assert bench(app).prompt.text == FIRST.steer
        await press(pilot, "shift+tab", "a", "a", "w", "u")
        assert bench(app).prompt.text == WRITTEN
        assert "6/8 Now the model writes" in screen_text(app)


async def test_typing_replaces_a_suggestion() -> None:
    app = app_for(FakeSession({"cart.py": CART}, {FIRST.ask: guard()}), tour=True)
    async with running(app, (100, 32)) as pilot:
        await pilot.press("h", "i")
        assert bench(app).prompt.text == "hi"


async def test_enter_brings_back_a_suggestion_that_was_deleted() -> None:
    app = app_for(FakeSession({"cart.py": CART}, {FIRST.ask: guard()}), tour=True)
    async with running(app, (100, 32)) as pilot:
        await pilot.press("h", "backspace", "enter")
        assert bench(app).prompt.text == FIRST.ask
        await press(pilot, "enter")
        assert bench(app).prompt.text == FIRST.steer


async def test_a_suggestion_comes_once_what_was_typed_in_its_place_is_gone() -> None:
    app = app_for(FakeSession({"cart.py": CART}, {FIRST.ask: guard()}), tour=True)
    async with running(app, (100, 32)) as pilot:
        bench(app).prompt.replace_text("a")
        bench(app).controller.submit(FIRST.ask)
        await settle(pilot)
        assert bench(app).prompt.text == "a"
        await pilot.press("backspace")
        async with asyncio.timeout(10):
            await until(pilot, lambda: bench(app).prompt.text == FIRST.steer)


# The whole of it, live


class Held:
    """The first answer waits half-way until it is stopped; what follows comes as it is written."""

    def __init__(self) -> None:
        self.waiting = False

    def first_token_seconds(self, prompt: int) -> float:
        return 0.0

    def seconds_per_token(self, context: int) -> float:
        self.tokens = getattr(self, "tokens", 0) + 1
        self.waiting = self.tokens == 16
        return 600.0 if self.waiting else 0.0


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[SparkApp, Held, Path]]:
    """The workbench as `spark --demo` opens it, with the model that the package carries."""
    found = sorted(path.parent.name for path in paths.models_dir().glob("*/config.json"))
    if not found:
        pytest.skip("the package carries no model")
    from spark_tui.backends.local.backend import LocalBackend

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    root, held = make_demo(), Held()
    backend = PacedBackend(LocalBackend.open(found[0], progress=lambda done, total: None), held, "")
    settings = demo_settings(Settings())
    opener = lambda: Session(root, backend, settings, tmp_path / "state")  # noqa: E731
    app = SparkApp(Startup(root, settings, opener, {"model.pace": "a test"}, tour=True), environ={})
    yield app, held, root


async def test_the_whole_tour_with_the_model_that_the_package_carries(
    live: tuple[SparkApp, Held, Path],
) -> None:
    """Whatever the model answers, every step is followed by one that can be done, to the end."""
    app, held, root = live
    before = {path: path.read_bytes() for path in root.rglob("*.py")}
    steps: list[str] = []
    async with app.run_test(size=(100, 32)) as pilot:
        await until(pilot, lambda: not bench(app).controller.opening and bench(app).prompt.text)
        tour = bench(app).tour
        assert tour is not None
        for _ in range(40):
            steps.append(tour.step)
            if tour.step == "end":
                break
            before_it = tour.sentence
            match tour.step:
                case "ask" | "steer" | "stream":
                    assert bench(app).prompt.text == tour.prompt, tour.sentence
                    await pilot.press("enter")
                case "stop" | "halt":
                    await until(pilot, lambda: held.waiting or not bench(app).controller.running)
                    await pilot.press("escape")
                case "decide":
                    assert "accepts" in tour.sentence
                    key = "r" if "Not what you asked for" in tour.sentence else "a"
                    await pilot.press("tab", key)
                case "choose":
                    await until(pilot, lambda: isinstance(app.screen, EditChoices))
                    await pilot.press("1")
                case "write" | "undo" | "resume":
                    await pilot.press({"write": "w", "undo": "u", "resume": "ctrl+r"}[tour.step])
            await until(pilot, lambda told=before_it: tour.sentence != told)  # type: ignore[misc]
            if tour.step not in ("stop", "halt"):
                await settle(pilot)
        assert steps[-1] == "end"
        assert screen_text(app).count("F1 lists every key") == 1
        backend = bench(app).controller.session.backend
    assert not isinstance(backend, PacedBackend), "its own speed at the end"
    assert {path: path.read_bytes() for path in root.rglob("*.py")} == before, "undone, to the byte"
    assert {"ask", "steer", "decide", "write", "undo", "stream", "halt", "resume"} <= {*steps}
    print("steps:", *steps)
