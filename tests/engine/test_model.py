"""The forward pass equals the written-out formulas, however the ids are cut into passes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.cache_integrity import check_pool, check_sequence
from support.naive_model import SPARK, TINY, TOLERANCE, VARIANTS, forward, ids_of, same, weights_of

from spark_tui.engine.cache.pool import Pool
from spark_tui.engine.cache.sequence import Sequence
from spark_tui.engine.kernels.attention import BLOCK_PAGES, PAGE, Attention, PagedKeys, masks
from spark_tui.engine.kernels.panels import Panels
from spark_tui.engine.model import BatchJob, Model
from spark_tui.engine.runtime.arena import Arena
from spark_tui.errors import MalformedInput, Misfit

MODELS = {name: Model(arch, weights_of(arch)) for name, arch in VARIANTS.items()}


def whole(model: Model, pool: Pool, ids: list[int]) -> np.ndarray:
    sequence = Sequence(pool)
    logits = model.forward([BatchJob(sequence, ids, len(ids))]).copy()
    sequence.close()
    return logits


@pytest.mark.parametrize("name", VARIANTS)
def test_a_whole_pass_equals_the_formulas(name: str) -> None:
    arch, model = VARIANTS[name], MODELS[name]
    ids = ids_of(arch, 150)
    expected = forward(arch, weights_of(arch), ids)
    found = whole(model, Pool(arch, 1 << 22), ids)
    assert np.abs(found - expected).max() < TOLERANCE
    assert (found.argmax(1) == expected.argmax(1)).all()


@pytest.mark.parametrize("name", VARIANTS)
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_any_cut_into_passes_gives_the_logits_of_one_pass(name: str, data: st.DataObject) -> None:
    arch, model = VARIANTS[name], MODELS[name]
    pool = Pool(arch, 1 << 22)
    ids = ids_of(arch, 140, seed=data.draw(st.integers(0, 3)))
    expected = whole(model, pool, ids)
    sequence = Sequence(pool)
    while sequence.length < len(ids):
        size = data.draw(st.integers(1, 90))
        part = ids[sequence.length : sequence.length + size]
        at = sequence.length
        wanted = data.draw(st.integers(0, len(part)))
        logits = model.forward([BatchJob(sequence, part, wanted)])
        assert same(logits, expected[at + len(part) - wanted : at + len(part)])
        check_sequence(sequence)


@pytest.mark.parametrize("name", ["llama", "spark", "gemma", "single key head"])
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_rollbacks_forks_and_company_change_nothing(name: str, data: st.DataObject) -> None:
    wander(name, data)


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_long_walks_change_nothing(name: str, data: st.DataObject) -> None:
    wander(name, data)


def wander(name: str, data: st.DataObject) -> None:
    arch, model = VARIANTS[name], MODELS[name]
    pool = Pool(arch, 1 << 23)
    ids = ids_of(arch, 200, seed=1)
    expected = whole(model, pool, ids)
    live = [Sequence(pool)]
    for _ in range(data.draw(st.integers(4, 10))):
        action = data.draw(st.sampled_from(["extend", "extend", "truncate", "fork", "wrong turn", "reopen"]))
        sequence = data.draw(st.sampled_from(live))
        if action == "extend":
            jobs, at = [], []
            for item in live[: data.draw(st.integers(1, len(live)))]:
                size = data.draw(st.integers(0, min(60, len(ids) - item.length)))
                if size:
                    at.append((item.length, size))
                    jobs.append(BatchJob(item, ids[item.length : item.length + size], size))
            if jobs:
                logits = model.forward(jobs)
                assert same(logits, np.vstack([expected[low : low + size] for low, size in at]))
        elif action == "truncate":
            sequence.truncate(data.draw(st.integers(0, sequence.length)))
        elif action == "fork" and len(live) < 5:
            live.append(sequence.fork())
        elif action == "wrong turn" and sequence.length < 190:
            kept = sequence.length
            model.forward([BatchJob(sequence, [5, 6, 7], 0)])
            sequence.truncate(kept)
        elif action == "reopen":
            sequence.publish()
            other = Sequence(pool)
            assert other.adopt(ids) >= sequence.length // PAGE * PAGE
            assert other.ids == ids[: other.length]
            live.append(other)
        check_pool(pool, live)
    for sequence in live:
        sequence.close()
    assert not pool.holders.any()


def test_deep_rollback_of_smeared_keys_recomputes_the_row_before() -> None:
    model, pool = MODELS["spark"], Pool(SPARK, 1 << 22)
    ids = ids_of(SPARK, 130)
    expected = whole(model, pool, ids)
    sequence = Sequence(pool)
    model.forward([BatchJob(sequence, ids, 0)])
    sequence.truncate(20)
    assert not sequence.has_unmixed()
    assert same(model.forward([BatchJob(sequence, ids[20:23], 3)]), expected[20:23])


def test_long_contexts_run_through_several_blocks_of_the_softmax() -> None:
    generator = np.random.default_rng(0)
    start = BLOCK_PAGES * PAGE * 2 - 20
    attention = Attention(2, 2, 16)
    pages = start // PAGE + 2
    keys = generator.standard_normal((pages, 2, 16, PAGE), dtype=np.float32)
    values = generator.standard_normal((pages, 2, PAGE, 16), dtype=np.float32)
    q = generator.standard_normal((2, 2, 40, 16), dtype=np.float32)
    order = generator.permutation(pages)
    ranges = [(index, int(order[index]), 1) for index in range(pages)]
    flat_keys = keys[order].transpose(1, 0, 3, 2).reshape(2, -1, 16).astype(np.float64)
    flat_values = values[order].transpose(1, 0, 2, 3).reshape(2, -1, 16).astype(np.float64)
    for window in (0, 6000, 100):
        out = np.empty_like(q)
        attention.attend(q, PagedKeys(keys, values, ranges), start, window, masks(start, 40, window), out)
        for row in (0, 19, 20, 39):
            position = start + row
            low = max(0, position - window + 1) if window else 0
            for head in range(2):
                scores = flat_keys[head, low : position + 1] @ q[head, 1, row].astype(np.float64)
                p = np.exp(scores - scores.max())
                wanted = p / p.sum() @ flat_values[head, low : position + 1]
                assert np.abs(out[head, 1, row] - wanted).max() < 1e-5


@pytest.mark.parametrize("shape", [(130, 70), (64, 1024), (48, 4864), (200, 33)])
def test_panels_multiply_like_a_matrix_for_any_number_of_rows(shape: tuple[int, int]) -> None:
    generator = np.random.default_rng(0)
    matrix = generator.standard_normal(shape, dtype=np.float32)
    panels = Panels(matrix)
    x = generator.standard_normal((150, shape[1]), dtype=np.float32)
    expected = x.astype(np.float64) @ matrix.T.astype(np.float64)
    for rows in (1, 2, 3, 15, 16, 17, 40, 61, 64, 149, 150):
        out = np.empty((rows, panels.width), np.float32)
        panels.apply(x[:rows], panels.view(out))
        assert np.abs(out[:, : shape[0]] - expected[:rows]).max() < 2e-3
        assert not out[:, shape[0] :].any()
    index = np.array([0, shape[0] - 1, 5])
    assert np.array_equal(panels.columns(index), matrix[index])


@pytest.mark.parametrize("name", VARIANTS)
def test_given_away_and_unfolded_weights_give_the_same_model(name: str) -> None:
    arch = VARIANTS[name]
    ids = ids_of(arch, 60)
    weights = weights_of(arch)
    model = Model(arch, weights, fold=False)
    assert weights == {}
    found = whole(model, Pool(arch, 1 << 22), ids)
    assert np.abs(found - forward(arch, weights_of(arch), ids)).max() < TOLERANCE


def test_a_large_matrix_that_is_given_away_is_turned_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spark_tui.engine.kernels.panels.LARGE_BYTES", 1)
    matrix = np.random.default_rng(0).standard_normal((192, 100), dtype=np.float32)
    kept = matrix.copy()
    panels = Panels(matrix, own=True)
    assert np.shares_memory(panels.data, matrix)
    assert np.array_equal(panels.columns(np.arange(192)), kept)
    other = Panels(kept)
    assert not np.shares_memory(other.data, kept) and np.array_equal(other.data, panels.data)


def test_arrays_of_an_arena_lie_apart_on_cache_lines() -> None:
    arena = Arena()
    shapes = [(3, 5), (1,), (1 << 20,), (7, 11, 13), (5 << 20,), (64, 64)]
    arrays = [arena.take(shape) for shape in shapes] + [arena.take((999,), np.int8)]
    for index, array in enumerate(arrays):
        array[...] = index
        assert array.__array_interface__["data"][0] % 64 == 0
    assert all((array == index).all() for index, array in enumerate(arrays))
    assert [array.shape for array in arrays[:-1]] == shapes and arrays[-1].dtype == np.int8


def test_mapped_weights_leave_memory_once_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "matrix.f32"
    np.random.default_rng(0).standard_normal((4096, 512), dtype=np.float32).tofile(path)
    mapped = np.asarray(np.memmap(path, np.float32, "r", shape=(4096, 512)))
    assert mapped.sum() != 0
    before = _resident_file_bytes()
    panels = Panels(mapped, own=True)
    assert before - _resident_file_bytes() > 0.9 * mapped.nbytes
    assert np.array_equal(panels.columns(np.arange(4096)), mapped)


def _resident_file_bytes() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssFile"):
            return int(line.split()[1]) * 1024
    pytest.skip("this system does not say")


def test_what_does_not_fit_is_an_error_that_counts() -> None:
    model, pool = MODELS["llama"], Pool(TINY, 1 << 22)
    with pytest.raises(Misfit, match="513 tokens do not fit the window of 512"):
        model.forward([BatchJob(Sequence(pool), [1] * 513, 0)])
    with pytest.raises(Misfit, match="id 97 is outside the vocabulary of 97"):
        model.forward([BatchJob(Sequence(pool), [1, 97], 0)])
    with pytest.raises(MalformedInput, match=r"layers\.1\.attn\.k is missing"):
        Model(TINY, {name: value for name, value in weights_of(TINY).items() if name != "layers.1.attn.k"})
    wrong = weights_of(TINY) | {"layers.0.mlp.up": np.zeros((3, 3), np.float32)}
    with pytest.raises(MalformedInput, match=r"layers.0.mlp.up has the shape \[3, 3\], expected \[40, 24\]"):
        Model(TINY, wrong)


def test_a_failed_pass_leaves_the_sequence_as_it_was() -> None:
    model, pool = MODELS["spark"], Pool(SPARK, 1 << 22)
    ids = ids_of(SPARK, 50)
    expected = whole(model, pool, ids)
    sequence = Sequence(pool)
    model.forward([BatchJob(sequence, ids[:30], 0)])
    with pytest.raises(Misfit):
        model.forward([BatchJob(sequence, [3, 9999], 0)])
    check_sequence(sequence)
    assert same(model.forward([BatchJob(sequence, ids[30:], 20)]), expected[30:])
