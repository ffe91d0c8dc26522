"""The reason of an order, which is no order."""

from __future__ import annotations

import pytest

from spark_tui.intent.words.reasons import is_reason


@pytest.mark.parametrize(
    "clause",
    [
        "because the list can be empty",
        ", so that the caller sees it",
        "and it breaks otherwise",
        ". Otherwise the second run fails.",
        "weil es sonst abstürzt",
        "，因为列表可能是空的",
    ],
)
def test_a_clause_that_says_why_is_a_reason(clause: str) -> None:
    assert is_reason(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "rename load to fetch",
        "it should return None",
        "since it is unused, delete it",
        "items becomes entries",
        "sonst soll es 0 liefern",
        "请改名",
        "otherwise return None",
        "so rename it",
    ],
)
def test_a_clause_that_asks_for_something_is_none(clause: str) -> None:
    assert not is_reason(clause)
