"""Time forward passes, and compare them with the roofline."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from spark_tui.engine.cache.sequence import Sequence as CacheSequence
from spark_tui.engine.model import BatchJob, Model
from spark_tui.engine.performance.pass_cost import pass_cost
from spark_tui.engine.performance.roofline import Roofline

CONTEXT = 512
TRIES = 25


def time_passes(model: Model, rows: Sequence[int], *, tries: int) -> dict[int, list[float]]:
    """Processor seconds, which other programs do not affect, of forward passes of this many rows after
    `CONTEXT` tokens, with logits for every row."""
    arch = model.arch
    sequence = CacheSequence(
        model.new_pool(4 * (CONTEXT + 64) * arch.n_layers * arch.n_kv_heads * arch.head_dim * 8)
    )
    ids = [40 + index * 7 % 4000 for index in range(CONTEXT)]
    model.forward([BatchJob(sequence, ids, 0)])
    found: dict[int, list[float]] = {count: [] for count in rows}
    for count, taken in found.items():
        for _ in range(tries):
            begun = time.thread_time()
            model.forward([BatchJob(sequence, ids[:count], count)])
            taken.append(time.thread_time() - begun)
            sequence.truncate(CONTEXT)
    sequence.close()
    return found


@dataclass(frozen=True, slots=True)
class PassShare:
    """A pass of so many rows: its best time, and the share of the roofline that this is."""

    rows: int
    seconds: float
    share: float | None


def pass_shares(
    model: Model, roofline: Roofline, rows: Sequence[int] = (1, 16), *, tries: int = TRIES
) -> list[PassShare]:
    """The best passes, as the best rates make the roofline. With an accelerator its weights are int8."""
    int8 = bool(model.accelerator and model.accelerator.rows)
    times = time_passes(model, rows, tries=tries)
    out = []
    for count in rows:
        least, taken = roofline.seconds(pass_cost(model.arch, count, CONTEXT, int8=int8)), min(times[count])
        out.append(PassShare(count, taken, least / taken if least else None))
    return out
