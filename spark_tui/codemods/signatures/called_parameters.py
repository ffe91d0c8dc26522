"""The parameters of what is called: a function of the repository or the standard library, or a builtin."""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from spark_tui.codemods.checks.calls import called_function
from spark_tui.codemods.checks.value_kinds import ValueKind, value_kind
from spark_tui.codemods.uses.library_source import imported_from, imports_of, library_module
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, parameters

_EXTREMES = ("max", "min")
"""Builtins of whose parameters Python does not tell."""
_CLASSES = {
    ValueKind.TEXT: str,
    ValueKind.LIST: list,
    ValueKind.TUPLE: tuple,
    ValueKind.DICT: dict,
    ValueKind.SET: set,
}
"""The builtin classes of values that the code shows."""
Parameters = dict[str, ast.expr | None]
"""The parameters that a call fills, in their order, with their defaults."""


def parameters_called(repo: Repository, source: Source, node: ast.Call) -> Parameters:
    """The parameters of what is called; empty where that is not known."""
    scope = repo.index.scopes(source.path).scope_at[node]
    for value in repo.infer.values(source.path, node.func, scope):
        if (found := called_function(repo, value)) is not None:
            return _parameters(found[1], found[2])
    if (known := _of_library(source, node)) is not None:
        return _parameters(*known)
    name = ast.unparse(node.func)
    if isinstance(node.func, ast.Attribute):
        kind = value_kind(repo, source.path, node.func.value, scope)
        owner = _CLASSES.get(kind) if kind is not None else None
        return _plain(_signature(getattr(owner, node.func.attr, None)), bound=1) if owner else {}
    return _of_builtin(name) if name not in repo.index.scopes(source.path).module.bound else {}


def has_default(repo: Repository, source: Source, node: ast.Call, given: ast.expr | ast.keyword) -> bool:
    """Whether what is given to a call is for a parameter that is known to have a default."""
    known = parameters_called(repo, source, node)
    if isinstance(given, ast.keyword):
        return known.get(given.arg or "") is not None
    at = node.args.index(given)
    spread = any(isinstance(one, ast.Starred) for one in node.args)
    return not spread and at < len(known) and [*known.values()][at] is not None


def lacks_parameter(repo: Repository, source: Source, node: ast.Call, name: str) -> bool:
    """Whether what is called is of the standard library and for certain takes no such keyword."""
    if _is_bound_inside(repo, source, node):
        return False
    if (known := _of_library(source, node)) is not None:
        return known[0].args.kwarg is None and name not in _parameters(*known)
    called = ast.unparse(node.func)
    if called in _EXTREMES or called in repo.index.scopes(source.path).module.bound:
        return False
    found = _signature_of_builtin(called).values()
    return bool(found) and not any(item.name == name or item.kind is item.VAR_KEYWORD for item in found)


def by_keyword_only(repo: Repository, source: Source, node: ast.Call) -> set[str]:
    """The parameters of what is called that no place fills."""
    scope = repo.index.scopes(source.path).scope_at[node]
    values = repo.infer.values(source.path, node.func, scope)
    called = next((one[1] for value in values if (one := called_function(repo, value)) is not None), None)
    known = None if called is not None else _of_library(source, node)
    function = called or (known[0] if known is not None else None)
    if function is not None:
        return {one.arg for one in function.args.kwonlyargs}
    name = ast.unparse(node.func)
    own = name in repo.index.scopes(source.path).module.bound
    found = () if own else _signature_of_builtin(name).values()
    return {item.name for item in found if item.kind is item.KEYWORD_ONLY}


def _is_bound_inside(repo: Repository, source: Source, node: ast.Call) -> bool:
    """Whether a function has the name that is called as its own: a parameter, `open`."""
    scopes = repo.index.scopes(source.path)
    named = [scopes.resolve(scopes.by_node[one]) for one in ast.walk(node.func) if one in scopes.by_node]
    return any(one.bindings and one.scope is not scopes.module for one in named)


def _parameters(function: Function, bound: bool) -> Parameters:
    collecting, given = (function.args.vararg, function.args.kwarg), defaults(function)
    plain = [parameter.arg for parameter in parameters(function) if parameter not in collecting]
    return {name: given.get(name) for name in plain[bound:]}


def _of_library(source: Source, node: ast.Call) -> tuple[Function, bool] | None:
    """The function of the standard library that is called, and whether its first parameter is filled."""
    made = node.func.value if isinstance(node.func, ast.Attribute) else None
    owner = ""
    if isinstance(made, ast.Call) and isinstance(node.func, ast.Attribute):
        module, owner = imported_from(imports_of(source), ast.unparse(made.func))  # Path(name).read_text()
        name = node.func.attr
    else:
        module, name = imported_from(imports_of(source), ast.unparse(node.func))
    if not module:
        return None
    home = _defined(module, owner) if owner else None
    found = _defined(module, name) if not owner else _named(home.body if home is not None else [], name)
    if isinstance(found, ast.ClassDef):
        found = next(
            (one for one in found.body if isinstance(one, Function) and one.name == "__init__"), None
        )
        return (found, True) if isinstance(found, Function) else None
    return (found, bool(owner)) if found is not None else None


def _defined(module: str, name: str) -> Definition | None:
    """A function or class of the standard library, where its module has it from another one, too."""
    known = library_module(module)
    body = known[1].body if known is not None else []
    if (found := _named(body, name)) is not None:
        return found
    for stmt in body:
        if isinstance(stmt, ast.ImportFrom) and any(one.name in ("*", name) for one in stmt.names):
            # A package has names from its parts: `from ._local import *`.
            home = f"{module}.{stmt.module}" if stmt.level else stmt.module or ""
            if home.startswith(f"{module}.") and (found := _defined(home, name)) is not None:
                return found
    return None


def _named(body: Sequence[ast.stmt], name: str) -> Definition | None:
    return next((one for one in body if isinstance(one, Definition) and one.name == name), None)


def _of_builtin(name: str) -> Parameters:
    if name in _EXTREMES:
        return dict.fromkeys(("iterable", "key", "default"))
    return _plain(_signature_of_builtin(name))


def _plain(signature: Mapping[str, inspect.Parameter], bound: int = 0) -> Parameters:
    """The parameters of a signature behind those that are filled, without those that collect."""
    collecting = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    plain = [one for one in signature.values() if one.kind not in collecting][bound:]
    return {item.name: None if item.default is item.empty else ast.Constant(item.default) for item in plain}


def _signature_of_builtin(name: str) -> Mapping[str, inspect.Parameter]:
    return _signature(getattr(builtins, name, None))


def _signature(found: Callable[..., object] | None) -> Mapping[str, inspect.Parameter]:
    """Nothing where Python does not tell."""
    with suppress(TypeError, ValueError):
        return inspect.signature(found).parameters if found is not None else {}
    return {}
