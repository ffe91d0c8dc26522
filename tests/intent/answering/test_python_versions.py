"""Instructions about versions of Python, which projects list in several places."""

from __future__ import annotations

from functools import lru_cache

import pytest
from intent.support import situation

from spark_tui.intent.answering.answer import Answer, answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import RepositoryRoles

FILES = {
    "app.py": "LIMIT = 1\n",
    "pyproject.toml": """[project]
name = "kit"
requires-python = ">=3.10"
classifiers = [
    "Programming Language :: Python :: 3",
    "Programming Language :: Python :: 3.10",
    "Programming Language :: Python :: 3.11",
]

[tool.poetry.group.dev.dependencies]
black = "^23.0"

[tool.black]
target-version = ["py310", "py311"]

[tool.mypy]
python_version = "3.10"
""",
    "tox.ini": "[tox]\nenvlist = py310, py311, lint\n",
    ".github/workflows/ci.yml": 'jobs:\n  test:\n    matrix:\n      python-version: ["3.10", "3.11"]\n',
    "Dockerfile": "FROM python:3.10-slim\n",
}
_reader = lru_cache(maxsize=1)(Reader.load)


def said(text: str) -> tuple[Answer, dict[str, str | None]]:
    """The answer, and the texts of the files that it changes."""
    where = situation(FILES, path="app.py", instruction=text)
    found = answer(text, _reader(), where, RepositoryRoles().of(where.repo.index, ("app.py",)))
    return found, dict(found.ways[0].plan.texts(where.repo)) if found.ways else {}


@pytest.mark.parametrize(
    "text",
    [
        "drop support for python 3.10",
        "we no longer support python 3.10",
        "Python 3.10 nicht mehr unterstützen",
    ],
)
def test_a_version_that_is_dropped_goes_from_bounds_and_lists(text: str) -> None:
    found, texts = said(text)
    project = FILES["pyproject.toml"].replace('    "Programming Language :: Python :: 3.10",\n', "")
    project = project.replace('"py310", ', "").replace(">=3.10", ">=3.11").replace('= "3.10"', '= "3.11"')
    assert texts == {
        "pyproject.toml": project,
        "tox.ini": "[tox]\nenvlist = py311, lint\n",
        ".github/workflows/ci.yml": FILES[".github/workflows/ci.yml"].replace('"3.10", ', ""),
    }
    assert "3.10 is still named in Dockerfile" in found.ways[0].marked


def test_a_version_that_is_supported_is_listed_beside_the_others_and_the_lowest_one_stays() -> None:
    _, texts = said("support python 3.12")
    listed = '    "Programming Language :: Python :: 3.11",\n'
    project = FILES["pyproject.toml"].replace(listed, listed + listed.replace("3.11", "3.12"))
    assert texts["pyproject.toml"] == project.replace('"py311"]', '"py311", "py312"]')
    assert texts["tox.ini"] == "[tox]\nenvlist = py310, py311, py312, lint\n"
    assert said("support python 3.11")[0].kind == "nothing"
    _, texts = said("add support for Python 3.12 and 3.13")
    assert texts["tox.ini"] == "[tox]\nenvlist = py310, py311, py312, py313, lint\n"
    assert said("add py312 and py313")[1] == texts


@pytest.mark.parametrize(
    ("text", "path", "old", "new"),
    [
        ("require python 3.12", "pyproject.toml", ">=3.10", ">=3.12"),
        ("black should target 3.12 as well", "pyproject.toml", '"py311"]', '"py311", "py312"]'),
        ("add python 3.12 to the test matrix", ".github/workflows/ci.yml", '"3.11"]', '"3.11", "3.12"]'),
    ],
)
def test_only_the_named_place_changes(text: str, path: str, old: str, new: str) -> None:
    assert said(text)[1] == {path: FILES[path].replace(old, new)}
