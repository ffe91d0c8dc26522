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
from spark_tui.pysource.syntax.walking import root_of
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
            is_protocol = any(last_name(base) == "Protocol" for base in nodes[-1].bases)
            changed = _members(nodes[-1], is_protocol) ^ _members(new[name], is_protocol)
            if changed and is_protocol:
                reason = f"{name} is a protocol: objects of other classes fit it as it was"
                yield Finding(path, new[name].lineno, "protocols", reason, sure=False)
            methods = {stmt.name for stmt in nodes[-1].body if isinstance(stmt, Function)} & {
                method for method, head in changed if head
            }
            public = sorted(method for method in methods if not method.startswith("_"))
            if public:
                yield from _passed(after, ClassValue(path, new[name]), public[0], foreign_calls)


def _members(node: ast.ClassDef, annotated: bool) -> set[tuple[str, str]]:
    """The members of a class, of methods with their parameters; without annotations, which no call sees,
    unless they are asked for."""
    out = {(ast.unparse(stmt.target), "") for stmt in node.body if isinstance(stmt, ast.AnnAssign)}
    for method in node.body:
        if isinstance(method, Function):
            head = [*map(ast.unparse, method.decorator_list)]
            head.append(ast.unparse(method.args) if annotated else _parameters(method.args))
            out.add((method.name, " ".join([type(method).__name__, *head])))
    return out


def _parameters(args: ast.arguments) -> str:
    """The names of parameters, by how they are passed and whether they have defaults."""
    groups = (args.posonlyargs, args.args, args.kwonlyargs, [args.vararg], [args.kwarg])
    names = [[item.arg if item is not None else "" for item in group] for group in groups]
    return f"{names} {len(args.defaults)} {[default is None for default in args.kw_defaults]}"


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
    scopes, root = repo.index.scopes(path), root_of(call.func, ast.Attribute)
    use = scopes.by_node.get(root)
    if use is None or use.name not in scopes.names_of_imports or last_name(call.func) in _CALL_NO_METHOD:
        return False
    imported = all(binding.role is Role.IMPORT for binding in scopes.resolve(use).bindings or [use])
    return imported and FOREIGN in repo.infer.values(path, call.func, scopes.scope_at[call])
