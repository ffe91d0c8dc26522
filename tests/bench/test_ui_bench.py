from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from spark_tui import events
from spark_tui.bench import ui
from spark_tui.bench.measuring.model_argument import BUILT_IN
from spark_tui.bench.screen.scripted_model import LINES_A_HUNK, edits, prose, replacement
from spark_tui.bench.screen.terminal import _Bursts, _Marked, running
from spark_tui.edits.parser import Parser
from spark_tui.errors import NoPlace

CALM: dict[str, Any] = {
    "late": [0.001] * 99 + [0.01],
    "written": [10.0, 10.1, 10.2],
    "rate": 2000.0,
    "cpu": 0.3,
}


def seen() -> ui.TerminalOutput:
    return ui.TerminalOutput(
        frames=[3_000] * 30, lines={0: 10.03, 1: 10.13, 2: 10.24}, keys=[0.01, 0.02], total_bytes=90_000
    )


def found(
    told: dict[str, Any] | None = None, saw: ui.TerminalOutput | None = None, **more: Any
) -> ui.UiResults:
    """A calm screen, but for what is changed."""
    out = ui.UiResults(
        streams={screen: (CALM, seen()) for screen in ui.SCREENS}
        | {"terminal": (CALM | (told or {}), saw or seen())},
        said={1_000: [50e-6, 51e-6], 100_000: [55e-6, 56e-6]},
        diff=[0.1, 0.12, 0.5],
        engine={"headless": [2000.0, 1000.0], "attached": [1900.0, 950.0], "model": "spark"},
        first_frames=[0.3, 0.31],
        version=ui.VersionImports([0.02], 57, ()),
    )
    for name, value in more.items():
        setattr(out, name, value)
    return out


def failed(what: ui.UiResults, rate: float = 2000.0) -> set[str]:
    return {bar.name for bar in ui.report(what, rate).bars if not bar.ok}


def test_a_calm_screen_meets_every_bar() -> None:
    assert failed(found()) == set()


@pytest.mark.parametrize(
    ("changed", "bars"),
    [
        ({"late": [0.03] * 100}, {"loop_late_p95_ms"}),
        ({"late": [0.001] * 97 + [0.2] * 3}, {"loop_late_p99_ms"}),
        ({"written": [9.0, 9.1, 9.2]}, {"display_lag_p95_ms"}),
        ({"rate": 1500.0}, {"rate_kept"}),
        ({"late": []}, {"loop_late_p95_ms", "loop_late_p99_ms", "rate_kept"}),
    ],
)
def test_a_slow_one_misses_the_bar_that_says_so(changed: dict[str, object], bars: set[str]) -> None:
    assert failed(found(changed)) == bars


def test_large_frames_and_late_keys_miss_theirs() -> None:
    saw = seen()
    saw.frames, saw.keys = [30_000] * 30, [0.5]
    assert failed(found(saw=saw)) == {"frame_bytes_median", "frame_bytes_p95", "key_to_screen_p95_ms"}


def test_a_key_that_is_never_seen_counts_as_a_late_one() -> None:
    saw = seen()
    saw.missed_keys = 1
    assert failed(found(saw=saw)) == {"key_to_screen_p95_ms"}


@pytest.mark.parametrize(
    ("more", "bar"),
    [
        ({"said": {1_000: [50e-6], 100_000: [61e-6]}}, "cpu_100k_lines_over_1k"),
        ({"diff": [0.1, 0.21, 0.3]}, "diff_50k_opens_ms"),
        ({"engine": {"headless": [2000.0], "attached": [1790.0]}}, "engine_attached_over_headless"),
        ({"first_frames": [0.39, 0.41, 0.42]}, "first_frame_ms"),
        ({"version": ui.VersionImports([0.2], 900, ("numpy",))}, "version_loads_heavy_packages"),
    ],
)
def test_each_other_bar_is_missed_by_what_it_is_about(more: dict[str, Any], bar: str) -> None:
    assert failed(found(**more)) == {bar}


def test_what_was_not_measured_has_no_value_and_is_missed() -> None:
    report = ui.report(ui.UiResults(), 2000.0)
    assert [bar.value for bar in report.bars] == [None] * len(report.bars)
    assert len(report.bars) == 19
    assert not any(bar.ok for bar in report.bars)


def test_without_tmux_its_bars_are_missed_and_a_note_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(ui, "SCREENS", ("tmux",))
    what = ui.UiResults()
    ui._streams(what, 2000.0, 1.0)
    assert what.streams == {}
    assert what.notes == ["not measured inside tmux: it is not installed"]


def test_a_workbench_that_ends_too_early_is_an_error_with_what_it_said(tmp_path: Path) -> None:
    with pytest.raises(NoPlace, match="ended before") as caught:
        ui._worker_report(tmp_path)
    assert caught.value.exit_code == 7
    (tmp_path / "found.json").write_text(json.dumps({"error": "no such model"}))
    with pytest.raises(NoPlace, match="no such model"):
        ui._worker_report(tmp_path)


def test_the_answer_is_edits_that_the_parser_places() -> None:
    lines = [f"line = {n}" for n in range(400)]
    parser = Parser("lines", lambda _: lines)
    heard = [event for piece in edits(3 * LINES_A_HUNK) for event in parser.feed(piece)] + list(
        parser.finish()
    )
    closed = [event for event in heard if isinstance(event, events.HunkClosed)]
    assert [len(event.new_lines) for event in closed] == [LINES_A_HUNK] * 3
    assert not [event for event in heard if isinstance(event, events.HunkFailed)]


def test_the_prose_is_prose_and_the_replacement_one_hunk() -> None:
    lines = [f"line = {n}" for n in range(50)]
    parser = Parser("lines", lambda _: lines)
    heard = [event for piece in prose(20) for event in parser.feed(piece)] + list(parser.finish())
    assert {type(event) for event in heard} == {events.Prose}
    parser = Parser("lines", lambda _: lines)
    heard = [event for piece in replacement(50) for event in parser.feed(piece)] + list(parser.finish())
    (closed,) = [event for event in heard if isinstance(event, events.HunkClosed)]
    assert (len(closed.old_lines), len(closed.new_lines)) == (50, 50)


def test_marked_frames_are_counted_whole_however_they_come() -> None:
    wire = b"x\x1b[?2026h12345\x1b[?2026lyy\x1b[?2026h123\x1b[?2026l"
    for cut in range(1, len(wire)):
        frames = _Marked()
        assert [size for at in range(0, len(wire), cut) for size in frames.take(wire[at : at + cut])] == [
            5,
            3,
        ]


def test_unmarked_frames_end_where_nothing_comes() -> None:
    frames = _Bursts()
    assert [size for data in (b"ab", b"c", b"", b"", b"d", b"") for size in frames.take(data)] == [3, 1]


def test_the_terminal_answers_what_is_asked_and_sees_the_end(tmp_path: Path) -> None:
    asks = r"stty -icanon -echo; printf '\033[?2026$p'; dd bs=1 count=11 2>/dev/null | od -c | head -1"
    with running(["sh", "-c", asks], tmp_path) as terminal:
        assert terminal.until(lambda text: "2   0   2   6   ;   2" in text, 30) is not None
        assert terminal.until(lambda text: False, 30) is None


def test_the_version_needs_no_heavy_import() -> None:
    told = ui.version_imports(runs=1)
    assert told.heavy == ()
    assert told.modules > 10


@pytest.mark.slow
def test_a_real_screen_is_watched_to_its_end() -> None:
    report = ui.measure(argparse.Namespace(rate=300.0, seconds=3.0, quick=True, model=BUILT_IN))
    assert [bar.name for bar in report.bars if bar.value is None] == []
