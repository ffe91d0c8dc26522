"""What a further case of a `match` statement must not do."""

from __future__ import annotations

import pytest
from codemods.repositories import plan, refusal

from spark_tui.codemods.plan import Plan

CODE = """\
def f(x):
    match x:
        case "go" | "run":
            return 1
        case str(y):
            return 2
"""


@pytest.mark.parametrize(
    ("value", "why"), [('"run"', "already has a case"), ("y", "more than one value"), ("1 + 2", "no pattern")]
)
def test_what_is_taken_or_takes_more_is_refused(value: str, why: str) -> None:
    assert why in str(refusal(f"add_case 'in f' '{value}' pass", {"m.py": CODE}))


def test_a_case_that_may_come_first_is_named() -> None:
    found = plan("add_case 'in f' '\"quit\"' pass", {"m.py": CODE})
    assert isinstance(found, Plan) and [one.line for one in found.unfollowed] == [5]


def test_a_list_that_takes_any_item_may_come_first_and_one_of_values_not() -> None:
    code = CODE.replace('"go" | "run"', "[one]").replace("str(y)", '["go", "on"]')
    found = plan("add_case 'in f' '[\"quit\"]' pass", {"m.py": code})
    assert isinstance(found, Plan) and [one.line for one in found.unfollowed] == [3]
