"""Whether the books of a cache agree with each other."""

from __future__ import annotations

from collections.abc import Sequence as Ids

import numpy as np

from spark_tui.engine.cache.pool import Pool, page_key
from spark_tui.engine.cache.sequence import Sequence
from spark_tui.engine.kernels.attention import PAGE


def check_pool(pool: Pool, sequences: Ids[Sequence] = ()) -> None:
    """Raise if the books do not agree with each other or with `sequences` (all that are open)."""
    held = np.zeros(pool.n_pages, np.int64)
    for sequence in sequences:
        check_sequence(sequence)
        for page in sequence.pages:
            held[page] += 1
    assert not sequences or np.array_equal(held, pool.holders), "the holders are not the tables'"
    assert {page: name for name, page in pool._page_of.items()} == pool.warm_name
    for name, page in pool._page_of.items():
        parent = pool._parent.get(name)
        assert parent is not None and page_key(parent, pool._children[parent][name]) == name, page
    assert not (pool.holders < 0).any(), "a page was freed twice"
    assert all(map(pool._is_free, pool._given_back)), "a freed page is in use"


def check_sequence(sequence: Sequence) -> None:
    """Raise if table, length and ids disagree."""
    assert len(sequence.pages) * PAGE >= sequence.length
    assert len(sequence.tags) == sequence.length
    covered = [pool + at for _, pool, count in sequence.ranges() for at in range(count)]
    assert covered == sequence.pages, "the ranges are not the block table"
