"""The builtin types of what expressions give, as far as their form tells."""

from __future__ import annotations

import ast

from spark_tui.pysource.inference.known_types import BUILTIN_TYPES, DISPLAYS
from spark_tui.pysource.source import Source, parameters

_GIVEN = {"len": "int", "sorted": "list", "repr": "str"} | {name: name for name in BUILTIN_TYPES}


def plain_type(source: Source, node: ast.expr | None) -> str:
    """The builtin type of what an expression gives; empty where that is not known."""
    match node:
        case ast.Constant(value) if value is not ...:
            return "None" if value is None else type(value).__name__
        case ast.UnaryOp(ast.USub(), operand):
            return plain_type(source, operand)
        case ast.Call(ast.Name(name)):
            return _GIVEN.get(name, "")
        case ast.Name(name):
            function = source.function_of(node)
            hints = [one.annotation for one in parameters(function) if one.arg == name] if function else []
            shown = ast.unparse(hints[0]) if hints and hints[0] is not None else ""
            return shown if shown in _GIVEN.values() else ""
    return DISPLAYS.get(type(node), "")


def joined_type(kinds: set[str], old: bool) -> str:
    """One type for several; empty where one of them is not known, or there is none."""
    some = kinds - {"None"}
    if {"int", "float"} == some:
        some = {"float"}
    if "" in kinds or len(some) != 1 or (old and "None" in kinds):
        return ""
    return f"{some.pop()} | None" if "None" in kinds else some.pop()
