"""Slips in tests and sums: a sign, a side, a bracket, a `not`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.slips.place import Place, Slip, finder, in_brackets
from spark_tui.pysource.syntax.signs import OPERATORS, SIGNS

_OTHER_SIGNS: dict[str, tuple[tuple[str, float], ...]] = {
    "<": (("<=", 1.0), (">", 0.5), (">=", 0.4), ("!=", 0.2)),
    ">": ((">=", 1.0), ("<", 0.5), ("<=", 0.4), ("!=", 0.2)),
    "<=": (("<", 1.0), (">=", 0.5), (">", 0.4), ("==", 0.2)),
    ">=": ((">", 1.0), ("<=", 0.5), ("<", 0.4), ("==", 0.2)),
    "==": (("!=", 0.6), (">=", 0.3), ("<=", 0.3), (">", 0.2), ("<", 0.2), ("in", 0.15)),
    "!=": (("==", 0.6), (">", 0.2), ("<", 0.2), ("not in", 0.15)),
    "in": (("not in", 0.5), ("==", 0.4)),
    "not in": (("in", 0.5), ("!=", 0.4)),
    "is": (("is not", 0.5), ("==", 0.5)),
    "is not": (("is", 0.5), ("!=", 0.5)),
}
_OTHER_OPERATORS: dict[str, tuple[tuple[str, float], ...]] = {
    "+": (("-", 0.7), ("*", 0.3)),
    "-": (("+", 0.7), ("/", 0.1)),
    "*": (("/", 0.4), ("**", 0.3), ("+", 0.3)),
    "/": (("//", 0.7), ("*", 0.4)),
    "//": (("/", 0.7), ("%", 0.4)),
    "%": (("//", 0.5), ("/", 0.2)),
    "**": (("*", 0.5),),
    "&": (("|", 0.6), ("-", 0.4), ("^", 0.2)),
    "|": (("&", 0.6), ("^", 0.2)),
    "^": (("&", 0.5), ("|", 0.5)),
    "<<": ((">>", 0.6),),
    ">>": (("<<", 0.6),),
}
_NOT_ALIKE = ("-", "/", "//", "%", "**", "+", "<<", ">>")
_LOOSE = (ast.Add, ast.Sub)


@finder
def other_sign(place: Place) -> Iterator[Slip]:
    for node in place.all(ast.Compare):
        sides = [node.left, *node.comparators]
        for at, op in enumerate(node.ops):
            low, high = place.source.span(sides[at])[1], place.source.span(sides[at + 1])[0]
            between, sign = place.source.text[low:high], SIGNS[type(op)]
            for other, weight in _OTHER_SIGNS[sign]:
                yield Slip(((low, high, between.replace(sign, other, 1)),), weight)
    for node in place.all(ast.Compare):
        for side in (node.left, *node.comparators):
            if isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE | ast.Eq | ast.NotEq):
                yield from _one_off(place, side, 0.2)


def _one_off(place: Place, node: ast.expr, weight: float) -> Iterator[Slip]:
    if not isinstance(node, ast.Constant | ast.JoinedStr):
        code = in_brackets(place.code(node), node) if not isinstance(node, ast.BinOp) else place.code(node)
        yield from place.swap(node, f"{code} + 1", weight)
        yield from place.swap(node, f"{code} - 1", weight)


@finder
def alike_signs(place: Place) -> Iterator[Slip]:
    """The same slip in all parts of a test: `a <= b and c <= d`."""
    tests: list[ast.BoolOp | ast.Compare] = [*place.all(ast.BoolOp), *place.all(ast.Compare)]
    for node in tests:
        parts = node.values if isinstance(node, ast.BoolOp) else []
        pairs = [(one.left, one.ops[0], one.comparators[0]) for one in parts if isinstance(one, ast.Compare)]
        if isinstance(node, ast.Compare) and len(node.ops) > 1:
            sides = [node.left, *node.comparators]
            pairs = list(zip(sides, node.ops, sides[1:], strict=False))
        text = place.source.text
        for sign in dict.fromkeys(SIGNS[type(op)] for _, op, _ in pairs):
            spans = [
                (place.source.span(one)[1], place.source.span(two)[0])
                for one, op, two in pairs
                if SIGNS[type(op)] == sign
            ]
            for other, weight in _OTHER_SIGNS[sign] if len(spans) > 1 else ():
                changes = tuple((low, high, text[low:high].replace(sign, other, 1)) for low, high in spans)
                yield Slip(changes, 0.6 * weight)


@finder
def empty_for_none(place: Place) -> Iterator[Slip]:
    """A test of truth where zero and empty values count: `if x` for `if x is not None`."""
    tests = [*place.tests, *(one for node in place.all(ast.BoolOp) for one in node.values)]
    for test in tests:
        if isinstance(test, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
            yield from place.swap(test, f"{place.code(test)} is not None", 0.45)
        elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            inner = in_brackets(place.code(test.operand), test.operand)
            yield from place.swap(test, f"{inner} is None", 0.45)
    for either in place.all(ast.BoolOp):
        if isinstance(either.op, ast.Or) and len(either.values) == 2:
            one, two = place.code(either.values[0]), place.code(either.values[1])
            yield from place.swap(either, f"{one} if {one} is not None else {two}", 0.35)


@finder
def joined_tests(place: Place) -> Iterator[Slip]:
    """`and` for `or`, a part too much, or a missing bracket."""
    for node in place.all(ast.BoolOp):
        word, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        parts = [place.code(one) for one in node.values]
        yield from place.swap(node, f" {other} ".join(parts), 0.7 if len(parts) == 2 else 0.3)
        for at in range(len(parts)):
            rest = parts[:at] + parts[at + 1 :]
            yield from place.swap(node, f" {word} ".join(rest), 0.3)
        for at in range(len(parts) - 1 if len(parts) > 2 else 0):
            pair = f"({parts[at]} {other} {parts[at + 1]})"
            yield from place.swap(node, f" {word} ".join([*parts[:at], pair, *parts[at + 2 :]]), 0.4)
        inner = node.values[-1]
        if word == "or" and isinstance(inner, ast.BoolOp):
            first, *rest = [place.code(one) for one in inner.values]
            loose = " or ".join([*parts[:-1], first])
            yield from place.swap(node, " and ".join([f"({loose})", *rest]), 0.5)
        inner = node.values[0]
        if word == "or" and isinstance(inner, ast.BoolOp):
            *rest, last = [place.code(one) for one in inner.values]
            loose = " or ".join([last, *parts[1:]])
            yield from place.swap(node, " and ".join([*rest, f"({loose})"]), 0.5)


@finder
def negated(place: Place) -> Iterator[Slip]:
    for turned in place.all(ast.UnaryOp):
        if isinstance(turned.op, ast.Not | ast.USub):
            yield from place.swap(turned, place.code(turned.operand), 0.5)
    for test in place.tests:
        if not isinstance(test, ast.Compare | ast.UnaryOp):
            yield from place.swap(test, negate_code(place.code(test)), 0.4)


@finder
def other_operator(place: Place) -> Iterator[Slip]:
    for node in place.all(ast.BinOp):
        left, right = place.code(node.left), place.code(node.right)
        low, high = place.source.span(node.left)[1], place.source.span(node.right)[0]
        between, sign = place.source.text[low:high], OPERATORS.get(type(node.op), "")
        for other, weight in _OTHER_OPERATORS.get(sign, ()):
            if right not in ("0", "1"):
                yield Slip(((low, high, between.replace(sign, other, 1)),), weight)
        if sign in ("/", "//"):
            yield from _rounded(place, node, sign)
        if isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div | ast.FloorDiv | ast.Mod):
            for side, other_side in ((node.left, node.right), (node.right, node.left)):
                plain = isinstance(side, ast.Name | ast.Attribute | ast.Call)
                if plain and not isinstance(other_side, ast.Constant):
                    yield from place.swap(side, f"({place.code(side)} + 1)", 0.15)
                    yield from place.swap(side, f"({place.code(side)} - 1)", 0.15)
        if isinstance(node.op, ast.Pow) and isinstance(node.right, ast.Name | ast.Attribute):
            yield from place.swap(node.right, f"({right} - 1)", 0.4)
            yield from place.swap(node.right, f"({right} + 1)", 0.3)
        if sign in _NOT_ALIKE:
            one, two = in_brackets(right, node.right), in_brackets(left, node.left)
            yield from place.swap(node, f"{one} {sign} {two}", 0.4)
        yield from place.swap(node, left, 0.25)
        yield from place.swap(node, right, 0.15)
        yield from _other_brackets(place, node, sign)
    for augmented in place.all(ast.AugAssign):
        sign = OPERATORS.get(type(augmented.op), "")
        low, high = place.source.span(augmented.target)[1], place.source.span(augmented.value)[0]
        between = place.source.text[low:high]
        for other, weight in _OTHER_OPERATORS.get(sign, ()):
            yield Slip(((low, high, between.replace(sign, other, 1)),), weight)
        yield Slip(((low, high, between.replace(f"{sign}=", "=", 1)),), 0.3)


def _rounded(place: Place, node: ast.BinOp, sign: str) -> Iterator[Slip]:
    """A division that rounds to the nearest or upwards."""
    left, right = (
        in_brackets(place.code(node.left), node.left),
        in_brackets(place.code(node.right), node.right),
    )
    inner = place.code(node.left)
    half = (
        str(node.right.value // 2)
        if isinstance(node.right, ast.Constant) and isinstance(node.right.value, int)
        else f"{right} // 2"
    )
    yield from place.swap(node, f"({inner} + {half}) // {right}", 0.2)
    yield from place.swap(node, f"-(-{left} // {right})", 0.3)
    if sign == "//":
        yield from place.swap(node, f"round({inner} / {right})", 0.2)


def _other_brackets(place: Place, node: ast.BinOp, sign: str) -> Iterator[Slip]:
    """`a + b / c` for `(a + b) / c`, and the other way round."""
    for inner, other in ((node.left, node.right), (node.right, node.left)):
        if not isinstance(inner, ast.BinOp):
            continue
        own, first = OPERATORS.get(type(inner.op), ""), inner is node.left
        a, b, c = place.code(inner.left), place.code(inner.right), place.code(other)
        if sign in ("*", "/", "//", "%") and isinstance(inner.op, _LOOSE):
            yield from place.swap(
                node, f"{a} {own} {b} {sign} {c}" if first else f"{c} {sign} {a} {own} {b}", 0.4
            )
        elif sign in ("+", "-") and isinstance(inner.op, ast.Mult | ast.Div | ast.FloorDiv | ast.Mod):
            code = f"{a} {own} ({b} {sign} {c})" if first else f"({c} {sign} {a}) {own} {b}"
            yield from place.swap(node, code, 0.5)


@finder
def one_off(place: Place) -> Iterator[Slip]:
    """An index, a bound or an argument of `range` that is one too small or too large."""
    for node in place.all(ast.Subscript):
        if isinstance(node.slice, ast.Slice):
            yield from _bounds(place, node, node.slice)
        else:
            yield from _one_off(place, node.slice, 0.35)
    for call in place.all(ast.Call):
        if isinstance(call.func, ast.Name) and call.func.id == "range":
            for arg in call.args:
                yield from _one_off(place, arg, 0.6)
            if len(call.args) == 1:
                yield from place.swap(call.args[0], f"1, {place.code(call.args[0])}", 0.4)
                yield from place.swap(call.args[0], f"1, {place.code(call.args[0])} + 1", 0.25)


def _bounds(place: Place, node: ast.Subscript, piece: ast.Slice) -> Iterator[Slip]:
    value = place.code(node.value)
    low, high, step = (
        place.code(one) if one is not None else "" for one in (piece.lower, piece.upper, piece.step)
    )
    tail = f":{step}" if step else ""
    for one in (piece.lower, piece.upper):
        if one is not None:
            yield from _one_off(place, one, 0.4)
    if step:
        yield from place.swap(node, f"{value}[{low}:{high}]", 0.2)
    if low:
        yield from place.swap(node, f"{value}[:{high}{tail}]", 0.3)
        yield from place.swap(node, f"{value}[:{low}{tail}]", 0.2 if not high else 0.05)
        if not high:
            yield from place.swap(node, f"{value}[-{in_brackets(low, piece.lower or node)}:{tail}]", 0.3)
    if high:
        yield from place.swap(node, f"{value}[{low}:{tail}]", 0.3)
        yield from place.swap(node, f"{value}[{high}:{tail}]", 0.2 if not low else 0.05)
        if low:
            yield from place.swap(node, f"{value}[{low}:{low} + {high}{tail}]", 0.3)
        else:
            yield from place.swap(node, f"{value}[-{in_brackets(high, piece.upper or node)}:{tail}]", 0.2)
            yield from place.swap(node, f"{value}[1:{high}{tail}]", 0.1)
    if not high:
        yield from place.swap(node, f"{value}[{low}:-1{tail}]", 0.15)
