"""Expressions that an edit built in another way: `Path(x).parent` for `os.path.dirname(x)`. No piece of them
means anything without the others."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.edits.indentation import indent_of
from spark_tui.intent.context.written_lines import LineChange
from spark_tui.pysource.syntax.parsing import parse

_CHAINED = (ast.Call, ast.Attribute, ast.Subscript)


def rebuilt_spans(change: LineChange) -> list[tuple[int, int]]:
    """The characters of the new line on which such an expression stands, of a change of one line."""
    if len(change.old) != 1 or len(change.new) != 1 or not change.text.isascii():
        return []
    old, new = (parse(_whole(line.strip())) for line in (change.old[0], change.new[0]))
    if old is None or new is None:
        return []
    lead = len(indent_of(change.new[0]))
    found = (node for node in _rebuilt(old, new) if node.lineno == node.end_lineno)
    return [(lead + node.col_offset, lead + (node.end_col_offset or 0)) for node in found]


def _whole(line: str) -> str:
    """A line as a statement of its own."""
    return f"{line} pass" if line.endswith(":") else line


def _rebuilt(old: ast.AST, new: ast.AST) -> Iterator[ast.expr]:
    if isinstance(old, ast.expr) and isinstance(new, ast.expr):
        pairs = zip(_spine(old), _spine(new), strict=False)
        if any(isinstance(one, _CHAINED) for one in (old, new)) and any(one != two for one, two in pairs):
            yield new
            return
    for one, two in zip(ast.iter_child_nodes(old), ast.iter_child_nodes(new), strict=False):
        yield from _rebuilt(one, two)


def _spine(node: ast.AST) -> list[type[ast.AST]]:
    """What is called, looked up and taken, beginning with what it begins with."""
    kinds = [type(node)]
    while isinstance(node, _CHAINED):
        node = node.func if isinstance(node, ast.Call) else node.value
        kinds.append(type(node))
    return kinds[::-1]
