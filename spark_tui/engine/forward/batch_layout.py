"""Where the rows of a pass come from and go to: positions, pages, masks and angles of each job, and the
mixing of smeared keys, which looks at the row before a span."""

from __future__ import annotations

from collections.abc import Sequence as Ids
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.architecture import Arch
from spark_tui.engine.cache.sequence import KEPT_ROWS, Sequence
from spark_tui.engine.forward.rope import RopeTable
from spark_tui.engine.kernels.attention import SHORT_ROWS, Mask, masks
from spark_tui.errors import Misfit

F32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class BatchJob:
    """Append `ids` to `sequence` and give logits for the last `logits` of them."""

    sequence: Sequence
    ids: Ids[int]
    logits: int = 1


@dataclass(frozen=True, slots=True)
class RowSpan:
    """A job's rows `low .. high` of the pass, from position `start` on."""

    job: BatchJob
    low: int
    high: int
    lead: int
    """1 when the sequence's last row is computed again, for its unmixed keys."""
    start: int
    places: list[tuple[int, int, int, int]]
    """`(page, offset, row, count)`: where the new rows' keys are written."""
    masks: dict[int, list[Mask]]
    """For each window that some layer has; none for many rows, which are worked off in pieces."""
    turns: dict[int, tuple[F32, F32]]
    """Cosines and sines, by the identity of the rope table."""


def check_jobs(arch: Arch, jobs: Ids[BatchJob]) -> None:
    """Raise for a job without ids, one that does not fit the window, or an unknown id."""
    for job in jobs:
        if not job.ids:
            raise ValueError("a job needs at least one id")
        length = job.sequence.length + len(job.ids)
        if length > arch.window_tokens:
            raise Misfit(
                f"{length} tokens do not fit the window of {arch.window_tokens}",
                where=arch.name or arch.family,
            )
        low, high = min(job.ids), max(job.ids)
        if low < 0 or high >= arch.vocab_size:
            unknown = high if high >= arch.vocab_size else low
            raise Misfit(
                f"id {unknown} is outside the vocabulary of {arch.vocab_size}", where=arch.name or arch.family
            )


def lay_out(jobs: Ids[BatchJob], windows: Ids[int], ropes: Ids[RopeTable]) -> list[RowSpan]:
    """Give every job its rows. Makes room in the pages, and reads the tags of the new ids."""
    spans: list[RowSpan] = []
    low = 0
    for job in jobs:
        sequence, new = job.sequence, len(job.ids)
        lead = 0 if sequence.has_unmixed() else 1
        start, rows = sequence.length - lead, new + lead
        places = sequence.reserve(new)
        sequence.tags.extend(job.ids)
        seen = {window: masks(start, rows, window) for window in windows} if rows <= SHORT_ROWS else {}
        turns = {id(rope): rope.rows(start, start + rows, sequence.planned) for rope in ropes}
        spans.append(RowSpan(job, low, low + rows, lead, start, places, seen, turns))
        low += rows
    return spans


def smear(index: int, gate: F32, k: F32, span: RowSpan) -> None:
    """Mix every key of layer `index` with the unmixed one before it, in place, and keep the unmixed tail.
    `k` is `[kv, rows, head]`."""
    sequence = span.job.sequence
    rows = k.shape[1]
    kept = sequence.kept
    assert kept is not None
    before = np.empty_like(k)
    before[:, 1:] = k[:, :-1]
    if span.start and not span.lead:
        before[:, 0] = kept[index, :, span.start - 1 - sequence.kept_from]
    else:
        before[:, 0] = k[:, 0]
    n = min(rows, KEPT_ROWS)
    if sequence.kept_next is None:
        shape = (kept.shape[0], kept.shape[1], n, kept.shape[3])
        sequence.kept_next = (np.empty(shape, np.float32), span.start + rows - n)
    sequence.kept_next[0][index] = k[:, rows - n :]
    before -= k
    before *= gate
    k += before
    if index == kept.shape[0] - 1:
        sequence.kept, sequence.kept_from = sequence.kept_next
        sequence.kept_next = None
