"""A decorator, a base or a type takes the imports with it that only it used; deleted lines take none."""

from __future__ import annotations

import pytest
from codemods.repositories import after

HEAD = "import math\nimport os\n"
USES = "\n\ndef g():\n    return math.pi\n"


@pytest.mark.parametrize(
    ("call", "code", "left"),
    [
        ("remove_decorator f math.cached", "@math.cached\ndef f(): ...\n", "def f(): ...\n"),
        ("remove_base A math.Base", "class A(math.Base): ...\n", "class A: ...\n"),
        ("add_base A int instead_of=math.Base", "class A(math.Base): ...\n", "class A(int): ...\n"),
        ("remove_annotations f", "def f(x: math.Number): ...\n", "def f(x): ...\n"),
    ],
)
def test_an_import_goes_with_the_last_use_and_stays_with_another_one(call: str, code: str, left: str) -> None:
    used = "print(os)\n"
    assert after(call, f"{HEAD}\n\n{code}{used}") == f"import os\n\n\n{left}{used}"
    assert after(call, f"{HEAD}\n\n{code}{used}{USES}") == f"{HEAD}\n\n{left}{used}{USES}"


@pytest.mark.parametrize(
    ("call", "code", "left"),
    [
        ("remove_definition f", "def f(x):\n    return math.pi\n\n\nx = 1\n", "x = 1\n"),
        (
            "delete_statements m.py:6",
            "def f(x):\n    math.sin(x)\n    return x\n",
            "def f(x):\n    return x\n",
        ),
    ],
)
def test_what_is_deleted_as_it_stands_takes_nothing_else_along(call: str, code: str, left: str) -> None:
    assert after(call, f"{HEAD}\n\n{code}print(os)\n") == f"{HEAD}\n\n{left}print(os)\n"
