"""Where definitions stand: above all others, at the end, in alphabetical order."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, build_at, builder, call
from spark_tui.intent.building.named_symbols import symbols
from spark_tui.intent.building.shared_lines import line_range
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.pysource.source import Definition, Function, Source

_OF_METHODS = re.compile(r"m[eé]th?od|方法", re.IGNORECASE)


@builder("move_to_top", "move_to_bottom")
def to_an_end(context: Context) -> Iterator[Built]:
    first = context.reading.intent == "move_to_top"
    for anchor in symbols(context, "symbol", ("function", "class", "method"))[: context.most_places]:
        node, source = anchor.node, context.source(anchor.path)
        if not isinstance(node, Definition):
            continue
        others = [one for one in source.suite(node) if one is not node]
        ends = [one for one in others if isinstance(one, Definition) or not _runs(one)]
        ends = [one for one in ends if isinstance(one, Definition)] if first else ends
        if not ends:
            raise Unresolved(f"{node.name} stands alone there", nothing=True)
        end = ends[0] if first else ends[-1]
        if first == (node.lineno < end.lineno):
            raise Unresolved(f"{node.name} stands there already", nothing=True)
        side = "before" if first else "after"
        made = call("move_statements", place=_lines(source, node), to=_lines(source, end), side=side)
        yield build_at(anchor, made)


def _runs(one: ast.stmt) -> bool:
    """Whether a statement at the end of a file runs what is defined above it."""
    return isinstance(one, ast.If | ast.Expr | ast.Try | ast.With | ast.For | ast.While)


def _lines(source: Source, node: ast.stmt) -> str:
    return line_range(source.path, source.first_line(node) + 1, source.last_line(node))


@builder("sort_definitions")
def in_order(context: Context) -> Iterator[Built]:
    methods = bool(_OF_METHODS.search(context.situation.instruction))
    count = 0
    for area, source, root in context.trees():
        if isinstance(root, ast.ClassDef):
            count += 1
            yield build_at(area, call("sort_definitions", place=area.place))
            continue
        if not methods and _has_some(source.body):
            count += 1
            yield build_at(area, call("sort_definitions", place=f"in {area.path}"))
        classes = [one for one in source.body if isinstance(one, ast.ClassDef) and _has_some(one.body)]
        for one in classes:
            count += 1
            weight = (1.0 if methods else 0.3) * context.near_node(area.path, one) / len(classes)
            yield build_at(area, call("sort_definitions", place=f"in {area.path}::{one.name}"), weight=weight)
    if not count:
        raise Unresolved("there are no functions beside each other")


def _has_some(body: list[ast.stmt]) -> bool:
    return sum(isinstance(one, Function) for one in body) > 1
