"""A generation that comes to no number ends alone, and leaves nothing of it to others."""

from __future__ import annotations

import numpy as np
import pytest
from support.cache_integrity import check_pool
from support.engine_runs import generated_ids
from support.naive_model import VARIANTS, ids_of, weights_of
from support.poisoned_tokens import poison

from spark_tui.engine.engine import Engine
from spark_tui.errors import MalformedInput

SOUND = 11
"""Tokens that are written without the one that is poisoned."""


def engine_without_numbers(name: str, value: float, *prompts: list[int]) -> tuple[Engine, int]:
    engine = Engine(VARIANTS[name], weights_of(VARIANTS[name]), cache_bytes=1 << 20)
    used = {token for prompt in prompts for token in [*prompt, *generated_ids(engine, prompt, SOUND)]}
    token = next(id for id in range(20, engine.arch.vocab_size) if id not in used)
    poison(engine.model, token, value)
    return engine, token


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_no_number_outlasts_the_turn_that_computed_it(name: str, value: float) -> None:
    prompt = ids_of(VARIANTS[name], 40, seed=1)
    engine, token = engine_without_numbers(name, value, prompt)
    sound = generated_ids(engine, prompt, SOUND)
    for seed in range(engine.pool.n_pages):
        with pytest.raises(MalformedInput, match="at position"):
            list(engine.generate([*ids_of(engine.arch, 3, seed=seed), *[token] * 200, 20], 5))
        with pytest.raises(MalformedInput, match="at position"):
            engine.warm([20 + seed, *[token] * 90], engine.new_cache())
    assert generated_ids(engine, prompt, SOUND) == sound
    check_pool(engine.pool)


@pytest.mark.parametrize("name", ["llama", "spark"])
def test_of_generations_that_share_passes_only_that_one_ends(name: str) -> None:
    arch = VARIANTS[name]
    prompts = [ids_of(arch, 30 + n, seed=n) for n in range(3)]
    engine, token = engine_without_numbers(name, np.nan, *prompts)
    sound = [generated_ids(engine, prompt, SOUND) for prompt in prompts]
    prompts.insert(1, [*ids_of(arch, 20, seed=9), token])
    caches = [engine.new_cache() for _ in prompts]
    running = [engine.generation(p, SOUND, cache=c) for p, c in zip(prompts, caches, strict=True)]
    while not all(generation.reason for generation in running):
        engine.loop.step(running)
    failed = running.pop(1)
    assert failed.reason == "error" and isinstance(failed.error, MalformedInput) and not caches[1].length
    assert [[made.id for made in generation.ready] for generation in running] == sound
    for cache in caches:
        cache.close()
    check_pool(engine.pool)
