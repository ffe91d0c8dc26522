"""The compiled products: the same function as numpy's on the same rounded weights. Skipped without numba."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from support.naive_model import VARIANTS, forward, ids_of, weights_of

from spark_tui.engine.engine import Engine
from spark_tui.engine.kernels import choice, int8_products
from spark_tui.engine.kernels.choice import ANY_ROWS, Choice
from spark_tui.engine.kernels.int8_accelerator import Int8
from spark_tui.engine.kernels.int8_products import AMX, VNNI, WIDENING, Int8Product
from spark_tui.engine.kernels.panels import Panels
from spark_tui.engine.model import BatchJob, Model

pytest.importorskip("numba")

PRODUCTS = [AMX, VNNI, WIDENING]
SHAPES = ((64, 24, 64), (192, 100, 64), (128, 1030, 64), (80, 101, 16))
"""Outputs, inputs, outputs of a panel."""


@pytest.fixture(params=PRODUCTS)
def product(request) -> Int8Product:
    return found(request.param)


def found(name: str) -> Int8Product:
    product = int8_products.find(name)
    if product is None:
        pytest.skip(f"this processor has no {name}")
    return product


def one_wins() -> None:
    """Without special instructions none may: then a model is not accelerated."""
    if int8_products.find(VNNI) is None and not int8_products.choice().name:
        pytest.skip("this processor has no vnni, and numpy is faster on it")


def switched_on(model: Model, name: str, monkeypatch: pytest.MonkeyPatch) -> Model:
    """With this product for all rows, whatever the measurement said."""
    product = found(name)
    monkeypatch.setattr(int8_products, "chosen", lambda: (product, ANY_ROWS, ""))
    assert model.accelerate(wait=True)
    assert model.accelerator is not None and model.accelerator.ready and model.accelerator.product is product
    return model


def multiplied(product: Int8Product, twin: Int8, x: np.ndarray, panel: int) -> np.ndarray:
    """The products, `[m, out]`, and that nothing is written after them."""
    width = len(twin.data)
    result = np.full((len(x) + 1, width), 7.0, np.float32)
    out = result[: len(x)].reshape(len(x), width // panel, panel).transpose(1, 0, 2)
    product.multiply(product.pack(twin.data), twin.scale, x, out)
    assert (result[len(x)] == 7).all()
    return result[: len(x)]


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 40])
def test_compiled_products_equal_those_of_numpy(product: Int8Product, rows: int) -> None:
    generator = np.random.default_rng(0)
    for width, depth, panel in SHAPES:
        panels = Panels(generator.standard_normal((width, depth), dtype=np.float32), panel=panel)
        twin = Int8.round(panels)
        assert product.fits(panels.width, panel)
        x = generator.standard_normal((max(rows, 2), depth), dtype=np.float32)
        expected = np.empty((max(rows, 2), panels.width), np.float32)
        panels.apply(x, panels.view(expected))
        result = multiplied(product, twin, x[:rows], panel)
        assert np.abs(result - expected[:rows]).max() < 1e-3 * max(1.0, depth**0.5 / 8)


@pytest.mark.parametrize("name", [AMX, VNNI])
def test_a_row_comes_out_the_same_in_any_company(name: str) -> None:
    product = found(name)
    generator = np.random.default_rng(1)
    twin = Int8.round(Panels(generator.standard_normal((192, 101), dtype=np.float32)))
    x = generator.standard_normal((40, 101), dtype=np.float32) * 10 ** generator.uniform(-6, 6, (40, 1))
    x = x.astype(np.float32)
    together = multiplied(product, twin, x, 64)
    for low, high in ((0, 1), (1, 3), (3, 6), (6, 13), (13, 39)):
        assert np.array_equal(multiplied(product, twin, x[low:high].copy(), 64), together[low:high])


def test_amx_and_vnni_come_to_the_same_bits() -> None:
    generator = np.random.default_rng(2)
    for width, depth, panel in SHAPES:
        panels = Panels(generator.standard_normal((width, depth), dtype=np.float32), panel=panel)
        twin = Int8.round(panels)
        for rows in (3, 5, 6, 10, 11, 16, 17, 40):
            x = generator.standard_normal((rows, depth), dtype=np.float32)
            tiled, dotted = (multiplied(found(name), twin, x, panel) for name in (AMX, VNNI))
            assert np.array_equal(tiled, dotted)


def test_rows_of_zeros_come_out_as_zeros_and_damaged_ones_as_damaged(product: Int8Product) -> None:
    twin = Int8.round(Panels(np.ones((64, 32), np.float32)))
    x = np.zeros((4, 32), np.float32)
    x[1, 3], x[2, 5], x[3] = np.nan, np.inf, 1
    result = multiplied(product, twin, x, 64)
    assert not result[0].any() and not np.isfinite(result[1:3]).any()
    assert np.allclose(result[3], 32, rtol=1e-4)


def test_a_product_that_the_processor_lacks_is_not_compiled() -> None:
    told = "from spark_tui.engine.kernels.int8_products import AMX, VNNI, find; print(find(AMX), find(VNNI))"
    generic = {**os.environ, "NUMBA_CPU_NAME": "generic"}
    assert subprocess.check_output([sys.executable, "-c", told], env=generic, text=True) == "None None\n"


def test_what_does_not_fit_whole_registers_is_left_to_numpy() -> None:
    product = found(VNNI)
    assert not product.fits(48, 16) and not product.fits(192, 24)


def test_rounding_keeps_a_matrix_within_half_a_step() -> None:
    matrix = np.random.default_rng(0).standard_normal((70, 33), dtype=np.float32)
    matrix[5] = 0
    panels = Panels(matrix)
    twin = Int8.round(panels)
    found = panels.columns(np.arange(70))
    assert np.abs(found - matrix).max() <= np.abs(matrix).max() / 254 + 1e-6
    assert np.array_equal(found, twin.data[:70] * twin.scale[:70, None])


@pytest.mark.parametrize("way", PRODUCTS)
@pytest.mark.parametrize("name", ["llama", "spark", "gemma", "gpt2", "multi-head, odd sizes"])
def test_a_model_with_compiled_products_writes_what_numpy_writes(
    name: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    arch = VARIANTS[name]
    engine = Engine(arch, weights_of(arch), cache_bytes=1 << 22)
    model = switched_on(engine.model, way, monkeypatch)
    ids = ids_of(arch, 120)

    def logits(cuts: list[int]) -> np.ndarray:
        sequence, out = engine.open(), []
        for size in cuts:
            part = ids[sequence.length : sequence.length + size]
            out.append(model.forward([BatchJob(sequence, part, len(part))]).copy())
        sequence.close()
        return np.vstack(out)

    compiled = logits([1, 2, 3, 5, 8, 16, 14, 15, 16, 16, 16, 8])
    assert model.accelerator is not None
    model.accelerator.use(0)
    plain = logits([60, 60])
    assert np.abs(compiled - plain).max() < 1e-4
    # rounded weights, not other ones
    assert np.corrcoef(plain.ravel(), forward(arch, weights_of(arch), ids).ravel())[0, 1] > 0.99
    model.accelerator.use(ANY_ROWS)
    prompt = ids[:50]
    text = [token.id for token in engine.generate(prompt, 40, ends=())]

    class Truth:
        def begin(self, context: object) -> None:
            self.at = 0

        def propose(self, limit: int) -> list[int]:
            return text[self.at : self.at + min(limit, 7)]

        def extend(self, tokens: list[int], drafted: int, accepted: int) -> None:
            self.at += len(tokens)

    assert [token.id for token in engine.generate(prompt, 40, ends=(), draft_source=Truth())] == text


def test_weights_that_are_int8_already_are_not_rounded_again() -> None:
    one_wins()
    arch = VARIANTS["spark"]
    weights = weights_of(arch)
    for name, value in weights.items():
        if value.ndim == 2:
            scale = np.abs(value).max(axis=1, keepdims=True) / 127
            weights[name] = (np.rint(value / scale) * scale).astype(np.float32)
    ids = ids_of(arch, 60)
    expected = forward(arch, weights, ids)
    engine = Engine(arch, weights, cache_bytes=1 << 22, fast=True)
    assert engine.accelerate(wait=True)
    assert np.abs(engine.logits(ids) - expected).max() < 1e-3


def test_a_model_may_run_while_its_products_are_compiled_and_measured() -> None:
    """A thousand inputs wide, so that sums in parts use scratch memory."""
    one_wins()
    arch = replace(VARIANTS["llama"], d_ff=1984, vocab_size=640)
    reference = Engine(arch, weights_of(arch), cache_bytes=1 << 22, fast=True)
    assert reference.model.accelerator is not None and reference.accelerate(wait=True)
    reference.model.accelerator.use(0)
    ids = ids_of(arch, 40)
    expected = reference.logits(ids)
    engine = Engine(arch, weights_of(arch), cache_bytes=1 << 22, fast=True)
    for _ in range(200):
        assert np.abs(engine.logits(ids) - expected).max() < 1e-3
        if engine.model.accelerator is not None and engine.model.accelerator.ready:
            break


def test_measurement_decides_and_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    one_wins()
    first = int8_products._choice.__wrapped__()
    assert first.name in first.milliseconds and not first.trouble
    won = [
        mine < numpy
        for mine, numpy in zip(first.milliseconds[first.name], first.milliseconds["numpy"], strict=True)
    ]
    assert (first.rows == ANY_ROWS) == all(won) and (first.rows > 0) == won[0]
    monkeypatch.setattr(int8_products, "_measured", lambda: pytest.fail("measured again"))
    again = int8_products._choice.__wrapped__()
    assert first.note == "measured at first use" and again == replace(first, note="")


def test_an_accelerated_model_says_whether_its_rows_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    arch = VARIANTS["llama"]
    exact, model = Model(arch, weights_of(arch)), Model(arch, weights_of(arch))
    switched_on(model, WIDENING, monkeypatch)
    assert not model.exact and model.accelerator is not None
    switched_on(exact, VNNI, monkeypatch)
    assert exact.exact == Model(arch, weights_of(arch)).exact


def test_a_product_is_used_up_to_the_rows_where_another_wins() -> None:
    times = {"numpy": [4.0, 4.0, 4.0, 4.0], "slow": [5.0, 3.0, 3.0, 3.0], "small": [1.0, 1.0, 5.0, 3.0]}
    assert choice.choose(times, "numpy") == Choice(
        "small", 4, {n: [1000 * t for t in v] for n, v in times.items()}
    )
    del times["small"]
    assert choice.choose(times, "numpy").name == ""
    times["all"] = [1.0, 1.0, 1.0, 3.9]
    assert choice.choose(times, "numpy").rows == ANY_ROWS
    assert choice.choose({"a": [5.0, 1.0, 1.0, 1.0], "b": [4.0] * 4}, "b", all_rows=True).rows == ANY_ROWS
    assert choice.choose({"a": [1.0, 9.0, 9.0, 9.0], "b": [4.0] * 4}, "b", all_rows=True).rows == 0


def test_what_cannot_be_compiled_stays_in_numpy_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> None:
        raise RuntimeError("no place to keep machine code")

    monkeypatch.setattr(int8_products, "find", refuse)
    monkeypatch.setattr(int8_products, "choice", int8_products._measured)
    arch = VARIANTS["llama"]
    engine = Engine(arch, weights_of(arch), cache_bytes=1 << 22)
    assert not engine.accelerate(wait=True)
    assert engine.model.accelerator is not None
    assert engine.model.accelerator.trouble == "RuntimeError: no place to keep machine code"
    assert len(list(engine.generate(ids_of(arch, 20), 5, ends=()))) == 5
