"""The cases of described bugs: their checks hold for right results, and fail for what was there before."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

CASES = Path(__file__).parents[1] / "cases/described_bugs"
ROWS = [
    json.loads(line)
    for name in ("mended", "aside", "right")
    for line in gzip.decompress((CASES / f"{name}.jsonl.gz").read_bytes()).decode().splitlines()
]


def holds(text: str, check: str) -> bool:
    try:
        exec(compile(f"{text}\n\n{check}", "case", "exec", dont_inherit=True), {"__name__": "case"})
    except Exception:
        return False
    return True


def test_all_have_names_of_their_own() -> None:
    assert len({row["id"] for row in ROWS}) == len(ROWS) == 180


@pytest.mark.filterwarnings("ignore")
def test_check_tells_right_from_wrong() -> None:
    for row in ROWS:
        rights = (row["after"], *row.get("accept", []))
        assert all(holds(text, row["check"]) for text in rights), row["id"]
        assert row.get("expect") == "no_edit" or not holds(row["before"], row["check"]), row["id"]
