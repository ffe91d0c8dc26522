"""What the built-in reader makes of the cases that the programs before it answered, from `cases/frozen`.

The report says of each family of cases how many it answers the same, how many are among what it offers, and
how many are missed. `pytest -m slow -s tests/test_frozen_edits.py` prints it; `frozen_cases.py` prints it by
operation.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache

import pytest
from frozen_cases import (
    Case,
    Finding,
    Outcome,
    edits,
    families,
    findings,
    frozen_calls,
    made_by,
    outcome,
    page,
    repository,
    wanted,
)

from spark_tui.codemods import registry
from spark_tui.evals.reader_runner import CaseReader

LEAST_SHARE = 0.15
"""Of the orders: fewer than these answered or offered means that the reader is not in use."""


@pytest.mark.slow
def test_what_the_reader_makes_of_the_frozen_cases(capsys: pytest.CaptureFixture[str]) -> None:
    reader, counts = CaseReader(), defaultdict[str, Counter[Outcome]](Counter)
    for family, case in edits():
        counts[family][outcome(case, reader)] += 1
    total = sum(counts.values(), Counter[Outcome]())
    with capsys.disabled():
        print("\n| cases | same | offered | another edit | declined |\n|---|---|---|---|---|")
        for family, found in [*counts.items(), ("all", total)]:
            row = (found["same"], found["offered"], found["other"], found["declined"])
            print(f"| {family} | " + " | ".join(map(str, row)) + " |")
    assert total.total() == len(list(edits()))
    assert total["same"] + total["offered"] >= LEAST_SHARE * total.total()


def test_every_case_has_a_name_of_its_own_and_says_what_it_pins() -> None:
    cases = [case for found in families().values() for case in found]
    assert len({case["id"] for case in cases}) == len(cases) > 0
    assert {case["pins"] for case in cases} == {"edit", "wording"}


@cache
def cases() -> dict[str, Case]:
    return {case["id"]: case for _, case in edits()}


@cache
def calls_by_operation() -> dict[str, list[str]]:
    found = defaultdict[str, list[str]](list)
    for name, calls in frozen_calls().items():
        found[registry.operation_name(type(calls[0]))].append(name)
    return found


@pytest.mark.parametrize("operation", sorted(calls_by_operation()))
def test_the_operations_make_the_edits_that_the_rules_made(operation: str) -> None:
    for name in calls_by_operation()[operation]:
        case = cases()[name]
        assert made_by(frozen_calls()[name], repository(case)) in wanted(case), name


def case_of(instruction: str, code: str, hunks: list[list[object]]) -> tuple[str, Case]:
    given = {"id": "a", "kind": "order", "pins": "edit", "instruction": instruction, "code": code}
    return "rename", {**given, "results": [hunks]}


def test_a_case_is_counted_under_the_operation_that_makes_its_edit() -> None:
    code = "def total(qty):\n    return qty\n"
    renamed = [[0, 2, "def total(count):\n    return count\n"]]
    right, wrong = case_of("rename qty to count", code, renamed), case_of("rename qty to count", code, [])
    (same, missed) = findings([right, ("rename", {**wrong[1], "results": [[[0, 1, "pass\n"]]]})])
    assert (same.outcome, same.operation, same.expressed) == ("same", "rename", True)
    assert (missed.outcome, missed.operation, missed.expressed) == ("other", "rename", False)


def test_the_page_lists_what_is_missed_by_operation() -> None:
    found = [
        Finding("rename", "rename a to b", "same", "rename", True),
        Finding("rename", "a is `b`\nnow", "declined", "rename", True),
        Finding("checks", "x" * 200, "other", "guard_raise", False),
    ]
    text = page(found)
    assert "| rename | 2 | 1 | 0 | 1 | 0 |\n" in text
    assert "| all | 3 | 1 | 0 | 1 | 1 |\n" in text
    assert "### rename\n\n- misread: `a is 'b' now`\n" in text
    assert f"- missing: `{'x' * 100}…`\n" in text
