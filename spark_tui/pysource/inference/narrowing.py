"""What a name stands for where `isinstance` has been asked: `isinstance(other, Point) and other.x`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.pysource.inference.inferring import Inferring
from spark_tui.pysource.inference.values import ClassValue, Values, instances
from spark_tui.pysource.names.scopes import Scope
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import LEAVING


def narrowed(infer: Inferring, path: str, name: ast.Name, scope: Scope) -> Values:
    """The objects of the classes that a name of one binding was tested for; empty where it was for none, or
    for others than those of the repository."""
    scopes = infer.index.scopes(path)
    use = scopes.by_node.get(name) if name.id in scopes.names_tested else None
    if use is None or len(scopes.resolve(use).bindings) != 1:
        return ()
    for kind in _tested(scopes.source, name):
        found = infer.values(path, kind, scope)
        if all(isinstance(one, ClassValue) for one in found):
            return instances(found)
    return ()


def _tested(source: Source, name: ast.Name) -> Iterator[ast.expr]:
    """The classes that hold for a name where it stands, the nearest first."""
    for below, at in source.climb(name):
        if isinstance(at, ast.BoolOp) and isinstance(at.op, ast.And):
            for one in at.values[: at.values.index(below)] if below in at.values else ():
                yield from _asked(one, name.id)
        if isinstance(at, ast.If | ast.While | ast.IfExp) and below in _suite(at.body):
            yield from _asked(at.test, name.id)
        suite = source.suite(below) if isinstance(below, ast.stmt) else []
        for stmt in suite[: suite.index(below)] if below in suite else ():
            if isinstance(stmt, ast.If) and isinstance(stmt.body[-1], LEAVING) and not stmt.orelse:
                match stmt.test:
                    case ast.UnaryOp(op=ast.Not(), operand=test):
                        yield from _asked(test, name.id)
        if isinstance(at, Function | ast.Lambda | ast.ClassDef):
            return


def _suite(body: ast.expr | list[ast.stmt]) -> list[ast.stmt] | list[ast.expr]:
    return [body] if isinstance(body, ast.expr) else body


def _asked(test: ast.expr, name: str) -> Iterator[ast.expr]:
    """The class of which a name is an object where a test holds."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for one in test.values:
            yield from _asked(one, name)
    match test:
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=asked), kind]) if asked == name:
            yield kind
