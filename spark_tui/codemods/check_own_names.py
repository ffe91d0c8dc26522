"""New names in a module that looks at its own names, through `globals()`, `vars()` or `sys.modules`."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.scopes import Scope, ScopeKind
from spark_tui.pysource.source import Source

_LOOKING = ("globals", "locals", "vars", "dir")


def own_names(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says which names are new or gone where the module may do something with each of its names."""
    for path in paths:
        if any(
            path not in one.index.modules.paths or one.index.text(path) is None for one in (before, after)
        ):
            continue
        old, new = before.index.scopes(path).module.bound, after.index.scopes(path).module.bound
        changed = sorted(set(old) ^ set(new))
        line = _looks(after, path) if changed else 0
        if line:
            reason = f"the module looks at its own names here; {changed[0]} is new or gone"
            yield Finding(path, line, "own names", reason, sure=False)


def _looks(repo: Repository, path: str) -> int:
    scopes = repo.index.scopes(path)
    for node, scope in scopes.scope_at.items():
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.args:
            continue
        if node.func.id == "globals" or (node.func.id in _LOOKING and _is_of_module(scope)):
            return node.lineno
    return _own_module(scopes.source)


def _is_of_module(scope: Scope | None) -> bool:
    while scope is not None and scope.kind is ScopeKind.COMPREHENSION:
        scope = scope.outer
    return scope is not None and scope.kind is ScopeKind.MODULE


def _own_module(source: Source) -> int:
    if "modules" not in source.text or "__name__" not in source.text:
        return 0
    for node in ast.walk(source.tree or ast.Module([], [])):
        if isinstance(node, ast.Subscript) and ast.unparse(node) == "sys.modules[__name__]":
            return node.lineno
    return 0
