"""Skeletons of tests: the file, the import and the calls for a function, method or class."""

from __future__ import annotations

import ast

from spark_tui.codemods.imports.lines import insert_import
from spark_tui.codemods.places.named import DEFINED, at_line, defined
from spark_tui.codemods.plan import Edit, Plan, Refusal
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import native, planned, read_expression
from spark_tui.codemods.skeletons import Skeleton, skeleton
from spark_tui.codemods.slots import Expression, FilePath, Symbol
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function

_FOLDERS = ("tests", "test")


@codemod
class AddTest:
    """Write a pytest skeleton: one test for a function, one for each method of a class."""

    target: Symbol = slot("the function, method or class", kinds=DEFINED)
    path: FilePath = slot("the test file; empty for the usual one", default=FilePath(""))
    call: Expression = slot("a call to test: add(1, 2); empty for a skeleton", default=Expression(""))
    result: Expression = slot("what the call gives", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        source, target, node = defined(repo, self.target)
        owner = source.class_of(node)
        top = owner if owner is not None else node
        if source.parents.get(top) is not source.tree:
            raise Refusal(f"{target.qualname} cannot be imported from its module")
        if source.path.endswith(".pyi"):
            raise Refusal("a stub has nothing to test")
        module = repo.index.modules.name(source.path)
        if not all(map(str.isidentifier, module.split("."))):
            raise Refusal(f"{source.path} cannot be imported by a name")
        made_of = node if owner is None or isinstance(node, ast.ClassDef) else owner
        if self.call:
            made = self._example(target.name)
        else:
            made = skeleton(source, node, owner, _init(repo, source.path, made_of))
        path = self.path or usual_path(repo, source.path)
        if not path.endswith(".py") or path.startswith("/") or ".." in path.split("/"):
            raise Refusal(f"{path} is not the path of a Python file in the repository")
        if path in repo.index.modules.paths:
            return self._extended(repo, path, module, top.name, made)
        if path in repo.index.all_paths:
            raise Refusal(f"{path} is not a Python file that can be read")
        lines = [f"import {one}\n" for one in made.imports if one != "pytest"]
        lines += ["\n"] if lines else []
        lines += ["import pytest\n\n"] if "pytest" in made.imports else []
        text = f'"""Tests of {module}."""\n\n{"".join(lines)}from {module} import {top.name}\n\n\n{made.code}'
        return Plan(created={path: text})

    def _example(self, name: str) -> Skeleton:
        """A test of one call and its result."""
        read_expression(self.call)
        tree = read_expression(self.result)
        single = isinstance(tree, ast.Constant) and (tree.value is None or isinstance(tree.value, bool))
        called = f"test_{name.strip('_')}"
        code = f"def {called}():\n    assert {self.call} {'is' if single else '=='} {self.result}\n"
        return Skeleton(code, (called,), ())

    def _extended(self, repo: Repository, path: str, module: str, name: str, made: Skeleton) -> Plan:
        """The tests behind those that the file has."""
        source = repo.index.source(path)
        if source.tree is None:
            raise Refusal(f"{path} does not parse: {source.error}")
        bound = repo.index.scopes(path).module.bound
        there = [one for one in made.names if one in bound]
        if there:
            raise Refusal(f"{path} already has {there[0]}", why="nothing")
        edits: list[Edit] = []
        if name not in bound:
            edits.append(insert_import(repo, path, module, name, ""))
        elif not _imports(repo, path, module, name):
            raise Refusal(f"{name} means something else in {path}")
        edits += [insert_import(repo, path, one, "", "") for one in made.imports if one not in bound]
        gap = source.newline * 2 if source.text.strip() else ""
        edits.append(at_line(source, len(source.lines), gap + native(source, made.code)))
        return planned(repo, edits)


def _init(repo: Repository, path: str, node: ast.AST) -> Function | None:
    """The `__init__` of a class, its own or that of a base."""
    found = (
        repo.classes.lookup(ClassValue(path, node), "__init__") if isinstance(node, ast.ClassDef) else None
    )
    return found[1] if found is not None and isinstance(found[1], Function) else None


def _imports(repo: Repository, path: str, module: str, name: str) -> bool:
    """Whether a name of a file is the one that a module offers."""
    imports = repo.index.summary(path).imports
    found = [one for one in imports if one.alias == name]
    origin = repo.index.modules.find(module, path)
    values = repo.infer.exported(module, name, path)
    return bool(found) and all(
        repo.index.modules.find(repo.index.imported_module(path, one), path) == origin
        or repo.infer.exported(repo.index.imported_module(path, one), one.name, path) == values
        for one in found
    )


def usual_path(repo: Repository, path: str) -> str:
    """The file that tests a module already, or where one would look for it."""
    stem = path.removesuffix(".py").rpartition("/")[2].strip("_")
    package = path.rpartition("/")[0].rpartition("/")[2]
    name = f"test_{package if stem == 'init' and package else stem}.py"
    known = [one for one in repo.index.modules.paths if one.rpartition("/")[2] == name]
    importing = sorted(one for one in known if one in repo.index.importers(path))
    if importing:
        return importing[0]
    roots = [one for one in _FOLDERS if any(path.startswith(f"{one}/") for path in repo.index.all_paths)]
    folder = roots[0] if roots else _FOLDERS[0]
    plain = f"{folder}/{name}"
    return f"{folder}/test_{package}_{stem}.py" if plain in repo.index.all_paths and package else plain
