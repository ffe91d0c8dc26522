"""Conditions that fail for the default of a parameter: None is neither less nor more than anything."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import ORDERED, find_nodes, names_in, walk


def exclude_none_defaults(owner: ast.AST, condition: str) -> str:
    """A condition that compares parameters by size or asks what they are, for those that are not None as by
    default."""
    tree = ast.parse(condition, mode="eval").body
    if not isinstance(owner, Function) or not (_is_ordered(tree) or _is_asked(tree)):
        return condition
    compared = names_in(tree)
    optional = [item for item in _none_by_default(owner) if item in compared]
    return " and ".join([*(f"{item} is not None" for item in optional), condition])


def _is_ordered(tree: ast.expr) -> bool:
    return isinstance(tree, ast.Compare) and any(isinstance(item, ORDERED) for item in tree.ops)


def _is_asked(tree: ast.expr) -> bool:
    """Whether a call tells something of a value which does not hold, or cannot be asked, of None."""
    denied = isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not)
    call = tree.operand if isinstance(tree, ast.UnaryOp) and denied else tree
    return isinstance(call, ast.Call) and (denied or isinstance(call.func, ast.Attribute))


def doubts_of_default(owner: ast.AST | None, condition: str) -> Iterator[str]:
    """That an error is raised for the default of a parameter; for None, where it is empty, only if the
    function does without it."""
    whole = ast.parse(condition, mode="eval").body
    parts = whole.values if isinstance(whole, ast.BoolOp) and isinstance(whole.op, ast.Or) else [whole]
    for name in _given(owner) if isinstance(owner, Function) else ():
        default = default_of(owner, name) if isinstance(owner, Function) else None
        if isinstance(default, ast.Name | ast.Attribute) and any(_asks_empty(one, name) for one in parts):
            yield assumed(f"{name} is {ast.unparse(default)} by default, which was assumed not to be empty")
        if not isinstance(default, ast.Constant) or not any(
            _holds(one, name, default.value) for one in parts
        ):
            continue
        asked = [node.test for node in walk(owner) if isinstance(node, ast.If | ast.IfExp)]
        asked += list(find_nodes(owner, ast.BoolOp))
        if default.value is not None or any(name in names_in(test) for test in asked):
            yield assumed(f"{name} is {default.value!r} by default, and was assumed to be missing then")


def _asks_empty(test: ast.expr, name: str) -> bool:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=asked)):
            return asked == name
    return False


def _holds(test: ast.expr, name: str, value: object) -> bool:
    """Whether it is asked if a name is empty, or is or is beyond a literal, and that holds for a value."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=asked)):
            return asked == name and not value
        case ast.Compare(left=ast.Name(id=asked), ops=[sign], comparators=[ast.Constant(value=other)]):
            if isinstance(sign, ast.Is | ast.Eq | ast.LtE | ast.GtE) and value == other:
                return asked == name
            if isinstance(value, int | float) and isinstance(other, int | float):
                below = isinstance(sign, ast.Lt | ast.LtE) and value < other
                return asked == name and (below or (isinstance(sign, ast.Gt | ast.GtE) and value > other))
    return False


def _given(owner: Function) -> list[str]:
    return [parameter.arg for parameter in parameters(owner)]


def _none_by_default(owner: Function) -> list[str]:
    given = {name: default_of(owner, name) for name in _given(owner)}
    return [name for name, value in given.items() if isinstance(value, ast.Constant) and value.value is None]
