"""Calls that write the fields of dates in another order."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.builders.values.replacement import put_value
from spark_tui.intent.building.building import Built
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.values.literals.date_formats import is_date_format, reorder_date_format
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk

_LIKELY = 0.8


def reordered_dates(context: Context) -> Iterator[Built]:
    """Year, month and day of a format in the order that is said: of one that is named, else of each."""
    instruction = context.situation.instruction
    wanted = key(plain_name(context.text("message")))
    made = [
        (anchor, node, reorder_date_format(str(node.value), instruction))
        for anchor, node in _formats(context)
    ]
    rows = [(anchor, node, form) for anchor, node, form in made if form]
    named = [row for row in rows if wanted and wanted in _goals(context.source(row[0].path), row[1])]
    for anchor, node, form in named or rows:
        new = literal(form, context.source(anchor.path))
        doubts = () if named else ("the format of the date was assumed to be meant",)
        yield put_value(context, anchor, node, new, _LIKELY / len(named or rows), doubts)


def _formats(context: Context) -> Iterator[tuple[Anchor, ast.Constant]]:
    for area, source, root in context.trees():
        for node in walk(root):
            if isinstance(node, ast.Constant) and is_date_format(node.value) and source.span(node)[0] >= 0:
                yield Anchor(area, node), node


def _goals(source: Source, node: ast.AST) -> list[str]:
    """What the statement of a node sets."""
    statement = source.statement(node)
    return (
        [key(ast.unparse(target)) for target in statement.targets]
        if isinstance(statement, ast.Assign)
        else []
    )
