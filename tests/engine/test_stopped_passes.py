"""Long passes that read a prompt: given up between any two parts, and no longer than others may wait for."""

from __future__ import annotations

import pytest
from support.engine_runs import generated_ids
from support.naive_model import SPARK, ids_of, weights_of

from spark_tui.engine.engine import Engine
from spark_tui.engine.forward.buffers import BLOCK_ROWS
from spark_tui.engine.generate import CHUNK_SECONDS, LONE_SECONDS
from spark_tui.shapes import Step


class StopAfter:
    """Set from the n-th look on."""

    def __init__(self, looks: int) -> None:
        self.left = looks

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("looks", [1, 2, 3, 4, 9, 14])
def test_a_long_pass_that_reads_ends_between_any_two_parts_and_leaves_what_was_there(looks: int) -> None:
    engine = Engine(SPARK, weights_of(SPARK), cache_bytes=1 << 23)
    prompt, cache = ids_of(SPARK, 400), engine.new_cache()
    engine.warm(prompt[:70], cache)
    steps: list[Step] = []
    list(engine.generate(prompt, 5, stop=StopAfter(looks), cache=cache, on_step=steps.append))
    assert engine.reason == "interrupted" and not steps and cache.ids == prompt[:70]
    text = generated_ids(engine, prompt, 10)
    assert [token.id for token in engine.generate(prompt, 10, cache=cache, ends=())] == text


def test_what_nobody_waits_for_is_read_in_longer_passes() -> None:
    engine = Engine(SPARK, weights_of(SPARK), cache_bytes=1 << 23)
    engine.loop._rows_per_second = 64 / CHUNK_SECONDS
    steps: list[Step] = []
    list(engine.generate(ids_of(SPARK, 400), 1, on_step=steps.append))
    assert 64 < steps[0].rows == 2 * BLOCK_ROWS <= 64 * LONE_SECONDS / CHUNK_SECONDS
