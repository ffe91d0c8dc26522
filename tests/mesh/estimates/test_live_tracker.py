"""Tracking a generation, pacing it, drawing what happened."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spark_tui.errors import Misfit
from spark_tui.mesh import svg_plot
from spark_tui.mesh.estimates import cost, gpu
from spark_tui.mesh.estimates.live_tracker import LiveWafer, line_traffic
from spark_tui.mesh.estimates.pace import Pace
from spark_tui.mesh.fabric.closed_forms import two_level
from spark_tui.mesh.fabric.collectives import fabric_for, row, run_ktree_allreduce
from spark_tui.mesh.facts.fitted_constants import FITTED
from spark_tui.mesh.facts.model_shapes import PRESETS
from spark_tui.mesh.facts.wafer import MINI8, WSE2, WSE3
from spark_tui.mesh.simulated import demo
from spark_tui.shapes import ModelShape, Step

PACES = {target: Pace(target) for target in ("wafer", "h100")}
SMALL = ModelShape("small", 8192, 384, 8, 6, 2, 64, 1024)


def decode_step(
    context: int, rows: int = 1, drafted: int = 0, accepted: int = 0, seconds: float = 0.002
) -> Step:
    return Step("decode", rows, context, drafted, accepted, seconds)


def test_a_reading_counts_the_tokens_that_stood_and_the_cycles_of_every_row():
    live = LiveWafer(SMALL, WSE3, grid=120)
    live.feed(Step("prefill", 500, 500, 0, 0, 0.25))
    for at in range(10):
        live.feed(decode_step(500 + at, rows=4, drafted=3, accepted=2))
    reading = live.reading()
    assert reading.tokens == 30
    assert reading.passes == 10
    assert reading.measured_tokens_per_second == pytest.approx(30 / 0.02)
    per_pass = cost.decode_token_cycles(SMALL, 120, 600, WSE3, FITTED, 4)
    assert live.decode_cycles == pytest.approx(10 * per_pass)
    assert reading.simulated_tokens_per_second == pytest.approx(30 * WSE3.clock_hz / (10 * per_pass))
    prompt = cost.prefill_cycles(SMALL, 120, 600, WSE3, FITTED, 600)
    assert reading.simulated_first_token_s == pytest.approx(prompt / WSE3.clock_hz)
    assert reading.measured_first_token_s == pytest.approx(0.25)
    assert reading.sram_bytes_per_core <= reading.sram_limit_bytes
    assert 0 < reading.compute_share <= 1


def test_a_prompt_is_simulated_whole_however_it_was_cut_here():
    whole, pieces = LiveWafer(SMALL, WSE3), LiveWafer(SMALL, WSE3)
    whole.feed(Step("prefill", 512, 512, 0, 0, 0.2))
    for at in range(64, 513, 64):
        pieces.feed(Step("prefill", 64, at, 0, 0, 0.025))
    assert pieces.prefill_cycles == pytest.approx(whole.prefill_cycles)
    assert pieces.compute_cycles == pytest.approx(whole.compute_cycles)
    assert pieces.reading().measured_first_token_s == pytest.approx(0.2)


def test_gpus_gain_from_drafts_as_the_wafer_does():
    plain, drafting = LiveWafer(SMALL, WSE3), LiveWafer(SMALL, WSE3)
    plain.feed(decode_step(500))
    drafting.feed(decode_step(500, rows=4, drafted=3, accepted=2))
    assert [(gpu_reading.name, gpu_reading.count) for gpu_reading in plain.gpus()] == [
        ("a100", 1),
        ("h100", 1),
        ("h200", 1),
    ]
    for one, three in zip(plain.gpus(), drafting.gpus(), strict=True):
        assert three.tokens_per_second == pytest.approx(3 * one.tokens_per_second)


def test_gpus_read_the_same_rows_and_write_the_same_passes():
    live = LiveWafer(SMALL, WSE3)
    live.feed(Step("prefill", 300, 400, 0, 0, 0.1))
    live.feed(Step("prefill", 200, 600, 1, 1, 0.1))
    for at in range(5):
        live.feed(decode_step(600 + at))
    for gpu_reading in live.gpus():
        part = gpu.GPUS[gpu_reading.name]
        bus = gpu.bus_of(part, FITTED)
        assert gpu_reading.first_token_s == pytest.approx(gpu.pass_seconds(SMALL, part, 1, 500, 600, bus))
        assert gpu_reading.tokens_per_second == pytest.approx(
            1 / gpu.decode_seconds(SMALL, part, 1, 602, bus)
        )


def test_answers_of_a_turn_are_added_up_and_only_the_first_prompt_is_waited_for():
    live, alone = LiveWafer(SMALL, WSE3), LiveWafer(SMALL, WSE3)
    for item in (live, alone):
        item.feed(Step("prefill", 500, 500, 1, 1, 0.2))
    live.next_answer()
    live.feed(Step("prefill", 400, 400, 0, 0, 0.1))
    live.feed(decode_step(401))
    one, both = alone.reading(), live.reading()
    assert (both.answers, both.with_prompt, both.tokens) == (2, 1, 1)
    assert both.simulated_first_token_s == pytest.approx(one.simulated_first_token_s)
    assert both.measured_first_token_s == pytest.approx(0.2)
    assert live.prefill_cycles > alone.prefill_cycles
    assert [gpu_reading.first_token_s for gpu_reading in both.gpus] == pytest.approx(
        [gpu_reading.first_token_s for gpu_reading in one.gpus]
    )


def test_a_few_new_rows_of_a_known_prompt_do_not_cost_a_full_grid():
    few, full = LiveWafer(PRESETS["llama3-8b"], WSE3), LiveWafer(PRESETS["llama3-8b"], WSE3)
    few.feed(Step("prefill", 10, 900, 0, 0, 0.01))
    full.feed(Step("prefill", few.grid, 900, 0, 0, 0.1))
    assert few.prefill_cycles == pytest.approx(
        cost.decode_token_cycles(few.shape, few.grid, 900, WSE3, FITTED, 10), rel=0.02
    )
    assert few.prefill_cycles < 0.2 * full.prefill_cycles


def test_a_model_that_one_gpu_does_not_hold_is_put_on_several():
    found = LiveWafer(PRESETS["qwen2-72b"], WSE3).gpus()
    assert [(gpu_reading.name, gpu_reading.count) for gpu_reading in found] == [
        ("a100", 4),
        ("h100", 4),
        ("h200", 2),
    ]


def test_before_anything_ran_the_reading_is_dark_and_zero():
    live = LiveWafer(SMALL, WSE3)
    reading = live.reading()
    assert (
        reading.simulated_tokens_per_second
        == reading.measured_tokens_per_second
        == reading.compute_share
        == 0
    )
    assert not live.heat(8, 16).any()


def test_reset_forgets_the_last_answer():
    live = LiveWafer(SMALL, WSE3)
    live.feed(decode_step(100))
    live.reading()
    live.reset()
    assert live.reading().tokens == 0
    assert not live.heat(8, 16).any()


def test_the_map_shows_what_the_links_do_now():
    live = LiveWafer(SMALL, WSE3, grid=120)
    live.feed(Step("prefill", 500, 500, 0, 0, 0.25))
    live.reading()
    np.testing.assert_allclose(live.heat(8, 16), 1.0)
    live.feed(decode_step(501))
    live.reading()
    writing = live.heat(8, 16)
    assert writing.max() < 1
    assert writing.min() < 0.8 * writing.max()
    live.reading()
    np.testing.assert_array_equal(live.heat(8, 16), writing)


@given(st.integers(1, 40), st.integers(1, 40))
def test_the_map_has_the_same_mean_at_every_size(rows, columns):
    live = LiveWafer(SMALL, WSE3, grid=120)
    live.feed(decode_step(400))
    live.reading()
    heat = live.heat(rows, columns)
    assert heat.shape == (rows, columns)
    assert heat.mean() == pytest.approx(live.heat(120, 120).mean())
    assert 0 <= heat.min() <= heat.max() <= 1


def test_the_map_is_bright_where_layers_are_placed():
    live = LiveWafer(SMALL, WSE2, grid=32)
    live.spot = replace(live.spot, stages=40)
    live.feed(decode_step(400))
    live.reading()
    across = WSE2.columns // 32
    assert live.area == (across * 32, 2 * 32)
    heat = live.heat(2, across)
    assert (heat[0] > 0).all()
    assert (heat[1] > 0).sum() == 40 - across


@given(st.integers(2, 32), st.integers(1, 5), st.integers(1, 9))
def test_the_traffic_of_a_line_is_what_the_events_send(count, groups, wavelets):
    if count % groups:
        groups = 1
    tree = two_level(count, groups)
    fabric = fabric_for(count, 1, WSE2)
    run_ktree_allreduce(fabric, [row(count)], wavelets, tree)
    seen = np.zeros(count)
    for ((x, _), _), busy in fabric.link_busy_cycles.items():
        seen[x] += busy / wavelets
    np.testing.assert_allclose(line_traffic(tree.sizes), seen)


def test_a_model_that_has_no_place_has_no_tracker_and_the_error_says_how_much_is_missing():
    with pytest.raises(Misfit, match="bytes are missing"):
        LiveWafer(PRESETS["llama3-405b"], MINI8)


# -- pace
# ----------------------------------------------------------------------------------------------------


def test_one_h100_writes_as_one_would_expect_of_an_8b_model():
    pace = Pace("h100")
    assert 50 < 1 / pace.seconds_per_token(1000) < 300
    assert (
        pace.first_token_seconds(0) == 0 < pace.first_token_seconds(500) < pace.first_token_seconds(4000) < 1
    )


@given(st.sampled_from(list(PACES)), st.integers(0, 8000), st.integers(0, 8000))
def test_more_keys_never_make_a_token_faster(target, one, other):
    pace = PACES[target]
    few, many = sorted((one, other))
    assert 0 < pace.seconds_per_token(few) <= pace.seconds_per_token(many)


@pytest.mark.parametrize("target", PACES)
def test_a_prompt_of_any_length_has_a_pace(target):
    lengths = [1_000, 32_768, 32_769, 65_536, 131_072, 1_000_000]
    seconds = [PACES[target].first_token_seconds(length) for length in lengths]
    assert seconds == sorted(seconds)


def test_the_wafer_is_paced_far_faster_than_one_h100():
    wafer, h100 = Pace("wafer"), Pace("h100")
    assert wafer.seconds_per_token(4096) * 5 < h100.seconds_per_token(4096)
    assert 1000 < 1 / wafer.seconds_per_token(4096) < 5000


# -- traces and plots
# ----------------------------------------------------------------------------------------------------


def test_a_trace_holds_every_span_in_microseconds_of_the_devices_clock(tmp_path):
    fabric = fabric_for(6, 1, WSE2)
    run_ktree_allreduce(fabric, [row(6)], 11, two_level(6, 2))
    path = tmp_path / "trace.json"
    count = demo.write_chrome_trace(fabric, path)
    events = json.loads(path.read_text())["traceEvents"]
    spans = [event for event in events if event["ph"] == "X"]
    assert len(spans) == count == len(fabric.spans)
    for span, event in zip(fabric.spans, spans, strict=True):
        assert event["ts"] == pytest.approx(span.start / 1100)
        assert event["dur"] == pytest.approx((span.end - span.start) / 1100)
        assert event["pid"] == (demo.LINKS if span.link else demo.CORES)
    named = {event["tid"] for event in events if event["name"] == "thread_name"}
    assert {event["tid"] for event in spans} <= named


def test_no_link_carries_two_worms_at_once():
    fabric = fabric_for(8, 8, WSE2)
    lines = [[(x, y) for x in range(8)] for y in range(8)]
    run_ktree_allreduce(fabric, lines, 7, two_level(8, 2))
    by_link: dict[object, list[tuple[float, float]]] = {}
    for span in fabric.spans:
        if span.link:
            by_link.setdefault(span.link, []).append((span.start, span.end))
    for spans in by_link.values():
        spans.sort()
        assert all(before[1] <= after[0] for before, after in pairwise(spans))


def test_use_is_the_share_of_the_time():
    fabric = fabric_for(3, 1, WSE2)
    end = run_ktree_allreduce(fabric, [row(3)], 20, two_level(3, 1))
    assert 0 < demo.core_use(fabric, end).max() <= 1
    assert demo.core_use(fabric, 0).shape == (1, 3)


def test_plots_are_well_formed_and_say_their_numbers():
    panel = svg_plot.AxesPanel(
        "y", (svg_plot.Series("one", ((1, 10.0), (2, 250.0))), svg_plot.Series("none", ()))
    )
    lines = svg_plot.lines("a < b", "x", [panel, panel])
    bars = svg_plot.bars(
        "t", [svg_plot.BarPanel("tok/s", [svg_plot.BarLine("a & b", 12.5), svg_plot.BarLine("zero", 0.0)])]
    )
    for text in (lines, bars, svg_plot.lines("", "", []), svg_plot.bars("", [])):
        assert ElementTree.fromstring(text).tag.endswith("svg")
    assert lines.count("one: 250") == 2
    assert "12.5" in bars
    assert lines == svg_plot.lines("a < b", "x", [panel, panel])
