"""The parameters of what is called: a function of the repository or the standard library, or a builtin."""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
import sysconfig
from functools import lru_cache
from pathlib import Path

from spark_tui.codemods.checks.calls import called_function
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, parameters

_EXTREMES = ("max", "min")
"""Builtins of whose parameters Python does not tell."""
Parameters = dict[str, ast.expr | None]
"""The parameters that a call fills, in their order, with their defaults."""


def parameters_called(repo: Repository, source: Source, node: ast.Call) -> Parameters:
    """The parameters of what is called; empty where that is not known."""
    scope = repo.index.scopes(source.path).scope_at[node]
    for value in repo.infer.values(source.path, node.func, scope):
        if (found := called_function(repo, value)) is not None:
            return _parameters(found[1], found[2])
    made = node.func.value if isinstance(node.func, ast.Attribute) else None
    if isinstance(made, ast.Call) and isinstance(node.func, ast.Attribute):
        module, owner = _imported(source, ast.unparse(made.func))  # Path(name).read_text()
        return _of_library(module, node.func.attr, owner) if module else {}
    module, name = _imported(source, ast.unparse(node.func))
    if module:
        return _of_library(module, name)
    return _of_builtin(name) if name not in repo.index.scopes(source.path).module.bound else {}


def _parameters(function: Function, bound: bool) -> Parameters:
    collecting, given = (function.args.vararg, function.args.kwarg), defaults(function)
    plain = [parameter.arg for parameter in parameters(function) if parameter not in collecting]
    return {name: given.get(name) for name in plain[bound:]}


def _imported(source: Source, dotted: str) -> tuple[str, str]:
    """The module of the standard library that a dotted name is of, and its name there."""
    for statement in source.statements:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                shown = alias.asname or alias.name
                if dotted.startswith(f"{shown}."):
                    return alias.name, dotted[len(shown) + 1 :]
        elif isinstance(statement, ast.ImportFrom) and not statement.level and statement.module:
            for alias in statement.names:
                if dotted == (alias.asname or alias.name):
                    return statement.module, alias.name
    return "", dotted


@lru_cache(maxsize=64)
def _module(name: str) -> ast.Module | None:
    """The code of a module of the standard library; it is read, not run."""
    if name.partition(".")[0] not in sys.stdlib_module_names:
        return None
    base = Path(sysconfig.get_path("stdlib"), *name.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        try:
            return ast.parse(path.read_text("utf-8"))
        except (OSError, ValueError, SyntaxError):
            continue
    return None


def _of_library(module: str, name: str, owner: str = "") -> Parameters:
    """The parameters of a function or class of a module, or of a method of the class `owner`."""
    tree = _module(module)
    body = tree.body if tree is not None else []
    if owner:
        body = next((stmt.body for stmt in body if isinstance(stmt, ast.ClassDef) and stmt.name == owner), [])
    for stmt in body:
        if isinstance(stmt, Function) and stmt.name == name:
            return _parameters(stmt, bool(owner))
        if isinstance(stmt, ast.ClassDef) and stmt.name == name:
            made = (inner for inner in stmt.body if isinstance(inner, Function) and inner.name == "__init__")
            return next((_parameters(inner, True) for inner in made), {})
    return {}


def _of_builtin(name: str) -> Parameters:
    if name in _EXTREMES:
        return dict.fromkeys(("iterable", "key", "default"))
    found = getattr(builtins, name, None)
    try:
        known = inspect.signature(found).parameters if found is not None else {}
    except (TypeError, ValueError):
        return {}
    collecting = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    plain = [parameter for parameter in known.values() if parameter.kind not in collecting]
    return {item.name: None if item.default is item.empty else ast.Constant(item.default) for item in plain}
