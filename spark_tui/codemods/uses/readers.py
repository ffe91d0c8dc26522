"""The places that read a definition of a module, in all files, where each of them is known."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.plan import Refusal
from spark_tui.codemods.uses.references import find_attribute_uses
from spark_tui.codemods.uses.symbols import Target
from spark_tui.pysource.names.scopes import Role, Variable
from spark_tui.pysource.repository import Repository

Reader = tuple[str, ast.expr]
"""A file, and the name or attribute in it."""


def readers(repo: Repository, target: Target, statement: ast.stmt) -> list[Reader]:
    """The names and attributes that read what a statement defines, but its own. Refuses what is set again,
    exported, or brought to another file in a way that leaves open who reads it there."""
    assert target.variable is not None
    found = list(_read(repo, target.path, target.variable, target.name))
    for path, alias in _importers(repo, target):
        scopes = repo.index.scopes(path)
        variable = next((one for one in scopes.variables if alias in [b.node for b in one.bindings]), None)
        if variable is None or len(variable.bindings) > 1:
            raise Refusal(f"{path} sets what it imports as {target.name} again")
        found += _read(repo, path, variable, target.name)
    for path, use in find_attribute_uses(repo, target, statement):
        if not isinstance(use.node.ctx, ast.Load):
            raise Refusal(f"{path}:{use.node.lineno} sets {target.name}")
        found.append((path, use.node))
    return list(dict.fromkeys(found))


def _read(repo: Repository, path: str, variable: Variable, name: str) -> Iterator[Reader]:
    source = repo.index.source(path)
    for one in variable.occurrences:
        at = source.line_number(one.span[0]) if one.span[0] >= 0 else getattr(one.node, "lineno", 1)
        if one.role is Role.LOAD and isinstance(one.node, ast.expr) and not one.in_string:
            yield path, one.node
        elif not one.role.binds or one.role is Role.LOAD:
            raise Refusal(f"{path}:{at} names {name} where nothing else can stand")


def _importers(repo: Repository, target: Target) -> Iterator[tuple[str, ast.alias]]:
    for path in sorted(repo.index.importers(target.path)):
        for node in repo.index.source(path).statements:
            if not isinstance(node, ast.ImportFrom) or repo.index.modules.imported(path, node) != target.path:
                continue
            for alias in node.names:
                if alias.name == "*":
                    raise Refusal(f"{path}:{node.lineno} imports all names of {target.path}")
                if alias.name == target.name:
                    yield path, alias
