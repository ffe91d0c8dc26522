"""The opposite of a condition, as a person would write it."""

from __future__ import annotations

import ast
import re

from spark_tui.pysource.source import Source, parameters
from spark_tui.pysource.syntax.signs import OPPOSITE, SIGNS
from spark_tui.pysource.syntax.walking import ORDERED, find_nodes, walk

_LOOSER = (ast.NamedExpr, ast.IfExp, ast.Lambda, ast.BoolOp, ast.Compare, ast.Yield, ast.YieldFrom)
"""What binds less closely than a comparison, or would become one link of a chain."""

_PARTLY_ORDERED = re.compile(r"(?i)float|decimal|(?<![\w.])(?:frozen)?set\b|(?<![\w.])\d*\.\d|(?:^|\s)\{")


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


def negated_test(source: Source, node: ast.If) -> str:
    """The opposite of the condition of an `if`: with `not` where it compares what may be neither less nor
    more."""
    test = source.segment(node.test)
    if isinstance(node.test, ast.UnaryOp) or not _is_partly_ordered(source, node):
        return negate_code(test)
    return f"not {test}" if isinstance(node.test, ast.Compare) else f"not ({test})"


def _is_partly_ordered(source: Source, node: ast.If) -> bool:
    """Numbers with a point may be no number, and of two sets none may hold the other."""
    function = source.function_of(node)
    taken = parameters(function) if function is not None else []
    kinds = {one.arg: ast.unparse(one.annotation) for one in taken if one.annotation is not None}
    for one in walk(function or source.tree):
        if isinstance(one, ast.Assign):
            kinds |= {ast.unparse(target): ast.unparse(one.value) for target in one.targets}
        elif isinstance(one, ast.AnnAssign):
            kinds[ast.unparse(one.target)] = ast.unparse(one.annotation)
    compared = (one for one in find_nodes(node.test, ast.Compare) if isinstance(one.ops[0], ORDERED))
    sides = [side for one in compared for side in (one.left, *one.comparators)]
    shown = (f"{ast.unparse(side)} {kinds.get(ast.unparse(side), '')}" for side in sides)
    return any(map(_PARTLY_ORDERED.search, shown))


def _part(text: str, node: ast.expr, looser: tuple[type[ast.expr], ...] = ()) -> str:
    """The code of a part, in brackets where it needs them to stand by itself or to stay one operand."""
    code = ast.get_source_segment(text, node) or ""
    return f"({code})" if isinstance(node, looser) or "\n" in code else code


def _is_turned(node: ast.expr) -> bool:
    """Whether the opposite is as short, and binds at least as closely as `not`."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return isinstance(node.operand, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Compare)
    return isinstance(node, ast.Compare) and len(node.ops) == 1
