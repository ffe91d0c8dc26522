"""The cases of failing tests: their checks hold for right results, and fail for what was there before."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from spark_tui.evals.cases import EvalCase, program_of, tasks
from spark_tui.evals.sandbox import run_program

CASES = Path(__file__).parents[1] / "cases/failing_tests"
ROWS = [case for name in ("mended", "aside") for case in tasks(CASES / f"{name}.jsonl.gz")]


def test_all_have_names_of_their_own() -> None:
    assert len({case.id for case in ROWS}) == len(ROWS) == 60


@pytest.mark.parametrize("case", ROWS, ids=lambda case: case.id)
def test_check_tells_right_from_wrong(case: EvalCase) -> None:
    assert case.after is not None
    right = run_program(program_of(case.check, case.after))
    assert right.ok, right.reason
    assert not run_program(program_of(case.check, case.before)).ok


def test_other_files_are_kept_with_a_case() -> None:
    first = json.loads(gzip.decompress((CASES / "mended.jsonl.gz").read_bytes()).splitlines()[0])
    assert first["files"] == dict(ROWS[0].files)
    assert any(path.startswith("test_") for path in first["files"])
