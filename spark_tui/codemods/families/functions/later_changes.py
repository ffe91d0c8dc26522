"""What a function still changes of an item after it is yielded."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain

from spark_tui.codemods.uses.cached_results import fills
from spark_tui.pysource.names.scopes import Role
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import walk


def later_changes(repo: Repository, source: Source, node: Function, item: ast.expr) -> dict[str, int]:
    """The variables that are changed after an item is yielded, or that it reads then, with the lines."""
    scopes, out = repo.index.scopes(source.path), dict[str, int]()
    around = [one for one in source.ancestors(item) if isinstance(one, ast.For | ast.While)]
    for name in _held(item):
        variable, end = scopes.resolve(scopes.by_node[name]), source.span(item)[1]
        bound = {one.node for one in variable.bindings}
        again = {inner for loop in around if bound.isdisjoint(walk(loop)) for inner in walk(loop)}
        for one in variable.loads:
            if (one.span[0] > end or one.node in again) and _is_changed(source, one.node):
                out[name.id] = source.line_number(one.span[0])
    for lazy in (one for one in walk(item) if isinstance(one, ast.Lambda | ast.GeneratorExp)):
        for known in (scopes.by_node[one] for one in walk(lazy) if one in scopes.by_node):
            variable = scopes.resolve(known)
            given = all(one.role is Role.PARAMETER for one in variable.bindings)
            if variable.scope is scopes.scope_of[node] and not given:
                out[variable.name] = item.lineno
    return out


def _is_changed(source: Source, node: ast.AST) -> bool:
    """Whether an object, or what is in it, is changed where a name stands."""
    for below, outer in source.climb(node):
        if not isinstance(outer, ast.Attribute | ast.Subscript) or outer.value is not below:
            called = isinstance(outer, ast.Call) and outer.func is below and below is not node
            return called and isinstance(source.parents.get(outer), ast.Expr)
        if not isinstance(outer.ctx, ast.Load) or fills(source, outer):
            return True
    return False


def _held(item: ast.expr) -> Iterator[ast.Name]:
    """The variables whose objects are in an item."""
    match item:
        case ast.Name():
            yield item
        case ast.Tuple(parts) | ast.List(parts) | ast.Set(parts) | ast.Dict(values=parts):
            yield from chain.from_iterable(map(_held, parts))
        case ast.Call(args=parts, keywords=named) if last_name(item.func)[:1].isupper():
            yield from chain.from_iterable(map(_held, [*parts, *(one.value for one in named)]))
