"""The opposite of a condition, as a person would write it."""

from __future__ import annotations

import ast

from spark_tui.pysource.syntax.signs import OPPOSITE, SIGNS

_LOOSER = (ast.NamedExpr, ast.IfExp, ast.Lambda, ast.BoolOp, ast.Compare, ast.Yield, ast.YieldFrom)
"""What binds less closely than a comparison, or would become one link of a chain."""


def negate_code(code: str) -> str:
    """The condition that holds when another one does not: `x < 1` is `x >= 1`, `not x` is `x`, and
    `not x or y < 1` is `x and y >= 1`."""
    code = code.strip()
    tree = ast.parse(f"({code}\n)", mode="eval").body
    text = f"({code}\n)"
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1:
        left, right = (_part(text, item, _LOOSER) for item in (tree.left, tree.comparators[0]))
        return f"{left} {SIGNS[OPPOSITE[type(tree.ops[0])]]} {right}"
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        return _part(text, tree.operand, (ast.NamedExpr,))
    if isinstance(tree, ast.BoolOp) and all(map(_is_turned, tree.values)):
        parts = (negate_code(_part(text, item)) for item in tree.values)
        return (" and " if isinstance(tree.op, ast.Or) else " or ").join(parts)
    kinds = ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Constant
    return f"not {code}" if isinstance(tree, kinds) else f"not ({code})"


def _part(text: str, node: ast.expr, looser: tuple[type[ast.expr], ...] = ()) -> str:
    """The code of a part, in brackets where it needs them to stand by itself or to stay one operand."""
    code = ast.get_source_segment(text, node) or ""
    return f"({code})" if isinstance(node, looser) or "\n" in code else code


def _is_turned(node: ast.expr) -> bool:
    """Whether the opposite is as short, and binds at least as closely as `not`."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return isinstance(node.operand, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Compare)
    return isinstance(node, ast.Compare) and len(node.ops) == 1
