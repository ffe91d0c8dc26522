"""Ranges of numbers in words: *month is outside 1 to 12*, *not within 1..24*, *is between LOW and HIGH*."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.conditions.compared_values import Expressions
from spark_tui.intent.words import phrases
from spark_tui.pysource.syntax.walking import ORDERED, find_nodes

_NUMBER = r"-?\d+(?:\.\d+)?|(?-i:[A-Z][A-Z_\d]*[A-Z\d])"
_RANGE = re.compile(
    r"(?P<x>.*?)\s*(?P<no>\b(?:not|nicht|pas|no)\b)?\s*"
    r"(?P<where>\b(?:between|within|inside|outside|out|in|from"
    r"|zwischen|innerhalb|außerhalb|entre|hors|fuera)\b)?"
    r"\s*(?:(?:of|from|von|de|the|range|interval|bounds|bereich|intervalle|rango)\s+)*"
    rf"(?P<low>{_NUMBER})\s*(?P<to>-|–|—|\.\.\.?|\b(?:and|to|through|bis|und|à|et|a|y)\b)"
    rf"\s*(?P<high>{_NUMBER})",
    re.IGNORECASE,
)
_BOTH = re.compile(
    r"(?P<x>[\w.]+) (?P<one>[<>]=?) (?P<a>-?[\d.]+) and (?P<y>[\w.]+) (?P<two>[<>]=?) (?P<b>-?[\d.]+)"
)
_OUTSIDE = ("outside", "out", "außerhalb", "hors", "fuera")
_PAIRED = ("and", "und", "et", "y")
_ENDS = ("between", "zwischen", "entre")


def read_range(text: str, expression: Expressions) -> str | None:
    """The test that something is in a range of numbers, or is not; None for other words."""
    found = _RANGE.fullmatch(text.strip().rstrip(".,"))
    if found is None:
        return None
    where, join = (found["where"] or "").lower(), found["to"].lower()
    if join in _PAIRED and where not in _ENDS and where not in _OUTSIDE:
        return None  # two numbers, and not what is between them
    front, denied = re.subn(r"(?:\s+(?:is|are|was)n['’]?t|\s+(?:not|nicht|pas|no))\Z", "", found["x"])
    front = re.sub(r"\s+(?:is|are|was|be|ist|sind|est|está|liegt)\Z", "", front)
    subject = expression(phrases.without_articles(front)) if front.strip() else None
    if subject is None:
        return None
    turned = (bool(denied) or bool(found["no"])) != (where in _OUTSIDE)
    inside = f"{found['low']} <= {subject} <= {found['high']}"
    return f"not {inside}" if turned else inside


def outside_of(code: str) -> str:
    """The condition with *or* for *and* if no number meets both: *below 1 and above 12*."""
    both = _BOTH.fullmatch(code)
    if both is None or both["x"] != both["y"] or (both["one"][0] == both["two"][0]):
        return code
    low, high = (both["a"], both["b"]) if both["one"][0] == "<" else (both["b"], both["a"])
    return code.replace(" and ", " or ") if float(low) <= float(high) else code


def orders_text(test: ast.AST, root: ast.AST) -> bool:
    """Whether a test asks if a name is less or more than a number that is given to functions of texts."""
    compared = {
        node.left.id
        for node in find_nodes(test, ast.Compare)
        if isinstance(node.left, ast.Name)
        and isinstance(node.ops[0], ORDERED)
        and _is_number(node.comparators[0])
    }
    calls = find_nodes(root, ast.Call) if compared else ()
    searching = (call for call in calls if ast.unparse(call.func).startswith("re."))
    given = {arg.id for call in searching for arg in call.args if isinstance(arg, ast.Name)}
    return not compared.isdisjoint(given)


def asks_of_number(test: ast.AST) -> bool:
    """Whether a test asks what is in a number, or whether something is the same object as one."""
    return any(
        isinstance(op, ast.In | ast.NotIn | ast.Is | ast.IsNot) and _is_number(right)
        for node in find_nodes(test, ast.Compare)
        for op, right in zip(node.ops, node.comparators, strict=True)
    )


def _is_number(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_number(node.left) and _is_number(node.right)
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)
