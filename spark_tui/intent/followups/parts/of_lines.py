"""Parts of lines that an edit wrote, taken back by their words: one of two changes, one item of several."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from spark_tui.codemods.hunks import bare_lines
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import LineChange, Lines, Token, tokens_of
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import walk_lines

_MOST = 20
"""Changes of which a part is named at once."""


def removed_words(change: LineChange) -> frozenset[str]:
    """The tokens and words of the old lines that the new ones have not."""
    was, now = (frozenset(_words(tokens_of("\n".join(lines)))) for lines in (change.old, change.new))
    return was - now


def without_parts(
    changes: Sequence[LineChange], words: frozenset[str], situation: Situation
) -> Iterator[tuple[LineChange, Lines]]:
    """The changes of which the words name a part, each with its lines without that part."""
    named = [item for item in changes if words & {*_words(tokens_of("\n".join((*item.old, *item.new))))}]
    for change in named if len(named) <= _MOST else ():
        lines = _without_item(change, words, situation)
        if lines is not None and lines not in (change.new, change.old):
            yield change, lines


def _words(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        yield token.text
        yield from re.findall(r"\w+", token.text)


def _without_item(change: LineChange, words: frozenset[str], situation: Situation) -> Lines | None:
    """The lines without the only one of several items, operands or arguments there that is named."""
    source = situation.behind.index.source(change.path)
    if source.tree is None or source.newline != "\n" or not change.new:
        return None
    start = source.starts[change.at]
    written = {start + item.start for item in change.written()}
    found: list[tuple[int, int, str]] = []
    for node in walk_lines(source.tree, range(change.at + 1, change.at + len(change.new) + 1)):
        items = _items(node)
        spans = [source.span(item) for item in items]
        if len(items) < 2 or not start <= spans[0][0] < spans[-1][1] <= start + len(change.text):
            continue
        for at, (low, high) in enumerate(spans):
            code = source.text[low:high]
            named = words & {code, code.strip("'\""), code.rpartition(".")[2]}
            if named and low in written:
                found.append(_cut(source, node, spans, at))
    if len(found) != 1:
        return None
    low, high, rest = found[0]
    text = change.text[: low - start] + rest + change.text[high - start :]
    return bare_lines(text)


def _items(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.BoolOp):
        return node.values
    return node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else []


def _cut(source: Source, node: ast.AST, spans: Sequence[tuple[int, int]], at: int) -> tuple[int, int, str]:
    """The characters of an item with what joins it to the others, and what stands there without it."""
    (low, high), text = spans[at], source.text
    low, high = (spans[at - 1][1], high) if at else (low, spans[1][0])
    alone = len(spans) == 2 and isinstance(node, ast.Tuple)
    handler = isinstance(source.parents.get(node), ast.ExceptHandler)
    if not alone or text[high : spans[-1][1] + 1].strip().startswith(","):
        return low, high, ""
    if handler:
        (low, high), kept = source.span(node), spans[1 - at]
        return low, high, text[kept[0] : kept[1]]
    return (low, high, ",") if at else (low, spans[1][1], text[spans[1][0] : spans[1][1]] + ",")
