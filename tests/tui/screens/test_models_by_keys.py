"""`/model` and `/connect`: another model goes on where this one was, and one that fails leaves everything as
it is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from support.fake_session import CART, FakeBackend, FakeSession, Pause, guard
from support.workbench_app import SIZE, answered, ask, bench, press, running, screen_text, settle, until
from textual.pilot import Pilot

from spark_tui.backends import model_catalog
from spark_tui.backends.model_catalog import ModelOffer
from spark_tui.config import paths
from spark_tui.config.settings import Settings, load
from spark_tui.errors import NoBackend, SparkError
from spark_tui.tui.app import SparkApp
from spark_tui.tui.screens.lists.model_picker import full_address
from spark_tui.tui.screens.pickers.picker import ChoiceRow, Picker
from spark_tui.tui.settings.startup import Startup

OTHER = ModelOffer("other-7b", "a model of a test", "here", "other-7b")
BROKEN = ModelOffer("broken", "cannot be used: no weights", "here", "broken", usable=False)


@pytest.fixture(autouse=True)
def _shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_catalog, "local_models", lambda settings: [OTHER, BROKEN])

    def listed(settings: Settings, address: str) -> list[ModelOffer]:
        if "dead" in address:
            raise NoBackend("cannot connect: refused", where=address)
        return [
            ModelOffer(
                "far-70b",
                "of somebody, window 8,192",
                model_catalog.server_label(address),
                "far-70b",
                address,
            )
        ]

    monkeypatch.setattr(model_catalog, "server_models", listed)


class Opened:
    """Opens `FakeBackend`s; `gate` holds them back, `error` is what opening ends in."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.gate.set()
        self.asked: list[Settings] = []
        self.made: list[FakeBackend] = []
        self.error: SparkError | None = None

    def __call__(self, settings: Settings, progress: Callable[[int, int], None]) -> Any:
        self.asked.append(settings)
        progress(43, 100)
        assert self.gate.wait(60)
        if self.error is not None:
            raise self.error
        self.made.append(FakeBackend(settings.model))
        return self.made[-1]


@pytest.fixture
def opened() -> Opened:
    return Opened()


def models_app(
    opened: Opened,
    settings: Settings | None = None,
    script: Any = None,
    gate: threading.Event | None = None,
) -> tuple[SparkApp, FakeSession]:
    session = FakeSession({"cart.py": CART}, {"guard it": script or guard()}, settings)

    def open_session() -> FakeSession:
        assert gate is None or gate.wait(60)
        return session

    start = Startup(
        session.root,
        session.settings,
        open_session,
        open_model=opened,
        load=lambda: load(
            None, flags={"model.name": settings.model} if settings and settings.model else {}, environ={}
        ),
    )
    return SparkApp(start, environ={}), session


async def listed(pilot: Pilot[Any], *keys: str) -> Picker:
    await settle(pilot)
    await press(pilot, *keys)
    assert isinstance(pilot.app.screen, Picker)
    return pilot.app.screen


async def test_another_model_takes_over_and_the_session_stays(opened: Opened) -> None:
    app, session = models_app(opened)
    async with running(app) as pilot:
        await answered(pilot)
        bench(app).prompt.insert("a draft")
        before = session.backend
        await listed(pilot, "f7")
        assert "other-7b" in screen_text(app)
        await press(pilot, "o", "t", "h", "enter")
        assert session.backend is opened.made[0]
        assert session.settings.model == "other-7b"
        text = screen_text(app)
        assert "other-7b answers from now on" in text
        assert "local · other-7b" in text
        assert "a draft" in text
        assert len(bench(app).controller.turn_state.in_view()) == 2
        await until(pilot, lambda: before.closed)
        await until(pilot, lambda: session.read_for == [before, session.backend])


async def test_the_list_starts_on_the_model_in_use_which_is_not_loaded_again(opened: Opened) -> None:
    servers = {"desk": "http://desk:1/v1"}
    app, _ = models_app(opened, Settings(connect="http://desk:1/v1", model="far-70b", servers=servers))
    async with app.run_test(size=SIZE) as pilot:
        picker = await listed(pilot, "f7")
        assert [row.label for row in picker.rows.found] == ["other-7b", "broken", "far-70b"]
        assert picker.rows.chosen is picker.rows.found[2]
        assert "in use" in picker.rows.found[2].detail
        await press(pilot, "enter")
        assert "far-70b is in use already" in screen_text(app)
        assert not opened.asked
        await listed(pilot, "f7")
        await press(pilot, "ctrl+s")
        assert 'name = "far-70b"' in paths.user_config_file().read_text()
        assert not opened.asked


async def test_a_row_that_was_moved_to_stays_chosen_while_others_come(opened: Opened) -> None:
    app, _ = models_app(opened)
    async with app.run_test(size=SIZE) as pilot:
        picker = await listed(pilot, "f7")
        await pilot.press("down")
        picker.add([ChoiceRow("late", "late", current=True)])
        assert picker.rows.chosen is not None
        assert picker.rows.chosen.label == "broken"


async def test_how_far_it_is_stands_at_the_edge_and_esc_gives_it_up(opened: Opened) -> None:
    opened.gate.clear()
    app, session = models_app(opened)
    async with app.run_test(size=SIZE) as pilot:
        await listed(pilot, "f7")
        await pilot.press("enter")
        await until(pilot, lambda: "loading other-7b 43 %" in screen_text(app))
        assert "Esc cancel loading" in screen_text(app)
        await press(pilot, "escape")
        assert "still using fake-12m" in screen_text(app)
        opened.gate.set()
        await until(pilot, lambda: opened.made and opened.made[0].closed)
        assert session.backend.name == "fake-12m"


async def test_one_that_is_chosen_early_waits_for_the_session(opened: Opened) -> None:
    gate = threading.Event()
    app, session = models_app(opened, gate=gate)
    async with app.run_test(size=SIZE) as pilot:
        try:
            await pilot.press("f7")
            await until(pilot, lambda: isinstance(app.screen, Picker) and "other-7b" in screen_text(app))
            await pilot.press("enter")
            await until(pilot, lambda: not isinstance(app.screen, Picker))
            assert not opened.asked
        finally:
            gate.set()
        await until(pilot, lambda: session.backend in opened.made)


async def test_a_model_that_fails_to_load_is_reported_and_the_old_one_stays(opened: Opened) -> None:
    opened.error = NoBackend("its weights are cut off", where="other-7b", hint="Fetch them again.")
    app, session = models_app(opened)
    async with app.run_test(size=SIZE) as pilot:
        await listed(pilot, "f7")
        await press(pilot, "enter")
        assert "still using fake-12m: other-7b: its weights are cut off — Fetch them again." in screen_text(
            app
        )
        assert not [call for call in session.calls if call[0] == "use"]


async def test_one_that_cannot_be_used_is_not_even_opened(opened: Opened) -> None:
    app, _ = models_app(opened)
    async with app.run_test(size=SIZE) as pilot:
        await listed(pilot, "f7")
        await press(pilot, "b", "r", "o", "enter")
        assert "broken cannot be used: no weights" in screen_text(app)
        assert not opened.asked


async def test_while_a_turn_runs_the_other_model_waits_for_its_end(opened: Opened) -> None:
    pause = Pause()
    app, session = models_app(opened, script=guard(pause_inside=pause))
    async with running(app) as pilot:
        await ask(pilot)
        await pause.come()
        await pilot.press("f7")
        await until(pilot, lambda: isinstance(app.screen, Picker) and app.screen.rows.found)
        await pilot.press("enter")
        await until(pilot, lambda: "answers after this turn" in screen_text(app))
        assert session.backend.name == "fake-12m"
        pause.go()
        await settle(pilot)
        assert session.backend.name == "other-7b"
        assert len(bench(app).controller.turn_state.in_view()) == 2


async def test_servers_come_into_the_list_as_they_answer(opened: Opened) -> None:
    servers = {"desk": "http://desk:1/v1", "old": "http://dead:1/v1"}
    app, session = models_app(opened, Settings(servers=servers))
    async with app.run_test(size=SIZE) as pilot:
        await listed(pilot, "f7")
        text = screen_text(app)
        assert "far-70b" in text
        assert "old" in text
        assert "cannot connect: refused" in text and "in use · cannot" not in text
        await press(pilot, "f", "a", "r", "enter")
        assert (session.settings.connect, session.settings.model) == ("http://desk:1/v1", "far-70b")


async def test_connect_lists_the_models_of_the_address_that_is_typed(opened: Opened) -> None:
    app, session = models_app(opened)
    async with app.run_test(size=SIZE) as pilot:
        await listed(pilot, "/", *"connect", "space", *"lab:9")
        await press(pilot, "enter")
        assert "model of lab:9" in screen_text(app)
        await press(pilot, "enter")
        assert session.settings.connect == "http://lab:9/v1"


async def test_the_choice_is_kept_where_the_person_wants_it(opened: Opened) -> None:
    app, session = models_app(opened)
    async with app.run_test(size=SIZE) as pilot:
        await listed(pilot, "f7")
        await press(pilot, "ctrl+s")
        assert session.backend.name == "other-7b"
        assert len(opened.asked) == 1, "what was kept is in use already"
        assert paths.user_config_file().read_text() == '[model]\nname = "other-7b"\n'
        assert "saved in" in screen_text(app)


async def test_a_flag_that_goes_before_what_was_kept_is_named(opened: Opened) -> None:
    app, _ = models_app(opened, Settings(model="mine"))
    async with app.run_test(size=SIZE) as pilot:
        await listed(pilot, "f7")
        await press(pilot, "ctrl+s")
        assert "saved, but the command line overrides it" in screen_text(app)


@pytest.mark.parametrize(
    ("typed", "full"),
    [
        ("desk:8000", "http://desk:8000/v1"),
        ("https://host/api/", "https://host/api"),
        ("http://10.0.0.1", "http://10.0.0.1/v1"),
    ],
)
def test_an_address_may_be_typed_short(typed: str, full: str) -> None:
    assert full_address(typed) == full


@pytest.mark.parametrize("typed", ["ftp://x", "", "http://"])
def test_what_is_no_address_is_none(typed: str) -> None:
    with pytest.raises(SparkError):
        full_address(typed)


async def test_a_server_is_contacted_when_the_session_opens_and_a_failure_is_reported(opened: Opened) -> None:
    app, session = models_app(opened)
    greeted: list[str] = []

    def warm_up() -> None:
        greeted.append(session.backend.name)
        raise NoBackend("cannot connect: refused", where="desk:1", hint="Is the server running?")

    session.backend.warm_up = warm_up
    async with running(app):
        assert greeted == ["fake-12m"]
        assert "desk:1: cannot connect: refused — Is the server running?" in screen_text(app)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("/connect lab:9", "switch to a model of lab:9"),
        ("/model oth", "switch to a model › oth"),
        ("/connect", "connect to"),
    ],
)
async def test_a_command_that_was_pasted_is_no_prompt(opened: Opened, text: str, title: str) -> None:
    app, session = models_app(opened)
    async with running(app) as pilot:
        bench(app).prompt.insert(text)
        await press(pilot, "enter")
        assert title in screen_text(app)
        assert not [call for call in session.calls if call[0] == "turn"]


async def test_an_invalid_address_is_reported(opened: Opened) -> None:
    app, session = models_app(opened)
    async with running(app) as pilot:
        bench(app).prompt.insert("/connect ftp://x")
        await press(pilot, "enter")
        assert "ftp://x is not an address" in screen_text(app)
        assert not [call for call in session.calls if call[0] == "turn"]


async def test_a_model_is_narrowed_to_in_the_commands_already(opened: Opened) -> None:
    app, session = models_app(opened)
    async with app.run_test(size=SIZE) as pilot:
        await listed(pilot, "/", *"model", "space", *"oth")
        await press(pilot, "enter")
        await press(pilot, "enter")
        assert session.backend.name == "other-7b"
