"""Exact edits by keys: the line completes while it is typed, its edit is hunks, a refusal is choices."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.fake_session import FakeSession
from support.fakes import FakeBackend
from support.small_repositories import uncommitted
from support.workbench_app import SIZE, answered, app_for, bench, press, running, screen_text, settle, until
from textual import events
from textual.pilot import Pilot

from spark_tui import events as events_of_spark
from spark_tui.config.settings import Settings
from spark_tui.session.exact.exact_turns import ExactTurns
from spark_tui.session.session import Session
from spark_tui.session.storage.index_rows import EXACT_BACKEND
from spark_tui.tui.app import SparkApp
from spark_tui.tui.messages import DraftChanged, Submitted
from spark_tui.tui.screens.edits.edit_line import EditLine

CART = '''class Cart:
    """Lines and quantities."""

    def __init__(self, customer):
        self.customer = customer
        self.lines = {}

    def add(self, sku, qty=1):
        self.lines[sku] = self.lines.get(sku, 0) + qty
        return self.lines[sku]
'''
USES = """import sys
from shop.cart import Cart


def fill(cart: Cart, thing):
    cart.add("tea")
    return thing.add("mug")
"""
NAMED = {"/": "slash", " ": "space", ".": "full_stop", "_": "underscore"}


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    files = {"shop/__init__.py": "", "shop/cart.py": CART, "shop/uses.py": USES}
    root = uncommitted(tmp_path / "shop", files)
    made = Session(root, FakeBackend(["x"]), Settings(), tmp_path / "state")
    yield made
    made.close()


@pytest.fixture
def app(session: Session) -> SparkApp:
    return app_for(session)


async def type_text(pilot: Pilot[Any], text: str) -> None:
    await press(pilot, *(NAMED.get(letter, letter) for letter in text))


def line(pilot: Pilot[Any]) -> EditLine:
    assert isinstance(pilot.app.screen, EditLine)
    return pilot.app.screen


def labels(pilot: Pilot[Any]) -> list[str]:
    return [choice.label for choice in line(pilot).rows.found]


async def test_a_rename_is_completed_shown_accepted_written_and_undone(
    app: SparkApp, session: Session
) -> None:
    async with running(app) as pilot:
        await type_text(pilot, "/ren")
        await type_text(pilot, "ame Cart.a")
        assert labels(pilot)[0] == "Cart.add"
        await pilot.press("tab")
        await type_text(pilot, "put")
        assert line(pilot).line.text == "/rename Cart.add put"
        assert "→ rename(Cart.add, put)" in screen_text(app)
        await press(pilot, "enter")
        text = screen_text(app)
        assert "› /rename Cart.add put" in text
        assert "→ rename(Cart.add, put)" in text
        assert "2 hunks in 2 files, +2 −2" in text
        assert "def put(self, sku, qty=1):" in text
        assert "took" in text
        await press(pilot, "tab", "ctrl+a", "w")
        assert 'cart.put("tea")' in (session.root / "shop/uses.py").read_text()
        await press(pilot, "u")
        assert (session.root / "shop/uses.py").read_text() == USES


async def test_one_hunk_of_a_write_is_taken_out_and_the_rest_undone(app: SparkApp, session: Session) -> None:
    async with running(app) as pilot:
        await type_text(pilot, "/rename Cart.add put")
        await press(pilot, "enter")
        await press(pilot, "tab", "ctrl+a", "w")
        states = bench(app).controller.turn_state.hunks
        chosen = next(hunk for hunk in states.values() if hunk.path == "shop/uses.py")
        await bench(app).navigation.go_to(chosen)
        await press(pilot, "o")
        assert (session.root / "shop/uses.py").read_text() == USES
        assert "def put" in (session.root / "shop/cart.py").read_text()
        assert sorted(hunk.state for hunk in states.values()) == ["left", "undone", "written"]
        await press(pilot, "u")
        assert (session.root / "shop/cart.py").read_text() == CART
        await press(pilot, "ctrl+y", "ctrl+y")
        assert 'cart.put("tea")' in (session.root / "shop/uses.py").read_text()


async def test_an_edit_of_several_files_is_shown_from_its_first_hunk() -> None:
    script = [
        events_of_spark.HunkOpened(1, "a.py", 201, 1, "edit", ""),
        events_of_spark.HunkClosed(1, "a.py", 201, ("x = 1",), ("y = 1",)),
        events_of_spark.HunkOpened(2, "b.py", 1, 1, "edit", ""),
        events_of_spark.HunkClosed(2, "b.py", 1, ("from a import x",), ("from a import y",)),
    ]
    session = FakeSession(
        {"a.py": "# on top\n" * 200 + "x = 1\n", "b.py": "from a import x\n"}, {"go": script}
    )
    session.backend.name = EXACT_BACKEND
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot, "go")
        assert bench(app).code.file.path == "a.py" and bench(app).navigation.current_id == 1
        assert "y = 1" in screen_text(app)


async def test_a_place_that_was_left_stands_in_the_file_with_its_reason(app: SparkApp) -> None:
    async with running(app) as pilot:
        await type_text(pilot, "/rename Cart.add put")
        await press(pilot, "enter")
        assert "1 place to check was not changed" in screen_text(app)
        await press(pilot, "tab", "n", "n")
        text = screen_text(app)
        assert "≈" in text
        assert "not changed: " in text
        assert bench(app).navigation.current is not None
        assert bench(app).navigation.current.state == "left"
        await press(pilot, "a")
        assert "nothing to accept here" in screen_text(app)


async def test_what_the_cursor_stands_on_is_renamed_where_no_symbol_is_typed(app: SparkApp) -> None:
    async with running(app) as pilot:
        await bench(app).open_file.show_file("shop/cart.py")
        await settle(pilot)
        await press(pilot, "tab", *"j" * 4, "x")
        await type_text(pilot, "rename client")
        assert "→ rename(Cart.customer, client)" in screen_text(app)
        await press(pilot, "enter")
        assert "self.client = customer" in screen_text(app)
        assert bench(app).focused is bench(app).code


async def test_a_refusal_is_a_sentence_and_a_digit_takes_what_was_meant(app: SparkApp) -> None:
    async with running(app) as pilot:
        await type_text(pilot, "/rename Cart.ad put")
        await press(pilot, "enter")
        assert "no symbol Cart.ad" in screen_text(app)
        assert labels(pilot)[0] == "1  /rename Cart.add put"
        await press(pilot, "1")
        assert "2 hunks in 2 files" in screen_text(app)


async def test_after_a_refusal_the_line_can_be_typed_on(app: SparkApp) -> None:
    async with running(app) as pilot:
        await type_text(pilot, "/rename Cart.add class")
        await press(pilot, "enter")
        assert "class is a keyword of Python" in screen_text(app)
        await press(pilot, "backspace")
        assert "is a keyword" not in screen_text(app)
        await press(pilot, "enter")
        assert "› /rename Cart.add clas" in screen_text(app)


async def test_keys_are_typed_in_their_order_however_fast_they_come(app: SparkApp) -> None:
    async with running(app) as pilot:
        for letter in "/rename Cart.ad\tput":
            key = {"\t": "tab", **NAMED}.get(letter, letter)
            app.post_message(events.Key(key, letter))
        await settle(pilot)
        assert line(pilot).line.text == "/rename Cart.add put"


async def test_keys_do_not_wait_for_the_repository(
    app: SparkApp, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    found, load = ExactTurns.candidates, ExactTurns.load

    def slow(self: ExactTurns, *args: Any) -> Any:
        assert gate.wait(60)
        return found(self, *args)

    def slow_load(self: ExactTurns, stop: threading.Event) -> None:
        assert gate.wait(60)
        load(self, stop)

    monkeypatch.setattr(ExactTurns, "candidates", slow)
    monkeypatch.setattr(ExactTurns, "load", slow_load)
    async with running(app) as pilot:
        await pilot.press("slash", *"rename", "space")
        await until(pilot, lambda: isinstance(app.screen, EditLine))
        await pilot.press(*"Cart")
        await pilot.pause()
        assert line(pilot).line.text == "/rename Cart"
        assert "/rename Cart" in screen_text(app)
        await pilot.press("tab", *"put")
        await pilot.pause()
        assert line(pilot).line.text == "/rename Cart"
        gate.set()
        await settle(pilot)
        assert line(pilot).line.text == "/rename Cart put"


async def test_esc_gives_up_a_plan_and_then_leaves(app: SparkApp, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, plan = threading.Event(), ExactTurns.plan

    def slow(self: ExactTurns, *args: Any) -> Any:
        assert gate.wait(60)
        return plan(self, *args)

    monkeypatch.setattr(ExactTurns, "plan", slow)
    async with running(app) as pilot:
        await type_text(pilot, "/rename Cart.add put")
        await pilot.press("enter")
        await pilot.pause()
        assert "planning …" in screen_text(app)
        await pilot.press("escape")
        gate.set()
        await settle(pilot)
        assert "planning …" not in screen_text(app)
        assert line(pilot).line.text == "/rename Cart.add put"
        await press(pilot, "escape")
        assert app.screen is bench(app)
        assert not bench(app).controller.turn_state.turn


async def test_a_command_that_is_sent_as_a_prompt_is_carried_out(app: SparkApp) -> None:
    async with running(app) as pilot:
        bench(app).post_message(Submitted("/imports shop/uses.py"))
        await settle(pilot)
        assert "1 hunk in shop/uses.py, +0 −1" in screen_text(app)
        bench(app).post_message(Submitted("/imports shop/cart.py"))
        await settle(pilot)
        assert "no import is unused; the imports are sorted" in screen_text(app)


async def test_the_command_is_among_the_earlier_prompts_in_full(app: SparkApp) -> None:
    async with running(app) as pilot:
        await type_text(pilot, "/rename Cart.add put")
        await press(pilot, "enter")
        await pilot.press("alt+up")
        assert bench(app).prompt.text == "/rename Cart.add put"


async def test_enter_completes_what_is_not_whole_yet(app: SparkApp) -> None:
    async with running(app) as pilot:
        await type_text(pilot, "/refactor to_data")
        await press(pilot, "enter")
        assert line(pilot).line.text == "/refactor to_dataclass "
        await press(pilot, "down", "enter")
        assert line(pilot).line.text.startswith("/refactor to_dataclass ")
        assert len(line(pilot).line.text.split()) == 3


async def test_keys_behind_enter_are_for_the_workbench(
    app: SparkApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, plan = threading.Event(), ExactTurns.plan

    def slow(self: ExactTurns, *args: Any) -> Any:
        assert gate.wait(60)
        return plan(self, *args)

    monkeypatch.setattr(ExactTurns, "plan", slow)
    async with running(app) as pilot:
        await type_text(pilot, "/rename Cart.add put")
        await pilot.press("enter", *"then")
        await pilot.pause()
        assert line(pilot).line.text == "/rename Cart.add put"
        gate.set()
        await settle(pilot)
        assert bench(app).prompt.text == "then"
        assert "2 hunks in 2 files" in screen_text(app)


async def test_no_line_opens_while_the_model_writes(app: SparkApp) -> None:
    async with running(app) as pilot:
        gate = threading.Event()

        def leg(stop: threading.Event) -> Iterator[Any]:
            gate.wait(60)
            yield from ()

        bench(app).controller.show_turn(leg, lambda: None)
        await pilot.press("slash", *"rename", "enter")
        await until(pilot, lambda: "the model is writing" in screen_text(app))
        assert app.screen is bench(app)
        gate.set()
        await settle(pilot)


async def test_a_message_stays_until_more_is_typed(app: SparkApp) -> None:
    """The change that emptied the prompt may be told of later than the message that came of it."""
    async with running(app) as pilot:
        bench(app).prompt.text = "/nothing"
        await press(pilot, "enter")
        assert "there is no command /nothing" in screen_text(app)
        bench(app).prompt.post_message(DraftChanged())
        await settle(pilot)
        assert "there is no command /nothing" in screen_text(app)
        await press(pilot, "a")
        assert "there is no command /nothing" not in screen_text(app)


# -- pictures


def typed(text: str, *keys: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    async def run(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        session = pilot.app.workbench.controller.session  # type: ignore[attr-defined]
        plan = session.exact.plan
        session.exact.plan = lambda *args: replace(plan(*args), seconds=0.0)
        await type_text(pilot, text)
        for key in keys:
            await press(pilot, key)

    return run


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_line_with_symbols(snap_compare: Any, session: Session, size: tuple[int, int]) -> None:
    app = app_for(session, clock=lambda: 0.0)
    assert snap_compare(app, terminal_size=size, run_before=typed("/rename Cart.a"))


def test_the_line_with_a_refusal(snap_compare: Any, session: Session) -> None:
    app = app_for(session, clock=lambda: 0.0)
    assert snap_compare(app, terminal_size=(100, 30), run_before=typed("/rename Cart.ad put", "enter"))


def test_an_edit_with_a_place_that_was_left(snap_compare: Any, session: Session) -> None:
    app = app_for(session, clock=lambda: 0.0)
    run = typed("/rename Cart.add put", "enter", "tab", "n")
    assert snap_compare(app, terminal_size=(120, 36), run_before=run)
