"""Before Python 3.12 the places of nodes inside f-strings are wrong: they are found in the text."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from typing import Protocol

from spark_tui.pysource.syntax.fstrings import template_holes
from spark_tui.pysource.syntax.parsing import walk, walk_lines
from spark_tui.pysource.syntax.tokens import F_STRING

_Span = tuple[int, int]


class PlacedText(Protocol):
    """A text that knows where the nodes of its tree stand."""

    text: str
    placed: dict[ast.AST, _Span]

    def position(self, offset: int) -> tuple[int, int]: ...

    def span(self, node: ast.AST) -> _Span: ...

    def place_expression(self, node: ast.expr, start: int, end: int) -> bool: ...

    def mark_unplaced(self, node: ast.AST) -> None: ...


def place_f_strings(source: PlacedText, tree: ast.Module, start: int, end: int) -> None:
    """Note the places of what is inside the f-strings that begin between two places of the text."""
    if sys.version_info >= (3, 12):
        return
    inner: set[ast.AST] = set()
    lines = [source.position(one.start())[0] + 1 for one in F_STRING.finditer(source.text, start, end)]
    for node in [item for item in walk_lines(tree, lines) if isinstance(item, ast.JoinedStr)]:
        if node not in inner:
            _place_holes(source, node, list(template_holes(source.text, *source.span(node))))
            inner.update(item for item in walk(node) if isinstance(item, ast.JoinedStr))


def _place_holes(
    source: PlacedText, node: ast.JoinedStr, holes: Sequence[tuple[int, int, Sequence[_Span]]]
) -> None:
    values = [item for item in node.values if isinstance(item, ast.FormattedValue)]
    if len(values) != len(holes):
        for value in values:
            source.mark_unplaced(value)
        return
    for value, (start, end, nested) in zip(values, holes, strict=True):
        source.place_expression(value.value, start, end)
        source.placed[value] = (start, end)
        if isinstance(value.format_spec, ast.JoinedStr):
            _place_holes(source, value.format_spec, [(low, high, []) for low, high in nested])
