"""The wafer panel: what it says of the passes of an answer, when it is silent, and how it looks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from threading import Event as StopFlag
from typing import Any

import pytest
from support.fake_session import CART, FakeBackend, FakeSession, guard
from support.workbench_app import answered, app_for, press, running, settle
from textual.pilot import Pilot

from spark_tui.backends.base import ReportsSteps, StepListener
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.events import Event
from spark_tui.shapes import ModelShape, Step
from spark_tui.tui.app import SparkApp
from spark_tui.tui.step_log import StepLog
from spark_tui.tui.widgets import wafer_panel
from spark_tui.tui.widgets.wafer_panel import WaferPanel

SHAPE = ModelShape("spark-12m", 8704, 384, 6, 6, 2, 64, 1024)
STAGED = ModelShape("wide", 151_936, 896, 24, 14, 2, 64, 4864, max_positions=32_768)
Compare = Callable[..., bool]
OFTEN = wafer_panel.LOOK_SECONDS


@pytest.fixture(autouse=True)
def _looks_when_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wafer_panel, "LOOK_SECONDS", 3600)


class SteppingBackend(FakeBackend):
    """A backend whose passes a test writes."""

    def __init__(self, shape: ModelShape = SHAPE) -> None:
        self.shape = shape
        self.listener: StepListener | None = None

    def listen(self, listener: StepListener | None) -> None:
        self.listener = listener

    def run(self, passes: int, *, prompt: int = 900) -> None:
        """A turn of one answer: a prompt in pieces, then passes of four rows of which two drafts stand."""
        assert isinstance(self.listener, StepLog)
        self.listener.turn()
        self.answer(passes, prompt)

    def answer(self, passes: int, prompt: int = 900) -> None:
        """Another answer of the same turn."""
        assert self.listener is not None
        self.listener.begin()
        for done in range(128, prompt + 128, 128):
            rows = min(128, prompt - done + 128)
            self.listener.step(Step("prefill", rows, min(done, prompt), 0, 0, rows * 1e-4))
        self.write(passes, prompt)

    def write(self, passes: int, context: int) -> None:
        assert self.listener is not None
        for at in range(passes):
            self.listener.step(Step("decode", 4, context + 3 * at, 3, 2, 0.002))

    def one_pass(self, prompt: int) -> None:
        """An answer that comes with the pass of its prompt, as where a window has nothing to change."""
        assert self.listener is not None
        self.listener.begin()
        self.listener.step(Step("prefill", prompt + 1, prompt + 1, 1, 1, 0.01))


class AnsweringSession(FakeSession):
    """A session whose turns make passes."""

    def start(self, ask: ContextRequest, *, stop: StopFlag) -> Iterator[Event]:
        assert isinstance(self.backend, SteppingBackend)
        self.backend.answer(7)
        yield from super().start(ask, stop=stop)


def app_with(
    backend: FakeBackend, theme: str = "spark-dark", model: str = "", kind: type[FakeSession] = FakeSession
) -> SparkApp:
    session = kind({"cart.py": CART}, {"guard it": guard()}, Settings(theme=theme, wafer_model=model))
    session.backend = backend
    return app_for(session, clock=lambda: 0.0)


def panel(pilot: Pilot[Any]) -> WaferPanel:
    found: WaferPanel = pilot.app.workbench.wafer  # type: ignore[attr-defined]
    return found


async def shown(pilot: Pilot[Any]) -> WaferPanel:
    await settle(pilot)
    await press(pilot, "f2")
    return panel(pilot)


def line(text: str, label: str) -> str:
    """What stands after a label."""
    return next(row.split(label, 1)[1] for row in text.split("\n") if label in row).strip()


async def test_a_key_shows_and_hides_it_wherever_the_focus_is() -> None:
    async with running(app_with(SteppingBackend()), (120, 40)) as pilot:
        assert not panel(pilot).display
        await pilot.press("f2")
        assert panel(pilot).display
        await pilot.press("tab", "f2")
        assert not panel(pilot).display


async def test_the_panel_and_the_enlarged_transcript_fit_a_small_screen_together() -> None:
    async with running(app_with(SteppingBackend()), (80, 24)) as pilot:
        await press(pilot, "f2", "f3")
        assert pilot.app.screen.max_scroll_y == 0


async def test_it_names_the_model_and_the_wafer_before_anything_ran() -> None:
    async with app_with(SteppingBackend()).run_test(size=(120, 40)) as pilot:
        text = (await shown(pilot)).text
        assert "WSE-3 with spark-12m" in text
        assert "12.8M weights, 6 layers × 384" in text
        assert line(text, "placed on").startswith("1 stage of 120×120 on 1 wafer ")
        assert "13.0 of 48 KiB" in text
        assert line(text, "first token").startswith("—")


async def test_figures_are_those_of_the_passes() -> None:
    backend = SteppingBackend()
    async with running(app_with(backend), (100, 40)) as pilot:
        backend.run(100)
        text = (await shown(pilot)).text
        simulated, measured, ratio = line(text, "tokens/s").split()
        assert measured == "1,500"
        assert float(ratio.removesuffix("×")) == pytest.approx(
            float(simulated.replace(",", "")) / 1500, rel=0.05
        )
        assert line(text, "first token").split()[2:4] == ["90", "ms"]
        assert "and 100 passes" in text
        assert "≤" not in text


async def test_what_ran_while_it_was_hidden_is_not_lost_and_a_new_answer_begins_again() -> None:
    backend = SteppingBackend()
    async with running(app_with(backend), (100, 40)) as pilot:
        backend.run(30)
        backend.run(40)
        shown_panel = await shown(pilot)
        assert "and 40 passes" in shown_panel.text
        await pilot.press("f2")
        backend.write(5, 1020)
        await pilot.press("f2")
        assert "and 45 passes" in shown_panel.text
        backend.run(2)
        shown_panel.look()
        assert "and 2 passes" in shown_panel.text


async def test_a_turn_over_several_windows_is_shown_whole() -> None:
    backend = SteppingBackend()
    async with running(app_with(backend), (100, 40)) as pilot:
        backend.run(30)
        first = line((await shown(pilot)).text, "first token")
        backend.answer(20, prompt=300)
        panel(pilot).look()
        assert "for 2 prompts and 50 passes" in panel(pilot).text
        assert line(panel(pilot).text, "first token") == first


async def test_a_window_that_has_nothing_to_change_leaves_the_figures_of_its_turn() -> None:
    backend = SteppingBackend()
    async with running(app_with(backend), (100, 40)) as pilot:
        backend.run(30)
        backend.one_pass(300)
        text = (await shown(pilot)).text
        assert line(text, "tokens/s").split()[1] == "1,500"
        assert "and 30 passes" in text


async def test_an_answer_that_came_with_its_prompt_says_so_in_place_of_a_rate() -> None:
    backend = SteppingBackend()
    async with running(app_with(backend), (100, 40)) as pilot:
        backend.run(30)
        panel(pilot).step_log.turn()
        backend.one_pass(300)
        assert line((await shown(pilot)).text, "tokens/s").startswith("none: all came with the prompt")


async def test_it_shows_a_turn_as_soon_as_it_has_ended_and_nothing_of_the_one_before() -> None:
    backend = SteppingBackend()
    async with running(app_with(backend, kind=AnsweringSession), (100, 40)) as pilot:
        backend.run(30)
        await shown(pilot)
        await answered(pilot)
        assert "for the prompt and 7 passes" in panel(pilot).text


async def test_a_turn_that_makes_no_pass_leaves_the_last_one_there() -> None:
    backend = SteppingBackend()
    async with running(app_with(backend), (100, 40)) as pilot:
        backend.run(30)
        await answered(pilot)
        assert "and 30 passes" in (await shown(pilot)).text


async def test_a_key_goes_through_models_that_the_same_turn_is_shown_for() -> None:
    backend = SteppingBackend()
    async with running(app_with(backend), (120, 40)) as pilot:
        backend.run(30)
        await pilot.press("alt+w")
        assert panel(pilot).display
        seen = []
        for _ in wafer_panel.OFFERED:
            text = panel(pilot).text
            assert "and 30 passes" in text
            seen.append(text.split(" with ")[1].split()[0])
            await pilot.press("alt+w")
        assert seen == ["spark-12m", *wafer_panel.OFFERED[1:]]
        assert "WSE-3 with spark-12m" in panel(pilot).text


async def test_the_setting_chooses_the_model_and_says_how_many_devices_hold_it() -> None:
    backend = SteppingBackend()
    async with running(app_with(backend, model="llama-3.1-70b"), (120, 40)) as pilot:
        backend.run(30)
        text = (await shown(pilot)).text
        assert "WSE-3 with llama3-70b" in text
        assert "measured: spark-12m" in text
        assert "ratio" not in text
        assert "one sequence, fp16" in text
        assert " here " not in text
        for name in ("7× WSE-3", "2× H200", "4× H100", "4× A100"):
            *_, rate, first, unit = line(text, name).split()
            assert 10 < float(rate.replace(",", "")) < 5000
            assert float(first) * {"ms": 1, "s": 1000}[unit] > 1
        await pilot.press("alt+w")
        assert "WSE-3 with spark-12m" in panel(pilot).text


async def test_on_a_narrow_screen_gpus_have_two_rows_with_as_many_as_hold_the_model() -> None:
    backend = SteppingBackend()
    async with running(app_with(backend, model="llama-3.1-70b"), (80, 24)) as pilot:
        backend.run(30)
        text = (await shown(pilot)).text
        assert [word for word in line(text, "fp16, tok/s").split() if "×" in word] == [
            "4×A100",
            "4×H100",
            "2×H200",
        ]
        assert all(len(row) <= 80 for row in text.split("\n"))
        assert "Alt+W next model" in text


async def test_a_model_that_is_not_known_is_said_with_those_that_are() -> None:
    async with app_with(SteppingBackend(), model="llama9").run_test(size=(120, 40)) as pilot:
        text = (await shown(pilot)).text
        assert "There are no figures for llama9." in text
        assert "llama3-70b" in text


async def test_it_is_drawn_again_only_when_it_looks_different(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = SteppingBackend()
    async with app_with(backend).run_test(size=(100, 40)) as pilot:
        shown_panel = await shown(pilot)
        drawn: list[int] = []
        monkeypatch.setattr(shown_panel, "refresh", lambda: drawn.append(1))
        shown_panel.look()
        assert drawn == []
        backend.run(3)
        shown_panel.look()
        assert drawn == [1]


def test_it_looks_at_most_four_times_a_second() -> None:
    assert OFTEN >= 0.25


async def test_the_map_distinguishes_reading_and_writing_without_colour() -> None:
    backend = SteppingBackend()
    async with app_with(backend).run_test(size=(100, 40)) as pilot:
        shown_panel = await shown(pilot)
        assert "·" * 24 in shown_panel.text
        backend.run(0)
        shown_panel.look()
        assert "⣿" * 24 in shown_panel.text
        backend.write(10, 900)
        shown_panel.look()
        assert "⣿" * 24 not in shown_panel.text
        assert "⣿" in shown_panel.text


async def test_text_that_was_not_made_here_gets_no_figures() -> None:
    async with app_with(FakeBackend()).run_test(size=(80, 24)) as pilot:
        text = (await shown(pilot)).text
        assert "comes from fake-12m" in text
        assert "no forward passes" in text
        assert not any(word in text for word in ("tokens/s", "KiB", "H100", "⣿"))


async def test_a_model_without_a_place_says_what_is_missing() -> None:
    huge = replace(SHAPE, name="huge", d_model=65_536, d_ff=262_144, n_heads=512, head_dim=128)
    async with app_with(SteppingBackend(huge)).run_test(size=(100, 40)) as pilot:
        text = (await shown(pilot)).text
        assert "not fit on the wafer" in text
        assert "bytes are missing" in text


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (200, 60)])
async def test_the_code_keeps_the_larger_part_of_the_screen(size: tuple[int, int]) -> None:
    backend = SteppingBackend()
    async with app_with(backend).run_test(size=size) as pilot:
        shown_panel = await shown(pilot)
        assert shown_panel.size.height <= 0.4 * size[1]
        assert pilot.app.workbench.code.size.height >= 2  # type: ignore[attr-defined]
        backend.run(20)
        shown_panel.look()
        text = shown_panel.text
        assert "1,500" in line(text, "tokens/s")
        assert "KiB" in text


def test_the_fake_backend_is_what_the_workbench_takes_for_a_model() -> None:
    assert isinstance(SteppingBackend(), ReportsSteps)
    assert not isinstance(FakeBackend(), ReportsSteps)


# -- pictures
# ---------------------------------------------------------------------------------------------------------


def writing(backend: SteppingBackend) -> Callable[[Pilot[Any]], Awaitable[None]]:
    async def run(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        await answered(pilot)
        shown_panel = await shown(pilot)
        backend.run(0)
        shown_panel.look()
        backend.write(60, 900)
        shown_panel.look()
        await settle(pilot)
        assert "and 60 passes" in shown_panel.text or shown_panel.size.height < 12
        assert "1,500" in line(shown_panel.text, "tokens/s")

    return run


@pytest.mark.parametrize("theme", ["spark-dark", "spark-light"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_while_it_writes(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    backend = SteppingBackend()
    assert snap_compare(app_with(backend, theme), terminal_size=size, run_before=writing(backend))


def test_several_stages_without_colour(snap_compare: Compare) -> None:
    backend = SteppingBackend(STAGED)
    assert snap_compare(app_with(backend, "mono"), terminal_size=(120, 40), run_before=writing(backend))


def test_a_recording(snap_compare: Compare) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        assert "no forward passes" in (await shown(pilot)).text

    assert snap_compare(app_with(FakeBackend()), terminal_size=(80, 24), run_before=run)
