"""The mesh computes a transformer: bit for bit what the same order of sums gives, and close to dense
numpy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.ordered_reference import Reference, line_sum

from spark_tui.errors import Misfit, UsageError
from spark_tui.mesh import selfcheck
from spark_tui.mesh.estimates import cost
from spark_tui.mesh.fabric import closed_forms
from spark_tui.mesh.facts.fitted_constants import FITTED, UNFITTED
from spark_tui.mesh.facts.wafer import MINI8
from spark_tui.mesh.simulated import dense_model
from spark_tui.mesh.simulated.dense_model import random_weights
from spark_tui.mesh.simulated.kernels import Mesh, reduce_in_order
from spark_tui.mesh.simulated.kv_placement import ShiftedKV
from spark_tui.mesh.simulated.transformer import MeshTransformer
from spark_tui.shapes import ModelShape

SIZES = [(4, 2, 8), (2, 1, 4), (8, 8, 4), (4, 4, 4), (1, 1, 4), (8, 2, 8), (2, 2, 2)]


def a_model(heads: int, kv: int, width: int = 64, layers: int = 2) -> ModelShape:
    return ModelShape("tiny", 50, width, layers, heads, kv, width // heads, 2 * width)


def on_mesh(shape: ModelShape, weights, side: int, dtype=np.float32, **more) -> MeshTransformer:
    return MeshTransformer(shape, weights, Mesh(side, MINI8, FITTED, dtype, **more))


def text(count: int = 13) -> list[int]:
    return [int(token) for token in np.random.default_rng(0).integers(0, 50, count)]


def apart(found, wanted) -> float:
    return float(np.abs(found - wanted).max() / np.abs(wanted).max())


@pytest.mark.parametrize(("heads", "kv", "side"), SIZES)
def test_decode_is_bit_for_bit_what_the_same_order_of_sums_gives(heads, kv, side):
    shape = a_model(heads, kv)
    weights = random_weights(shape, 3)
    model, reference = on_mesh(shape, weights, side), Reference(shape, weights, side)
    for token in text(side + 3):
        # a vocabulary of 50 is padded on the mesh; padding adds columns, not terms
        np.testing.assert_array_equal(model.decode(token), reference.decode(token))


@pytest.mark.parametrize(("heads", "kv", "side"), [(4, 2, 8), (2, 1, 4), (8, 8, 4), (1, 1, 4)])
def test_prefill_is_bit_for_bit_what_the_same_order_of_sums_gives(heads, kv, side):
    shape = a_model(heads, kv, width=32, layers=1)
    weights, tokens = random_weights(shape, 4), text(side + 2)
    found = on_mesh(shape, weights, side).prefill(tokens)
    np.testing.assert_array_equal(found, Reference(shape, weights, side).prefill(tokens))


@pytest.mark.parametrize(("heads", "kv", "side"), SIZES)
def test_decode_and_prefill_are_close_to_dense_numpy_in_fp32(heads, kv, side):
    shape, tokens = a_model(heads, kv), text()
    weights = random_weights(shape, 1)
    wanted = dense_model.forward(
        shape, {name: array.astype(np.float64) for name, array in weights.items()}, tokens
    )
    stepped = on_mesh(shape, weights, side)
    assert apart(np.stack([stepped.decode(token) for token in tokens]), wanted) <= 1e-5
    mixed = on_mesh(shape, weights, side)
    assert apart(mixed.prefill(tokens[:9]), wanted[:9]) <= 1e-5
    assert apart(np.stack([mixed.decode(token) for token in tokens[9:]]), wanted[9:]) <= 1e-5


@pytest.mark.parametrize(("heads", "kv", "side"), SIZES)
def test_decode_and_prefill_are_close_to_dense_numpy_in_fp16(heads, kv, side):
    shape, tokens = a_model(heads, kv), text()
    weights = {
        name: array.astype(np.float16).astype(np.float32) for name, array in random_weights(shape, 1).items()
    }
    wanted = dense_model.forward(shape, weights, tokens)
    model = on_mesh(shape, weights, side, np.float16)
    assert apart(model.prefill(tokens[:6]), wanted[:6]) <= 1e-3
    assert apart(np.stack([model.decode(token) for token in tokens[6:]]), wanted[6:]) <= 1e-3


def test_the_fabric_run_event_by_event_gives_the_same_numbers_and_the_same_cycles():
    shape, tokens = a_model(4, 2), text(6)
    weights = random_weights(shape, 2)
    quick, slow = on_mesh(shape, weights, 8), on_mesh(shape, weights, 8, events=True)
    np.testing.assert_array_equal(quick.prefill(tokens[:4]), slow.prefill(tokens[:4]))
    assert slow.mesh.now == pytest.approx(quick.mesh.now)
    for token in tokens[4:]:
        np.testing.assert_array_equal(quick.decode(token), slow.decode(token))
    assert slow.mesh.now == pytest.approx(quick.mesh.now)
    assert slow.mesh.fabric.spans
    assert not quick.mesh.fabric.spans


def test_a_dropped_part_of_a_sum_misses_the_bar(monkeypatch):
    from spark_tui.mesh.simulated import kernels

    def without_the_first(parts, tree, combine):
        return reduce_in_order(parts, tree, combine) - parts[0]

    monkeypatch.setattr(kernels, "reduce_in_order", without_the_first)
    assert not any(bar.ok for bar in selfcheck.number_bars())


@given(st.integers(1, 40), st.data())
def test_the_order_of_a_reduction_is_that_of_the_reference(count, data):
    values = data.draw(st.lists(st.floats(-1e3, 1e3, width=32), min_size=count, max_size=count))
    parts = np.array(values, dtype=np.float32)[:, None]
    found = reduce_in_order(parts, cost.ktree(count, MINI8, UNFITTED), np.add)
    assert found.tobytes() == line_sum(list(parts)).tobytes()


@given(st.integers(1, 9), st.integers(1, 5), st.integers(1, 5), st.integers(1, 5), st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_a_cyclic_shift_product_is_the_product(side, m, k, n, seed):
    rng = np.random.default_rng(seed)
    left, right = (rng.standard_normal((side, side, *tile)).astype(np.float32) for tile in ((m, k), (k, n)))
    wafer = replace(MINI8, columns=16, rows=16)
    found = Mesh(side, wafer, FITTED).gemm(left, right, "product")

    def whole(tiles):
        return tiles.transpose(0, 2, 1, 3).reshape(side * tiles.shape[2], -1).astype(np.float64)

    np.testing.assert_allclose(whole(found), whole(left) @ whole(right), rtol=1e-4, atol=1e-4)


@given(st.integers(1, 8), st.integers(1, 6), st.data())
def test_shifted_keys_stay_in_order_and_balanced_up_to_the_whole_capacity(rows, each, data):
    kv = ShiftedKV(rows, each)
    assert kv.capacity == rows * each
    kv.load(data.draw(st.integers(0, kv.capacity)))
    while True:
        held = [position for row in kv.rows for position in row]
        assert held == list(range(kv.length))
        assert max(kv.counts()) <= each
        assert max(kv.counts()) - min(kv.counts()) <= 1
        if kv.length == kv.capacity:
            break
        moves = kv.append()
        assert all(1 <= row < rows for _, row in moves)
    with pytest.raises(Misfit, match="more than"):
        kv.append()


def test_heads_that_do_not_divide_the_grid_are_refused():
    shape = a_model(3, 3, width=96)
    with pytest.raises(UsageError, match="3 heads do not divide a grid of 8"):
        on_mesh(shape, random_weights(shape), 8)


def test_a_width_that_does_not_divide_the_grid_is_refused():
    shape = ModelShape("odd", 50, 60, 1, 2, 2, 30, 64)
    with pytest.raises(UsageError, match="does not divide"):
        on_mesh(shape, random_weights(shape), 8)


def test_heads_in_which_no_pairs_turn_are_refused():
    shape = ModelShape("thin", 50, 64, 1, 64, 64, 1, 64)
    with pytest.raises(UsageError, match="rotary pairs do not fit a core's 1 columns"):
        on_mesh(shape, random_weights(shape), 8)


def test_more_tokens_than_the_rows_keep_do_not_fit():
    shape = a_model(2, 2, layers=1)
    model = MeshTransformer(shape, random_weights(shape), Mesh(2, MINI8, FITTED), tokens_per_row=2)
    model.prefill(text(4))
    with pytest.raises(Misfit):
        model.decode(1)


def test_a_gemv_on_the_mesh_costs_what_the_closed_form_says():
    mesh = Mesh(8, MINI8, FITTED, events=True)
    rng = np.random.default_rng(0)
    tiles, weights = rng.standard_normal((8, 8, 4)), rng.standard_normal((8, 8, 4, 6))
    mesh.gemv(tiles.astype(np.float32), weights.astype(np.float32), "y", "gemv")
    tree = cost.ktree(8, MINI8, FITTED)
    local = mesh.core.vector(6) + MINI8.issue_cycles + mesh.core.mapped(4, 6)
    assert mesh.now == pytest.approx(local + closed_forms.ktree_allreduce(tree, 6, MINI8))
