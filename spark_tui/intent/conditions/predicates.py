"""The kinds of tests that a condition in words may mean, as code and read from code."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from spark_tui.pysource.syntax.signs import MIRRORED

_SHOWN = {
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "eq": "==",
    "ne": "!=",
    "in": "in",
    "not_in": "not in",
}
_FORMS = {
    **{kind: f"{{x}} {sign} {{n}}" for kind, sign in _SHOWN.items()},
    "true": "{x}",
    "false": "not {x}",
    "none": "{x} is None",
    "not_none": "{x} is not None",
    "negative": "{x} < 0",
    "not_positive": "{x} <= 0",
    "zero": "{x} == 0",
    "positive": "{x} > 0",
    "blank": "not {x}.strip()",
    "starts": "{x}.startswith({n})",
    "starts_not": "not {x}.startswith({n})",
    "ends": "{x}.endswith({n})",
    "ends_not": "not {x}.endswith({n})",
    "exists": "os.path.exists({x})",
    "not_exists": "not os.path.exists({x})",
    "folder": "os.path.isdir({x})",
    "not_folder": "not os.path.isdir({x})",
    "is_a": "isinstance({x}, {n})",
    "no_a": "not isinstance({x}, {n})",
    "full": "len({x}) >= {n}",
    "few": "len({x}) < {n}",
    "many": "len({x}) > {n}",
    "same_length": "len({x}) == {n}",
    "other_length": "len({x}) != {n}",
    "past_end": "{x} >= len({n})",
    "digits": "{x}.isdigit()",
    "no_digits": "not {x}.isdigit()",
    "contains": "{n} in {x}",
    "lacks": "{n} not in {x}",
}
KINDS = tuple(_FORMS)
KIND = {one: at for at, one in enumerate(KINDS)}
_OPPOSITES = (
    ("true", "false"),
    ("none", "not_none"),
    ("lt", "ge"),
    ("gt", "le"),
    ("eq", "ne"),
    ("in", "not_in"),
    ("exists", "not_exists"),
    ("folder", "not_folder"),
    ("is_a", "no_a"),
    ("same_length", "other_length"),
    ("digits", "no_digits"),
    ("contains", "lacks"),
    ("starts", "starts_not"),
    ("ends", "ends_not"),
)
_OPPOSITE = {one: two for pair in _OPPOSITES for one, two in (pair, pair[::-1])}
_SIGNS = {
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.In: "in",
    ast.NotIn: "not_in",
}
_OF_ZERO = {"lt": "negative", "le": "not_positive", "eq": "zero", "gt": "positive"}
_OF_METHODS = {
    "isdigit": "digits",
    "isdecimal": "digits",
    "isnumeric": "digits",
    "startswith": "starts",
    "endswith": "ends",
    "is_dir": "folder",
    "exists": "exists",
    "is_file": "exists",
}
_OF_FUNCTIONS = {"os.path.exists": "exists", "os.path.isfile": "exists", "os.path.isdir": "folder"}
_LENGTHS = {"lt": "few", "ge": "full", "gt": "many", "eq": "same_length", "ne": "other_length"}


@dataclass(frozen=True)
class Predicate:
    """A test of one operand, perhaps against another one or a literal."""

    kind: str
    left: str
    right: str = ""

    @property
    def code(self) -> str:
        return _FORMS[self.kind].format(x=self.left, n=self.right)


def predicate_of(node: ast.expr) -> Predicate | None:
    """The predicate that an expression is; None for one of another form."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = predicate_of(node.operand)
        if inner is None:
            return None
        if inner.kind == "true":
            stripped = re.fullmatch(r"(.+)\.strip\(\)", inner.left)
            return Predicate("blank", stripped[1]) if stripped else Predicate("false", inner.left)
        other = _OPPOSITE.get(inner.kind)
        return Predicate(other, inner.left, inner.right) if other in KIND else None
    if isinstance(node, ast.Compare):
        return _compared(node) if len(node.ops) == 1 else None
    if isinstance(node, ast.Call) and (known := _called(node)) is not None:
        return known
    if isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
        return Predicate("true", ast.unparse(node))
    return None


def _called(node: ast.Call) -> Predicate | None:
    called, given = ast.unparse(node.func), [ast.unparse(arg) for arg in node.args]
    holder, _, method = called.rpartition(".")
    if called == "isinstance" and len(given) == 2:
        return Predicate("is_a", *given)
    if called in _OF_FUNCTIONS and len(given) == 1:
        return Predicate(_OF_FUNCTIONS[called], given[0])
    if holder and method in _OF_METHODS and len(given) == method.endswith("with"):
        return Predicate(_OF_METHODS[method], holder, *given)
    return None


def _compared(node: ast.Compare) -> Predicate | None:
    left, sign, right = node.left, type(node.ops[0]), node.comparators[0]
    if isinstance(left, ast.Constant) and sign in MIRRORED:
        left, right, sign = right, left, MIRRORED[sign]
    one, two = ast.unparse(left), ast.unparse(right)
    if sign in (ast.Is, ast.IsNot):
        if two == "None":
            return Predicate("none" if sign is ast.Is else "not_none", one)
        same = (sign is ast.Is) == (two == "True")
        return Predicate("true" if same else "false", one) if two in ("True", "False") else None
    kind = _SIGNS[sign]
    if kind in ("in", "not_in") and isinstance(left, ast.Constant):
        return Predicate("contains" if kind == "in" else "lacks", two, one)
    if kind in ("eq", "ne") and two in ("''", "[]", "{}"):
        if (stripped := re.fullmatch(r"(.+)\.strip\(\)", one)) is not None:
            return Predicate("blank", stripped[1]) if kind == "eq" else None
        return Predicate("false" if kind == "eq" else "true", one)
    if (measured := _measured(left)) is not None:
        return _counted(measured, kind, two)
    if kind == "ge" and (measured := _measured(right)) is not None:
        return Predicate("past_end", one, measured)
    if two == "0" and kind in _OF_ZERO:
        return Predicate(_OF_ZERO[kind], one)
    return Predicate("not_positive", one) if (two, kind) == ("1", "lt") else Predicate(kind, one, two)


def _measured(node: ast.expr) -> str | None:
    """What `len` is taken of."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "len" and len(node.args) == 1:
        return ast.unparse(node.args[0])
    return None


def _counted(code: str, kind: str, size: str) -> Predicate | None:
    if (kind, size) in (("eq", "0"), ("lt", "1"), ("le", "0")):
        return Predicate("false", code)
    if (kind, size) in (("gt", "0"), ("ge", "1"), ("ne", "0")):
        return Predicate("true", code)
    if size.isdigit() and kind in ("le", "ge"):
        kind, size = ("lt", str(int(size) + 1)) if kind == "le" else ("gt", str(int(size) - 1))
    return Predicate(_LENGTHS[kind], code, size) if kind in _LENGTHS else None
