"""The public names: `load`, `logits`, `generate`, `shape`; and what is said when there is no such model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cache_integrity import check_pool
from support.naive_model import TINY, ids_of, weights_of

import spark_tui.engine as room
from spark_tui.engine.architecture import Rope
from spark_tui.engine.cache.pool import common_prefix
from spark_tui.engine.engine import Engine
from spark_tui.engine.model_sizes import SIZES, random_weights, size
from spark_tui.errors import NoBackend, UsageError
from spark_tui.events import Token
from spark_tui.shapes import ModelShape


def test_a_random_size_loads_and_writes() -> None:
    engine = room.load("random:5M", cache_bytes=1 << 24)
    assert engine.shape == ModelShape(
        name="5M",
        vocab_size=8192,
        d_model=256,
        n_layers=4,
        n_heads=4,
        n_kv_heads=2,
        head_dim=64,
        d_ff=704,
        max_positions=131_072,
    )
    logits = engine.logits([1, 2, 3])
    assert logits.shape == (3, 8192) and logits.dtype == np.float32
    tokens = list(engine.generate([1, 2, 3], 4))
    assert all(isinstance(token, Token) for token in tokens)
    assert tokens[0].id == int(logits[-1].argmax())
    engine.close()


@pytest.mark.parametrize("name", SIZES)
def test_sizes_are_what_they_are_called(name: str) -> None:
    count = size(name).shape.n_params / 1e6
    wanted = {"spark": 13, "spark-long": 13}.get(name) or float(name.removesuffix("M"))
    assert abs(count - wanted) < 0.06 * wanted + 0.5


def test_unknown_names_are_reported(tmp_path: Path) -> None:
    with pytest.raises(NoBackend, match="no model 'nobody'"):
        room.load("nobody")
    with pytest.raises(NoBackend):
        room.load(tmp_path / "missing" / "folder")
    with pytest.raises(NoBackend):
        room.load(tmp_path)
    with pytest.raises(UsageError, match="unknown size '7B'"):
        room.load("random:7B")


def test_logits_are_the_same_in_one_call_and_in_chunks() -> None:
    engine = Engine(TINY, weights_of(TINY), cache_bytes=1 << 22)
    ids = ids_of(TINY, 300)
    whole = engine.logits(ids)
    assert np.abs(engine.logits(ids[:140]) - whole[:140]).max() < 1e-4
    assert not engine.pool.holders.any()


def test_ids_may_come_as_arrays() -> None:
    engine = Engine(TINY, weights_of(TINY), cache_bytes=1 << 22)
    ids = ids_of(TINY, 80)
    array = np.array(ids)
    assert np.array_equal(engine.logits(array), engine.logits(ids))
    plain = [token.id for token in engine.generate(ids, 8, ends=())]
    assert [token.id for token in engine.generate(array, 8, ends=(), draft_source=array)] == plain
    assert engine.logits([]).shape == (0, TINY.vocab_size)


def test_a_prompt_warmed_ahead_costs_its_last_token_only() -> None:
    engine = Engine(TINY, weights_of(TINY), cache_bytes=1 << 22)
    ids, cache = ids_of(TINY, 100), engine.new_cache()
    assert engine.warm(ids, cache) == 100
    list(engine.generate([*ids, 5, 6], 2, cache=cache, ends=()))
    assert (engine.counts.reused, engine.counts.passes) == (100, 2)
    assert engine.warm([], cache) == 0
    cache.rollback(10)
    assert cache.ids == ids[:10] and cache.length == 10
    cache.close()
    cache.close()
    assert cache.ids == []


def test_random_weights_are_reproducible_and_belong_to_the_architecture() -> None:
    a, b = random_weights(TINY, 3), random_weights(TINY, 3)
    assert all(np.array_equal(a[name], b[name]) for name in a)
    assert not np.array_equal(random_weights(TINY, 4)["embed.tok"], a["embed.tok"])
    model = Engine(TINY, a).model
    assert model.fingerprint() == Engine(replace(TINY, name="other"), b).model.fingerprint()
    assert model.fingerprint() != Engine(TINY, random_weights(TINY, 4)).model.fingerprint()


def test_a_stretching_rope_turns_by_the_prompt_that_is_read() -> None:
    rope = Rope(kind="dynamic", factor=2.0, max_positions=64)
    arch = replace(TINY, max_positions=100, ropes=(rope,))
    engine = Engine(arch, weights_of(arch), cache_bytes=1 << 22)
    cache = engine.new_cache()
    for length in (50, 60, 80, 90, 40, 130):
        ids = ids_of(arch, length)
        tokens = [token.id for token in engine.generate(ids, 3, ends=(), cache=cache)]
        fresh = Engine(arch, weights_of(arch), cache_bytes=1 << 22)
        assert tokens == [token.id for token in fresh.generate(ids, 3, ends=())]
        assert tokens[0] == int(fresh.logits(ids)[-1].argmax())
        cache.publish()
        check_pool(engine.pool)


@given(st.lists(st.integers(0, 2), max_size=1100), st.integers(0, 1100), st.booleans())
def test_a_shared_start_is_found_in_long_lists(ids: list[int], at: int, change: bool) -> None:
    other = list(ids)
    if change and at < len(ids):
        other[at] += 5
        assert common_prefix(ids, tuple(other)) == at
    else:
        assert common_prefix(ids, other[:at]) == min(at, len(ids))
