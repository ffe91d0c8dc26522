"""The loop: drafts, stops, samplers, constraints, several sequences; all on tiny random weights."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.cache_integrity import check_pool
from support.engine_runs import generated_ids
from support.naive_model import SPARK, VARIANTS, ids_of, weights_of
from support.oracle_drafts import Oracle

from spark_tui.engine.draft import SuffixDrafter
from spark_tui.engine.engine import Cache, Engine
from spark_tui.engine.generate import Loop
from spark_tui.engine.sampler import Sampler, draw, uniform
from spark_tui.engine.text.constraints import ForcedText
from spark_tui.engine.text.detokenizer import TextStream
from spark_tui.errors import MalformedInput, Misfit, UsageError
from spark_tui.shapes import Step

ENGINES = {name: Engine(arch, weights_of(arch), cache_bytes=1 << 23) for name, arch in VARIANTS.items()}
ENGINE = ENGINES["spark"]


class Bytes:
    """A detokenizer for tests: an id is a character, ids over 1000 are half of one."""

    def push(self, token_id: int) -> str:
        return chr(97 + token_id % 26)

    def flush(self) -> str:
        return ""


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("wrong", [0.0, 0.15, 0.6])
def test_greedy_with_drafts_is_greedy_without(name: str, wrong: float) -> None:
    engine = ENGINES[name]
    for seed in range(3):
        prompt = ids_of(engine.arch, 90 + seed, seed=seed)
        plain = generated_ids(engine, prompt, 70)
        steps: list[Step] = []
        assert (
            generated_ids(engine, prompt, 70, draft_source=Oracle(plain, wrong), on_step=steps.append)
            == plain
        )
        assert engine.counts.drafted == sum(step.drafted for step in steps)
        assert engine.counts.accepted == sum(step.accepted for step in steps)
        if not wrong:
            assert engine.counts.passes <= engine.counts.prompt // 16 + 70 // 16 + 4
    check_pool(engine.pool)


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 50),
    temperature=st.sampled_from([0.4, 1.0, 2.0]),
    chunks=st.tuples(st.integers(16, 64), st.integers(16, 64)),
)
def test_sampling_with_drafts_gives_the_same_text(
    seed: int, temperature: float, chunks: tuple[int, int]
) -> None:
    """However the prompt is cut. The cuts are drawn here, because the loop measures them by the clock.

    Where `Model.exact` holds, logits are equal bit for bit for any cut, so no tie can fall another way: a
    difference here is a fault. Elsewhere (no AVX-512) they differ by rounding, and a number drawn that close
    to a threshold may fall on its other side; only greedy choices are decided again there.
    """
    sampler = Sampler(temperature=temperature, seed=seed)
    prompt = ids_of(SPARK, 40, seed=seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Loop, "chunk", chunks[0])
        plain = generated_ids(ENGINE, prompt, 30, sampler=sampler)
        patch.setattr(Loop, "chunk", chunks[1])
        drafted = generated_ids(ENGINE, prompt, 30, sampler=sampler, draft_source=Oracle(plain, 0.3))
    assert drafted == plain, f"chunks of {chunks} rows, exact: {ENGINE.model.exact}"


def test_drafts_stand_as_often_as_their_probability_says() -> None:
    """The distribution after a draft is the model's: counted over seeds against the probabilities."""
    prompt = ids_of(SPARK, 40)
    sampler = Sampler(temperature=1.5)
    scores = ENGINE.logits(prompt)[-1].astype(np.float64)
    truth = sampler.probabilities(scores)
    likely = int(truth.argmax())
    counts = np.zeros(truth.size)
    n = 600
    for seed in range(n):
        out = generated_ids(
            ENGINE, prompt, 2, sampler=replace(sampler, seed=seed), draft_source=Oracle([likely, likely])
        )
        counts[out[0]] += 1
    spread = np.sqrt(truth * (1 - truth) / n)
    assert (np.abs(counts / n - truth) < 4.5 * spread + 2 / n).all()


def test_the_same_seed_gives_the_same_text_and_another_seed_another() -> None:
    prompt = ids_of(SPARK, 30)
    one = generated_ids(ENGINE, prompt, 40, sampler=Sampler(temperature=1.0, seed=1))
    assert one == generated_ids(ENGINE, prompt, 40, sampler=Sampler(temperature=1.0, seed=1))
    assert one != generated_ids(ENGINE, prompt, 40, sampler=Sampler(temperature=1.0, seed=2))


def test_resuming_anywhere_gives_the_uninterrupted_text_and_reads_nothing_again() -> None:
    prompt = ids_of(SPARK, 60)
    plain = generated_ids(ENGINE, prompt, 40)
    for cut in (1, 7, 39):
        cache = ENGINE.new_cache()
        running = ENGINE.generate(prompt, 40, cache=cache, ends=(), draft_source=Oracle(plain, 0.2))
        begun = [next(running).id for _ in range(cut)]
        running.close()
        steps: list[Step] = []
        rest = generated_ids(ENGINE, prompt + begun, 40 - cut, cache=cache, on_step=steps.append)
        assert begun + rest == plain
        assert ENGINE.counts.reused == len(prompt) + cut - 1
        assert all(step.rows == 1 for step in steps)
        cache.close()


def test_a_changed_prompt_reads_only_from_the_first_changed_token() -> None:
    cache = ENGINE.new_cache()
    prompt = ids_of(SPARK, 100)
    generated_ids(ENGINE, prompt, 5, cache=cache)
    other = [*prompt[:70], 50, 51, 52]
    found = generated_ids(ENGINE, other, 5, cache=cache)
    assert ENGINE.counts.reused == 70
    assert found == generated_ids(ENGINE, other, 5)
    cache.close()


def test_another_conversation_finds_a_warm_prefix_by_its_content() -> None:
    engine = Engine(SPARK, weights_of(SPARK), cache_bytes=1 << 23)
    prompt = ids_of(SPARK, 200)
    plain = generated_ids(engine, prompt, 10)
    assert generated_ids(engine, prompt, 10) == plain
    assert engine.counts.reused == 192  # whole pages
    other = [*prompt[:150], *ids_of(SPARK, 40, seed=9)]
    found = generated_ids(engine, other, 10)
    assert engine.counts.reused >= 150
    assert found == generated_ids(Engine(SPARK, weights_of(SPARK), cache_bytes=1 << 23), other, 10)


def test_a_fork_goes_its_own_way() -> None:
    prompt = ids_of(SPARK, 70)
    cache = ENGINE.new_cache()
    ENGINE.warm(prompt, cache)
    fork = cache.fork()
    a, b = [*prompt, 33, 34], [*prompt, 44, 45]
    assert generated_ids(ENGINE, a, 8, cache=cache) == generated_ids(ENGINE, a, 8)
    assert generated_ids(ENGINE, b, 8, cache=fork) == generated_ids(ENGINE, b, 8)
    assert ENGINE.counts.prompt == 72
    cache.close()
    fork.close()


def test_a_fork_that_is_dropped_leaves_nothing_behind() -> None:
    engine = Engine(SPARK, weights_of(SPARK), cache_bytes=1 << 22)
    cache = engine.new_cache()
    prompt = ids_of(SPARK, 30)
    engine.warm(prompt, cache)
    for give_back, found in ((Cache.drop, 0), (Cache.close, 192)):
        fork = cache.fork()
        engine.warm([*prompt, *ids_of(SPARK, 170, seed=5)], fork)
        give_back(fork)
        assert fork.length == 0
        again = engine.open([*prompt, *ids_of(SPARK, 170, seed=5)])
        assert again.length == found
        again.close()
    assert cache.length == 30


def test_drafts_begin_in_the_pass_that_ends_the_prompt() -> None:
    prompt = ids_of(SPARK, 40)
    plain = generated_ids(ENGINE, prompt, 20)
    steps: list[Step] = []
    read: list[tuple[int, int]] = []
    text = generated_ids(
        ENGINE,
        prompt,
        20,
        draft_source=Oracle(plain, longest=6),
        on_step=steps.append,
        on_prefill=lambda done, total: read.append((done, total)),
    )
    assert text == plain
    assert [(step.kind, step.accepted) for step in steps] == [("prefill", 6), ("decode", 6), ("decode", 5)]
    assert read == [(40, 40)]


@pytest.mark.parametrize("name", ["llama", "spark", "gemma"])
def test_several_sequences_in_one_pass_write_what_each_would_alone(name: str) -> None:
    engine = ENGINES[name]
    prompts = [ids_of(engine.arch, 20 + 45 * index, seed=index) for index in range(4)]
    alone = [generated_ids(engine, prompt, 30) for prompt in prompts]
    caches = [engine.new_cache() for _ in prompts]
    running = []
    written: list[list[int]] = [[] for _ in prompts]
    for turn in range(200):
        if turn % 2 == 0 and len(running) < len(prompts):  # they join one by one
            index = len(running)
            drafts = Oracle(alone[index], 0.3) if index % 2 else None
            running.append(
                engine.generation(prompts[index], 30, cache=caches[index], ends=(), draft_source=drafts)
            )
        engine.loop.step(running)
        for index, generation in enumerate(running):
            while generation.ready:
                written[index].append(generation.ready.popleft().id)
        if len(running) == len(prompts) and all(generation.reason for generation in running):
            break
    assert written == alone
    for cache in caches:
        cache.close()
    check_pool(engine.pool)


def test_prompts_that_are_read_together_share_a_chunk() -> None:
    engine = Engine(SPARK, weights_of(SPARK), cache_bytes=1 << 23)
    engine.loop._rows_per_second = 128 / 0.015
    steps: list[Step] = []
    caches = [engine.new_cache() for _ in range(4)]
    running = [
        engine.generation(ids_of(SPARK, 300, seed=seed), 1, cache=cache) for seed, cache in enumerate(caches)
    ]
    engine.loop.step(running, steps.append)
    assert steps[0].rows == 128 and all(generation.sequence.length == 32 for generation in running)


def test_stop_is_looked_at_between_passes_and_between_chunks() -> None:
    stop = threading.Event()
    prompt = ids_of(SPARK, 400)
    steps: list[Step] = []

    def on_step(step: Step) -> None:
        steps.append(step)
        if len(steps) == 1:
            stop.set()

    ENGINE.loop._rows_per_second = 0.0
    cache = ENGINE.new_cache()
    assert list(ENGINE.generate(prompt, 10, stop=stop, on_step=on_step, cache=cache)) == []
    assert ENGINE.reason == "interrupted"
    assert len(steps) == 1 and all(step.kind == "prefill" for step in steps)
    assert cache.ids == prompt[: cache.length]
    stop.clear()
    steps.clear()
    plain = generated_ids(ENGINE, prompt, 10)
    running = ENGINE.generate(prompt, 10, stop=stop, cache=cache, ends=())
    begun = [next(running).id, next(running).id]
    stop.set()
    assert list(running) == [] and ENGINE.reason == "interrupted"
    assert begun == plain[:2]
    cache.close()


def test_reading_a_prompt_says_how_far_it_is() -> None:
    seen: list[tuple[int, int]] = []
    prompt = ids_of(SPARK, 300)
    cache = Engine(SPARK, weights_of(SPARK), cache_bytes=1 << 22).new_cache()
    generated_ids(
        cache._engine, prompt, 2, cache=cache, on_prefill=lambda done, total: seen.append((done, total))
    )
    assert seen[-1] == (300, 300)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})


def test_an_end_token_is_the_last_one() -> None:
    prompt = ids_of(SPARK, 50)
    plain = generated_ids(ENGINE, prompt, 40)
    end = plain[10]
    first = plain.index(end)
    for drafts in (None, Oracle(plain)):
        assert generated_ids(ENGINE, prompt, 40, ends=(end,), draft_source=drafts) == plain[: first + 1]
        assert ENGINE.reason == "stop"
    assert generated_ids(ENGINE, prompt, 0) == [] and ENGINE.reason == "length"


def test_logprobs_are_those_of_the_model() -> None:
    prompt = ids_of(SPARK, 30)
    tokens = list(ENGINE.generate(prompt, 12, ends=()))
    logits = ENGINE.logits(prompt + [token.id for token in tokens])[len(prompt) - 1 : -1].astype(np.float64)
    wanted = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    for row, token in enumerate(tokens):
        assert token.logprob == pytest.approx(wanted[row, token.id], abs=1e-4)
    drafted = list(ENGINE.generate(prompt, 12, ends=(), draft_source=Oracle([token.id for token in tokens])))
    assert any(token.drafted for token in drafted)
    assert [token.logprob for token in drafted] == pytest.approx(
        [token.logprob for token in tokens], abs=1e-5
    )


class Spelled:
    """A detokenizer that spells given pieces."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self.pieces = list(pieces)

    def push(self, token_id: int) -> str:
        return self.pieces[token_id]

    def flush(self) -> str:
        return "~"


@given(
    text=st.text("ab<>", max_size=30),
    cuts=st.lists(st.integers(0, 30), max_size=8),
    stops=st.lists(st.text("ab<>", min_size=1, max_size=4), max_size=3),
)
def test_stop_strings_end_the_text_wherever_tokens_are_cut(
    text: str, cuts: list[int], stops: list[str]
) -> None:
    edges = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[low:high] for low, high in itertools.pairwise(edges)]
    stream = TextStream(Spelled(pieces), stops)
    out = ""
    for index in range(len(pieces)):
        out += stream.push(index)
        if stream.stopped:
            break
    out += stream.flush()
    ends = [text.find(stop) for stop in stops if stop in text]
    # the first stop string to be *completed* counts; of those that end in one piece, the one that begins
    # first
    if not ends:
        assert out == text + "~" or (stream.stopped and any(stop in text + "~" for stop in stops))
    else:
        assert stream.stopped
        assert text.startswith(out)
        assert not any(stop in out for stop in stops)


def test_an_oracle_writes_the_given_text_whatever_the_model_thinks() -> None:
    prompt, text = ids_of(SPARK, 60), ids_of(SPARK, 40, seed=5)
    for drafts in (None, SuffixDrafter(text)):
        assert (
            generated_ids(ENGINE, prompt, 40, constraint=ForcedText(tuple(text)), draft_source=drafts) == text
        )
    assert ENGINE.counts.passes < 20


def test_bad_requests_are_clear_errors() -> None:
    with pytest.raises(Misfit, match="prompt of 600 tokens does not fit the window of 512"):
        list(ENGINE.generate([5] * 600, 5))
    with pytest.raises(MalformedInput, match="prompt is empty"):
        list(ENGINE.generate([], 5))
    with pytest.raises(UsageError, match="temperature cannot be -1"):
        Sampler(temperature=-1.0)


def test_a_full_window_ends_the_text() -> None:
    out = generated_ids(ENGINE, ids_of(SPARK, 500), 100)
    assert len(out) == 12 and ENGINE.reason == "length"


def test_nan_weights_are_said_and_leave_the_cache_usable() -> None:
    weights = weights_of(SPARK)
    weights["layers.1.mlp.up"][3, 3] = np.nan
    broken = Engine(SPARK, weights, cache_bytes=1 << 22)
    with pytest.raises(MalformedInput, match="at position"):
        list(broken.generate(ids_of(SPARK, 20), 5))


@pytest.mark.parametrize("seed", [-(10**50), -(2**127) - 1, -1, 0, 2**127, 10**50])
def test_any_whole_number_is_a_seed(seed: int) -> None:
    """One that is none would end every turn that shares a pass with it."""
    assert 0 <= uniform(seed, 7) < 1
    assert uniform(seed, 7) == uniform(seed, 7) != uniform(seed + 1, 7)


def test_uniform_numbers_are_uniform_and_draws_hit_only_what_is_possible() -> None:
    numbers = np.array([uniform(3, position) for position in range(4000)])
    assert ((numbers >= 0) & (numbers < 1)).all()
    assert abs(numbers.mean() - 0.5) < 0.02 and abs(np.diff(numbers).mean()) < 0.01
    p = np.array([0.0, 0.25, 0.0, 0.75, 0.0])
    assert {draw(p, at) for at in (0.0, 0.1, 0.249999)} == {1}
    assert {draw(p, at) for at in (0.25, 0.5, 0.9999999999)} == {3}


def test_the_smallest_temperature_takes_the_best_token() -> None:
    logits = np.array([1.0, 9.0, 3.0], np.float32)
    assert Sampler(temperature=5e-324).choose(logits, 0) == 1
