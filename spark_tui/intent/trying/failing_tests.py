"""The tests that a message is about: in a pasted report, by their names, or those of the open file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.trying.said_values import words
from spark_tui.problems.problem import Problem
from spark_tui.problems.reader import ProblemReader
from spark_tui.pysource.modules import is_test_file
from spark_tui.pysource.repository import Repository

_TEST = re.compile(r"(?<!\w)(?:(Test\w*|\w+Tests?)(?:::|\.))?(test_\w+)(?!\w|\.py\b)")
_REPORT = re.compile(
    r"^(?:FAILED|ERROR) |^E {2,}|^_{4,} .+ _{4,}$|^FAIL: |::test_|^>\s+assert ", re.MULTILINE
)
_MOST_FILES = 8


def is_report(text: str) -> bool:
    """Whether a message holds what a test runner printed."""
    return _REPORT.search(text) is not None


def only_names_tests(text: str) -> bool:
    """Whether a message is nothing but the names of tests."""
    rest = re.sub(r"\b(?:and|und|et|y)\b", " ", _TEST.sub(" ", text))
    return names_test(text) and re.search(r"\w", rest) is None


def names_test(text: str) -> bool:
    """Whether a message has the name of a test, known or not."""
    return _TEST.search(text) is not None


def tells_of_tests(text: str) -> bool:
    """Whether a message is about tests that fail or are to pass."""
    return bool(words()["tests"].search(text) and words()["failing"].search(text))


def reported(text: str) -> list[Problem]:
    """The failing tests that a pasted report names."""
    reader = ProblemReader()
    found = [*reader.feed(text if text.endswith("\n") else f"{text}\n"), *reader.close()]
    return [one for one in found if one.test]


def named_tests(text: str, situation: Situation) -> dict[str, set[str]]:
    """The files with tests that a message names, and the names of these tests."""
    out: dict[str, set[str]] = {}
    repo = situation.repo
    for problem in reported(text):
        home = _home(repo, problem.path)
        name = re.split(r"[\[ (]", problem.test.rpartition("::")[2])[0].rpartition(".")[2]
        for path in [home] if home and is_test_file(home) else _holding(repo, name):
            out.setdefault(path, set()).add(name)
    for found in _TEST.finditer(text):
        if found[2] not in {one for names in out.values() for one in names}:
            for path in _holding(repo, found[2]):
                out.setdefault(path, set()).add(found[2])
    return out


def _home(repo: Repository, path: str) -> str:
    if not path or path in repo.index.modules.paths:
        return path
    homes = paths_named(repo, path) or paths_named(repo, path.rpartition("/")[2])
    return homes[0][0] if homes else ""


def _holding(repo: Repository, name: str) -> list[str]:
    """The test files that define a test of this name."""
    paths = dict.fromkeys(path for path, _ in repo.index.symbols(name))
    return [path for path in paths if is_test_file(path)]


def test_files(situation: Situation) -> list[str]:
    """The files with tests of the open file, or itself."""
    repo, path = situation.repo, situation.path
    if path not in repo.index.modules.paths:
        return []
    if is_test_file(path):
        return [path]
    found = sorted(one for one in repo.index.importers(path) if is_test_file(one))
    stem = path.rpartition("/")[2].removesuffix(".py")
    found.sort(key=lambda one: stem not in one)
    return found[:_MOST_FILES]


def exceptions_in(repo: Repository, path: str, names: set[str]) -> Iterator[str]:
    """The errors that some tests of a file expect."""
    for node in ast.walk(repo.index.source(path).tree or ast.Module([], [])):
        if isinstance(node, ast.FunctionDef) and node.name in names:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Name) and re.fullmatch(r"[A-Z]\w*(?:Error|Exception)", inner.id):
                    yield inner.id


def values_in_tests(repo: Repository, path: str, names: set[str]) -> Iterator[str]:
    """The values that some tests of a file ask for, where they are written out."""
    for node in ast.walk(repo.index.source(path).tree or ast.Module([], [])):
        if isinstance(node, ast.FunctionDef) and node.name in names:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Assert) and isinstance(inner.test, ast.Compare):
                    value = inner.test.comparators[-1]
                    if isinstance(value, ast.Constant) or (isinstance(value, ast.List) and not value.elts):
                        yield ast.unparse(value)
