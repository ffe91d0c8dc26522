from __future__ import annotations

import argparse

import pytest

from spark_tui import events
from spark_tui.bench import ui
from spark_tui.bench.ui_child import LINES_A_HUNK, answer
from spark_tui.edits.parser import Parser

CALM = {"late": [0.001] * 99 + [0.01], "written": [10.0, 10.1, 10.2], "rate": 2000.0, "cpu": 0.3}


def seen() -> ui.Seen:
    return ui.Seen(frames=[3_000] * 30, lines={0: 10.03, 1: 10.13, 2: 10.24}, keys=[0.01, 0.02], total_bytes=90_000)


def failed(found: dict[str, object], saw: ui.Seen, rate: float = 2000.0) -> set[str]:
    return {bar.name for bar in ui.report(found, saw, rate).bars if not bar.ok}


def test_a_calm_screen_meets_every_bar() -> None:
    assert failed(CALM, seen()) == set()


@pytest.mark.parametrize(
    ("changed", "bars"),
    [
        ({"late": [0.03] * 100}, {"loop_late_p95_ms"}),
        ({"late": [0.001] * 97 + [0.2] * 3}, {"loop_late_p99_ms"}),
        ({"written": [9.0, 9.1, 9.2]}, {"display_lag_p95_ms"}),
        ({"rate": 1500.0}, {"rate_kept"}),
        ({"late": []}, {"loop_late_p95_ms", "loop_late_p99_ms"}),
    ],
)
def test_a_slow_one_misses_the_bar_that_says_so(changed: dict[str, object], bars: set[str]) -> None:
    assert failed(CALM | changed, seen()) == bars


def test_large_frames_and_late_keys_miss_theirs() -> None:
    saw = seen()
    saw.frames, saw.keys = [30_000] * 30, [0.5]
    assert failed(CALM, saw) == {"frame_bytes_median", "frame_bytes_p95", "key_to_screen_p95_ms"}


def test_the_answer_is_edits_that_the_parser_places() -> None:
    lines = [f"line = {n}" for n in range(400)]
    parser = Parser("lines", lambda _: lines)
    found = [event for piece in answer(3 * LINES_A_HUNK) for event in parser.feed(piece)] + list(parser.finish())
    closed = [event for event in found if isinstance(event, events.HunkClosed)]
    assert [len(event.new_lines) for event in closed] == [LINES_A_HUNK] * 3
    assert not [event for event in found if isinstance(event, events.HunkFailed)]


@pytest.mark.slow
def test_a_real_screen_is_watched_to_its_end() -> None:
    report = ui.measure(argparse.Namespace(rate=300.0, seconds=3.0, quick=True))
    assert all(bar.value is not None for bar in report.bars)
