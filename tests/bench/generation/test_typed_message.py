"""The first token in a session: what was read while the message was typed is not waited for."""

import time

import pytest
from support.tiny_bench import byte_tokenizer

from spark_tui.bench.ttft import first_tokens
from spark_tui.engine import Engine
from spark_tui.engine.architecture import Arch
from spark_tui.engine.generate import Loop
from spark_tui.engine.model_sizes import random_weights

PAUSE = 0.4


@pytest.fixture
def slow_to_read(monkeypatch):
    """A tiny model, each of whose passes over more of a prompt than a message takes a while."""
    whole = Loop.step

    def step(self, generations, on_step=None, stop=None):
        (generation,) = generations
        if len(generation.prompt) - generation.sequence.length > 300:
            time.sleep(PAUSE)
        whole(self, generations, on_step, stop)

    monkeypatch.setattr(Loop, "step", step)
    sizes = {"d_model": 16, "n_layers": 1, "n_heads": 2, "n_kv_heads": 1, "head_dim": 8, "d_ff": 16}
    tokenizer = byte_tokenizer()
    shape = Arch(family="llama", name="tiny", vocab_size=tokenizer.vocab_size, max_positions=20_000, **sizes)
    return Engine(shape, random_weights(shape), tokenizer, cache_bytes=64 << 20)


def texts(word):
    return [f"# {word} {number}\n" + "x = 1\n" * 60 for number in range(2)]


def test_a_message_that_was_typed_finds_its_file_read_and_one_sent_at_once_does_not(slow_to_read):
    typed = first_tokens(slow_to_read, texts("typed"), 3.0)
    at_once = first_tokens(slow_to_read, texts("at once"), 0.0)
    assert len(typed) == len(at_once) == 2
    assert max(typed) < PAUSE <= min(at_once)
