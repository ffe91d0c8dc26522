"""Whether an expression is a whole number, as far as some code around it tells."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from spark_tui.pysource.syntax.walking import walk_each

_GIVING = ("floor", "ceil", "count", "index", "find", "bit_length")
"""Methods that give whole numbers."""


def is_whole(around: Sequence[ast.AST], node: ast.expr | None, depth: int = 3) -> bool | None:
    """Whether an expression is a whole number; None where that is not known."""
    parts: list[ast.expr] = []
    match node:
        case ast.Constant(value):
            return type(value) is int
        case ast.Call(ast.Name("len" | "int" | "ord")) | ast.Subscript(ast.Attribute(_, "shape")):
            return True
        case ast.Call(ast.Name("round"), args):
            return len(args) == 1 or None
        case ast.Call(ast.Attribute(_, name)):
            return name in _GIVING or None
        case ast.Call(ast.Name("min" | "max" | "abs"), args) if (
            len(args) > 1 or ast.unparse(node.func) == "abs"
        ):
            parts = args
        case ast.BinOp(_, ast.Div(), _):
            return False
        case ast.BinOp(left, _, right):
            parts = [left, right]
        case ast.UnaryOp(ast.USub(), operand):
            parts = [operand]
        case ast.Name(name) if depth:
            return _is_whole_name(around, name, depth)
        case _:
            return None
    known = [is_whole(around, part, depth) for part in parts]
    return False if False in known else None if None in known else True


def _is_whole_name(around: Sequence[ast.AST], name: str, depth: int) -> bool | None:
    """The same of a name: by the type of a parameter, by a use in `range`, or by all that it is set to."""
    values: list[ast.expr] = []
    stores = 0
    for node in walk_each(around):
        match node:
            case ast.arg(arg, ast.Name("int" | "float" as hint)) if arg == name:
                return hint == "int"
            case ast.arg(arg) if arg == name:
                return None
            case ast.Call(ast.Name("range"), args) if name in map(ast.unparse, args):
                return True
            case ast.AugAssign(ast.Name(target), _, value) if target == name:
                values.append(value)
            case ast.Assign([ast.Name(target)], value) if target == name:
                values.append(value)
            case ast.Assign([ast.Tuple(names)], ast.Tuple(items)) if len(names) == len(items):
                pairs = zip(names, items, strict=True)
                values += [item for one, item in pairs if isinstance(one, ast.Name) and one.id == name]
            case ast.Name(target, ast.Store()) if target == name:
                stores += 1
    known = [is_whole(around, value, depth - 1) for value in values]
    return None if not stores or len(known) < stores or None in known else False not in known
