"""Items of lists in configuration files: all else stays byte for byte."""

from __future__ import annotations

import pytest
from codemods.repositories import changes_one_place, refusal, texts_after

TOML = """# top
[project]
dependencies = ["b>=1", 'd', "f"]
empty = []
one = [
]
wide = [
  # first
  "E1",  # one
  "E3",
  # last
]
short = [
  "z",  # zed
  "a"   # end
]
tight = [
    "x", "y",
    "v", "w"]
classifiers = [
  "P :: 3.9",
  "P :: 3.10",
  "A :: B",
]
numbers = [1, 2]

[[matrix]]
python = ["3.8"]
"""
INI = """[options]
install_requires =
    b>=1
    # about d
    d
python_requires = >= 3.7
tests_require = t

[flake8]
ignore = E1,E3
select =
    A1,
    B1

[tool:pytest]
markers =
    slow: takes long
"""
YAML = """a:
  - x  # first
  - "8000:8000"
b: [q, 'r']
c:
- one
nav:
  - Home: index.md
mixed:
  - m
  - pip:
      - n
"""
JSON = """{"a": ["x", "y"], "b": [
    "p",
    "q"
  ]
}
"""
REQUIREMENTS = """# web
flask==3.0  # pinned
-r base.txt
requests[socks]>=2 ; python_version < "3.9"
gone @ git+https://example.org/x#egg=gone
"""
FILES = {"a.toml": TOML, "c.cfg": INI, "d.yaml": YAML, "b.json": JSON, "requirements.txt": REQUIREMENTS}


@pytest.mark.parametrize(
    ("call", "path", "old", "new"),
    [
        ("add_list_item a.toml c project.dependencies", "a.toml", '"b>=1", ', '"b>=1", "c", '),
        ("add_list_item a.toml a project.dependencies", "a.toml", '"b>=1"', '"a", "b>=1"'),
        ("add_list_item a.toml g project.dependencies", "a.toml", '"f"]', '"f", "g"]'),
        ("add_list_item a.toml g project.empty", "a.toml", "empty = []", 'empty = ["g"]'),
        ("add_list_item a.toml g project.one", "a.toml", "one = [\n]", 'one = [\n  "g"\n]'),
        ("add_list_item a.toml E2 project.wide", "a.toml", "# one\n", '# one\n  "E2",\n'),
        ("add_list_item a.toml E0 project.wide", "a.toml", "  # first", '  "E0",\n  # first'),
        ("add_list_item a.toml E4 project.wide", "a.toml", '"E3",\n', '"E3",\n  "E4",\n'),
        ("add_list_item a.toml b project.short", "a.toml", '"a"   # end', '"a",   # end\n  "b"'),
        ("add_list_item a.toml u project.tight", "a.toml", '"w"]', '"w", "u"]'),
        (
            "add_list_item a.toml 'P :: 3.11' project.classifiers",
            "a.toml",
            '3.10",',
            '3.10",\n  "P :: 3.11",',
        ),
        ("add_list_item a.toml 3 project.numbers", "a.toml", "[1, 2]", "[1, 2, 3]"),
        ("remove_list_item a.toml b project.dependencies", "a.toml", '"b>=1", ', ""),
        ("remove_list_item a.toml f project.dependencies", "a.toml", ', "f"', ""),
        ("remove_list_item a.toml E1 project.wide", "a.toml", '  "E1",  # one\n', ""),
        ("remove_list_item a.toml a project.short", "a.toml", '"z",  # zed\n  "a"   # end', '"z"  # zed'),
        ("remove_list_item a.toml y project.tight", "a.toml", ', "y"', ""),
        ("replace_list_item a.toml d d>2 project.dependencies", "a.toml", "'d'", "'d>2'"),
        ("add_list_item c.cfg c options.install_requires", "c.cfg", "b>=1\n", "b>=1\n    c\n"),
        ("add_list_item c.cfg u options.tests_require", "c.cfg", "= t\n", "= t\n    u\n"),
        ("remove_list_item c.cfg d options.install_requires", "c.cfg", "    d\n", ""),
        ("add_list_item c.cfg E2 flake8.ignore", "c.cfg", "E1,", "E1,E2,"),
        ("remove_list_item c.cfg E3 flake8.ignore", "c.cfg", ",E3", ""),
        ("add_list_item c.cfg C1 flake8.select", "c.cfg", "B1\n", "B1,\n    C1\n"),
        (
            "add_list_item c.cfg 'net: x' tool:pytest.markers",
            "c.cfg",
            "takes long\n",
            "takes long\n    net: x\n",
        ),
        ("add_list_item d.yaml y a", "d.yaml", '"8000:8000"\n', '"8000:8000"\n  - y\n'),
        ("add_list_item d.yaml 1:2 a", "d.yaml", '"8000:8000"\n', '"8000:8000"\n  - "1:2"\n'),
        ("add_list_item d.yaml s b", "d.yaml", "'r']", "'r', s]"),
        ("remove_list_item d.yaml x a", "d.yaml", "  - x  # first\n", ""),
        ("add_list_item d.yaml two c", "d.yaml", "- one\n", "- one\n- two\n"),
        ("add_list_item d.yaml 'FAQ: faq.md' nav", "d.yaml", "index.md\n", "index.md\n  - FAQ: faq.md\n"),
        ("add_list_item d.yaml o mixed", "d.yaml", "  - m\n", "  - m\n  - o\n"),
        ("add_list_item a.toml 3.9 matrix.0.python", "a.toml", '"3.8"]', '"3.8", "3.9"]'),
        ("add_list_item b.json z a", "b.json", '"y"]', '"y", "z"]'),
        ("add_list_item b.json z b", "b.json", '"q"\n', '"q",\n    "z"\n'),
        ("remove_list_item b.json q b", "b.json", '"p",\n    "q"', '"p"'),
        ("add_list_item requirements.txt zope", "requirements.txt", "egg=gone\n", "egg=gone\nzope\n"),
        ("remove_list_item requirements.txt Flask", "requirements.txt", "flask==3.0  # pinned\n", ""),
        ("replace_list_item requirements.txt flask flask==4", "requirements.txt", "==3.0", "==4"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_one_item_changes_and_the_rest_stays(call: str, path: str, old: str, new: str, newline: str) -> None:
    changes_one_place(call, FILES, path, old, new, newline)


def test_what_stands_behind_a_requirement_stays_and_a_sign_in_another_list_is_part_of_the_item() -> None:
    files = {"c.cfg": "[a]\ndeps =\n    b==1  # why\n    c\nsteps =\n    b # c\n    d\n"}
    changes_one_place("replace_list_item c.cfg b b==2 a.deps", files, "c.cfg", "b==1", "b==2", "\n")
    changes_one_place("replace_list_item c.cfg 'b # c' e a.steps", files, "c.cfg", "b # c", "e", "\n")


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (
            "add_list_item a.toml B project.dependencies",
            "B (b>=1) is already in project.dependencies of a.toml",
        ),
        ("add_list_item requirements.txt Requests>=3", "is already in requirements.txt"),
        ("remove_list_item requirements.txt numpy", "numpy is not in requirements.txt"),
        ("remove_list_item d.yaml one c", "left empty"),
        ("add_list_item a.toml x project.nope", "there is no project.nope in a.toml"),
        ("add_list_item a.toml x project", "there is no project"),
        ("add_list_item requirements.txt x deps", "requirements.txt has no keys"),
    ],
)
def test_what_is_there_or_cannot_be_found_is_said(call: str, reason: str) -> None:
    assert reason in str(refusal(call, FILES))


def test_a_line_without_its_hash_is_not_added() -> None:
    files = {"requirements.txt": "a==1 \\\n    --hash=sha256:00\n"}
    assert "hashes" in str(refusal("add_list_item requirements.txt b", files))
    gone = texts_after("remove_list_item requirements.txt a", files)
    assert gone == {"requirements.txt": ""}


HOOKS = """repos:
  - repo: https://github.com/psf/black
    rev: 23.1.0
    hooks:
      - id: black
  - repo: local
    hooks:
      - id: lint
        args: [-x]
      - id: types
"""
BLACK = HOOKS[HOOKS.index("  - repo") : HOOKS.index("  - repo: local")]


@pytest.mark.parametrize(
    ("call", "old"),
    [
        ("remove_list_item hooks.yaml black repos", BLACK),
        ("remove_list_item hooks.yaml lint repos.1.hooks", "      - id: lint\n        args: [-x]\n"),
    ],
)
def test_an_item_with_keys_goes_by_what_it_is_called(call: str, old: str) -> None:
    assert texts_after(call, {"hooks.yaml": HOOKS}) == {"hooks.yaml": HOOKS.replace(old, "")}


def test_a_text_is_no_item_among_items_with_keys() -> None:
    found = str(refusal("add_list_item hooks.yaml isort repos.1.hooks", {"hooks.yaml": HOOKS}))
    assert "have keys of their own" in found
