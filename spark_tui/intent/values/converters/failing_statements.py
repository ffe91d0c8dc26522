"""Statements that can raise an error, as far as what they call tells it: `input()` and EOFError."""

from __future__ import annotations

import ast

from spark_tui.intent.context.anchors import Anchor, weighted
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.values.converters.exceptions import raised_by


def failing_statements(context: Context, kind: str) -> list[Anchor]:
    """The statements that can raise a class of errors and stand in no `try` of their function."""
    found: dict[ast.stmt, Anchor] = {}
    for area, source, node in context.find(ast.AST):
        if kind.rpartition(".")[2] not in (text.rpartition(".")[2] for text in raised_by(node)):
            continue
        statement = source.statement(node)
        around = [] if statement is None else [*source.ancestors(statement)]
        simple = isinstance(statement, ast.Assign | ast.Expr | ast.Return | ast.AugAssign | ast.With)
        if simple and statement is not None and not any(isinstance(ancestor, ast.Try) for ancestor in around):
            found.setdefault(statement, Anchor(area, statement, 0.9))
    return weighted(context, list(found.values()))
