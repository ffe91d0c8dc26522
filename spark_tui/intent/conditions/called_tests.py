"""Tests by a function of the file, said as if it were a kind of thing: *to isn't a valid_address*."""

from __future__ import annotations

import ast

from spark_tui.intent.context.anchors import parsed
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes, names_in

_OTHER = (ast.NotEq, ast.IsNot)


def _asks(source: Source, function: Function) -> bool:
    """Whether a function says yes or no."""
    results = source.returned(function) or ()
    told = (ast.Compare, ast.BoolOp)
    return bool(results) and all(
        isinstance(one, told)
        or (isinstance(one, ast.Constant) and isinstance(one.value, bool))
        or (isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.Not))
        for one in results
    )


def as_called(test: str, source: Source) -> str:
    """The test with the call of a function with which something would be compared."""
    node = parsed(test)
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], (ast.Eq, ast.Is, *_OTHER)):
        return test
    asked, name = ast.unparse(node.left), ast.unparse(node.comparators[0])
    plain = (one for one in source.functions if source.class_of(one) is None)
    known = any(one.name == name and len(parameters(one)) == 1 and _asks(source, one) for one in plain)
    denied = "not " if isinstance(node.ops[0], _OTHER) else ""
    return f"{denied}{name}({asked})" if known and len(node.ops) == 1 else test


def as_called_there(test: str, around: ast.AST, source: Source) -> str:
    """The truth of a function of the file, as that of what it gives: the only call of it in a function,
    if only its parameters are given to it, and the result has no name."""
    node = parsed(test)
    name = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else node
    if not isinstance(around, Function) or not isinstance(name, ast.Name):
        return test
    given = {one.arg for one in parameters(around)}
    own = [one for one in source.functions if source.class_of(one) is None]
    if name.id in given or not any(one.name == name.id for one in own):
        return test
    calls = [one for one in find_nodes(around, ast.Call) if ast.unparse(one.func) == name.id]
    named = {id(one.value) for one in find_nodes(around, ast.Assign)}
    texts = {ast.unparse(one) for one in calls}
    if (
        len(texts) != 1
        or any(id(one) in named for one in calls)
        or not names_in(calls[0]) <= {*given, name.id}
    ):
        return test
    return test.replace(name.id, texts.pop())
