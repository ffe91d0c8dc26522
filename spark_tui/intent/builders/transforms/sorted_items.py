"""A list, tuple or set that is written out, with its items in order: *sort `__all__`*."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, build_at
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import anchors
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.source import Source


def sorted_items(context: Context, descending: bool) -> Iterator[Built]:
    """The texts or numbers that are written out for the name that is said change places."""
    for anchor in anchors(context, "display:variable") if context.has("variable") else ():
        source, node = context.source(anchor.path), anchor.node
        if not isinstance(node, ast.List | ast.Tuple | ast.Set) or (values := _plain(node)) is None:
            continue
        if "#" in source.segment(node) or source.function_of(node) is not None:
            continue  # a comment belongs to its item, and a function may change its list later
        order = sorted(range(len(values)), key=values.__getitem__, reverse=descending)
        if order == list(range(len(values))):
            continue  # what is made of it may be meant
        yield build_at(anchor, replace_code(context, anchor, _in_order(source, node, order)))


def _plain(node: ast.List | ast.Tuple | ast.Set) -> list[str] | list[float] | None:
    """The values of items that are all texts, or all numbers."""
    items = [item.value for item in node.elts if isinstance(item, ast.Constant)]
    texts = [value for value in items if isinstance(value, str)]
    numbers = [value for value in items if isinstance(value, int | float) and not isinstance(value, bool)]
    return next((found for found in (texts, numbers) if len(found) == len(node.elts) > 1), None)


def _in_order(source: Source, node: ast.List | ast.Tuple | ast.Set, order: list[int]) -> str:
    """The code with the items in another order; what stands between them stays."""
    start, text = source.span(node)[0], source.segment(node)
    for old, new in reversed(list(zip(node.elts, (node.elts[at] for at in order), strict=True))):
        low, high = (at - start for at in source.span(old))
        text = text[:low] + source.segment(new) + text[high:]
    return text
