"""The steers are sound: both results parse, the steer matters, and checks tell right from wrong."""

from __future__ import annotations

import ast
import json
from collections import Counter
from pathlib import Path
from typing import Any

from support.run_checks import outcomes

CASES = Path(__file__).parents[2] / "examples"
STEERS: list[dict[str, Any]] = [
    json.loads(line) for line in (CASES / "steers" / "steers.jsonl").read_text(encoding="utf-8").splitlines()
]
NEEDED = {"id", "kind", "path", "before", "instruction", "after_first", "steer", "after_steer"}


def tree(text: str) -> str:
    return ast.dump(ast.parse(text))


def test_there_are_100_steers_with_their_own_names_and_known_keys() -> None:
    assert len(STEERS) == 100
    assert len({row["id"] for row in STEERS}) == 100
    assert len({row["steer"] for row in STEERS}) == 100
    for row in STEERS:
        assert NEEDED <= set(row) <= NEEDED | {"accept", "check"}, row["id"]
        assert row["instruction"].strip(), row["id"]
        assert row["steer"].strip(), row["id"]


def test_the_first_edit_and_the_steer_both_change_what_the_file_means() -> None:
    for row in STEERS:
        before, first, last = tree(row["before"]), tree(row["after_first"]), tree(row["after_steer"])
        assert before != first, row["id"]
        assert first != last, row["id"]
        assert (before == last) == (row["kind"] == "withdrawn"), row["id"]


def test_accepted_results_parse_and_differ() -> None:
    for row in STEERS:
        trees = [tree(text) for text in [row["after_steer"], *row.get("accept", [])]]
        assert len(set(trees)) == len(trees), row["id"]


def test_steers_are_of_several_kinds_on_several_files() -> None:
    kinds = Counter(row["kind"] for row in STEERS)
    assert set(kinds) == {"value", "name", "approach", "scope", "place", "withdrawn"}
    assert len({row["before"] for row in STEERS}) >= 25


def test_steers_share_no_file_with_the_handwritten_tasks() -> None:
    text = (CASES.parent / "tests" / "cases" / "handwritten" / "tasks.jsonl").read_text(encoding="utf-8")
    other = {json.loads(line)["before"] for line in text.splitlines()}
    assert not other & {row["before"] for row in STEERS}


def test_checks_pass_on_right_results_and_fail_on_the_first_edit_and_on_no_edit() -> None:
    checked = [row for row in STEERS if "check" in row]
    assert len(checked) >= 15
    right = [(text, row["check"]) for row in checked for text in [row["after_steer"], *row.get("accept", [])]]
    assert [why for why in outcomes(right) if why] == []
    for key in ("before", "after_first"):
        failures = outcomes([(row[key], row["check"]) for row in checked])
        assert [row["id"] for row, why in zip(checked, failures, strict=True) if not why] == [], key
