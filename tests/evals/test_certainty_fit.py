"""The fit of the certainty of an edit."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from spark_tui.evals import certainty_fit
from spark_tui.evals.certainty_fit import JudgedEvidence
from spark_tui.intent.reading.reader import Reader

BEFORE = {"offset": 0.0, "share": 0.5, "unused": 0.0}


def judged(count: int) -> list[JudgedEvidence]:
    """Edits with something unused are wrong, whatever their share."""
    return [
        JudgedEvidence({"share": float(at % 5 - 2), "unused": float(at % 2)}, at % 2 == 0)
        for at in range(count)
    ]


def test_what_goes_with_wrong_edits_counts_against_them() -> None:
    offset, share, unused = certainty_fit.fitted(judged(1000), BEFORE)
    assert unused < -1 and offset > 0.5
    assert abs(share) < 0.5


def test_few_examples_leave_the_weights_as_they_were() -> None:
    few = certainty_fit.fitted(judged(6), BEFORE)
    assert np.abs(few - list(BEFORE.values())).max() < 0.4
    assert np.allclose(certainty_fit.fitted(judged(6), BEFORE, kept=1e6), list(BEFORE.values()), atol=0.01)


def test_cases_of_a_file_are_asked_and_judged(tmp_path: Path) -> None:
    before = "class Cart:\n    def total(self):\n        return 1\n"
    after = before.replace("Cart", "Basket")
    asked = {"kind": "rename", "path": "cart.py", "before": before, "instruction": "rename Cart to Basket"}
    lines = [
        {**asked, "after": after},
        {**asked, "after": before},
        {**asked, "kind": "steer", "after": after},
    ]
    file = tmp_path / "cases.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    found = list(certainty_fit.of_cases(file, Reader.load()))
    assert [evidence.right for evidence in found] == [True, False]
    assert set(certainty_fit.table_weights()) - {"offset", "amends"} <= set(found[0].evidence) | {"amends"}
