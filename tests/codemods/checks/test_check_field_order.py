"""Calls of dataclasses and named tuples whose fields changed."""

from __future__ import annotations

import ast

import pytest
from codemods.repositories import findings

HEAD = "from dataclasses import KW_ONLY, dataclass, field\nfrom typing import ClassVar, NamedTuple\n\n\n"
OLD = HEAD + "@dataclass\nclass Limits:\n    host: str\n    retries: int\n    timeout: float = 3.0\n"
TWO = 'Limits("a", 3)'


def reasons(new: str, call: str, old: str = OLD, called: str = "") -> list[str]:
    """What is found where the first text becomes the second, and one call may become another."""
    use = "from limits import *\n\nprint({})\n"
    before = {"limits.py": old, "use.py": use.format(call)}
    after = {"limits.py": new, "use.py": use.format(called or call)}
    return [one.reason for one in findings("field order", before, after)]


def swapped(text: str) -> str:
    return text.replace("    host: str\n    retries: int\n", "    retries: int\n    host: str\n")


@pytest.mark.parametrize(
    ("new", "call", "found"),
    [
        (swapped(OLD), TWO, "Limits takes retries where this call passes host"),
        (swapped(OLD), 'Limits(host="a", retries=3)', ""),
        (swapped(OLD), "Limits(*parts)", ""),
        (OLD.replace("    host: str\n", ""), TWO, "Limits takes retries where this call passes host"),
        (
            OLD.replace("    host: str\n", ""),
            'Limits("a", 3, 1.0)',
            "Limits takes 2 positional arguments, not 3",
        ),
        (OLD.replace("host:", "server:"), TWO, ""),
        (OLD.replace("host:", "server:"), 'Limits(host="a", retries=3)', "Limits has no parameter 'host'"),
        (OLD + "    port: int = 80\n", TWO, ""),
        (OLD.replace(" = 3.0", ""), TWO, "Limits needs 'timeout'"),
        (OLD.replace(": float = 3.0", ": float = field(default=3.0)"), TWO, ""),
        (OLD.replace("    retries", "    n: ClassVar[int] = 3\n    retries"), TWO, ""),
        (
            OLD.replace("    retries", "    _: KW_ONLY\n    retries"),
            TWO,
            "Limits takes 1 positional arguments, not 2",
        ),
        (
            OLD.replace("@dataclass", "@dataclass(kw_only=True)"),
            TWO,
            "Limits takes 0 positional arguments, not 2",
        ),
        (OLD.replace("    host", '    n: "ClassVar[int]" = 3\n    host'), TWO, ""),
        (OLD.replace("3.0", "given(3.0)") + "    port: int\n", "Limits(*parts)", ""),
        (OLD + "    port: int = field(**options)\n", TWO, ""),
        (swapped(OLD) + "\n    def __init__(self, host, retries): ...\n", TWO, ""),
    ],
)
def test_a_call_that_gets_other_fields_is_found(new: str, call: str, found: str) -> None:
    assert reasons(new, call) == ([found] if found else [])
    assert reasons(new, call, old=new) == []


def test_a_call_that_the_change_wrote_is_only_asked_whether_it_fits() -> None:
    assert reasons(swapped(OLD), TWO, called='Limits(3, "a")') == []
    assert reasons(swapped(OLD), TWO, called="Limits()") == ["Limits needs 'host', 'retries'"]


def test_a_field_without_a_default_stays_in_front_of_those_with_one() -> None:
    late = OLD.replace("    retries", "    port: int = 80\n    retries")
    wrong = "retries has no default and comes after a field that has one: the class cannot be made"
    assert reasons(late, 'Limits(host="a", retries=3)') == [wrong]
    assert (
        reasons(late.replace("@dataclass", "@dataclass(kw_only=True)"), 'Limits(host="a", retries=3)') == []
    )


def test_fields_of_classes_below_and_of_named_tuples_are_known() -> None:
    below = "\n\n@dataclass\nclass Slow(Limits):\n    wait: int = 1\n"
    assert reasons(swapped(OLD) + below, 'Slow("a", 3)', old=OLD + below) == [
        "Slow takes retries where this call passes host"
    ]
    named = HEAD + "class Limits(NamedTuple):\n    host: str\n    retries: int\n"
    assert reasons(swapped(named), TWO, old=named) == ["Limits takes retries where this call passes host"]
    foreign = named.replace("NamedTuple)", "Model)")
    assert reasons(swapped(foreign), TWO, old=foreign) == []


def test_a_field_that_a_class_below_takes_no_value_for_is_not_counted() -> None:
    below = '\n\n@dataclass\nclass Local(Limits):\n    host: str = field(init=False, default="a")\n'
    old = OLD.replace("host: str", 'host: str = "b"').replace("retries: int", "retries: int = 1")
    new = old.replace(
        '    host: str = "b"\n    retries: int = 1\n', '    retries: int = 1\n    host: str = "b"\n'
    )
    assert reasons(new + below, "Local(3)", old=old + below) == []


@pytest.mark.parametrize("many", [5, 50])
def test_a_call_is_compared_once_however_many_classes_change(monkeypatch, many: int) -> None:
    compared, dump = [], ast.dump
    monkeypatch.setattr(ast, "dump", lambda node: compared.append(node) or dump(node))
    below = "".join(f"\n\n@dataclass\nclass Slow{at}(Limits):\n    wait: int = 1\n" for at in range(many))
    calls = ", ".join(f'Slow{at}("a", 3)' for at in range(many))
    assert len(reasons(swapped(OLD) + below, calls, old=OLD + below)) == many
    assert len(compared) <= 4 * many
