"""Instructions about items of lists in configuration files, read by the shipped reader."""

from __future__ import annotations

from functools import lru_cache

import pytest
from intent.support import situation

from spark_tui.intent.answering.added_or_removed import is_negated, parts
from spark_tui.intent.answering.answer import Answer, answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import RepositoryRoles

CODE = """import requests

DEPENDENCIES = ["numpy"]


def load(path, strict=False):
    return requests.get(path)
"""
PROJECT = """[project]
name = "notes"
requires-python = ">=3.9"
dependencies = [
  "numpy>=1.26,<3",  # arrays
  "requests",
]

[project.optional-dependencies]
dev = ["mypy", "pytest"]

[tool.black]
line-length = 88

[tool.ruff]
fix = true

[tool.ruff.lint]
ignore = ["B008"]
"""
FILES = {"app.py": CODE, "pyproject.toml": PROJECT, "requirements-test.txt": "pytest==8.0\nsix\n"}
_reader = lru_cache(maxsize=1)(Reader.load)


def said(text: str) -> Answer:
    where = situation(FILES, path="app.py", instruction=text)
    return answer(text, _reader(), where, RepositoryRoles().of(where.repo.index, ("app.py",)))


@pytest.mark.parametrize(
    ("text", "path", "old", "new"),
    [
        ("add httpx to the dependencies", "pyproject.toml", "[\n", '[\n  "httpx",\n'),
        ("ajoute httpx aux dépendances", "pyproject.toml", "[\n", '[\n  "httpx",\n'),
        ("remove numpy from the dependencies", "pyproject.toml", '  "numpy>=1.26,<3",  # arrays\n', ""),
        ("wirf numpy aus den Abhängigkeiten", "pyproject.toml", '  "numpy>=1.26,<3",  # arrays\n', ""),
        ("把 numpy 从依赖里删掉", "pyproject.toml", '  "numpy>=1.26,<3",  # arrays\n', ""),
        ("quita mypy del extra dev", "pyproject.toml", '"mypy", ', ""),
        ("add ruff and tox to the dev extra", "pyproject.toml", '"pytest"]', '"pytest", "ruff", "tox"]'),
        ("add E501 to ruff's ignore list", "pyproject.toml", '"B008"]', '"B008", "E501"]'),
        ("bump numpy to 2.1", "pyproject.toml", ">=1.26,", ">=2.1,"),
        ("bump numpy to >=2.1 in pyproject.toml", "pyproject.toml", ">=1.26,<3", ">=2.1"),
        ("raise the python floor to 3.12", "pyproject.toml", ">=3.9", ">=3.12"),
        (
            "set target-version to py312 for ruff",
            "pyproject.toml",
            "fix = true\n",
            'fix = true\ntarget-version = "py312"\n',
        ),
        ("drop six from requirements-test.txt", "requirements-test.txt", "six\n", ""),
        ("pin pytest to 8.3.2 in requirements-test.txt", "requirements-test.txt", "8.0", "8.3.2"),
    ],
)
def test_an_item_of_a_list_is_edited_where_the_list_is_named(
    text: str, path: str, old: str, new: str
) -> None:
    found = said(text)
    assert FILES[path].count(old) == 1
    assert found.kind == "edit"
    assert found.ways[0].plan.texts(situation(FILES).repo) == {path: FILES[path].replace(old, new)}


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        ("add numpy to the dependencies", "nothing", "already in project.dependencies"),
        ("remove flask from requirements-test.txt", "cannot", "flask is not in requirements-test.txt"),
        ("don't remove numpy from the dependencies", "nothing", "numpy is left as it is"),
        ("bump numpy to 3.1", "cannot", "excludes 3.1"),
        ("set pretty to true for mypy in pyproject.toml", "write", "no table of pyproject.toml is named"),
    ],
)
def test_what_is_there_or_unclear_is_said(text: str, kind: str, reason: str) -> None:
    found = said(text)
    assert (found.kind, reason in found.reason) == (kind, True), found


@pytest.mark.parametrize(
    "text",
    [
        "add a parameter requests to load",
        "add scipy to DEPENDENCIES",
        "remove strict from load",
        "why is numpy in the dependencies?",
        "ignore errors in load",
    ],
)
def test_what_is_about_the_code_stays_in_the_code(text: str) -> None:
    paths = {path for way in said(text).ways for path in way.plan.texts(situation(FILES).repo)}
    assert paths <= {"app.py"}


def test_what_adds_and_what_removes_are_told_apart() -> None:
    text = "drop six from requirements-test.txt and add tox"
    assert [part for _, part in parts(text, ("six", "tox"))] == [text[:36], text[36:]]
    assert is_negated("entferne numpy nicht", ("numpy",)) and not is_negated("numpy is not used", ("numpy",))
