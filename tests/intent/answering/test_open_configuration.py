"""Messages about the open configuration file: versions that are pinned there, and parts that go or get a new
name, read by the shipped reader."""

from __future__ import annotations

from functools import lru_cache

import pytest
from intent.support import situation

from spark_tui.intent.answering.answer import Answer, answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import RepositoryRoles

WORKFLOW = """name: ci
on: [push]
jobs:
  lint:
    runs-on: ubuntu-22.04
    steps:
      - uses: actions/checkout@v3
      - run: ruff check .
  test:
    needs: [lint]
    strategy:
      matrix:
        python: ["3.11", "3.12"]
    steps:
      - uses: actions/checkout@v3
      - uses: actions/setup-python@v4
"""
HOOKS = """repos:
  - repo: https://github.com/psf/black
    rev: 23.1.0
    hooks:
      - id: black
  - repo: https://github.com/astral-sh/ruff-pre-commit
    rev: v0.1.6
    hooks:
      - id: ruff
      - id: ruff-format
"""
COMPOSE = """services:
  web:
    image: shop:1.0
    depends_on: [db]
    environment:
      - LEVEL=info
  db:
    image: postgres:15
"""
TOX = """[tox]
envlist = py311,flake8,mypy
[testenv]
deps =
    pytest
    pytest-cov
[testenv:flake8]
deps = flake8==6.0
[testenv:mypy]
deps = types-six
"""
DOCKER = "FROM python:3.11-slim\nRUN pip install uv==0.4.1\n"
PROJECT = """[project]
name = "shop"
dependencies = ["six", "attrs>=22"]

[project.optional-dependencies]
dev = ["flake8"]
"""
FILES = {
    ".github/workflows/ci.yml": WORKFLOW,
    ".pre-commit-config.yaml": HOOKS,
    "compose.yaml": COMPOSE,
    "tox.ini": TOX,
    "Dockerfile": DOCKER,
    "pyproject.toml": PROJECT,
    "settings.json": '{\n  "editor.tabSize": 4,\n  "retries": 3\n}\n',
    "shop.py": "def load(path):\n    return path\n",
}
CI, PRE_COMMIT = ".github/workflows/ci.yml", ".pre-commit-config.yaml"
BLACK = HOOKS[HOOKS.index("  - repo") : HOOKS.index("  - repo: https://github.com/astral")]
_reader = lru_cache(maxsize=1)(Reader.load)


def said(text: str, path: str) -> Answer:
    where = situation(FILES, path=path, instruction=text)
    return answer(text, _reader(), where, RepositoryRoles().of(where.repo.index, (path,)))


def becomes(text: str, path: str) -> str:
    found = said(text, path)
    assert found.kind == "edit", found.reason
    plan = found.ways[0].plan
    assert plan.paths == (path,)
    return plan.texts(situation(FILES).repo)[path] or ""


@pytest.mark.parametrize(
    ("path", "text", "old", "new"),
    [
        (CI, "bump checkout to v4", "checkout@v3", "checkout@v4"),
        (CI, "checkout 4", "checkout@v3", "checkout@v4"),
        (CI, "use ubuntu-24.04", "ubuntu-22.04", "ubuntu-24.04"),
        (PRE_COMMIT, "black 24.2.0", "rev: 23.1.0", "rev: 24.2.0"),
        (PRE_COMMIT, "ruff 0.4.0", "rev: v0.1.6", "rev: v0.4.0"),
        ("compose.yaml", "postgres 16", "postgres:15", "postgres:16"),
        ("compose.yaml", "the web image should be shop:1.1", "shop:1.0", "shop:1.1"),
        ("Dockerfile", "go from python 3.11 to 3.13", "python:3.11-slim", "python:3.13-slim"),
        ("Dockerfile", "python to 3.12-alpine", "python:3.11-slim", "python:3.12-alpine"),
        ("Dockerfile", "use python 3.11-alpine", "python:3.11-slim", "python:3.11-alpine"),
        ("Dockerfile", "uv 0.5", "uv==0.4.1", "uv==0.5"),
        ("tox.ini", "flake8 7.0", "flake8==6.0", "flake8==7.0"),
    ],
)
def test_a_version_is_set_where_the_open_file_pins_it(path: str, text: str, old: str, new: str) -> None:
    assert becomes(text, path) == FILES[path].replace(old, new)
    assert not said(text, path).ways[0].marked


@pytest.mark.parametrize("text", ["don't bump checkout to v4", "bump checkout to v4 except in lint"])
def test_a_version_stays_where_more_is_said(text: str) -> None:
    assert not said(text, CI).ways


def test_a_version_that_is_there_is_nothing_to_do() -> None:
    assert said("checkout v3", CI).kind == "nothing"


@pytest.mark.parametrize(
    ("path", "text", "old", "new"),
    [
        (CI, "add 3.13 to the matrix", '"3.12"]', '"3.12", "3.13"]'),
        (CI, "drop 3.11", '"3.11", ', ""),
        ("tox.ini", "add py312 to the envlist", "py311,", "py311,py312,"),
        ("tox.ini", "remove pytest-cov", "    pytest-cov\n", ""),
        (PRE_COMMIT, "remove the black hook", BLACK, ""),
        (PRE_COMMIT, "remove the ruff-format hook", "      - id: ruff-format\n", ""),
        ("pyproject.toml", "drop the flake8 dependency, we use ruff now", '"flake8"', ""),
        ("compose.yaml", "LEVEL should be debug", "LEVEL=info", "LEVEL=debug"),
    ],
)
def test_items_and_parts_of_the_open_file_change(path: str, text: str, old: str, new: str) -> None:
    assert becomes(text, path) == FILES[path].replace(old, new)


def test_an_environment_goes_with_its_name_in_the_list() -> None:
    made = becomes("delete the flake8 env", "tox.ini")
    assert made == TOX.replace(",flake8", "").replace("[testenv:flake8]\ndeps = flake8==6.0\n", "")


def test_a_part_is_renamed_where_it_is_named() -> None:
    assert becomes("rename the mypy env to types", "tox.ini") == TOX.replace("mypy", "types")
    assert becomes("rename db to database", "compose.yaml") == COMPOSE.replace("db", "database")


def test_a_part_without_its_kind_is_marked() -> None:
    assert said("remove flake8", "tox.ini").ways[0].marked
    assert not said("remove the flake8 env", "tox.ini").ways[0].marked


def test_a_requirement_goes_from_all_files() -> None:
    found = said("drop six", "pyproject.toml")
    assert becomes("drop six", "pyproject.toml") == PROJECT.replace('"six", ', "")
    assert found.kind == "edit"


def test_a_new_key_needs_a_part_of_a_file_that_has_nothing_else() -> None:
    for text in ("set fail-fast to false", "set retries to 3"):
        assert not said(text, PRE_COMMIT).ways
    made = becomes("add a ruff section with line-length 100", "pyproject.toml")
    assert made == PROJECT + "\n[tool.ruff]\nline-length = 100\n"


def test_a_key_with_a_dot_stays_one() -> None:
    assert becomes("tab size 2", "settings.json") == FILES["settings.json"].replace("4", "2")


def test_an_edit_of_code_in_another_file_is_said_to_be_one() -> None:
    reason = said("sort the imports", "tox.ini").reason
    assert "read as an edit of code: Sort or group the imports" in reason
    assert "keys can be set" in reason


def test_a_version_in_a_command_is_marked_and_one_that_is_a_whole_value_is_not() -> None:
    image, command = "jobs:\n  image: 'postgres:15'\n", "  - run: echo postgres:15\n"
    for code, marked in ((image, False), (f"{image}  steps:\n{command}", True)):
        at = situation({"ci.yml": code}, path="ci.yml", instruction="bump postgres to 16")
        found = answer("bump postgres to 16", _reader(), at, RepositoryRoles().of(at.repo.index, ()))
        assert found.ways[0].plan.texts(at.repo)["ci.yml"] == code.replace("15", "16")
        assert bool(found.ways[0].marked) == marked


def test_a_comment_that_names_a_version_stays() -> None:
    files = {"compose.yml": "services:\n  db:\n    image: postgres:15  # not postgres:14\n"}
    at = situation(files, path="compose.yml", instruction="bump postgres to 16")
    found = answer("bump postgres to 16", Reader.load(), at, RepositoryRoles().of(at.repo.index, ()))
    assert "postgres:16  # not postgres:14" in (found.ways[0].plan.texts(at.repo)["compose.yml"] or "")


@pytest.mark.parametrize(("new", "kind"), [("web", "cannot"), ("on", "")])
def test_a_part_gets_no_name_that_is_taken_or_that_is_no_text(new: str, kind: str) -> None:
    found = said(f"rename db to {new}", "compose.yaml")
    assert not found.ways and kind in ("", found.kind)
