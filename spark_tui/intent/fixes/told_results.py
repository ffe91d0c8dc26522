"""A fix of a formula by what it gives: the numbers that are said tell which constant of it is wrong."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import permutations

from spark_tui.intent.building.building import Built
from spark_tui.intent.fixes.seen_error import SeenError
from spark_tui.pysource.source import Function, parameters

_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_MOST_NUMBERS = 6
_NEAR = 1e-6


def told_results(at: SeenError) -> Iterator[Built]:
    """`c * 9 / 5 + 30`, of 37 it is 96.6 and not 98.6: 32; `month // 3 + 1`, of 3 it is 2: `(month - 1)`."""
    words = [
        float(item) for item in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", at.context.situation.instruction)
    ]
    if not isinstance(at.root, Function) or len(parameters(at.root)) != 1 or len(words) > _MOST_NUMBERS:
        return
    name = parameters(at.root)[0].arg
    for result in [node.value for node in at.nodes(ast.Return) if node.value is not None]:
        if not isinstance(result, ast.BinOp):
            continue
        for given, wrong in permutations(dict.fromkeys(words), 2):
            if not _is_near(_evaluated(result, name, given), wrong):
                continue
            for right in (item for item in dict.fromkeys(words) if item not in (given, wrong)):
                if (built := _other_constant(at, result, right - wrong)) is not None:
                    yield replace(built, doubts=("the constant was reckoned from the numbers",))
                    return
            if isinstance(result.left, ast.BinOp) and isinstance(result.left.op, ast.FloorDiv):
                inner = result.left.left
                if isinstance(inner, ast.Name) and isinstance(result.op, ast.Add):
                    yield at.swap(inner, f"({inner.id} - 1)", 0.9)
                    return


def _other_constant(at: SeenError, result: ast.BinOp, more: float) -> Built | None:
    """The formula with another number at its end."""
    last = result.right
    if not isinstance(result.op, ast.Add | ast.Sub) or not isinstance(last, ast.Constant):
        return None
    if not isinstance(last.value, int | float):
        return None
    new = last.value + (more if isinstance(result.op, ast.Add) else -more)
    return at.swap(last, f"{new:.6g}", 0.95)


def _is_near(one: float | None, two: float) -> bool:
    return one is not None and abs(one - two) < _NEAR


def _evaluated(node: ast.expr, name: str, given: float) -> float | None:
    """The value of a formula of one name; None where it is anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value
    if isinstance(node, ast.Name):
        return given if node.id == name else None
    if isinstance(node, ast.BinOp) and (act := _OPERATORS.get(type(node.op))) is not None:
        left, right = _evaluated(node.left, name, given), _evaluated(node.right, name, given)
        if left is None or right is None:
            return None
        try:
            return act(left, right)
        except (ArithmeticError, ValueError):
            return None
    return None
