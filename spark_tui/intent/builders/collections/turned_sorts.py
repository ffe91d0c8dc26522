"""What is sorted and then turned, in two statements."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.source import Source

_TURNING = re.compile(r"(?<!\w)(?:revers|umkehr|umdreh|invers|invert)|反转|倒序", re.IGNORECASE)


def reversed_behind(context: Context, source: Source, node: ast.expr) -> ast.stmt | None:
    """The statement that turns what was sorted, where the words tell of it."""
    return turned_behind(source, node) if _TURNING.search(context.situation.instruction) else None


def turned_behind(source: Source, node: ast.AST | None) -> ast.stmt | None:
    """The statement right behind one that sorts, which turns what was sorted: `rows.reverse()`."""
    stmt = source.statement(node) if node is not None else None
    func = node.func if isinstance(node, ast.Call) else None
    if stmt is None or not isinstance(func, ast.Attribute) or func.attr != "sort":
        return None
    behind = source.following(stmt)[:1]
    return next((one for one in behind if ast.unparse(one) == f"{ast.unparse(func.value)}.reverse()"), None)
