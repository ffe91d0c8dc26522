"""The signs of Python's operators, and what becomes of a comparison that is turned round or denied."""

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
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitOr: "|",
    ast.BitAnd: "&",
    ast.BitXor: "^",
}
_PAIRS = ((ast.Lt, ast.GtE), (ast.Gt, ast.LtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn))
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {**dict(_PAIRS), **{two: one for one, two in _PAIRS}}
MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}
"""What holds with the two sides exchanged."""
TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""The sign that asks for the other side of a bound."""
OTHER_BOUND = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
"""The sign that takes the bound itself, or no longer does."""
