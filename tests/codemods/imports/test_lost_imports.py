"""What takes code away takes the imports with it that only this code used."""

from __future__ import annotations

import pytest
from codemods.repositories import after, plan

HEAD = "import math\nimport os\n"
USES = "\n\ndef g():\n    return math.pi\n"


@pytest.mark.parametrize(
    ("call", "code", "left"),
    [
        ("remove_decorator f math.cached", "@math.cached\ndef f(): ...\n", "def f(): ...\n"),
        ("remove_base A math.Base", "class A(math.Base): ...\n", "class A: ...\n"),
        ("add_base A int instead_of=math.Base", "class A(math.Base): ...\n", "class A(int): ...\n"),
        ("remove_annotations f", "def f(x: math.Number): ...\n", "def f(x): ...\n"),
        ("remove_definition f", "def f(x):\n    return math.pi\n\n\nx = 1\n", "x = 1\n"),
        (
            "remove_argument f 'in h' key",
            "def f(key=1): ...\n\n\ndef h():\n    f(key=math.pi)\n",
            "def f(key=1): ...\n\n\ndef h():\n    f()\n",
        ),
        ("remove_item 'in m.py' math.pi target=X", "X = [1, math.pi]\n", "X = [1]\n"),
        (
            "delete_statements m.py:6",
            "def f(x):\n    math.sin(x)\n    return x\n",
            "def f(x):\n    return x\n",
        ),
        (
            "unwrap_try 'in f'",
            "def f(x):\n    try:\n        x()\n    except math.Error:\n        pass\n",
            "def f(x):\n    x()\n",
        ),
    ],
)
def test_an_import_goes_with_the_last_use_and_stays_with_another_one(call: str, code: str, left: str) -> None:
    used = "print(os)\n"
    assert after(call, f"{HEAD}\n\n{code}{used}") == f"import os\n\n\n{left}{used}"
    assert after(call, f"{HEAD}\n\n{code}{used}{USES}") == f"{HEAD}\n\n{left}{used}{USES}"


def test_an_import_that_goes_is_no_doubt_about_what_runs_on_import() -> None:
    code = "import math\n\n\ndef f():\n    return [1, math.pi]\n"
    assert (
        plan("remove_item 'in f' math.pi", {"m.py": code}).unfollowed
        == plan("remove_item 'in f' 1", {"m.py": code}).unfollowed
    )
