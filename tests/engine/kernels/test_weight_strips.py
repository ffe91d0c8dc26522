"""Weights as strips: the same products, whatever the rows and wherever they go."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from support.naive_model import VARIANTS, ids_of, weights_of

from spark_tui.engine.cache.pool import Pool
from spark_tui.engine.cache.sequence import Sequence
from spark_tui.engine.kernels import blas, weight_strips
from spark_tui.engine.kernels.panels import Panels
from spark_tui.engine.kernels.weight_strips import Strips, prepared, usable
from spark_tui.engine.model import BatchJob, Model

needs_the_loop = pytest.mark.skipif(blas.inner_loop() is None, reason="kernels other than those of AVX2")


@pytest.fixture
def drawn() -> np.random.Generator:
    return np.random.default_rng(11)


@needs_the_loop
@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5, 8, 12, 16, 27, 64, 150])
@pytest.mark.parametrize(("width", "depth"), [(64, 64), (130, 33), (512, 256), (24, 1408)])
def test_products_are_those_of_the_matrix(
    drawn: np.random.Generator, rows: int, width: int, depth: int
) -> None:
    matrix = drawn.standard_normal((width, depth), dtype=np.float32)
    x = drawn.standard_normal((rows, depth), dtype=np.float32)
    held = Strips(matrix)
    out = np.full((rows, held.width), np.nan, np.float32)
    for _ in range(2):  # the second time by the plan of the first
        held.apply(x, held.view(out))
        np.testing.assert_allclose(out[:, :width], x @ matrix.T, rtol=1e-3, atol=1e-4)
        assert not out[:, width:].any()
        x *= 2
    assert np.array_equal(held.columns(np.arange(width)), matrix)


@needs_the_loop
@pytest.mark.parametrize("rows", [2, 4, 8])
def test_heads_lie_one_after_the_other(drawn: np.random.Generator, rows: int) -> None:
    matrix = drawn.standard_normal((8 * 64, 96), dtype=np.float32)
    x = drawn.standard_normal((rows, 96), dtype=np.float32)
    heads = np.empty((8, rows, 64), np.float32)
    Strips(matrix).apply(x, heads)
    np.testing.assert_allclose(heads.transpose(1, 0, 2).reshape(rows, -1), x @ matrix.T, rtol=1e-3, atol=1e-4)


@needs_the_loop
def test_a_row_comes_out_the_same_alone_and_among_three_others(drawn: np.random.Generator) -> None:
    held = Strips(drawn.standard_normal((128, 256), dtype=np.float32))
    x = drawn.standard_normal((4, 256), dtype=np.float32)
    whole = np.empty((4, held.width), np.float32)
    held.apply(x, held.view(whole))
    for low, high in ((0, 1), (2, 3), (0, 2), (1, 4)):
        part = np.empty((high - low, held.width), np.float32)
        held.apply(np.ascontiguousarray(x[low:high]), held.view(part))
        assert np.array_equal(part, whole[low:high])


@needs_the_loop
def test_several_threads_compute_the_same_bits(drawn: np.random.Generator) -> None:
    held = Strips(drawn.standard_normal((200, 64), dtype=np.float32))
    inputs = [drawn.standard_normal((96, 64), dtype=np.float32) for _ in range(6)]

    def product(x: np.ndarray) -> np.ndarray:
        out = np.empty((96, held.width), np.float32)
        held.apply(x, held.view(out))
        return out

    with ThreadPoolExecutor(3) as threads:
        together = list(threads.map(product, inputs))
    assert all(np.array_equal(product(x), out) for x, out in zip(inputs, together, strict=True))


@needs_the_loop
def test_a_part_multiplies_by_itself(drawn: np.random.Generator) -> None:
    matrix = drawn.standard_normal((64, 40), dtype=np.float32)
    x = drawn.standard_normal((4, 40), dtype=np.float32)
    held = Strips(matrix)
    part = held.part(2, 5)
    out = np.empty((4, part.width), np.float32)
    part.apply(x, part.view(out))
    np.testing.assert_allclose(out, x @ matrix[16:40].T, rtol=1e-3, atol=1e-4)


@needs_the_loop
def test_memory_that_is_given_away_becomes_the_strips(drawn: np.random.Generator) -> None:
    matrix = drawn.standard_normal((1 << 14, 1 << 10), dtype=np.float32)
    kept = matrix.copy()
    held = Strips(matrix, own=True)
    assert np.shares_memory(held.data, matrix)
    assert np.array_equal(held.columns(np.arange(0, 1 << 14, 97)), kept[::97])


@pytest.mark.parametrize("name", ["spark", "llama"])
def test_a_model_means_the_same_in_strips_and_in_panels(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    arch = VARIANTS[name]
    ids = ids_of(arch, 90)
    logits = []
    for wanted in (usable(), False):
        monkeypatch.setattr(weight_strips, "usable", lambda wanted=wanted: wanted)
        model = Model(arch, weights_of(arch))
        assert all(isinstance(held, Strips) == wanted for held in model.matrices())
        sequence = Sequence(Pool(arch, 1 << 22))
        found = [
            model.forward([BatchJob(sequence, ids[low:high], high - low)]).copy()
            for low, high in ((0, 70), (70, 71), (71, 74), (74, 90))
        ]
        logits.append(np.vstack(found))
    np.testing.assert_allclose(logits[0], logits[1], rtol=1e-3, atol=2e-4)


def test_without_the_loop_or_with_one_that_computes_something_else_there_are_panels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def wrong(*_: object) -> int:
        return 0

    for loop in (None, wrong):
        monkeypatch.setattr(blas, "inner_loop", lambda loop=loop: loop)
        assert not usable.__wrapped__()
        monkeypatch.setattr(weight_strips, "usable", usable.__wrapped__)
        assert type(prepared(np.ones((64, 32), np.float32))) is Panels
