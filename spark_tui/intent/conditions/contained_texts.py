"""Conditions on whether a character occurs, completed with the text that the code works on."""

from __future__ import annotations

import ast
import json
import re

from spark_tui.intent.conditions.compared_values import Expressions
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.words import phrases
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import word_set

_TEXT_METHODS = word_set(
    "replace split rsplit partition rpartition strip lstrip rstrip find index count startswith endswith lower"
    " upper"
)
_IS_IN = re.compile(
    r"(?:there(?:['’]s|\s+is|\s+are)\s+)?(?P<no>(?:no|not\s+an?|not\s+any)\s+)?(?:(?:an?|any|one)\s+)?"
    r"(?P<sign>\"[^\"]+\"|'[^']+'|[^\w\s]{1,3}|[a-z ]+?)(?:\s+(?:sign|character|char))?"
    r"\s+(?:is\s+|are\s+)?(?P<not>not\s+)?(?:in|inside|within)\s+(?P<x>.+)",
    re.IGNORECASE,
)


def read_contained(text: str, expression: Expressions) -> str | None:
    """*There is no comma in the line*: the test that a sign or a quoted text is in something; None for other
    words."""
    found = _IS_IN.fullmatch(text.strip().rstrip(".,"))
    if found is None:
        return None
    quoted = found["sign"][:1] in ("'", '"')
    sign = found["sign"][1:-1] if quoted else found["sign"]
    sign = phrases.sign(sign.lower()) if not quoted and re.search(r"\w", sign) else sign
    subject = expression(phrases.without_articles(found["x"])) if sign else None
    if not sign or subject is None:
        return None
    relation = "not in" if found["no"] or found["not"] else "in"
    return f"{json.dumps(sign, ensure_ascii=False)} {relation} {subject}"


def complete_with_text(code: str, root: ast.AST) -> str:
    """The condition, or `"," in text` for `"," is not None`; empty where no one text is worked on."""
    sign, is_there = _sign(parsed(code))
    if sign is None:
        return code
    every: set[str] = set()
    split_at: set[str] = set()
    for node in walk(root):
        called = node.func if isinstance(node, ast.Call) else None
        if not isinstance(called, ast.Attribute) or called.attr not in _TEXT_METHODS:
            continue
        if isinstance(node, ast.Call) and isinstance(called.value, ast.Name | ast.Attribute):
            every.add(ast.unparse(called.value))
            at_sign = node.args and ast.unparse(node.args[0]) == ast.unparse(sign)
            split_at |= {ast.unparse(called.value)} if at_sign else set()
    found = split_at or every
    shown = code[: code.index(" is ")] if " is " in code else code.removeprefix("not ")
    return f"{shown} {'in' if is_there else 'not in'} {found.pop()}" if len(found) == 1 else ""


def _sign(tree: ast.expr | None) -> tuple[ast.Constant | None, bool]:
    """The string literal that a condition tests by itself, and whether the condition wants it present."""
    there, looked_at = True, tree
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        looked_at, there = tree.operand, False
    elif isinstance(tree, ast.Compare) and isinstance(tree.ops[0], ast.Is | ast.IsNot):
        looked_at, there = tree.left, isinstance(tree.ops[0], ast.IsNot)
    is_text = isinstance(looked_at, ast.Constant) and isinstance(looked_at.value, str)
    return (looked_at if is_text and isinstance(looked_at, ast.Constant) else None), there
