"""The signatures of `typing.overload` go; what another `overload` marks is run, and some code reads them."""

from __future__ import annotations

from codemods.repositories import plan, refusal, texts_after

CODE = """\
from typing import overload


@overload
def f(x: int) -> int: ...
@overload
def f(x: str) -> str: ...
def f(x):
    return x
"""


def test_the_signatures_go_with_their_import() -> None:
    assert texts_after("remove_overloads 'in m.py'", {"m.py": CODE}) == {"m.py": "def f(x):\n    return x\n"}
    assert not plan("remove_overloads 'in m.py'", {"m.py": CODE}).unfollowed


def test_what_another_overload_marks_stays() -> None:
    for head in ("from dispatch import overload", "def overload(g):\n    return g"):
        files = {"m.py": CODE.replace("from typing import overload", head)}
        assert "what it marks may be run" in refusal("remove_overloads 'in m.py'", files).reason
    typed = CODE.replace("from typing import overload", "import typing as t").replace(
        "@overload", "@t.overload"
    )
    assert texts_after("remove_overloads 'in m.py'", {"m.py": typed}) == {"m.py": "def f(x):\n    return x\n"}


def test_who_reads_the_signatures_is_named() -> None:
    files = {"m.py": CODE, "b.py": "from typing import get_overloads\nimport m\n\nget_overloads(m.f)\n"}
    reasons = [one.reason for one in plan("remove_overloads 'in m.py'", files).unfollowed]
    assert reasons == ["get_overloads is mentioned: it gives nothing for the function then"]
