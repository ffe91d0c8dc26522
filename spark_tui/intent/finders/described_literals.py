"""Literals that are not shown: copies of the constant that replaces them, encodings, texts of one sign."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.context.anchors import Search, is_same_expression, nodes
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.facts.literal_types import is_codec
from spark_tui.intent.words import phrases


def described_literals(at: Search, phrase: str) -> list[tuple[float, ast.AST]]:
    """The literals of a place that words without code may mean."""
    new = at.context.text("new").strip("`'\"")
    if not new or at.context.reading.intent != "replace_value":
        return []
    every = [node for node in nodes(at.root, ast.Constant) if at.source.span(node)[0] >= 0]
    if (value := _value_of(at, plain_name(new))) is not None:
        return [(0.8, node) for node in every if node is not value and is_same_expression(node, value)]
    texts = [node for node in every if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    if is_codec(new):
        named = re.compile(rf"(?<![A-Za-z]){re.escape(phrase)}", re.IGNORECASE)
        return [(0.8, text) for text in texts if is_codec(str(text.value)) and named.search(str(text.value))]
    sign = phrases.sign(phrase)
    return [(0.8, text) for text in texts if sign and set(str(text.value)) == {sign}]


def _value_of(at: Search, name: str) -> ast.expr | None:
    """The literal that a constant of the file is set to."""
    for stmt in getattr(at.source.tree, "body", ()):
        if isinstance(stmt, ast.Assign) and [ast.unparse(goal) for goal in stmt.targets] == [name]:
            return stmt.value if isinstance(stmt.value, ast.Constant) else None
    return None
