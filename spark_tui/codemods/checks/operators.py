"""Operators whose values they do not take, or that never hold."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from spark_tui.codemods.checks.value_kinds import ValueKind
from spark_tui.pysource.syntax.walking import ORDERED

_NO_TEXT = (
    *(ValueKind.NUMBER, ValueKind.TRUTH, ValueKind.NONE),
    *(ValueKind.LIST, ValueKind.TUPLE, ValueKind.DICT, ValueKind.SET, ValueKind.VIEW, ValueKind.ITERATOR),
)
"""What cannot be added to a text."""
_UNLIKE = (ValueKind.NUMBER, ValueKind.TEXT, ValueKind.LIST, ValueKind.TUPLE, ValueKind.DICT, ValueKind.SET)
"""Kinds of which no two have equal values."""
_EXAMPLES: dict[ValueKind, object] = {
    ValueKind.TEXT: "",
    ValueKind.LIST: [],
    ValueKind.TUPLE: (),
    ValueKind.DICT: {},
    ValueKind.SET: set(),
}
COMPARING = (*ORDERED, ast.Eq, ast.NotEq)


def uses_of_text(
    node: ast.AST, kind: Callable[[ast.expr], ValueKind | None]
) -> Iterator[tuple[ast.expr, str]]:
    """Operators that a text does not take, or not with a value of another kind."""
    match node:
        case ast.BinOp(left, ast.Add(), right) | ast.AugAssign(left, ast.Add(), right):
            kinds = kind(left), kind(right)
            if ValueKind.TEXT in kinds and (other := next((one for one in kinds if one in _NO_TEXT), None)):
                yield left, f"{ast.unparse(node)} adds a text and {other.value}"
            elif {*kinds} <= {*_UNLIKE} and kinds[0] is not kinds[1]:
                grown = isinstance(node, ast.AugAssign) and kinds[0] is ValueKind.LIST  # by any items
                if not grown or kinds[1] is ValueKind.NUMBER:
                    yield left, f"{ast.unparse(node)} adds {' and '.join(one.value for one in kinds if one)}"
        case ast.BinOp(left=left, op=ast.Sub() | ast.Div() | ast.FloorDiv() | ast.Pow(), right=right):
            kinds = kind(left), kind(right)
            # What is not known may take a text: `folder / "a.txt"`, `word - "end"`.
            sure = None not in kinds or (kinds[0] is ValueKind.TEXT and not isinstance(left, ast.Constant))
            if sure and ValueKind.TEXT in kinds:
                yield left, f"{ast.unparse(node)} takes no text"
        case ast.UnaryOp(op=op, operand=value) if not isinstance(op, ast.Not):
            if (found := kind(value)) in _UNLIKE and found is not ValueKind.NUMBER:
                yield value, f"{ast.unparse(node)} takes no {found.value.removeprefix('a ')}"
        case ast.FormattedValue(value, -1, ast.JoinedStr([ast.Constant(str(form))])):
            if (
                (found := kind(value)) is not None
                and found in _EXAMPLES
                and not takes_format(_EXAMPLES[found], form)
            ):
                yield value, f"{ast.unparse(value)} is {found.value}, which takes no format {form}"
        case ast.Compare(left=left, ops=ops, comparators=values):
            for sign, pair in zip(ops, pairwise((left, *values)), strict=True):
                sides = [one.value for one in map(kind, pair) if one in _UNLIKE]
                if isinstance(sign, COMPARING) and len({*sides}) == 2:
                    yield pair[0], f"{ast.unparse(node)} compares {' and '.join(sides)}"


def takes_format(example: object, form: str) -> bool:
    """Whether an f-string can show a value like that in a format: a text takes no `d`."""
    try:
        format(example, re.sub(r"\d+", "1", form))  # a width of a billion would really be padded
    except (ValueError, TypeError):
        return False
    return True


def never_holds(test: ast.Compare) -> bool:
    """Whether a value would have to lie between a number and one that is no higher."""
    match test:
        case ast.Compare(left=ast.Constant(value=int(low) | float(low)), ops=[first, second]) if isinstance(
            first, ast.Lt | ast.LtE
        ) and isinstance(second, ast.Lt | ast.LtE):
            high = test.comparators[1]
            if isinstance(high, ast.Constant) and isinstance(high.value, int | float):
                both = isinstance(first, ast.LtE) and isinstance(second, ast.LtE)
                return low > high.value or (low == high.value and not both)
    return False
