"""Literals: whether one is a text or None, and the type of an expression whose form tells it."""

from __future__ import annotations

import ast
import codecs

from spark_tui.intent.words import phrases


def is_text(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def is_none(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def literal_type(node: ast.expr | None) -> str:
    """The type of an expression, where its form tells it."""
    if isinstance(node, ast.Constant):
        return type(node.value).__name__ if node.value is not None else "None"
    kinds: dict[type[ast.AST], str] = {
        ast.JoinedStr: "str",
        ast.List: "list",
        ast.ListComp: "list",
        ast.Dict: "dict",
        ast.DictComp: "dict",
        ast.Set: "set",
        ast.SetComp: "set",
        ast.Tuple: "tuple",
        ast.Compare: "bool",
    }
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return "bool"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return str(phrases.table()["call_types"].get(node.func.id, ""))
    return kinds.get(type(node), "") if node is not None else ""


def is_codec(text: str) -> bool:
    """Whether a text is the name of an encoding."""
    try:
        codecs.lookup(text)
    except (LookupError, ValueError):
        return False
    return True
