"""Logits of every family equal those that the reference gave for the same files, whichever way the ids are
run.

`tests/support/make_golden.py` made the files. Nothing here needs torch.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from support.named_cases import case_named
from support.parity_runs import RUNS, assert_same

from spark_tui.engine.checkpoint import load_checkpoint
from spark_tui.engine.model import Model

GOLDEN = Path(__file__).resolve().parent.parent / "cases" / "golden"
CASES = sorted(path.name for path in GOLDEN.iterdir() if path.is_dir())


@cache
def loaded(case: str) -> tuple[Model, list[int], np.ndarray]:
    checkpoint = load_checkpoint(GOLDEN / case)
    with np.load(GOLDEN / case / "golden.npz", allow_pickle=False) as golden:
        return Model(checkpoint.arch, checkpoint.weights), golden["ids"].tolist(), golden["logits"]


@pytest.mark.parametrize("case", CASES)
def test_logits_equal_the_reference(case: str) -> None:
    model, ids, expected = loaded(case)
    for name, run in RUNS.items():
        with case_named(name):
            assert_same(run(model, ids), expected)


@pytest.mark.parametrize("case", CASES)
def test_the_reference_is_no_constant(case: str) -> None:
    """A golden file that any model would match proves nothing: choices vary, and the best is clearly best."""
    _, _, logits = loaded(case)
    assert len(set(logits.argmax(-1).tolist())) >= 3
    ordered = np.sort(logits, axis=-1)
    assert np.median(ordered[:, -1] - ordered[:, -2]) > 0.05


def test_the_whole_folder_is_small() -> None:
    assert sum(path.stat().st_size for path in GOLDEN.rglob("*") if path.is_file()) < 1_500_000
