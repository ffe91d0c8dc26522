"""The opposite of a condition, as a person would write it."""

from __future__ import annotations

import ast

SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
_PAIRS = ((ast.Lt, ast.GtE), (ast.Gt, ast.LtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn))
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {**dict(_PAIRS), **{two: one for one, two in _PAIRS}}


def negate_code(code: str) -> str:
    """The condition that holds when another one does not: `x < 1` is `x >= 1`, `not x` is `x`."""
    code = code.strip()
    tree = ast.parse(f"({code}\n)", mode="eval").body
    text = f"({code}\n)"
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1:
        left, right = (ast.get_source_segment(text, item) for item in (tree.left, tree.comparators[0]))
        return f"{left} {SIGNS[OPPOSITE[type(tree.ops[0])]]} {right}"
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        return ast.get_source_segment(text, tree.operand) or code
    kinds = ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Constant
    return f"not {code}" if isinstance(tree, kinds) else f"not ({code})"
