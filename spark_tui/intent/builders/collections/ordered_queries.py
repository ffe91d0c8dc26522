"""Rows of an SQL query in the order of a column: `ORDER BY name`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, build_at
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, weighted
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes

_SELECT = re.compile(r"\s*select\s+(?P<columns>.+?)\s+from\s", re.IGNORECASE | re.DOTALL)
_LATER = re.compile(r"\b(?:order\s+by|limit|group\s+by|union|offset|for\s+update)\b", re.IGNORECASE)


def ordered_queries(context: Context, *, descending: bool) -> Iterator[Built]:
    """The query that gives several rows, with the order of a column that it has."""
    column = plain_name(context.text("key").strip("`'\""))
    found: list[tuple[str, Anchor]] = []
    for area, source, root in context.trees() if column.isidentifier() else ():
        for node in find_nodes(root, ast.Call):
            text = node.args[0] if node.args and called_name(node) == "execute" else None
            if isinstance(text, ast.Constant) and _gives_rows(source, node, text.value, column):
                inside = source.function_of(node)
                found.append((inside.name if inside is not None else "", Anchor(area, text, 0.9)))
    said = set(re.findall(r"\w+", context.situation.instruction))
    named = [anchor for name, anchor in found if name in said]
    for anchor in weighted(context, named or [anchor for _, anchor in found]):
        old = context.source(anchor.path).segment(anchor.node or ast.Pass())
        end = re.search(r"(?P<semicolon>;?)\s*(?P<quote>\"\"\"|'''|['\"])\Z", old)
        if end is None:
            continue
        order = f" ORDER BY {column}{' DESC' if descending else ''}"
        new = f"{old[: end.start()].rstrip()}{order}{old[end.start() :]}"
        doubt = assumed("the rows were assumed to be ordered by the query")
        yield build_at(anchor, replace_code(context, anchor, new), doubts=(doubt,))


def _gives_rows(source: Source, node: ast.Call, text: object, column: str) -> bool:
    """Whether a query has a column, no order so far, and several of its rows are fetched or gone through."""
    found = _SELECT.match(text) if isinstance(text, str) else None
    if found is None or not isinstance(text, str) or _LATER.search(text):
        return False
    columns = re.findall(r"\w+|\*", found["columns"].lower())
    inside = source.function_of(node)
    fetched = {called_name(call) for call in find_nodes(inside, ast.Call)}
    return (column.lower() in columns or "*" in columns) and "fetchone" not in fetched
