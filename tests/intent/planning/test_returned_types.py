"""What is to be returned as another type is converted where it is returned."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, result

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


@pytest.mark.parametrize(
    ("intent", "slot"), [("convert_value", "type"), ("set_return", "result"), ("apply_function", "transform")]
)
@pytest.mark.parametrize(("name", "kind"), [("ends", "tuple"), ("ordered", "list"), ("known", "set")])
def test_what_has_the_type_is_not_converted_to_it(intent: str, slot: str, name: str, kind: str) -> None:
    code = (
        f"{CODE}\n\ndef ordered(rows):\n    return sorted(rows)\n\n\ndef known(rows):\n    return {{*rows}}\n"
    )
    answer = answer_to(code, f"{name} should return a {kind}", intent, **{"function": name, slot: kind})
    assert (answer.kind, answer.ways) == ("nothing", ())


@pytest.mark.parametrize(
    ("kind", "line"),
    [("tuple", "    return (first, last)"), ("set", "    return {first, last}")],
)
def test_a_type_that_is_read_as_a_function_converts_as_a_type(kind: str, line: str) -> None:
    code = "def ends(first, last):\n    return [first, last]\n"
    slots = {"function": "ends", "transform": f"a {kind}"}
    assert line in changed(code, f"return a {kind} in ends", "apply_function", **slots).splitlines()


CHAINED = """class Query:
    def limit(self, count) -> None:
        self.count = count
        return self

    def rows(self) -> "Iterable[Row]":
        return [self.count]

    def clear(self) -> int:
        self.count = None
"""


@pytest.mark.parametrize(
    ("method", "line"),
    [("limit", 'def limit(self, count) -> "Query":'), ("clear", "def clear(self) -> None:"), ("rows", "")],
)
def test_an_annotation_gives_way_where_the_code_gives_none_or_something(method: str, line: str) -> None:
    found = answer_to(CHAINED, f"adjust the return type of {method}", "annotate_return", function=method)
    assert found.kind == ("edit" if line else "nothing")
    assert not line or line in result(found, {PATH: CHAINED})
