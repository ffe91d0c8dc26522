"""Selected pages: exact where everything fits, near where it does not, and the same for any cut."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from support.cache_integrity import check_pool
from support.naive_model import SPARK, same, weights_of

from spark_tui.engine.cache.page_selection import SELECTED, KeyBounds, select
from spark_tui.engine.cache.pool import Pool
from spark_tui.engine.cache.sequence import Sequence
from spark_tui.engine.kernels.attention import PAGE, Attention, PagedKeys, masks
from spark_tui.engine.model import BatchJob, Model

LONG = replace(SPARK, n_layers=2, windows=(64, 0), page_select=True, max_positions=1 << 17)


def test_up_to_the_limit_selection_changes_nothing() -> None:
    weights = weights_of(LONG)
    ids = [int(token) for token in np.random.default_rng(0).integers(32, 80, SELECTED * PAGE)]
    logits = []
    for arch in (LONG, replace(LONG, page_select=False)):
        sequence = Sequence(Pool(arch, 1 << 24))
        logits.append(Model(arch, dict(weights)).forward([BatchJob(sequence, ids, 40)]).copy())
    assert np.array_equal(*logits)


def test_any_cut_selects_the_same_pages() -> None:
    model, pool = Model(LONG, weights_of(LONG)), Pool(LONG, 1 << 24)
    ids = [int(token) for token in np.random.default_rng(0).integers(32, 80, SELECTED * PAGE + 300)]
    whole = Sequence(pool)
    expected = model.forward([BatchJob(whole, ids, 320)]).copy()
    sequence = Sequence(pool)
    model.forward([BatchJob(sequence, ids[:-320], 0)])
    at = 0
    for size in (1, 30, 100, 2, 64, 123):
        model.forward(
            [BatchJob(sequence, [40, 41, 42] * 30, 0)]
        )  # a wrong turn that fills pages, rolled back
        sequence.truncate(len(ids) - 320 + at)
        part = ids[len(ids) - 320 + at :][:size]
        assert same(model.forward([BatchJob(sequence, part, size)]), expected[at : at + size])
        at += size
    fork = whole.fork()
    fork.truncate(len(ids) - 10)
    assert same(model.forward([BatchJob(fork, ids[-10:], 10)]), expected[-10:])
    check_pool(pool, [whole, sequence, fork])


def test_the_page_that_holds_the_answer_is_selected() -> None:
    """One key among 20,000 points at the query: attention over selected pages finds what attention over all
    finds."""
    generator = np.random.default_rng(1)
    dim, pages = 32, 320
    keys = generator.standard_normal((pages, 1, dim, PAGE), dtype=np.float32) * 0.3
    values = generator.standard_normal((pages, 1, PAGE, dim), dtype=np.float32)
    q = generator.standard_normal((1, 2, 1, dim), dtype=np.float32)
    keys[137, 0, :, 11] = 3 * q[0, 0, 0] / np.linalg.norm(q[0, 0, 0]) + 3 * q[0, 1, 0] / np.linalg.norm(
        q[0, 1, 0]
    )
    bounds = KeyBounds(pages, 1, dim)
    for page in range(pages):
        bounds.seal(page, keys[page])
    position = pages * PAGE - 5
    ranges = [(0, 0, 100), (100, 100, 220)]
    chosen = select(q[:, :, 0], bounds, ranges, position)
    assert chosen.shape == (1, SELECTED)
    assert {0, 137, pages - 2, pages - 1} <= set(chosen[0].tolist())
    assert (np.diff(chosen[0]) > 0).all()
    attention = Attention(1, 2, dim)
    near, full = np.empty_like(q), np.empty_like(q)
    past = PagedKeys(keys, values, ranges)
    attention.attend_pages(q, past, chosen, position, near)
    attention.attend(q, past, position, 0, masks(position, 1, 0), full)
    assert np.abs(near - full).max() < 0.1 * np.abs(full).max()
