"""Names that may be used where it cannot be followed: in a module that looks at its own names, through
`globals()`, `vars()` or `sys.modules`, and in compiled code."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.parsing import walk
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.scopes import Scope, ScopeKind
from spark_tui.pysource.source import Source

_LOOKING = ("globals", "locals", "vars", "dir")
_OF_OWN_NAME = re.compile(r"modules(?:[^\w#]|#[^\r\n]*[\r\n])*__name__")
_COMPILED = (".so", ".pyd", ".pyx")


def own_names(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says which names are new or gone where the module may do something with each of its names."""
    for path in paths:
        if any(
            path not in one.index.modules.paths or one.index.text(path) is None for one in (before, after)
        ):
            continue
        old, new = before.index.scopes(path).module.bound, after.index.scopes(path).module.bound
        changed = sorted(set(old) ^ set(new))
        line = own_names_line(after, path) if changed else 0
        if line:
            reason = f"the module looks at its own names here; {changed[0]} is new or gone"
            yield Finding(path, line, "own names", reason, sure=False)


def compiled_users(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says which modules and names are gone where compiled code of the same package may import them."""
    compiled = [one for one in before.index.all_paths if one.endswith(_COMPILED)]
    for path in paths if compiled else ():
        user = next((one for one in compiled if one.split("/")[0] == path.split("/")[0]), None)
        if user is None or path not in before.index.modules.paths or before.index.text(path) is None:
            continue
        lost = path
        if after.index.text(path) is not None:
            gone = set(before.index.scopes(path).module.bound) - set(after.index.scopes(path).module.bound)
            if not gone:
                continue
            lost = min(gone)
        reason = f"{user}, which cannot be read, may use {lost}"
        yield Finding(path, 1, "own names", reason, sure=False)


def own_names_line(repo: Repository, path: str) -> int:
    """The line in which a module looks at its own names; 0 where it does not."""
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
    if "modules" not in source.text or not _OF_OWN_NAME.search(source.text):
        return 0
    for node in walk(source.tree or ast.Module([], [])):
        if isinstance(node, ast.Subscript) and ast.unparse(node) == "sys.modules[__name__]":
            return node.lineno
    return 0
