"""The compiled products: the same function as numpy's on the same rounded weights. Skipped without numba."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.naive_model import VARIANTS, forward, ids_of, weights_of

from spark_tui.engine.engine import Engine
from spark_tui.engine.int8_accelerator import Accelerator, Int8
from spark_tui.engine.kernels import Panels
from spark_tui.engine.model import BatchJob, Model

pytest.importorskip("numba")


def switched_on(model: Model, rows: int) -> Model:
    """With the compiled loops for up to `rows` rows, whatever the measurement said."""
    assert model.accelerate(wait=True)
    assert model.accelerator is not None and model.accelerator.ready
    for panels, _ in model.accelerator._pairs:
        panels.twin_rows = rows
    return model


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16])
def test_compiled_products_equal_those_of_numpy(rows: int) -> None:
    from spark_tui.engine.int8_kernels import product

    generator = np.random.default_rng(0)
    for width, depth in ((64, 24), (192, 100), (128, 1030)):
        panels = Panels(generator.standard_normal((width, depth), dtype=np.float32))
        twin = Int8.round(panels)
        x = generator.standard_normal((max(rows, 2), depth), dtype=np.float32)
        expected = np.empty((panels.panels, max(rows, 2), panels.panel), np.float32)
        panels.apply(x, expected)
        found = np.full((rows + 1, panels.width), 7.0, np.float32)
        product(twin.data, twin.scale, x[:rows], panels.view(found[:rows]))
        assert np.abs(panels.view(found[:rows]) - expected[:, :rows]).max() < 1e-3
        assert (found[rows] == 7).all()  # nothing is written behind the rows


def test_rounding_keeps_a_matrix_within_half_a_step() -> None:
    matrix = np.random.default_rng(0).standard_normal((70, 33), dtype=np.float32)
    matrix[5] = 0
    panels = Panels(matrix)
    twin = Int8.round(panels)
    found = panels.columns(np.arange(70))
    assert np.abs(found - matrix).max() <= np.abs(matrix).max() / 254 + 1e-6
    assert np.array_equal(found, twin.data[:70] * twin.scale[:70, None])


@pytest.mark.parametrize("name", ["llama", "spark", "gemma", "gpt2", "multi-head, odd sizes"])
def test_a_model_with_compiled_products_writes_what_numpy_writes(name: str) -> None:
    arch = VARIANTS[name]
    engine = Engine(arch, weights_of(arch), cache_bytes=1 << 22)
    model = switched_on(engine.model, 16)
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
    model.accelerator.stop()
    plain = logits([60, 60])
    assert np.abs(compiled - plain).max() < 1e-4
    # rounded weights, not other ones
    assert np.corrcoef(plain.ravel(), forward(arch, weights_of(arch), ids).ravel())[0, 1] > 0.99
    switched_on(model, 16)
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
    arch = replace(VARIANTS["llama"], d_ff=1984, vocab_size=640)
    reference = Engine(arch, weights_of(arch), cache_bytes=1 << 22, fast=True)
    assert reference.model.accelerator is not None and reference.accelerate(wait=True)
    reference.model.accelerator.stop()
    ids = ids_of(arch, 40)
    expected = reference.logits(ids)
    engine = Engine(arch, weights_of(arch), cache_bytes=1 << 22, fast=True)
    for _ in range(200):
        assert np.abs(engine.logits(ids) - expected).max() < 1e-3
        if engine.model.accelerator is not None and engine.model.accelerator.ready:
            break


def test_measurement_decides_and_is_reported() -> None:
    arch = VARIANTS["llama"]
    model = Model(arch, weights_of(arch))
    assert model.exact in (True, False)
    assert model.accelerate(wait=True) and not model.exact
    accelerator = model.accelerator
    assert accelerator is not None
    assert [rows for rows, _, _ in accelerator.report] == [1, 2, 4, 8, 16]
    winners = [rows for rows, compiled, plain in accelerator.report if compiled < plain]
    assert accelerator.rows == max(winners, default=0)
    assert accelerator.nbytes < model.nbytes / 2


def test_what_cannot_be_compiled_stays_in_numpy_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Accelerator, product: object) -> int:
        raise RuntimeError("no place to keep machine code")

    monkeypatch.setattr(Accelerator, "_measure", refuse)
    arch = VARIANTS["llama"]
    engine = Engine(arch, weights_of(arch), cache_bytes=1 << 22)
    assert not engine.accelerate(wait=True)
    assert engine.model.accelerator is not None
    assert engine.model.accelerator.trouble == "RuntimeError: no place to keep machine code"
    assert len(list(engine.generate(ids_of(arch, 20), 5, ends=()))) == 5
