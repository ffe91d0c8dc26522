"""Comparisons that have a plainer form: None, True, not in, len, type, keys, chains.

Comes in: what is asked. Goes out: the places where it can be done. Must not know: which is meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.idioms.asking import Asked, Spot, way
from spark_tui.refactor.idioms.text import outer
from spark_tui.refactor.source import Source


def _compared(src: Source) -> Iterator[tuple[ast.Compare, ast.expr, ast.cmpop, ast.expr]]:
    for node in src.nodes:
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            yield node, node.left, node.ops[0], node.comparators[0]


def _const(node: ast.expr, value: object) -> bool:
    return isinstance(node, ast.Constant) and node.value is value


def nones(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    for node, left, sign, right in _compared(src):
        if not isinstance(sign, ast.Eq | ast.NotEq):
            continue
        word = "is" if isinstance(sign, ast.Eq) else "is not"
        if _const(right, None):
            yield Spot(node, ((*src.span(node), f"{outer(src, left)} {word} None"),), ("None",))
        elif _const(left, None):
            yield Spot(node, ((*src.span(node), f"{outer(src, right)} {word} None"),), ("None",))


def truths(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    for node, left, sign, right in _compared(src):
        told = True if _const(right, True) else False if _const(right, False) else None
        if told is None or not isinstance(sign, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
            continue
        kept = told == isinstance(sign, ast.Eq | ast.Is)
        text = outer(src, left)
        bare = not isinstance(left, ast.Compare | ast.BoolOp | ast.IfExp | ast.Lambda)
        yield Spot(
            node,
            ((*src.span(node), text if kept else f"not {text if bare or text.startswith('(') else f'({text})'}"),),
            ("True", "False"),
        )


def turned(asked: Asked) -> Iterator[Spot]:
    """`not x in y`, `not x is y`, `not x == y`."""
    src, signs = asked.src, {ast.In: "not in", ast.Is: "is not", ast.Eq: "!="}
    if not re.search(r"\bequal|!=|==", asked.text):
        signs.pop(ast.Eq)
    for node in src.nodes:
        if (
            isinstance(node, ast.UnaryOp)
            and isinstance(node.op, ast.Not)
            and isinstance(node.operand, ast.Compare)
            and len(node.operand.ops) == 1
        ):
            one = node.operand
            word = signs.get(type(one.ops[0]))
            if word and not isinstance(src.parents.get(node), ast.Compare):
                yield Spot(
                    node,
                    ((*src.span(node), f"{outer(src, one.left)} {word} {outer(src, one.comparators[0])}"),),
                    ("not", "in"),
                )


def lengths(asked: Asked) -> Iterator[Spot]:
    """`len(x) == 0` and its kin."""
    src = asked.src
    for node in src.nodes:
        if (
            isinstance(node, ast.Compare)
            and len(node.ops) == 1
            and _is_len(node.left)
            and isinstance(node.comparators[0], ast.Constant)
        ):
            assert isinstance(node.left, ast.Call)
            number, sign = node.comparators[0].value, node.ops[0]
            text = src.segment(node.left.args[0])
            if number == 0 and not isinstance(number, bool):
                empty = (
                    True
                    if isinstance(sign, ast.Eq | ast.LtE)
                    else False
                    if isinstance(sign, ast.Gt | ast.NotEq)
                    else None
                )
            elif number == 1 and not isinstance(number, bool):
                empty = True if isinstance(sign, ast.Lt) else False if isinstance(sign, ast.GtE) else None
            else:
                empty = None
            if empty is None:
                continue
            loose = isinstance(node.left.args[0], ast.BoolOp | ast.Compare | ast.IfExp)
            new = f"not {f'({text})' if loose else text}" if empty else text if _is_test(src, node) else f"bool({text})"
            yield Spot(node, ((*src.span(node), new),), ("len", "not"))
        elif _is_len(node) and isinstance(node, ast.Call) and _is_test(src, node):
            yield Spot(node, ((*src.span(node), src.segment(node.args[0])),), ("len",))


def _is_len(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1
    )


def _is_test(src: Source, node: ast.AST) -> bool:
    """Whether only its truth counts."""
    parent = src.parents.get(node)
    if isinstance(parent, ast.If | ast.While | ast.IfExp | ast.Assert):
        return parent.test is node
    if isinstance(parent, ast.UnaryOp):
        return isinstance(parent.op, ast.Not)
    if isinstance(parent, ast.comprehension):
        return node in parent.ifs
    return isinstance(parent, ast.BoolOp) and _is_test(src, parent)


def types(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    for node, left, sign, right in _compared(src):
        if isinstance(right, ast.Call) and _is_type(right) and not _is_type(left):
            left, right = right, left
        if not isinstance(left, ast.Call) or not _is_type(left) or _is_type(right):
            continue
        many = isinstance(sign, ast.In | ast.NotIn)
        if not isinstance(sign, ast.Eq | ast.NotEq | ast.Is | ast.IsNot | ast.In | ast.NotIn):
            continue
        kind = outer(src, right)
        if many:
            if not isinstance(right, ast.Tuple | ast.List | ast.Set):
                continue
            kind = f"({', '.join(src.segment(one) for one in right.elts)})"
        turned = isinstance(sign, ast.NotEq | ast.IsNot | ast.NotIn)
        yield Spot(
            node,
            ((*src.span(node), f"{'not ' * turned}isinstance({src.segment(left.args[0])}, {kind})"),),
            ("type", "isinstance"),
        )


def _is_type(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "type"
        and len(node.args) == 1
    )


def keys(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    for node in src.nodes:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "keys"
            and not node.args
        ):
            parent = src.parents.get(node)
            looped = isinstance(parent, ast.For | ast.comprehension) and parent.iter is node
            member = (
                isinstance(parent, ast.Compare)
                and node in parent.comparators
                and all(isinstance(one, ast.In | ast.NotIn) for one in parent.ops)
            )
            built = (
                isinstance(parent, ast.Call)
                and isinstance(parent.func, ast.Name)
                and parent.func.id in ("list", "sorted", "set", "tuple", "len", "max", "min", "iter", "enumerate")
                and parent.args[:1] == [node]
            )
            if looped or member or built:
                yield Spot(node, ((src.span(node.func.value)[1], src.span(node)[1], ""),), ("keys",))


def chained(asked: Asked) -> Iterator[Spot]:
    """`a < x and x < b` as `a < x < b`."""
    src, flip = asked.src, {ast.Lt: ">", ast.LtE: ">=", ast.Gt: "<", ast.GtE: "<="}
    sign = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "=="}
    for node in src.nodes:
        if not isinstance(node, ast.BoolOp) or not isinstance(node.op, ast.And) or len(node.values) != 2:
            continue
        one, two = node.values
        if (
            not isinstance(one, ast.Compare)
            or not isinstance(two, ast.Compare)
            or len(one.ops) != 1
            or len(two.ops) != 1
        ):
            continue
        if type(one.ops[0]) not in sign or type(two.ops[0]) not in sign:
            continue
        forms = []
        for part in (one, two):
            a, b = outer(src, part.left), outer(src, part.comparators[0])
            both = [(a, sign[type(part.ops[0])], b)]
            both.append((b, flip.get(type(part.ops[0]), "=="), a))
            forms.append(both)
        fits = [(left, right) for left in forms[0] for right in forms[1] if left[2] == right[0]]
        fits += [(right, left) for left in forms[0] for right in forms[1] if right[2] == left[0]]
        fits = [fit for fit in fits if fit[0][1][0] == fit[1][1][0]]
        fits.sort(key=lambda fit: fit[0][1][0] != "<")
        if fits:
            (a, s, b), (_, t, c) = fits[0]
            yield Spot(node, ((*src.span(node), f"{a} {s} {b} {t} {c}"),), ("and",))


_COMPARE = "if compare compared comparing compares comparison comparisons check checks checking test tests condition conditions operator equality identity x y == != <> is not equals equal equality instead rather none true false drop dropped drops delete remove removed redundant bare substitute pep complaint complains e711 e712 e713 e714 e721 c1801 c1802 sim118 sim plr1714 plr5501 plc1901 s' with without against"


WAYS = (
    way(r"\bnone\b.*(?:\bis\b|[=!]=|\bcompar|\bequal|\bidentity)|(?:\bis\b|[=!]=|\bcompar\w*|\bequal\w*|\bidentity)\b.*\bnone\b|[=!]= ?none|e711", nones, f"{_COMPARE} singleton", together=True),
    way(r"\b(?:true|false)\b|e712", truths, f"{_COMPARE} just truth truthiness truthy directly boolean literal nobody", together=True),
    way(r"\bnot\b.*\b(?:in|is|equals?)\b|\be71[34]\b|!=", turned, f"{_COMPARE} membership in y x word order e713", together=True),
    way(r"\blen\b|\bempt(?:y|iness)\b|truth(?:y|iness)|falsy", lengths, f"{_COMPARE} len length 0 zero 1 not empty emptiness truth truthiness truthy falsy directly list sequence itself by x ...", together=True),
    way(r"\bisinstance\b|\be721\b|type\b.*\bcompar|compar\w*\b.*\btypes?\b|\btype\(", types, f"{_COMPARE} isinstance type types exact direct subclass subclasses call", together=True),
    way(r"\bkeys\b", keys, f"{_COMPARE} keys key x call calls dict dictionary iterate directly iteration loop over for in needed itself", together=True),
    way(r"\bchain\w*|\bbetween\b|\ba < x < b\b|< \w+ <", chained, f"{_COMPARE} chain chained chaining between range and joined single one b a combine combined"),
)  # fmt: skip
