"""Two best logits that are nearly equal, on kernels that round by the number of rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from support.engine_runs import generated_ids
from support.naive_model import VARIANTS, ids_of, weights_of
from support.oracle_drafts import Oracle

from spark_tui.engine.engine import Engine
from spark_tui.engine.model import BatchJob
from spark_tui.engine.runtime.pass_stop import NEVER, StopFlag


class EverySecond(Oracle):
    """Drafts for every second pass."""

    def propose(self, limit: int) -> list[int]:
        self.longest = -self.longest
        return super().propose(limit) if self.longest > 0 else []


def test_keys_of_longer_passes_decide_no_near_tie(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where kernels round by row count, a pass of one row behind accepted drafts reads keys that are off."""
    engine = Engine(VARIANTS["spark"], weights_of(VARIANTS["spark"]), cache_bytes=1 << 23)
    prompt = ids_of(engine.arch, 20, seed=1)
    forward = engine.model.forward
    off: set[int] = set()

    def rounded(jobs: Sequence[BatchJob], stop: StopFlag = NEVER) -> np.ndarray:
        [job] = jobs
        begin = job.sequence.length
        logits = forward(jobs, stop).copy()
        off.difference_update(range(begin, 1000))
        if len(job.ids) > 1:
            off.update(range(max(begin, len(prompt)), job.sequence.length))
        for row, scores in enumerate(logits, job.sequence.length - len(logits)):
            if row % 5 == 4:
                best, second = np.argsort(-scores)[:2]
                scores[second] = scores[best] + (1e-4 if off & set(range(row + 1)) else -1e-4)
        return logits

    monkeypatch.setattr(engine.model, "forward", rounded)
    monkeypatch.setattr(engine.model, "_exact", False)
    plain = generated_ids(engine, prompt, 60)
    for longest in range(1, 6):
        assert generated_ids(engine, prompt, 60, draft_source=EverySecond(plain, longest=longest)) == plain
        assert engine.counts.accepted
