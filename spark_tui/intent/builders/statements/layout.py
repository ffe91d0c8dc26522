"""Calls that change how code is written down: the order of statements, quotes, the form of imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.building import Built, builder, call, filled, found, place
from spark_tui.intent.context.anchors import Anchor, anchors
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words.doubts import not_said
from spark_tui.pysource.source import Source


@builder("swap_statements")
def swap_statements(context: Context) -> Iterator[Built]:
    """Two statements of one body exchange their places; where one is named, it and its neighbour."""
    spots = found(context, "statement:code", "statement like that")[:3]
    others = anchors(context, "statement:other")[:3] if context.has("other") else []
    for spot in spots:
        source = context.source(spot.path)
        assert isinstance(spot.node, ast.stmt)
        suite = source.suite(spot.node)
        beside = others or [replace(spot, node=stmt) for stmt in _neighbours(suite, spot.node)]
        for two in beside:
            if two.path == spot.path and two.node in suite and two.node is not spot.node:
                made = _exchanged(context, source, suite, spot, two)
                weight = spot.weight * two.weight if others else spot.weight / len(beside)
                yield Built(made, weight, (*spot.doubts, *(two.doubts if others else ())))


def _neighbours(suite: list[ast.stmt], node: ast.stmt) -> list[ast.stmt]:
    at = suite.index(node)
    return [*suite[at + 1 : at + 2], *suite[max(at - 1, 0) : at]]


def _exchanged(
    context: Context, source: Source, suite: list[ast.stmt], anchor: Anchor, two: Anchor
) -> tuple[Operation, ...]:
    """Calls that exchange two statements of a suite."""
    first, second = sorted((anchor, two), key=lambda item: getattr(item.node, "lineno", 0))
    low, high = suite.index(first.node), suite.index(second.node)  # type: ignore[arg-type]
    later, earlier = place(context, second), place(context, first)
    if high == low + 1:
        return (call("move_statements", place=later, to=earlier, side="before"),)
    before = place(context, replace(first, node=suite[high - 1]))
    down = call("move_statements", place=earlier, to=before, side="after")
    # The statement after the first now stands where that began.
    top = f"{first.path}:{source.first_line(suite[low]) + 1}"
    return (down, call("move_statements", place=later, to=top, side="before"))


@builder("set_quotes")
def set_quotes(context: Context) -> Iterator[Built]:
    """Other quotes for a string that is named, or for all strings of a place."""
    quotes = (filled(context, "{quote:quote}", Anchor(context.areas[0])) if context.areas else None) or []
    said = context.situation.instruction.lower().replace("-", " ")
    triple = "triple double" in said or ("docstring" in said and ("triple" in said or '"""' in said))
    triple = triple and all(quote.text != "single" for quote in quotes)
    chosen = ["triple"] if triple else [quote.text for quote in quotes] or ["double", "single"]
    text = context.text("text").strip("'\"`")
    line = context.situation.line
    for area in context.areas[:3]:
        where = area.place
        if line and area.path == context.situation.path:
            where = f"{area.path}:{line}"
        for item in chosen:
            doubts = (
                area.doubts
                if quotes or triple
                else (*area.doubts, not_said("the kind of quotes was not given"))
            )
            weight = area.weight / len(chosen)
            made = call("set_quotes", place=where, quote=item, text=text)
            yield Built((made,), weight, doubts)


@builder("use_from_import")
def use_from_import(context: Context) -> Iterator[Built]:
    """The names of a module that a file uses, imported in its place."""
    module, name = plain_name(context.text("module")), plain_name(context.text("name"))
    held, _, last = (name or module).rpartition(".")
    for area in context.areas[:3]:
        if area.path not in context.repo.index.paths:
            continue
        tree = context.source(area.path).tree
        imported = [
            item
            for stmt in (tree.body if tree is not None else ())
            for item in (stmt.names if isinstance(stmt, ast.Import) else ())
        ]
        for alias in imported:
            known = (alias.name, alias.asname)
            fits = module in known or held in known or name in known or not (module or name)
            if fits:
                names = name if module in known and name not in known else last if held in known else ""
                made = call(
                    "use_from_import", path=area.path, module=alias.name, names=f"[{names}]" if names else ""
                )
                yield Built((made,), area.weight / (1 if module or name else len(imported)), area.doubts)
