"""The ways in which the same ids can be run: all must give the same logits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from support.cache_integrity import check_sequence

from spark_tui.engine.cache.sequence import Sequence as Cached
from spark_tui.engine.model import BatchJob, Model

Logits = np.ndarray
POOL_BYTES = 4 << 20


def start(model: Model, ids: Sequence[int]) -> Cached:
    """An empty sequence that will hold `ids`: kinds of rope that look at the length are told it."""
    return Cached(model.new_pool(POOL_BYTES), planned=len(ids))


def step(model: Model, sequence: Cached, ids: Sequence[int]) -> Logits:
    return model.forward([BatchJob(sequence, list(ids), logits=len(ids))]).copy()


def whole(model: Model, ids: Sequence[int]) -> Logits:
    """One pass."""
    return step(model, start(model, ids), ids)


def chunked(model: Model, ids: Sequence[int]) -> Logits:
    """Passes of 1, 2, 3 … rows."""
    sequence, at, out = start(model, ids), 0, []
    for size in range(1, len(ids) + 1):
        piece = ids[at : at + size]
        if not piece:
            break
        out.append(step(model, sequence, piece))
        at += size
    return np.concatenate(out)


def cached(model: Model, ids: Sequence[int]) -> Logits:
    """Half in one pass, then a row at a time."""
    sequence, half = start(model, ids), len(ids) // 2
    out = [step(model, sequence, ids[:half])]
    out += [step(model, sequence, [token]) for token in ids[half:]]
    return np.concatenate(out)


def rolled_back(model: Model, ids: Sequence[int]) -> Logits:
    """Every third place a wrong draft is written and taken back."""
    sequence, out = start(model, ids), []
    wrong = [(token + 1) % model.arch.vocab_size for token in ids]
    for at in range(0, len(ids), 3):
        draft = wrong[at : at + 5]
        step(model, sequence, draft)
        sequence.truncate(at)
        out.append(step(model, sequence, ids[at : at + 3]))
        check_sequence(sequence)
    return np.concatenate(out)


def forked(model: Model, ids: Sequence[int]) -> Logits:
    """A fork goes on while its parent is written over."""
    sequence, half = start(model, ids), len(ids) // 2
    first = step(model, sequence, ids[:half])
    other = sequence.fork()
    step(model, sequence, [(token + 3) % model.arch.vocab_size for token in ids[half:]])
    second = step(model, other, ids[half:])
    return np.concatenate([first, second])


def together(model: Model, ids: Sequence[int]) -> Logits:
    """Two sequences in one pass: these ids, and the same backwards."""
    pool = model.new_pool(POOL_BYTES)
    mine, other = Cached(pool, planned=len(ids)), Cached(pool, planned=len(ids))
    half = len(ids) // 2
    out = []
    for piece in (ids[:half], ids[half:]):
        jobs = [BatchJob(other, list(piece[::-1]), logits=1), BatchJob(mine, list(piece), logits=len(piece))]
        out.append(model.forward(jobs)[1:].copy())
    return np.concatenate(out)


RUNS: dict[str, Callable[[Model, Sequence[int]], Logits]] = {
    "whole": whole,
    "chunked": chunked,
    "cached": cached,
    "rolled back": rolled_back,
    "forked": forked,
    "together": together,
}


def assert_same(found: Logits, expected: Logits, tolerance: float = 1e-4) -> None:
    """Within the tolerance everywhere, and the same choice in every row."""
    assert found.shape == expected.shape
    worst = float(np.abs(found - expected).max())
    assert worst <= tolerance, f"logits differ by {worst:.2e}"
    assert np.array_equal(found.argmax(-1), expected.argmax(-1))
