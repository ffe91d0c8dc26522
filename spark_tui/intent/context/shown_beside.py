"""Code that an instruction quotes besides what fills its slots tells which of several places is meant."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words.tokens import tokenize
from spark_tui.pysource.source import Source

_LEAST = 6
"""How long a piece has to be to be told from others."""


def places_shown(context: Context, spots: Sequence[tuple[str, ast.AST | None]]) -> list[int]:
    """Which of some places, given with their paths, have a quoted piece of the message in their statement; if
    none has, all of them."""
    nodes = [(path, node) for path, node in spots if node is not None]
    pieces = _pieces_beside(context) if 1 < len(nodes) == len(spots) else []
    for piece in pieces:
        kept = [at for at, (path, node) in enumerate(nodes) if piece in _shown(context.source(path), node)]
        if 0 < len(kept) < len(spots):
            return kept
    return list(range(len(spots)))


def _pieces_beside(context: Context) -> list[str]:
    """The quoted pieces of the message, also of its other orders, that no slot has any part of."""
    text = context.situation.whole or context.situation.instruction
    spans = [*(span for own in context.reading.slots.values() for span in own), *context.reading.left_out]
    pieces = []
    for quoted in tokenize(text).quoted:
        piece = text[quoted.inner_start : quoted.inner_end].strip()
        held = any(
            span.start < quoted.end and quoted.start < span.end if span.start >= 0 else span.text in piece
            for span in spans
        )
        if len(piece) >= _LEAST and not held and not piece.isidentifier():
            pieces.append(piece)
    return pieces


def _shown(source: Source, node: ast.AST) -> str:
    """The statement of a node; of one with a suite its first line."""
    statement = source.statement(node)
    if statement is None:
        return ""
    text = source.segment(statement)
    return text.partition("\n")[0] if hasattr(statement, "body") else text
