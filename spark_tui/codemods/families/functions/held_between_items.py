"""What a generator does only when its items are asked for, what it holds until then, and what it still
changes of an item after it is yielded."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain

from spark_tui.codemods.plan import Unfollowed
from spark_tui.codemods.uses.cached_results import fills
from spark_tui.pysource.names.scopes import Role, Scopes
from spark_tui.pysource.names.type_hints import called_name, last_name, names_within
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.parsing import receiver
from spark_tui.pysource.syntax.walking import root_name, walk

_CHAIN = (ast.Attribute, ast.Subscript)


def kept_open(source: Source, node: Function) -> Iterator[Unfollowed]:
    """What a generator holds until its last item is asked for: contexts other than files, and `finally`."""
    for one in source.own_nodes(node):
        items = one.items if isinstance(one, ast.With) else []
        for item in items:
            if called_name(item.context_expr) != "open":
                shown = ast.unparse(item.context_expr).splitlines()[0]
                yield Unfollowed(source.path, item.context_expr.lineno, f"{shown} is held between the items")
        caught = [each.type for each in one.handlers] if isinstance(one, ast.Try) else []
        if isinstance(one, ast.Try) and any(
            each is None or last_name(each) == "BaseException" for each in caught
        ):
            reason = "it also catches what ends the generator between two items"
            yield Unfollowed(source.path, one.lineno, reason)
        if isinstance(one, ast.Try) and one.finalbody:
            reason = "what finally does waits until the last item is asked for"
            yield Unfollowed(source.path, one.lineno, reason)
        if isinstance(one, ast.Call) and called_name(one) == "next" and len(one.args) == 1:
            tries = [each for each in source.ancestors(one) if isinstance(each, ast.Try)]
            if not any("StopIteration" in names_within(*each.handlers) for each in tries):
                reason = "where next finds nothing more, a generator raises RuntimeError"
                yield Unfollowed(source.path, one.lineno, reason)


def functions_named(scopes: Scopes, name: str) -> list[Function]:
    """The functions and methods of a file that have a name."""
    return [one.node for one in scopes.by_name.get(name, ()) if isinstance(one.node, Function)]


def acts(
    repo: Repository, source: Source, node: Function, *, wide: bool, seen: set[Function]
) -> ast.stmt | None:
    """A statement that does more than to work on names of the function, by itself or by a function of the
    file, or that `wide` calls a method of the object."""
    scopes = repo.index.scopes(source.path)
    seen.add(node)
    this = {receiver(node)} if source.class_of(node) is not None else set()
    given = {one.arg for one in parameters(node)}
    own = scopes.scope_of[node].bound - given
    for one in source.own_nodes(node):
        targets: list[ast.AST] = []
        match one:
            case ast.Global() | ast.Nonlocal() | ast.Delete():
                return one
            case ast.Expr(value=ast.Call(func=called)):
                targets = [called]
            case ast.Assign(targets=held):
                targets = [part for part in held if isinstance(part, ast.Attribute | ast.Subscript)]
            case ast.AugAssign(target=ast.Attribute() | ast.Subscript() as part):
                targets = [part]
            case ast.Attribute() if fills(source, one):
                targets = [one]
            case ast.Call(func=ast.Name(id=name)) if name in given:
                return source.statement(one)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) if wide and name in this:
                return source.statement(one)
            case ast.Call(func=called) if isinstance(called, ast.Name) or root_name(called, *_CHAIN) in this:
                inner = [each for each in functions_named(scopes, last_name(called)) if each not in seen]
                if any(acts(repo, source, each, wide=False, seen=seen) for each in inner):
                    return source.statement(one)
        if any(root_name(part, *_CHAIN) not in own for part in targets):
            return source.statement(one)
    return None


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
