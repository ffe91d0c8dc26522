# ruff: noqa: E501 - cases read better unbroken
"""Old forms of types become new ones; parameters are given by name only; stars are added."""

from __future__ import annotations

import pytest
from signature_texts import made

from spark_tui.refactor import signatures


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other families make of the same words is theirs."""
    monkeypatch.setattr("spark_tui.refactor.known.RULES", signatures.RULES)


OLD = """from typing import Any, Dict, List, Optional, Union


def f(a: Optional[int], b: Dict[str, List[Any]], c: Optional[List[str]] = None) -> Union[int, str]:
    found: List[str] = []
    return a or found
"""


@pytest.mark.parametrize(
    ("instruction", "changes"),
    [
        ("use X | None instead of Optional", [("Optional[int]", "int | None"), ("Optional[List[str]]", "List[str] | None"), ("List, Optional, Union", "List, Union")]),
        ("ruff UP007", [("Optional[int]", "int | None"), ("Optional[List[str]]", "List[str] | None"), ("Union[int, str]", "int | str"), ("List, Optional, Union", "List")]),
        ("Otpional -> `| None`", [("Optional[int]", "int | None"), ("Optional[List[str]]", "List[str] | None"), ("List, Optional, Union", "List, Union")]),
        ("use builtin generics instead of typing.List and Dict", [("Dict[str, List[Any]]", "dict[str, list[Any]]"), ("Optional[List[str]]", "Optional[list[str]]"), ("found: List[str]", "found: list[str]"), ("Any, Dict, List, Optional", "Any, Optional")]),
    ],
)  # fmt: skip
def test_old_forms_become_new(instruction: str, changes: list[tuple[str, str]]) -> None:
    wanted = OLD
    for old, new in changes:
        assert old in wanted
        wanted = wanted.replace(old, new)
    assert made(OLD, instruction) == [(wanted, 2)]


def test_new_forms_become_old() -> None:
    text = "from typing import Any\n\n\ndef f(a: int | None, b: Any = None) -> str | None:\n    return None\n"
    wanted = "from typing import Any, Optional\n\n\ndef f(a: Optional[int], b: Any = None) -> Optional[str]:\n    return None\n"
    assert made(text, "use Optional[X] instead of X | None") == [(wanted, 2)]


@pytest.mark.parametrize("instruction", ["make a optional", "use X | None instead of Optional"])
def test_where_there_is_no_old_form_nothing_is_made(instruction: str) -> None:
    text = "def g(b: str | None = None):\n    return b\n"
    assert made(text, instruction) == []


COPY = """def copy(src, dst, force=False, depth=1):
    return src, dst, force, depth


copy("a", "b", True)
copy("a", "b", depth=2)
"""


@pytest.mark.parametrize(
    ("instruction", "head", "call"),
    [
        ("make force and depth keyword-only", "src, dst, *, force=False, depth=1", "force=True"),
        ("everything after dst should be keyword only in copy", "src, dst, *, force=False, depth=1", "force=True"),
        ("depth must be given by name only", "src, dst, force=False, *, depth=1", "True"),
        ("make force keyword-only in copy", "src, dst, depth=1, *, force=False", "force=True"),
    ],
)
def test_parameters_are_given_by_name(instruction: str, head: str, call: str) -> None:
    wanted = COPY.replace("src, dst, force=False, depth=1):", f"{head}):").replace('"b", True', f'"b", {call}')
    assert made(COPY, instruction) == [(wanted, 2)]


@pytest.mark.parametrize(
    ("instruction", "head"),
    [
        ("copy should take **kwargs", "src, dst, force=False, depth=1, **kwargs"),
        ("let copy accept arbitrary keyword arguments", "src, dst, force=False, depth=1, **kwargs"),
        ("add *args and **kwargs to copy", "src, dst, force=False, depth=1, *args, **kwargs"),
    ],
)
def test_stars(instruction: str, head: str) -> None:
    assert made(COPY, instruction) == [(COPY.replace("src, dst, force=False, depth=1):", f"{head}):"), 2)]
