"""Where a definition is used: in its file, through imports and modules, on objects, in `__all__`; and the
places that read it, where each of them is known."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Refusal, Unfollowed
from spark_tui.codemods.uses.by_string import match_full_name
from spark_tui.codemods.uses.class_doubts import listed_doubts
from spark_tui.codemods.uses.symbols import Target
from spark_tui.pysource.inference.classes import mangled
from spark_tui.pysource.inference.values import (
    UNKNOWN,
    Value,
    Values,
    class_behind,
    is_common_member,
    is_unknown,
)
from spark_tui.pysource.names.scope_records import AttributeUse
from spark_tui.pysource.names.scopes import Role, Variable
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function

Reader = tuple[str, ast.expr]
"""A file, and the name or attribute in it."""


def find_uses(
    repo: Repository, target: Target, statement: ast.stmt, but: Collection[ast.AST]
) -> Iterator[Unfollowed]:
    """The places that use a definition for sure, its own body and the nodes of `but` left out."""
    source = repo.index.source(target.path)
    for occurrence in target.variable.occurrences if target.variable is not None else ():
        if occurrence.node in but:
            continue
        at = occurrence.span[0]
        line = source.line_number(at) if at >= 0 else getattr(occurrence.node, "lineno", 1)
        if not occurrence.role.binds and not _is_inside(repo, target, statement, target.path, line):
            yield Unfollowed(target.path, line, "uses it")
    if target.owner is None:
        yield from _imported(repo, target)
    for path, use in find_attribute_uses(repo, target, statement):
        yield Unfollowed(path, use.node.lineno, "uses it")


def find_attribute_uses(
    repo: Repository, target: Target, statement: ast.stmt
) -> Iterator[tuple[str, AttributeUse]]:
    """Where a definition is used after a dot for sure, with the files; its own body is left out."""
    scope = target.variable.scope if target.variable is not None else None
    if target.owner is None and scope is not None and scope.outer is not None:
        return  # a local name cannot be an attribute
    for path in repo.index.files_with(target.name):
        for use in repo.index.scopes(path).attributes_by_name.get(target.name, ()):
            inside = _is_inside(repo, target, statement, path, use.node.lineno)
            if not inside and any(_is_meant(repo, target, value) for value in _values(repo, path, use)):
                yield path, use


def _is_inside(repo: Repository, target: Target, statement: ast.stmt, path: str, line: int) -> bool:
    """Whether a line of a file belongs to a definition."""
    source = repo.index.source(target.path)
    return path == target.path and source.first_line(statement) < line <= source.last_line(statement)


def _values(repo: Repository, path: str, use: AttributeUse) -> Values:
    return repo.infer.values(path, use.node.value, use.scope)


def _is_meant(repo: Repository, target: Target, value: Value) -> bool:
    if target.owner is None:
        return getattr(value, "path", None) == target.path and hasattr(value, "name")
    owner = class_behind(value)
    if owner is None:
        return False
    family = [owner, *repo.classes.ancestors(owner), *repo.classes.descendants(owner)]
    return any((item.path, item.node) == (target.owner.path, target.owner.node) for item in family)


def _imported(repo: Repository, target: Target) -> Iterator[Unfollowed]:
    for importer in sorted(repo.index.importers(target.path)):
        for imported in repo.index.summary(importer).imports:
            module = repo.index.imported_module(importer, imported)
            if imported.name not in (target.name, "*"):
                continue
            if repo.index.modules.find(module, importer) != target.path:
                continue
            if imported.name == target.name:
                yield Unfollowed(importer, imported.line, "imports it")
                continue
            scopes = repo.index.scopes(importer)
            found = (one for one in scopes.variables if one.scope is None and one.name == target.name)
            for load in (item for variable in found for item in variable.loads):
                yield Unfollowed(importer, scopes.source.line_number(max(load.span[0], 0)), "uses it")


def unknown_attributes(repo: Repository, name: str) -> Iterator[Unfollowed]:
    """Attributes of unknown objects that may be a name of a module: no class has such a member."""
    members = ("method", "attribute")
    if is_common_member(name) or any(one.kind in members for _, one in repo.index.symbols(name)):
        return
    for path in repo.index.files_with_member(name):
        for use in repo.index.scopes(path).attributes_by_name.get(name, ()):
            if set(_values(repo, path, use)) == {UNKNOWN}:
                yield Unfollowed(path, use.node.lineno, f"{ast.unparse(use.node)} may mean it")


def find_doubtful_uses(repo: Repository, target: Target, statement: ast.stmt) -> list[Unfollowed]:
    """Places that may use a definition: attributes of unknown objects, strings, overriding methods."""
    out = set()
    key = mangled(target.owner.node, target.name) if target.owner is not None else target.name
    full = [f"{module}.{target.qualname}" for module in repo.index.modules.names(target.path)]
    for path in {*repo.index.files_with(target.name), *repo.index.files_with(key)}:
        scopes = repo.index.scopes(path)
        for use in scopes.attributes_by_name.get(target.name, ()):
            inside = _is_inside(repo, target, statement, path, use.node.lineno)
            if not inside and is_unknown(_values(repo, path, use)):
                out.add(Unfollowed(path, use.node.lineno, f"{ast.unparse(use.node)} may mean it"))
        for node in scopes.source.strings:
            text = str(node.value)
            if text in (target.name, key) or match_full_name(text, full):
                out.add(Unfollowed(path, node.lineno, f"the string {text!r} may mean it"))
    if target.owner is not None and isinstance(statement, Function):
        if target.name.startswith("__") and target.name.endswith("__"):
            out.add(Unfollowed(target.path, statement.lineno, f"Python calls {target.name} by itself"))
        if repo.classes.has_foreign_base(target.owner):
            out.add(Unfollowed(target.path, statement.lineno, "a base class that is not here may call it"))
        for base in repo.classes.ancestors(target.owner):
            if base.node is not target.owner.node and target.name in repo.classes.own_members(base):
                out.add(Unfollowed(target.path, statement.lineno, f"it overrides that of {base.node.name}"))
    if isinstance(statement, ast.ClassDef):
        out.update(listed_doubts(repo, repo.index.source(target.path), statement))
    return sorted(out)


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
