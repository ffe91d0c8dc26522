"""What is to be returned as another type is converted where it is returned."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """def ends(row):
    return row.first, row.last


def stats(values):
    return min(values), max(values)


def count(rows):
    return len(rows)
"""
NAMED = '    return {"first": row.first, "last": row.last}'


@pytest.mark.parametrize(
    ("text", "intent", "slots", "line"),
    [
        ("ends should return a dict", "set_return", {"function": "ends", "result": "dict"}, NAMED),
        ("return it as a dictionary in ends", "if_to_lookup", {"function": "ends"}, NAMED),
        ("return ends as a dict", "annotate_return", {"function": "ends", "type": "dict"}, NAMED),
        (
            "stats should return a list",
            "convert_value",
            {"function": "stats", "type": "list"},
            "    return [min(values), max(values)]",
        ),
        (
            "count should return a frozenset of it",
            "set_return",
            {"function": "count", "result": "frozenset"},
            "    return frozenset",
        ),
        (
            "count returns int",
            "annotate_return",
            {"function": "count", "type": "int"},
            "def count(rows) -> int:",
        ),
    ],
)
def test_a_type_that_is_to_be_returned_is_no_value(
    text: str, intent: str, slots: dict[str, str], line: str
) -> None:
    assert line in changed(CODE, text, intent, **slots).splitlines()


def test_values_without_names_have_no_keys() -> None:
    answer = answer_to(CODE, "stats should return a dict", "set_return", function="stats", result="dict")
    assert (answer.ways, "under which keys" in answer.reason) == ((), True)
