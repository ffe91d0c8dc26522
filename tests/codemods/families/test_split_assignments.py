"""What one place sets gets a name of its own only where nothing else is read under that name."""

from __future__ import annotations

import pytest

from spark_tui.codemods.families.values.split_assignments import SplitVariable
from spark_tui.codemods.plan import Plan, Refused
from spark_tui.codemods.slots import NewName, Place
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

BRANCH = "def f(c):\n    x = 1\n    if c:\n        x = 2\n    print(x)\n"
OTHER = "def f(c):\n    x = 1\n    if c:\n        x = 2\n    elif c > 1:\n        x = 3\n    print(x)\n"
ROUND = "def f(c):\n    x = 1\n    while c:\n        print(x)\n        x = 2\n"
AGAIN = "def f(c):\n    x = 1\n    while c:\n        print(x)\n        x = 2\n        print(x)\n"
CAUGHT = "def f(c):\n    try:\n        x = c()\n        x = 3\n    except OSError:\n        print(x)\n"
INNER = "def f(c):\n    x = 1\n    c(lambda: x)\n    x = 2\n    return x\n"
TAKEN = "def f(y):\n    x = 1\n    print(x, y)\n    x = 2\n    return x\n"
GIVEN = "def f(x=1):\n    print(x)\n    x = 2\n    return x\n"


def planned(code: str, line: int) -> object:
    place = Place("m.py", line, line)
    return SplitVariable(place, NewName("x"), NewName("y")).plan(Repository(DictTree({"m.py": code})))


@pytest.mark.parametrize(
    ("code", "line"),
    [
        (BRANCH, 2),
        (BRANCH, 4),
        (OTHER, 4),
        (ROUND, 2),
        (ROUND, 5),
        (AGAIN, 5),
        (CAUGHT, 3),
        (INNER, 4),
        (TAKEN, 4),
        (GIVEN, 1),
    ],
)
def test_what_may_be_read_from_elsewhere_is_not_split(code: str, line: int) -> None:
    assert isinstance(planned(code, line), Refused)


def test_each_round_may_set_it_anew() -> None:
    code = "def f(c):\n    while c:\n        x = 1\n        print(x)\n        x = 2\n        print(x)\n"
    found = planned(code, 5)
    assert isinstance(found, Plan)
    texts = found.texts(Repository(DictTree({"m.py": code})))
    assert texts["m.py"] == code.replace("x = 2\n        print(x)", "y = 2\n        print(y)")


def test_several_places_get_one_name() -> None:
    code = "def f(c):\n    x = c\n    print(x)\n    x = c + 1\n    print(x)\n    x = 0\n    return x\n"
    repo = Repository(DictTree({"m.py": code}))
    found = SplitVariable(Place("m.py", 2, 4), NewName("x"), NewName("y")).plan(repo)
    assert not isinstance(found, Refused)
    assert found.texts(repo)["m.py"] == code.replace("x", "y", 4)
