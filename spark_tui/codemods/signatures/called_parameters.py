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

Parameters = dict[str, ast.expr | None]
"""The parameters that a call fills, in their order, with their defaults."""


def parameters_called(repo: Repository, source: Source, node: ast.Call) -> Parameters:
    """The parameters of what is called; empty where that is not known."""
    scope = repo.index.scopes(source.path).scope_at[node]
    for value in repo.infer.values(source.path, node.func, scope):
        if (found := called_function(repo, value)) is not None:
            return _parameters(found[1], found[2])
    module, name = _imported(source, ast.unparse(node.func))
    if module:
        return _of_library(module, name)
    return _of_builtin(name) if name not in repo.index.scopes(source.path).module.bound else {}


def _parameters(function: Function, bound: bool) -> Parameters:
    plain = [one for one in parameters(function) if one not in (function.args.vararg, function.args.kwarg)]
    return {one.arg: defaults(function).get(one.arg) for one in plain[bound:]}


def _imported(source: Source, dotted: str) -> tuple[str, str]:
    """The module of the standard library that a dotted name is of, and its name there."""
    for one in source.statements:
        if isinstance(one, ast.Import):
            for alias in one.names:
                shown = alias.asname or alias.name
                if dotted.startswith(f"{shown}."):
                    return alias.name, dotted[len(shown) + 1 :]
        elif isinstance(one, ast.ImportFrom) and not one.level and one.module:
            for alias in one.names:
                if dotted == (alias.asname or alias.name):
                    return one.module, alias.name
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


def _of_library(module: str, name: str) -> Parameters:
    tree = _module(module)
    for one in tree.body if tree is not None else ():
        if isinstance(one, Function) and one.name == name:
            return _parameters(one, False)
        if isinstance(one, ast.ClassDef) and one.name == name:
            made = (each for each in one.body if isinstance(each, Function) and each.name == "__init__")
            return next((_parameters(each, True) for each in made), {})
    return {}


def methods_of_library(source: Source, dotted: str) -> frozenset[str]:
    """The methods of a class of the standard library that a file calls by a name, also those that it has from
    bases in its module."""
    module, name = _imported(source, dotted)
    tree = _module(module) if module else None
    classes = {one.name: one for one in getattr(tree, "body", ()) if isinstance(one, ast.ClassDef)}
    out: set[str] = set()
    left = [name]
    while left:
        one = classes.pop(left.pop(), None)
        if one is not None:
            out |= {each.name for each in ast.walk(one) if isinstance(each, Function)}
            left += [each.id for each in one.bases if isinstance(each, ast.Name)]
    return frozenset(out)


def _of_builtin(name: str) -> Parameters:
    found = getattr(builtins, name, None)
    try:
        known = inspect.signature(found).parameters if found is not None else {}
    except (TypeError, ValueError):
        return {}
    plain = (one for one in known.values() if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD))
    return {one.name: None if one.default is one.empty else ast.Constant(one.default) for one in plain}
