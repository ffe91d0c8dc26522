"""Methods that code calls which does not name their class: through a `Protocol`, or on an object that was
passed to a library."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator
from functools import cache

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.inference.values import FOREIGN, ClassValue, InstanceValue
from spark_tui.pysource.names.scopes import Role
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function
from spark_tui.pysource.words import word_set

_CALL_NO_METHOD = word_set("cast partial copy deepcopy debug info warning error exception critical log")


def protocols(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a protocol changes, or a method of an object that a library has."""

    @cache
    def foreign_calls(path: str) -> list[ast.Call]:
        return [call for call in after.index.scopes(path).calls if _is_foreign(after, path, call)]

    for path in paths:
        old_source, new_source = before.index.source(path), after.index.source(path)
        new = {name: found[-1] for name, found in new_source.classes.items()}
        for name, nodes in old_source.classes.items():
            if name not in new or old_source.segment(nodes[-1]) == new_source.segment(new[name]):
                continue
            changed = _members(nodes[-1]) ^ _members(new[name])
            if changed and any(last_name(base) == "Protocol" for base in nodes[-1].bases):
                reason = f"{name} is a protocol: objects of other classes fit it as it was"
                yield Finding(path, new[name].lineno, "protocols", reason, sure=False)
            methods = {stmt.name for stmt in nodes[-1].body if isinstance(stmt, Function)} & {
                method for method, head in changed if head
            }
            public = sorted(method for method in methods if not method.startswith("_"))
            if public:
                yield from _passed(after, ClassValue(path, new[name]), public[0], foreign_calls)


def _members(node: ast.ClassDef) -> set[tuple[str, str]]:
    """The members of a class, of methods with their parameters."""
    out = {(ast.unparse(stmt.target), "") for stmt in node.body if isinstance(stmt, ast.AnnAssign)}
    for method in node.body:
        if isinstance(method, Function):
            head = map(ast.unparse, (method.args, *method.decorator_list))
            out.add((method.name, " ".join([type(method).__name__, *head])))
    return out


def _passed(
    repo: Repository, owner: ClassValue, method: str, foreign_calls: Callable[[str], list[ast.Call]]
) -> Iterator[Finding]:
    """The first place where an object of a class, or of one that inherits it, is passed to a library."""
    nodes = {value.node for value in repo.classes.descendants(owner)} | {owner.node}
    for path in sorted({owner.path, *repo.index.importers(owner.path)}):
        scopes = repo.index.scopes(path)
        for call in foreign_calls(path):
            for arg in (*call.args, *(keyword.value for keyword in call.keywords)):
                values = repo.infer.values(path, arg, scopes.scope_at[call])
                if any(isinstance(value, InstanceValue) and value.of.node in nodes for value in values):
                    reason = f"{ast.unparse(call.func)}(…) gets such an object and may call its {method}"
                    yield Finding(path, call.lineno, "protocols", reason, sure=False)
                    return


def _is_foreign(repo: Repository, path: str, call: ast.Call) -> bool:
    """Whether a call is one of an imported library that may call methods of what it gets."""
    if not call.args and not call.keywords:
        return False
    root = call.func
    while isinstance(root, ast.Attribute):
        root = root.value
    scopes = repo.index.scopes(path)
    use = scopes.by_node.get(root)
    if use is None or use.name not in scopes.names_of_imports or last_name(call.func) in _CALL_NO_METHOD:
        return False
    imported = all(binding.role is Role.IMPORT for binding in scopes.resolve(use).bindings or [use])
    return imported and FOREIGN in repo.infer.values(path, call.func, scopes.scope_at[call])
