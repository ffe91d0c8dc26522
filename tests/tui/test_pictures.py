"""Pictures of the workbench in sizes and themes: first what stands there is asserted, then the picture
compared."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from support.fake_session import CART, FakeSession, Pause, guard
from support.workbench_app import app_for, press, settle, until
from textual.pilot import Pilot

from spark_tui import events
from spark_tui.backends import model_catalog
from spark_tui.backends.model_catalog import ModelOffer
from spark_tui.config.settings import Settings
from spark_tui.tui.app import SparkApp
from spark_tui.tui.screens.lists import settings_page

SIZES = [(80, 24), (120, 40)]
THEMES = ["spark-dark", "spark-light"]
Compare = Callable[..., bool]


def app_of(theme: str, script: Any = None, **more: Any) -> SparkApp:
    session = FakeSession({"cart.py": CART}, {"guard it": script or guard()}, Settings(theme=theme, **more))
    return app_for(session, clock=lambda: 0.0)


def bench(pilot: Pilot[Any]) -> Any:
    return pilot.app.workbench  # type: ignore[attr-defined]


def after(*keys: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    async def run(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        bench(pilot).prompt.insert("guard it")
        await press(pilot, "enter")
        await press(pilot, *keys)
        assert len(bench(pilot).controller.turn_state.in_view()) == 2

    return run


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_the_start(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    assert snap_compare(app_of(theme), terminal_size=size, run_before=settle)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_a_hunk_that_streams(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    pause = Pause()

    async def run(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        bench(pilot).prompt.insert("guard it")
        await pilot.press("enter")
        await asyncio.to_thread(pause.reached.wait, 10)
        turn_state = bench(pilot).controller.turn_state
        await until(pilot, lambda: turn_state.hunks.get(1) and turn_state.hunks[1].tail)
        while any(not worker.is_finished for worker in pilot.app.workers):
            await pilot.pause(0.01)
        await pilot.pause()
        assert turn_state.phase == "streaming"

    assert snap_compare(app_of(theme, guard(pause_inside=pause)), terminal_size=size, run_before=run)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_the_review(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    assert snap_compare(app_of(theme), terminal_size=size, run_before=after("tab", "a"))


@pytest.mark.parametrize("theme", ["high-contrast", "colour-blind", "ansi-16", "mono", "ember", "paper"])
def test_the_review_in_other_themes(snap_compare: Compare, theme: str) -> None:
    assert snap_compare(app_of(theme), terminal_size=(100, 30), run_before=after("tab", "r"))


def test_both_sides_beside_each_other(snap_compare: Compare) -> None:
    assert snap_compare(app_of("spark-dark", view="split"), terminal_size=(140, 36), run_before=after("tab"))


def test_the_plain_diff(snap_compare: Compare) -> None:
    assert snap_compare(app_of("spark-dark"), terminal_size=(100, 30), run_before=after("tab", "a", "enter"))


def test_the_help(snap_compare: Compare) -> None:
    assert snap_compare(app_of("spark-dark"), terminal_size=(120, 40), run_before=after("f1"))


def test_the_commands(snap_compare: Compare) -> None:
    assert snap_compare(app_of("spark-dark"), terminal_size=(100, 30), run_before=after("/", "h", "u", "n"))


def test_typing_into_a_hunk(snap_compare: Compare) -> None:
    keys = ("tab", "n", "e", "end", "enter", "x")
    assert snap_compare(app_of("spark-dark"), terminal_size=(100, 30), run_before=after(*keys))


def test_single_lines_left_out(snap_compare: Compare) -> None:
    assert snap_compare(app_of("spark-dark"), terminal_size=(100, 30), run_before=after("tab", "space"))


def test_hostile_text(snap_compare: Compare) -> None:
    lines = ("a = '\x1b[31m'  # \u202eevil\u202c", "\tb\u200b = '漢字 é'")
    script = [
        events.Token(1, "x"),
        events.Prose("\x07said\x1b]0;x\x07\n"),
        events.HunkClosed(1, "we\x1bird\u202e.py", 1, (), ("x",), "add"),
        events.HunkOpened(2, "cart.py", 3, 0),
        events.HunkClosed(2, "cart.py", 3, (), lines),
    ]
    assert snap_compare(app_of("spark-dark", script), terminal_size=(100, 30), run_before=after())


@pytest.mark.parametrize(("size", "theme"), [((80, 24), "spark-light"), ((120, 40), "spark-dark")])
def test_the_settings(
    snap_compare: Compare, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], theme: str
) -> None:
    monkeypatch.setattr(settings_page, "with_tilde", lambda path: "~/.config/spark/config.toml")

    async def run(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        await press(pilot, "f5", "down", "down", "down", "down")

    assert snap_compare(
        app_of(theme, servers={"desk": "http://desk:8000/v1"}), terminal_size=size, run_before=run
    )


@pytest.mark.parametrize(("size", "theme"), [((80, 24), "spark-dark"), ((120, 40), "spark-light")])
def test_the_models(
    snap_compare: Compare, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], theme: str
) -> None:
    here = [
        ModelOffer("spark-12m", "spark, 12.4M weights, window 8,192", "built in", ""),
        ModelOffer(
            "qwen2.5-coder-0.5b",
            "qwen2, 494M weights, window 32,768",
            "/models",
            "/models/qwen2.5-coder-0.5b",
        ),
        ModelOffer(
            "torn.gguf", "cannot be used: it ends too early", "/models", "/models/torn.gguf", usable=False
        ),
    ]
    far = [
        ModelOffer("llama-70b", "of vllm, window 131,072", "desk:8000", "llama-70b", "http://desk:8000/v1")
    ]
    monkeypatch.setattr(model_catalog, "local_models", lambda settings: here)
    monkeypatch.setattr(model_catalog, "server_models", lambda settings, address: far)

    async def run(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        await press(pilot, "f7")
        await press(pilot, "a", "m")

    assert snap_compare(
        app_of(theme, servers={"desk": "http://desk:8000/v1"}), terminal_size=size, run_before=run
    )
