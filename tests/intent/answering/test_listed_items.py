"""Instructions about items of lists in configuration files, read by the shipped reader."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import pytest
from intent.support import situation

from spark_tui.intent.answering.added_or_removed import is_negated, parts
from spark_tui.intent.answering.answer import Answer, answer
from spark_tui.intent.building.building import call
from spark_tui.intent.context.situation import Done
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


def said(text: str, path: str = "app.py") -> Answer:
    where = situation(FILES, path=path, instruction=text)
    return answer(text, _reader(), where, RepositoryRoles().of(where.repo.index, (path,)))


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
        ("bump the python floor to 3.12", "pyproject.toml", ">=3.9", ">=3.12"),
        (
            "set line-length to 100 for ruff",
            "pyproject.toml",
            "fix = true\n",
            "fix = true\nline-length = 100\n",
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
    ("text", "kind"),
    [
        ("sort the imports", "nothing"),
        ("make ruff sort imports in the black style", "write"),
        ("clean up the imports that nobody uses", "nothing"),
        ("let mypy ignore missing imports", "write"),
    ],
)
def test_what_the_code_has_is_no_answer_to_what_is_asked_of_a_tool(text: str, kind: str) -> None:
    assert said(text).kind == kind


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


PARTS = {
    "api.py": "import sqlalchemy\n\n\ndef connect(url):\n    return url\n",
    "pyproject.toml": """[project]
name = "mono"
dependencies = ["httpx>=0.27", "sqlalchemy"]

[project.optional-dependencies]
redis = ["redis"]

[tool.hatch.envs.docs]
dependencies = ["mkdocs"]

[tool.mypy]
strict = true
exclude = ["build"]

[tool.ruff.lint]
select = ["E", "F"]

[tool.black]
target-version = ["py310"]
""",
    "frontend/package.json": '{\n  "dependencies": {\n    "vue": "^3.4"\n  }\n}\n',
    "jobs/requirements.txt": "celery\n",
    ".github/workflows/ci.yml": 'jobs:\n  test:\n    matrix:\n      python-version: ["3.11", "3.12"]\n',
    ".pre-commit-config.yaml": """repos:
  - repo: mypy
    hooks:
      - id: mypy
        additional_dependencies:
          - attrs
""",
    "conda/environment.yml": "dependencies:\n  - numpy=1.26\n  - pip:\n      - tqdm\n",
}


def said_of_parts(text: str, files: dict[str, str] = PARTS) -> Answer:
    where = situation(files, path="api.py", instruction=text)
    return answer(text, _reader(), where, RepositoryRoles().of(where.repo.index, ("api.py",)))


@pytest.mark.parametrize(
    ("text", "path", "old", "new"),
    [
        (
            "add redis to the dependencies of the project",
            "pyproject.toml",
            '"sqlalchemy"]',
            '"redis", "sqlalchemy"]',
        ),
        (
            "add axios to the dependencies of the frontend",
            "frontend/package.json",
            '"^3.4"',
            '"^3.4",\n    "axios": "*"',
        ),
        ("add rich to the requirements of jobs", "jobs/requirements.txt", "celery\n", "celery\nrich\n"),
        ("add mike to the docs environment", "pyproject.toml", '"mkdocs"]', '"mkdocs", "mike"]'),
        ("test on python 3.13 too", ".github/workflows/ci.yml", '"3.12"]', '"3.12", "3.13"]'),
        (
            "add types-six to mypy's additional dependencies",
            ".pre-commit-config.yaml",
            "- attrs",
            "- attrs\n          - types-six",
        ),
        ("add py311 to black's target versions", "pyproject.toml", '"py310"]', '"py310", "py311"]'),
        ("bump numpy to 2.0 in conda/environment.yml", "conda/environment.yml", "=1.26", "=2.0"),
        ("replace httpx with niquests in the dependencies", "pyproject.toml", "httpx>=0.27", "niquests"),
        ("exclude scripts from mypy", "pyproject.toml", '["build"]', '["build", "scripts"]'),
        ("don't exclude build in mypy anymore", "pyproject.toml", '["build"]', "[]"),
        ("enable the B rules in ruff", "pyproject.toml", '["E", "F"]', '["B", "E", "F"]'),
        ("turn off strict for mypy", "pyproject.toml", "strict = true", "strict = false"),
        ("rename the project to journal", "pyproject.toml", '"mono"', '"journal"'),
    ],
)
def test_the_list_or_key_of_the_part_that_is_named_changes(text: str, path: str, old: str, new: str) -> None:
    found = said_of_parts(text)
    wanted = {path: PARTS[path].replace(old, new)}
    assert PARTS[path].count(old) == 1
    assert found.kind == "edit", found
    assert found.ways[0].plan.texts(situation(PARTS).repo) == wanted


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("turn off strict for mypy in the tests only", "not used: tests"),
        ("add colorama to the dependencies on Windows only", "not used: on Windows"),
    ],
)
def test_what_limits_an_edit_leaves_a_mark(text: str, mark: str) -> None:
    assert mark in said_of_parts(text).ways[0].marked


@pytest.mark.parametrize(
    ("name", "text", "mark"),
    [
        ("uv.lock", "add attrs to the dependencies", "uv.lock is out of date until `uv lock` is run"),
        ("uv.lock", "turn off strict for mypy", ""),
        (
            "pinned/requirements.txt",
            "add attrs to the dependencies",
            "pinned/requirements.txt is out of date until `pip-compile pyproject.toml` is run",
        ),
        (
            "pinned/requirements.txt",
            "remove six from pinned/requirements.txt",
            "pinned/requirements.txt is generated: `pip-compile pyproject.toml` writes it anew",
        ),
    ],
)
def test_an_edit_says_which_command_renews_what_is_generated(name: str, text: str, mark: str) -> None:
    header = "# This file is autogenerated by pip-compile\n# by the following command:\n#\n"
    header += "#    pip-compile pyproject.toml\n#\n"
    found = said_of_parts(text, {**PARTS, name: f"{header}six==1.16\n" if name.endswith(".txt") else ""})
    assert found.ways[0].marked == ((mark,) if mark else ())


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("remove requests from the dependencies", ("app.py:1 imports requests",)),
        ("remove numpy from the dependencies", ()),
        ("remove mypy from the dev extra", ()),
    ],
)
def test_a_requirement_that_the_code_still_imports_goes_with_a_mark(
    text: str, marked: tuple[str, ...]
) -> None:
    assert said(text).ways[0].marked == marked


@pytest.mark.parametrize(
    ("text", "item"),
    [
        (">=13", "rich>=13"),
        ("with >=13,<14", "rich>=13,<14"),
        ("at least 13.1", "rich>=13.1"),
        ("pin it to 13.7.0", "rich==13.7.0"),
        ("and httpx>=0.27", 'rich",\n  "httpx>=0.27'),
    ],
)
def test_a_version_behind_a_requirement_that_was_added_is_its_own(text: str, item: str) -> None:
    added = {**FILES, "pyproject.toml": PROJECT.replace('"requests"', '"requests",\n  "rich"')}
    made = call("add_list_item", path="pyproject.toml", key="project.dependencies", item="rich")
    where = replace(
        situation(added, path="pyproject.toml", instruction=text),
        earlier=Done("add_item", {}, (made,)),
        before=situation(FILES).repo,
    )
    found = answer(text, _reader(), where, RepositoryRoles().of(where.repo.index, ("pyproject.toml",)))
    written = found.ways[0].plan.texts(where.repo)["pyproject.toml"] or ""
    assert set(written.splitlines()) == set(
        PROJECT.replace('"requests"', f'"requests",\n  "{item}"').splitlines()
    )
    assert not found.ways[0].marked


def test_where_no_list_was_found_is_said() -> None:
    found = said_of_parts("add attrs to the dependencies of the backend")
    assert (found.kind, found.reason) == ("cannot", "No list of requirements of backend was found.")
    found = said_of_parts("add requests to the dependencies", {"api.py": PARTS["api.py"]})
    assert found.kind == "cannot"
    assert "No list of dependencies was found; there is no pyproject.toml" in found.reason


def test_an_empty_list_of_rules_takes_a_rule() -> None:
    files = {**FILES, "pyproject.toml": PROJECT.replace('["B008"]', "[]")}
    text = "add E501 to ruff's ignore list"
    where = situation(files, path="app.py", instruction=text)
    found = answer(text, _reader(), where, RepositoryRoles().of(where.repo.index, ("app.py",)))
    assert found.kind == "edit"
    assert found.ways[0].plan.texts(where.repo) == {"pyproject.toml": PROJECT.replace('"B008"', '"E501"')}


@pytest.mark.parametrize("text", ["LIMIT should be 7", "set LIMIT to 7"])
def test_a_name_of_a_file_that_does_not_parse_is_none_of_a_setting(text: str) -> None:
    files = {"app.py": "LIMIT = 3\n<<<<<<< HEAD\nA = 1\n=======\n", "pyproject.toml": "[tool.x]\nlimit = 4\n"}
    where = situation(files, path="app.py", instruction=text)
    found = answer(text, _reader(), where, RepositoryRoles().of(where.repo.index, ("app.py",)))
    assert not found.ways
    assert "merge conflict" in found.reason


def test_an_item_of_another_list_than_those_of_the_open_configuration_file_is_marked() -> None:
    (way,) = said("remove six", "pyproject.toml").ways
    assert way.plan.paths == ("requirements-test.txt",)
    assert any("was assumed to be meant" in mark for mark in way.marked)
    assert not said("remove mypy", "pyproject.toml").ways[0].marked


@pytest.mark.parametrize(
    ("text", "path", "old", "new"),
    [
        ("add python 3.11 to the matrix", "ci.yml", '"3.10"]', '"3.10", "3.11"]'),
        ("exclude dist", "setup.cfg", "    build\n", "    build\n    dist\n"),
        ("set the max line length to 100", "setup.cfg", "= 88", "= 100"),
        ("turn debug off", ".env", "DEBUG=1", "DEBUG=0"),
    ],
)
def test_a_list_or_key_of_the_open_file_is_meant(text: str, path: str, old: str, new: str) -> None:
    path = f".github/workflows/{path}" if path.endswith("yml") else path
    files = {
        "app.py": CODE,
        ".github/workflows/ci.yml": 'jobs:\n  test:\n    matrix:\n      python-version: ["3.9", "3.10"]\n',
        "setup.cfg": "[flake8]\nmax-line-length = 88\nexclude =\n    .git\n    build\n",
        ".env": "DEBUG=1\nLEVEL=info\n",
    }
    where = situation(files, path=path, instruction=text)
    (way,) = answer(text, _reader(), where, RepositoryRoles().of(where.repo.index, (path,))).ways
    assert way.plan.texts(where.repo) == {path: files[path].replace(old, new)}


def test_a_version_in_another_file_than_the_open_one_is_marked() -> None:
    files = {**FILES, "Dockerfile": "FROM alpine\n"}
    where = situation(files, path="Dockerfile", instruction="use python 3.12")
    found = answer("use python 3.12", _reader(), where, RepositoryRoles().of(where.repo.index, ()))
    assert any("not Dockerfile" in mark for way in found.ways for mark in way.marked)


def test_no_key_is_made_of_words() -> None:
    files = {"app.py": CODE, "compose.yml": "services:\n  db:\n    image: mariadb:11\n"}
    where = situation(files, path="compose.yml", instruction="use postgres 16")
    found = answer("use postgres 16", _reader(), where, RepositoryRoles().of(where.repo.index, ()))
    assert not found.ways and "has no key use postgres" in found.reason
