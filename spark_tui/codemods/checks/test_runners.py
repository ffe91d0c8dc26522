"""Tests and hooks that a test runner would no longer find, or could no longer call: it knows them and their
parameters by name."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator
from functools import lru_cache

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.calls.signatures import required
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.words import word_set

_SET_UP = word_set(
    "setup_module teardown_module setup_function teardown_function setup_class teardown_class setup_method"
    " teardown_method setUpModule tearDownModule"
)


def lost_tests(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Tests that stay in the code and are not run any more, and arguments that nothing gives to a test,
    fixture or hook. A test that was deleted is not harm."""
    yield from _no_longer_found(before, after, paths)
    for path in paths:
        old = {**_run(before.index.source(path)), **_fixtures(before.index.source(path))}
        for name, node in {**_run(after.index.source(path)), **_fixtures(after.index.source(path))}.items():
            if name in old:
                for reason in _changed_arguments(after, old[name], node):
                    yield Finding(path, node.lineno, "tests", reason)
        made = _made_by_code(before, path)
        for name, line in _made_by_code(after, path).items():
            if name not in made:
                yield Finding(path, line, "tests", f"a test runner takes no tests of {name}: it has __init__")
    yield from _lost_fixtures(before, after, paths)


def _made_by_code(repo: Repository, path: str) -> dict[str, int]:
    """The classes of tests that have a constructor of their own, with their lines."""
    if not repo.has(path) or not _is_file_of_tests(path):
        return {}
    classes = (one for one in repo.index.source(path).definitions if isinstance(one, ast.ClassDef))
    return {
        one.name: one.lineno
        for one in classes
        if one.name.startswith("Test") and any(getattr(item, "name", "") == "__init__" for item in one.body)
    }


def _no_longer_found(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    old = {(path, name): one for path in paths for name, one in _run(before.index.source(path)).items()}
    new = {(path, name): one for path in paths for name, one in _run(after.index.source(path)).items()}
    found = Counter(_body(one) for key, one in new.items() if key not in old and not _is_hook(one))
    others = [
        (path, name, one)
        for path in paths
        for name, one in _functions(after.index.source(path)).items()
        if (path, name) not in new or ((path, name) not in old and _is_hook(one))
    ]
    for key, one in old.items():
        if key in new:
            continue
        if found[_body(one)] and not _is_hook(one):  # under another name
            found[_body(one)] -= 1
            continue
        for path, name, other in others:
            if name == key[1] or _body(other) == _body(one):
                yield Finding(path, other.lineno, "tests", f"a test runner no longer finds {key[1]}")
                break


def _changed_arguments(after: Repository, old: Function, new: Function) -> Iterator[str]:
    wanted, asked = _requested(new), _requested(old)
    names = {parameter.arg for parameter in parameters(new)}
    for name in sorted(wanted - asked - _parametrized(new)):
        if not _is_fixture(after, name):
            yield f"a test runner has no value for {name} of {new.name}"
    for name in sorted((asked - wanted) & names):
        yield f"a test runner gives {name} of {new.name} no value once it has a default"
    for name in sorted(_parametrized(new) - names):
        yield f"{new.name} is parametrized with {name}, which is not a parameter of it"
    if isinstance(new, ast.AsyncFunctionDef) and not isinstance(old, ast.AsyncFunctionDef):
        yield f"a test runner awaits {new.name} only with a plugin"


def _lost_fixtures(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    left = {item.name for path in paths for item in _fixtures(after.index.source(path)).values()}
    lost = {item.name for path in paths for item in _fixtures(before.index.source(path)).values()} - left
    for path in sorted(after.index.files_with(*lost)) if lost else ():
        for node in {**_tests(after.index.source(path)), **_fixtures(after.index.source(path))}.values():
            for name in sorted(_requested(node) & lost):
                if not _is_fixture(after, name):
                    yield Finding(path, node.lineno, "tests", f"{node.name} asks for {name}, which is gone")


def _is_fixture(repo: Repository, name: str) -> bool:
    paths = repo.index.files_with(name)
    return any(item.name == name for path in paths for item in _fixtures(repo.index.source(path)).values())


@lru_cache(maxsize=16)
def _run(source: Source) -> dict[str, Function]:
    """The tests and hooks of a file by their qualified names."""
    hooks = {name: one for name, one in _functions(source).items() if _is_hook(one)}
    return {**_tests(source), **hooks}


def _is_hook(function: Function) -> bool:
    """Whether a runner or plugin manager calls a function because of its name."""
    named = function.name.startswith("pytest_") or function.name in _SET_UP
    return (named and "fixture" not in decorator_names(function)) or "hookimpl" in decorator_names(function)


def _tests(source: Source) -> dict[str, Function]:
    """The test functions that pytest or unittest finds in a file, by their qualified names."""
    functions = _functions(source) if _is_file_of_tests(source.path) else {}
    return {name: one for name, one in functions.items() if _is_test(source, one)}


def _is_file_of_tests(path: str) -> bool:
    stem = path.rpartition("/")[2].partition(".")[0]
    return stem.startswith("test") or stem.endswith("_test")


def _is_test(source: Source, function: Function) -> bool:
    if not function.name.startswith("test") or any(
        "property" in last_name(decorator) for decorator in function.decorator_list
    ):
        return False
    owner = source.parents.get(function)
    while isinstance(owner, ast.ClassDef):
        if not (owner.name.startswith("Test") or owner.bases):
            return False
        owner = source.parents.get(owner)
    return isinstance(owner, ast.Module)


@lru_cache(maxsize=16)
def _fixtures(source: Source) -> dict[str, Function]:
    return {name: one for name, one in _functions(source).items() if "fixture" in decorator_names(one)}


@lru_cache(maxsize=8)
def _functions(source: Source) -> dict[str, Function]:
    """All functions of a file by their qualified names."""
    return {source.qualname(function): function for function in source.functions}


def _body(function: Function) -> str:
    return "\n".join(map(ast.dump, function.body))


def _requested(function: Function) -> set[str]:
    """The parameters without a default, which a test runner fills by their names."""
    return set(required(function)) - {"self", "cls"}


def _parametrized(function: Function) -> set[str]:
    """The names that `parametrize` gives."""
    out: set[str] = set()
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and last_name(decorator.func) == "parametrize" and decorator.args:
            first = decorator.args[0]
            parts = first.elts if isinstance(first, ast.Tuple | ast.List) else [first]
            for part in parts:
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    out.update(name.strip() for name in part.value.split(",") if name.strip())
    return out
