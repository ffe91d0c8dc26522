# ruff: noqa: E501 - cases read better unbroken
"""Hints are written, changed and taken away in the head, and nowhere else."""

from __future__ import annotations

import pytest
from signature_texts import made

from spark_tui.refactor import signatures


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other families make of the same words is theirs."""
    monkeypatch.setattr("spark_tui.refactor.known.RULES", signatures.RULES)


LOAD = """def load(path, retries=3, *, names=None):
    for _ in range(retries):
        print(path)
    return [path]


def save(path, items):
    print(path, items)
"""


@pytest.mark.parametrize(
    ("instruction", "head"),
    [
        ("annotate path of load as str", "def load(path: str, retries=3, *, names=None):"),
        ("in load, path is a string", "def load(path: str, retries=3, *, names=None):"),
        ("path: str | Path in load", "def load(path: str | Path, retries=3, *, names=None):"),
        ("`retries` in load is an int", "def load(path, retries: int = 3, *, names=None):"),
        ("add a type hint for names in load: `list[str] | None`", "def load(path, retries=3, *, names: list[str] | None = None):"),
        ("names of load should be a list of strings or None", "def load(path, retries=3, *, names: list[str] | None = None):"),
        ("load returns a list of strings, say so in the signature", "def load(path, retries=3, *, names=None) -> list[str]:"),
        ("add the return type list[str] to load", "def load(path, retries=3, *, names=None) -> list[str]:"),
        ("load -> list[str]", "def load(path, retries=3, *, names=None) -> list[str]:"),
        ("type load(): path is a str, retries an int, returns list[str]", "def load(path: str, retries: int = 3, *, names=None) -> list[str]:"),
        ("type hints for load: path as str, -> list[str]", "def load(path: str, retries=3, *, names=None) -> list[str]:"),
        ("anotate path in load as str", "def load(path: str, retries=3, *, names=None):"),
    ],
)  # fmt: skip
def test_types_that_are_said(instruction: str, head: str) -> None:
    wanted = LOAD.replace("def load(path, retries=3, *, names=None):", head)
    assert made(LOAD, instruction) == [(wanted, 2)]


@pytest.mark.parametrize(
    "instruction",
    [
        "load should return None",
        "load: return [] if retries is 0",
        "convert path to str in load",
        "rename path to target in load",
        "what type does path have in load?",
        "path -> `target_path` in load",
    ],
)
def test_other_orders_about_values_and_names_are_not_about_hints(instruction: str) -> None:
    assert not [text for text, _ in made(LOAD, instruction) if "->" in text or "path:" in text]


@pytest.mark.parametrize(
    ("before", "instruction", "after"),
    [
        ("def to_f(c):\n    return c * 9 / 5 + 32\n", "type hints for to_f (floats)", "def to_f(c: float) -> float:"),
        ("def greet(name, loud=False):\n    return f'hi {name}'\n", "add type hints to greet", "def greet(name: str, loud: bool = False) -> str:"),
        ("def show(text):\n    print(text)\n", "annotate show", "def show(text: str) -> None:"),
        ("def size(name):\n    return len(name)\n", "add a return type to size", "def size(name) -> int:"),
    ],
)  # fmt: skip
def test_types_that_can_be_told(before: str, instruction: str, after: str) -> None:
    assert made(before, instruction) == [(after + "\n" + before.partition("\n")[2], 2)]


def test_a_type_that_cannot_be_told_is_not_made_up() -> None:
    assert made("def f(thing):\n    return thing.go()\n", "add type hints to f") == []


TYPED = "def f(a: int, *rest: str, b: list[int] | None = None) -> str | None:\n    c: int = a\n    return c\n"


@pytest.mark.parametrize(
    ("instruction", "head"),
    [
        ("remove the type hints from f", "def f(a, *rest, b=None):"),
        ("f() without annotations", "def f(a, *rest, b=None):"),
        ("untype f", "def f(a, *rest, b=None):"),
        ("drop the annotation of b in f", "def f(a: int, *rest: str, b=None) -> str | None:"),
        ("remove the return annotation of f", "def f(a: int, *rest: str, b: list[int] | None = None):"),
    ],
)
def test_hints_go_from_the_head_alone(instruction: str, head: str) -> None:
    assert made(TYPED, instruction) == [(head + "\n" + TYPED.partition("\n")[2], 2)]


@pytest.mark.parametrize(
    ("top", "wanted"),
    [
        ("from typing import Any\n\n\n", "from typing import Any\n\n\n"),
        ("from typing import List\n\n\n", "from typing import Any, List\n\n\n"),
        (
            '"""Doc."""\n\nimport os\n\nos.sync()\n\n\n',
            '"""Doc."""\n\nimport os\nfrom typing import Any\n\nos.sync()\n\n\n',
        ),
        ("import os\n\n\n", "import os\n\n\n"),
        ("", ""),
    ],
)
def test_a_type_comes_with_its_import_where_the_file_is_shown(top: str, wanted: str) -> None:
    assert made(f"{top}def f(a):\n    print(a)\n", "annotate a in f as Any") == [
        (f"{wanted}def f(a: Any):\n    print(a)\n", 2)
    ]
