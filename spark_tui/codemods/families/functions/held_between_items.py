"""What a generator does only when its items are asked for, and what it holds until then."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.plan import Unfollowed
from spark_tui.codemods.uses.cached_results import fills
from spark_tui.pysource.names.scopes import Scopes
from spark_tui.pysource.names.type_hints import called_name, last_name, names_within
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.parsing import receiver
from spark_tui.pysource.syntax.walking import root_name

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
