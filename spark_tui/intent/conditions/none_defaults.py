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


def doubts_of_none_default(owner: ast.AST | None, condition: str) -> Iterator[str]:
    """That an error is raised for a parameter that is empty, and so for None as by default, although the
    function does without it."""
    tree = ast.parse(condition, mode="eval").body
    name = tree.operand.id if isinstance(tree, ast.UnaryOp) and isinstance(tree.operand, ast.Name) else ""
    if not isinstance(owner, Function) or name not in _none_by_default(owner):
        return
    asked = [node.test for node in walk(owner) if isinstance(node, ast.If | ast.IfExp)]
    asked += list(find_nodes(owner, ast.BoolOp))
    if any(name in names_in(test) for test in asked):
        yield assumed(f"{name} is None by default, and was assumed to be missing then")


def _none_by_default(owner: Function) -> list[str]:
    given = {parameter.arg: default_of(owner, parameter.arg) for parameter in parameters(owner)}
    return [name for name, value in given.items() if isinstance(value, ast.Constant) and value.value is None]
