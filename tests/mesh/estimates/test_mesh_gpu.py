"""GPUs at batch 1: what a pass costs besides bandwidth, and how far published rows are from that."""

from __future__ import annotations

import statistics

import pytest

from spark_tui.mesh import calibration, validation
from spark_tui.mesh.estimates import gpu, row_predictors
from spark_tui.mesh.facts import model_shapes, published_tables
from spark_tui.mesh.facts.fitted_constants import FITTED, UNFITTED
from spark_tui.shapes import ModelShape

TINY = ModelShape("tiny", 8704, 256, 6, 4, 2, 64, 768)
BUS = 450e9


def batch1() -> list[dict]:
    return [
        validation.evaluate("gpu batch 1", row, FITTED)
        for row in published_tables.packaged("gpu batch 1").rows
    ]


@pytest.mark.parametrize("name", list(gpu.GPUS))
def test_a_pass_of_a_tiny_model_costs_the_floor_of_each_layer_whatever_the_bandwidth(name):
    part = gpu.GPUS[name]
    floors = TINY.n_layers * part.layer_floor_seconds
    seconds = gpu.decode_seconds(TINY, part, 1, 500, BUS)
    assert floors < seconds < 1.2 * floors
    assert gpu.prefill_seconds(TINY, part, 1, 300, BUS) > floors
    assert 1 / seconds < 10_000


def test_a_gpu_reads_no_more_keys_than_a_layers_window_holds():
    part, layers = gpu.GPUS["h100"], 4
    shapes = {
        w: ModelShape("w", 100, 4096, layers, 32, 8, 128, 4096, windows=(w,) * layers) for w in (0, 1024)
    }
    whole, narrow = shapes[0], shapes[1024]
    for context in (1000, 1024, 1025, 100_000):
        seen = min(context, 1024)
        ours = gpu.decode_seconds(narrow, part, 1, context, BUS)
        assert ours == pytest.approx(gpu.decode_seconds(whole, part, 1, seen, BUS))
    assert gpu.prefill_seconds(narrow, part, 1, 900, BUS) == gpu.prefill_seconds(whole, part, 1, 900, BUS)
    assert gpu.prefill_seconds(narrow, part, 1, 50_000, BUS) < gpu.prefill_seconds(
        whole, part, 1, 50_000, BUS
    )


@pytest.mark.parametrize("name", list(gpu.FLOOR_ROWS))
def test_the_floor_of_a_layer_is_what_its_row_leaves(name):
    kind, at = gpu.FLOOR_ROWS[name]
    row = published_tables.packaged(kind).rows[at]
    published = 1.0 / float(row[published_tables.PUBLISHED[kind]])
    missing = published - 1.0 / row_predictors.predict(kind, row, UNFITTED)
    assert missing / model_shapes.find(row["model"]).n_layers == pytest.approx(0.0, abs=0.5e-6)


def test_rows_that_a_floor_is_solved_from_are_marked_and_count_in_no_bar():
    rows = batch1()
    assert [row["use"] for row in rows].count(calibration.SOLVED_BY) == 1
    wrong = [row | {"error_pct": 1000.0} if row["use"] == calibration.SOLVED_BY else row for row in rows]
    assert validation.error_bars(wrong) == validation.error_bars(rows)


def test_the_rows_held_aside_are_predicted_and_a_model_without_floors_misses_them():
    aside = [row for row in batch1() if row["use"] == calibration.PREDICTED]
    assert len(aside) == 6
    assert statistics.fmean(abs(row["error_pct"]) for row in aside) < 15
    assert max(abs(row["error_pct"]) for row in aside) < 25
    small = model_shapes.find("Qwen2.5-0.5B")
    bare = gpu.read_params(small) * 2 / (gpu.KERNEL_SHARE * gpu.GPUS["a100"].memory_bytes_per_second)
    assert 1 / bare > 4 * aside[0]["published"]


def test_fitted_and_held_out_rows_are_marked_differently():
    used = {
        kind: {calibration.use_of(kind, row) for row in published_tables.packaged(kind).rows}
        for kind in published_tables.FILES
    }
    assert used["decode"] == {"fitted"}
    assert used["gpu"] == {"fitted", "solved"}
    assert used["gpu served"] == used["e2e"] == used["products"] == {"predicted"}
    row = dict(published_tables.packaged("decode").rows[0], mesh_P="540")
    assert calibration.use_of("decode", row) == "predicted"


def test_a_layer_pays_for_its_floor_or_for_its_allreduces_whichever_is_longer():
    shape, part = model_shapes.find("llama3-70b"), gpu.GPUS["a100"]
    near, far = (gpu.waiting_seconds(shape, part, count, 1, BUS) for count in (2, 16))
    assert near == pytest.approx(80 * part.layer_floor_seconds)
    assert far == pytest.approx(160 * gpu.allreduce_seconds(16, 2 * 8192, BUS))


def test_as_many_gpus_are_taken_as_hold_the_weights_and_the_keys():
    shape = model_shapes.find("llama3-70b")
    counts = [gpu.count_for(shape, gpu.GPUS[name], 4096) for name in ("a100", "h100", "h200")]
    assert counts == [4, 4, 2]
    assert gpu.count_for(shape, gpu.GPUS["h200"], 4_000_000) > 2
    published = {row["model"]: int(row["gpus"]) for row in published_tables.packaged("gpu batch 1").rows}
    for name, count in published.items():
        assert gpu.count_for(model_shapes.find(name), gpu.GPUS["a100"], 2048) == count
