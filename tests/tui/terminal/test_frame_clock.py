from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest
from support.fake_session import FakeSession
from support.workbench_app import app_for, bench, press, running

from spark_tui.tui.terminal import frame_clock
from spark_tui.tui.terminal.frame_clock import FRAME_SECONDS, GATHER_SECONDS, FrameClock


class Handle:
    cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class Loop:
    """A loop whose time the test moves."""

    def __init__(self) -> None:
        self.now = 100.0
        self.calls: list[tuple[float, Callable[..., None], tuple[object, ...], Handle]] = []

    def time(self) -> float:
        return self.now

    def call_at(self, at: float, function: Callable[..., None], *args: object) -> Handle:
        self.calls.append((at, function, args, Handle()))
        return self.calls[-1][3]

    def until(self, end: float) -> None:
        while due := [call for call in self.calls if call[0] <= end]:
            call = min(due, key=lambda item: item[0])
            self.calls.remove(call)
            self.now = max(self.now, call[0])
            if not call[3].cancelled:
                call[1](*call[2])
        self.now = end


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Loop:
    made = Loop()
    monkeypatch.setattr(frame_clock.asyncio, "get_running_loop", lambda: made)
    return made


def test_the_first_frame_and_the_one_after_it_do_not_wait_for_a_beat(loop: Loop) -> None:
    frames: list[float] = []
    clock = FrameClock(lambda: frames.append(loop.now))
    clock.resume()
    loop.until(100.003)
    clock.resume()
    loop.until(101)
    assert frames == pytest.approx([100 + GATHER_SECONDS, 100.003 + GATHER_SECONDS])


def test_what_changes_all_the_time_is_painted_sixty_times_a_second(loop: Loop) -> None:
    frames: list[float] = []
    clock = FrameClock(lambda: frames.append(loop.now))
    for step in range(1000):
        clock.resume()
        loop.until(100 + step / 1000)
    assert 58 <= len(frames) <= 62
    assert all(
        later - first >= 2 * FRAME_SECONDS - 1e-9 for first, later in zip(frames, frames[2:], strict=False)
    )


def test_what_several_widgets_tell_in_a_moment_is_one_frame(loop: Loop) -> None:
    frames: list[float] = []
    clock = FrameClock(lambda: frames.append(loop.now))
    for _ in range(5):
        clock.resume()
        loop.until(loop.now + GATHER_SECONDS / 10)
    loop.until(101)
    assert len(frames) == 1


def test_what_was_painted_by_other_means_is_not_painted_again(loop: Loop) -> None:
    frames: list[float] = []
    clock = FrameClock(lambda: frames.append(loop.now))
    clock.resume()
    clock.pause()
    loop.until(101)
    assert frames == []
    clock.resume()
    loop.until(102)
    assert len(frames) == 1


async def test_every_screen_has_such_a_clock(session: FakeSession) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        for key in ("f1", "escape", "ctrl+p"):
            assert isinstance(app.screen._update_timer, FrameClock)
            await press(pilot, key)
        assert app.screen is not bench(app)
        assert isinstance(app.screen._update_timer, FrameClock)


def test_nothing_is_collected_before_everything_is_loaded_and_that_is_left_alone() -> None:
    code = (
        "import gc; from spark_tui.tui.garbage_collection import resume_collection;"
        "gc.disable(); before = gc.isenabled(); resume_collection();"
        "print(before, gc.isenabled(), gc.get_freeze_count() > 1000)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "True"]
