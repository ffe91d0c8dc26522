"""Arguments that the annotation of their parameter excludes, in new calls and under new annotations."""

from __future__ import annotations

import pytest
from codemods.repositories import reasons

PATH = "m.py"
CODE = """\
from enum import Enum, IntEnum


class Color(Enum):
    RED = "red"


class Level(IntEnum):
    LOW = 1


def paint(name: str, times: int = 1, note: str = None, *, into: "list[str] | None" = None):
    return name * times, note, into


class Pot:
    def __init__(self, label: str):
        self.label = label

    def fill(self, liters: float) -> str:
        return self.label


def run(pot: Pot, text, rows: list):
    pass
"""


def found(line: str) -> list[str]:
    return reasons("typed arguments", {PATH: CODE}, {PATH: CODE.replace("    pass\n", f"    {line}\n")})[-1:]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("paint(None)", "gives paint None as name, which is to be a text"),
        ("paint(Color.RED)", "gives paint Color.RED as name, which is to be a text"),
        ('paint("a", "b")', "gives paint 'b' as times, which is to be a number"),
        ("paint(rows)", "gives paint rows as name, which is to be a text"),
        ("Pot(3)", "gives __init__ 3 as label, which is to be a text"),
        ('pot.fill(liters="1")', "gives fill '1' as liters, which is to be a number"),
        ("pot.fill(pot.fill(1.5))", "gives fill pot.fill(1.5) as liters, which is to be a number"),
    ],
)
def test_a_value_of_another_kind_than_the_annotation_is_named(line: str, reason: str) -> None:
    assert found(line) == [reason]


@pytest.mark.parametrize(
    "line",
    [
        'paint("a", True, None)',
        "paint(text, Level.LOW)",
        'paint("a", into=())',
        "paint(*rows)",
        "pot.fill(1)",
        "paint(pot.fill(1))",
        "unknown(None)",
    ],
)
def test_what_may_fit_is_not_named(line: str) -> None:
    assert found(line) == []


def test_a_new_annotation_that_a_call_contradicts_is_named_and_an_old_one_is_not() -> None:
    code = "def cut(rows, at: int):\n    return rows[at]\n"
    user = 'from m import cut\n\ncut(None, "b")\n'
    new = code.replace("rows,", "rows: list,")
    (reason,) = reasons("typed arguments", {PATH: code, "use.py": user}, {PATH: new})
    assert reason == "gives cut None as rows, which is to be a list"


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("Optional[str]", "str | None", 0),
        ("typing.List[str]", "list[str]", 0),
        ("Optional[str]", "str", 1),
    ],
)
def test_an_annotation_in_another_form_says_nothing_new(old: str, new: str, named: int) -> None:
    code = f"def cut(rows: {old}):\n    return rows\n"
    user = "from m import cut\n\ncut(None)\n"
    files = {PATH: code, "use.py": user}
    assert len(list(reasons("typed arguments", files, {PATH: code.replace(old, new)}))) == named
