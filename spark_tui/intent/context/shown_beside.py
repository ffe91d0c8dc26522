"""Code that an instruction quotes besides what fills its slots tells which of several places is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words.tokens import tokenize
from spark_tui.pysource.source import Source

if TYPE_CHECKING:
    import ast

    from spark_tui.intent.context.anchors import Anchor

_LEAST = 6
"""How long a piece has to be to be told from others."""


def keep_shown(context: Context, found: list[Anchor]) -> list[Anchor]:
    """The places in whose statement a quoted piece of the message stands; all of them if there are none."""
    if len(found) < 2 or any(anchor.node is None for anchor in found):
        return found
    for piece in _pieces_beside(context):
        kept = [
            anchor
            for anchor in found
            if anchor.node is not None and piece in _shown(context.source(anchor.path), anchor.node)
        ]
        if 0 < len(kept) < len(found):
            return kept
    return found


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
