"""The helper thread: the same bits, and used only where it is faster."""

from __future__ import annotations

import numpy as np
import pytest
from support.naive_model import TINY, ids_of, weights_of

from spark_tui.engine.engine import Engine
from spark_tui.engine.helper_thread import TRIALS, HelperThread
from spark_tui.engine.kernels import SHARED_ROWS, Panels


def test_shared_products_are_equal_bit_for_bit() -> None:
    generator = np.random.default_rng(0)
    matrices = [
        Panels(generator.standard_normal(shape, dtype=np.float32))
        for shape in ((300, 70), (64, 33), (130, 1024))
    ]
    pair = HelperThread(matrices, allowed=True)
    for panels in matrices:
        for rows in (5, 64, 200):
            x = generator.standard_normal((rows, panels.depth), dtype=np.float32)
            alone, shared = (
                np.empty((rows, panels.width), np.float32),
                np.empty((rows, panels.width), np.float32),
            )
            pair.switch(False)
            panels.apply(x, panels.view(alone))
            pair.switch(True)
            panels.apply(x, panels.view(shared))
            assert np.array_equal(alone, shared)
    pair.close()
    pair.close()


def test_a_pass_that_is_slower_with_the_helper_ends_its_work() -> None:
    pair = HelperThread([], allowed=True)
    for _ in range(2 * TRIALS):
        pair.begin(SHARED_ROWS)
        pair.end(100, 1.0 if pair.on else 2.0)
    pair.begin(SHARED_ROWS)
    assert pair.on
    pair.end(100, 3.0)  # the other core is busy now
    pair.begin(SHARED_ROWS)
    assert not pair.on
    pair.close()


@pytest.mark.parametrize("faster", [False, True])
def test_trials_decide_whether_the_helper_stays(faster: bool) -> None:
    pair = HelperThread([], allowed=True)
    for turn in range(2 * TRIALS + 5):
        pair.begin(SHARED_ROWS)
        if turn >= 2 * TRIALS:
            assert pair.on is faster
        pair.end(100, (1.0 if faster else 3.0) if pair.on else 2.0)
    assert pair.rates == ((50.0, 100.0) if faster else (50.0, pytest.approx(100 / 3)))
    pair.begin(SHARED_ROWS - 1)
    assert not pair.on
    pair.close()
    alone = HelperThread([], allowed=False)
    alone.begin(1 << 20)
    assert not alone.on


def test_a_long_prefill_with_a_helper_gives_the_same_text() -> None:
    prompt = ids_of(TINY, 450)
    texts = []
    for count in (1, 2):
        engine = Engine(TINY, weights_of(TINY), cache_bytes=1 << 22, threads=count)
        engine.loop._rows_per_second = 70 / 0.015
        texts.append([token.id for token in engine.generate(prompt, 20, ends=())])
        assert (engine.loop.pair.rates[1] > 0) is (count == 2)
        engine.close()
        engine.close()
    assert texts[0] == texts[1]
