"""Instructions about several lists, lists that are missing, and keys, read by the shipped reader."""

from __future__ import annotations

import json
from functools import lru_cache

import pytest
from intent.support import situation

from spark_tui.intent.answering.answer import Answer, answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import RepositoryRoles

CODE = "import sqlalchemy\n\n\ndef connect(url):\n    return url\n"
_reader = lru_cache(maxsize=1)(Reader.load)


def said(text: str, files: dict[str, str]) -> Answer:
    where = situation(files, path="api.py", instruction=text)
    return answer(text, _reader(), where, RepositoryRoles().of(where.repo.index, ("api.py",)))


BOTH = {
    "api.py": CODE,
    "pyproject.toml": """[project]
name = "both"
dependencies = ["httpx"]

[project.optional-dependencies]
dev = ["black", "mypy"]
docs = ["furo"]

[tool.ruff.lint]
select = ["E", "F"]
ignore = ["E203"]
""",
}


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("add E501 to ignore and S to select", {'["E203"]': '["E203", "E501"]', '"F"]': '"F", "S"]'}),
        (
            "ignore E501 and select S and B",
            {'["E203"]': '["E203", "E501"]', '["E", "F"]': '["B", "E", "F", "S"]'},
        ),
        ("remove furo from docs and black from dev", {'["furo"]': "[]", '"black", ': ""}),
        ("drop black from dev and add tox to it", {'["black", "mypy"]': '["mypy", "tox"]'}),
        ("füge trio zu dev hinzu und entferne black aus dev", {'["black", "mypy"]': '["mypy", "trio"]'}),
        (
            "replace black with ruff in dev and furo with alabaster in docs",
            {'"black"': '"ruff"', '"furo"': '"alabaster"'},
        ),
        ("add tox and black to the dev extra", {'"mypy"]': '"mypy", "tox"]'}),
    ],
)
def test_each_part_of_an_instruction_about_several_lists_is_done(text: str, changes: dict[str, str]) -> None:
    wanted = BOTH["pyproject.toml"]
    for old, new in changes.items():
        assert wanted.count(old) == 1
        wanted = wanted.replace(old, new)
    found = said(text, BOTH)
    assert [way.plan.texts(situation(BOTH).repo) for way in found.ways] == [{"pyproject.toml": wanted}]


def test_a_part_that_is_so_already_says_nothing_of_the_other_one() -> None:
    found = said("add httpx to the dependencies and tox to the dev extra", BOTH)
    assert '"mypy", "tox"]' in found.ways[0].plan.texts(situation(BOTH).repo)["pyproject.toml"]
    assert "nothing to do for add httpx to the dependencies: httpx is already" in found.ways[0].marked[0]
    found = said("add httpx to the dependencies and types-six to the mypy hook", BOTH)
    assert "Not done: types-six to the mypy hook" in found.reason


@pytest.mark.parametrize("text", ["rename x to first and y to second", "rename x to cc and y to first"])
def test_orders_about_code_are_all_done_where_a_list_is_named_by_a_preposition(text: str) -> None:
    code, words = "def build(x, y):\n    return [x, y]\n", text.split()
    found = said(text, {"api.py": code, "mail.ini": "[mail]\nto = a@b.org,c@d.org\nfirst = q,r\n"})
    texts = [way.plan.texts(situation({"api.py": code}).repo) for way in found.ways]
    assert texts == [{"api.py": code.replace("x", words[3]).replace("y", words[-1])}]


BARE = {
    "api.py": CODE,
    "pyproject.toml": '[project]\nname = "bare"\nversion = "1.0.0"\n\n[tool.ruff]\nline-length = 88\n',
    "tox.ini": "[testenv]\ndeps = pytest\n\n[testenv:lint]\ndeps =\n    black\n    ruff\n",
}


@pytest.mark.parametrize(
    ("text", "path", "old", "new"),
    [
        ("ignore B101 in ruff", "pyproject.toml", "= 88\n", '= 88\n\n[tool.ruff.lint]\nignore = ["B101"]\n'),
        ("exclude old from ruff", "pyproject.toml", "= 88\n", '= 88\nextend-exclude = ["old"]\n'),
        ("add rich to the dependencies", "pyproject.toml", '1.0.0"\n', '1.0.0"\ndependencies = ["rich"]\n'),
        (
            "add pytest and mypy to the dev extra",
            "pyproject.toml",
            "= 88\n",
            '= 88\n\n[project.optional-dependencies]\ndev = ["pytest", "mypy"]\n',
        ),
    ],
)
def test_a_list_that_is_missing_is_made_where_it_belongs(text: str, path: str, old: str, new: str) -> None:
    found = said(text, BARE)
    assert found.ways[0].plan.texts(situation(BARE).repo) == {path: BARE[path].replace(old, new)}
    assert found.ways[0].marked[-1].endswith("is new")


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("lint should no longer need black", "    black\n", ""),
        ("add mypy to the lint env in tox", "    black\n", "    black\n    mypy\n"),
    ],
)
def test_what_an_environment_of_tox_requires_is_a_list_of_its_own(text: str, old: str, new: str) -> None:
    found = said(text, BARE)
    assert found.ways[0].plan.texts(situation(BARE).repo) == {"tox.ini": BARE["tox.ini"].replace(old, new)}


SET = {
    "api.py": '__version__ = "1.0.0"\n',
    "pyproject.toml": """[project]
name = "set"
version = "1.0.0"

[project.optional-dependencies]
redis = ["redis>=5"]

[tool.ruff]
line-length = 88

[tool.coverage.report]
fail_under = 80
""",
    ".env": "DEBUG=1\nALLOWED_HOSTS=localhost,example.org\n",
}


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("set the version to 1.2.0", {"pyproject.toml": ("1.0.0", "1.2.0"), "api.py": ("1.0.0", "1.2.0")}),
        ("swap redis for valkey in the redis extra", {"pyproject.toml": ("redis>=5", "valkey")}),
        ("turn on fix for ruff", {"pyproject.toml": ("= 88\n", "= 88\nfix = true\n")}),
        ("remove localhost from ALLOWED_HOSTS in .env", {".env": ("localhost,", "")}),
        ("add example.net to ALLOWED_HOSTS", {".env": ("e.org", "e.org,example.net")}),
        ("make the coverage threshold 90", {}),
    ],
)
def test_keys_and_values_with_commas_are_set_where_they_are(
    text: str, changes: dict[str, tuple[str, str]]
) -> None:
    found = said(text, SET)
    texts = found.ways[0].plan.texts(situation(SET).repo) if found.ways else {}
    assert texts == {path: SET[path].replace(*change) for path, change in changes.items()}


FORMS = {
    "api.py": CODE,
    "setup.cfg": """[metadata]
name = forms

[options]
install_requires =
    regex

[flake8]
per-file-ignores =
    __init__.py:F401
""",
    "docs/requirements.txt": "sphinx\n",
    ".env": "ORIGINS=http://localhost:3000,https://example.org\n",
}


@pytest.mark.parametrize(
    ("text", "path", "old", "new"),
    [
        ("ignore W503 in flake8", "setup.cfg", ":F401\n", ":F401\nextend-ignore = W503\n"),
        ("require regex 2023.1 or newer", "setup.cfg", "    regex", "    regex>=2023.1"),
        ("add pandas to the requirements", "setup.cfg", "    regex", "    regex\n    pandas"),
        ("add https://a.example.org to ORIGINS", ".env", "https://e", "https://a.example.org,https://e"),
    ],
)
def test_an_item_goes_where_others_have_its_form(text: str, path: str, old: str, new: str) -> None:
    found = said(text, FORMS)
    assert found.ways[0].plan.texts(situation(FORMS).repo) == {path: FORMS[path].replace(old, new)}


def test_what_one_list_has_already_is_not_put_into_another_one() -> None:
    files = {
        "api.py": CODE,
        ".env": "ALLOWED_HOSTS=a.org,b.org\n",
        "app.ini": "[web]\nhosts = c.org, d.org\n",
    }
    assert "a.org is already in ALLOWED_HOSTS" in said("add a.org to the allowed hosts", files).reason


@pytest.mark.parametrize("verb", ["bump", "set"])
def test_a_verb_behind_and_is_no_item_that_is_left(verb: str) -> None:
    way = said(f"add E501 to ruff's ignore list and {verb} httpx to 0.28", BOTH).ways[0]
    assert not any(mark.startswith("not used") for mark in way.marked)
    made = way.plan.texts(situation(BOTH).repo)["pyproject.toml"] or ""
    assert '["httpx>=0.28"]' in made and '["E203", "E501"]' in made


@pytest.mark.parametrize("path", ["first.json", "second.yaml"])
@pytest.mark.parametrize(("text", "items"), [("add c to tags", "a b c"), ("remove b from the tags", "a")])
def test_of_lists_that_are_named_alike_the_one_in_the_open_file_is_meant(
    path: str, text: str, items: str
) -> None:
    files = {
        "api.py": CODE,
        "first.json": '{\n  "tags": ["a", "b"]\n}\n',
        "second.yaml": "tags:\n  - a\n  - b\n",
    }
    where = situation(files, path=path, instruction=text)
    found = answer(text, _reader(), where, RepositoryRoles().of(where.repo.index, (path,)))
    after = {
        "first.json": f'{{\n  "tags": {json.dumps(items.split())}\n}}\n',
        "second.yaml": "tags:\n" + "".join(f"  - {item}\n" for item in items.split()),
    }
    assert found.ways[0].plan.texts(where.repo) == {path: after[path]}


CLASSIFIED = """[project]
name = "set"
classifiers = [
  "Programming Language :: Python :: 3.7",
  "Programming Language :: Python :: 3.8",
  "Programming Language :: Python :: 3.9",
]
"""


@pytest.mark.parametrize(
    ("text", "gone", "marks"),
    [
        ("remove 3.7 and 3.8 from the classifiers", ("3.7", "3.8"), ()),
        ("remove the 3.7 and 3.9 classifiers", ("3.7", "3.9"), ()),
        ("drop 3.7 and 3.8 from the classifiers and require 3.9", ("3.7", "3.8"), ("not used: 3.9",)),
    ],
)
def test_several_versions_are_as_many_classifiers(
    text: str, gone: tuple[str, ...], marks: tuple[str, ...]
) -> None:
    files = {"api.py": CODE, "pyproject.toml": CLASSIFIED}
    way = said(text, files).ways[0]
    left = [
        line for line in CLASSIFIED.splitlines(True) if not line.endswith(tuple(f'{one}",\n' for one in gone))
    ]
    wanted = "".join(left)
    assert way.plan.texts(situation(files).repo) == {"pyproject.toml": wanted}
    assert way.marked == marks


@pytest.mark.parametrize(
    ("text", "kind", "marked"), [("include the node", "cannot", ()), ("include node", "edit", (True,))]
)
def test_a_list_that_only_a_verb_names_is_not_surely_meant(
    text: str, kind: str, marked: tuple[bool, ...]
) -> None:
    files = {"api.py": CODE, "pyproject.toml": '[tool.setuptools.packages.find]\ninclude = ["m"]\n'}
    found = said(text, files)
    assert found.kind == kind
    assert tuple(any("was assumed to be meant" in one for one in way.marked) for way in found.ways) == marked


def test_what_the_open_module_and_the_project_may_have_is_a_choice() -> None:
    code = "import argparse\n\n\ndef main():\n    return argparse.ArgumentParser().parse_args()\n"
    project = '[project]\nname = "shop"\ndescription = "A shop"\n'
    found = said('description "Keep the stock"', {"api.py": code, "pyproject.toml": project})
    assert found.kind == "choices"
    assert [sorted(way.plan.paths) for way in found.ways] == [["pyproject.toml"], ["api.py"]]
    for text in ('project description "Keep the stock"', 'description "Keep the stock" in pyproject.toml'):
        found = said(text, {"api.py": code, "pyproject.toml": project})
        assert [list(way.plan.paths) for way in found.ways] == [["pyproject.toml"]]
