"""Calls that move statements, or a definition as a whole, before or after another place, to the top or to
the end; and definitions in alphabetical order."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.building.building import Built, build_at, builder, call, found, place
from spark_tui.intent.building.named_symbols import symbols
from spark_tui.intent.building.shared_lines import line_range
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.pysource.source import Definition, Function, Source

_OF_METHODS = re.compile(r"m[eé]th?od|方法", re.IGNORECASE)


@builder("move_before", "move_after")
def move(context: Context) -> Iterator[Built]:
    side = context.reading.intent.removeprefix("move_")
    if whole := list(_moved_whole(context, side)):
        yield from whole
        return
    for anchor in found(context, "statement:code", "statement like that")[:3]:
        for end in found(context, "statement:anchor", "place like that")[:3]:
            other = _outside(context.source(end.path), end)
            if other.path == anchor.path and other.node is not anchor.node:
                made = call(
                    "move_statements", place=place(context, anchor), to=place(context, other), side=side
                )
                yield build_at(anchor, made, option=other)


def _outside(source: Source, end: Anchor) -> Anchor:
    """The `if` around the only statement of it, such as one that sets a default: nothing else is moved in."""
    around = source.parents.get(end.node) if isinstance(end.node, ast.stmt) else None
    alone = isinstance(around, ast.If) and around.body == [end.node] and not around.orelse
    return replace(end, node=around) if alone else end


def _moved_whole(context: Context, side: str) -> Iterator[Built]:
    """A definition beside another one."""
    code, beside = (plain_name(context.text(slot)) for slot in ("code", "anchor"))
    for area, _, root in context.trees():
        body: list[ast.stmt] = getattr(root, "body", [])
        suites = [body, *(stmt.body for stmt in body if isinstance(stmt, ast.ClassDef))]
        defined = [{stmt.name: stmt for stmt in suite if isinstance(stmt, Definition)} for suite in suites]
        known = [named for named in defined if code in named and beside in named and code != beside]
        doubts = (*area.doubts, *([f"{len(known)} classes have {code}"] if len(known) > 1 else ()))
        for named in known[:3]:
            ends = (place(context, Anchor(area, named[item])) for item in (code, beside))
            made = call("move_statements", place=next(ends), to=next(ends), side=side)
            yield Built((made,), 0.95 * area.weight / len(known), doubts)
        if known:
            return


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
