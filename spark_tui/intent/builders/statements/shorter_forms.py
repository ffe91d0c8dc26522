"""Lists that are handed to a call become generators, and lines before a condition become `:=` in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.families.statements.assigned_conditions import Assigned, assigned_conditions
from spark_tui.codemods.families.values.passed_generators import list_passed
from spark_tui.intent.building.building import Built, build_at, builder, call
from spark_tui.intent.building.rewritten import is_meant
from spark_tui.intent.context.anchors import Anchor, nodes, weighted
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.finders.which_place import keep_numbered
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes

_READ_ELSEWHERE = 0.5
"""How likely a condition is meant whose value is read elsewhere too."""


@builder("pattern.generator")
def pattern_generator(context: Context) -> Iterator[Built]:
    found = [
        Anchor(area, node, area.weight, area.doubts)
        for area, _, root in context.trees()
        for node in nodes(root, ast.Call)
        if list_passed(node) is not None
    ]
    if not found:
        raise Unresolved("no list there is made only for a call", nothing=True)
    said = split_name(context.beside_slots())
    named = [anchor for anchor in found if called_name(anchor.node) in said]
    for anchor in keep_numbered(context, weighted(context, named or found))[: context.most_places]:
        assert isinstance(anchor.node, ast.Call)
        where = f"{anchor.path}:{anchor.node.lineno}"
        yield build_at(anchor, call("pass_generator", place=where))


@builder("pattern.walrus")
def pattern_walrus(context: Context) -> Iterator[Built]:
    found: list[Anchor] = []
    for area, source, root in context.trees():
        for one in assigned_conditions(root):
            if is_meant(context, one.name):
                likely = 1.0 if _is_own(source, one) else _READ_ELSEWHERE
                anchor = Anchor(area, one.holder, likely * area.weight, area.doubts)
                found.append(replace(anchor, words={"line": str(one.line.lineno), "name": one.name}))
    if not found:
        raise Unresolved("no condition asks first for what the line before it sets")
    for anchor in keep_numbered(context, weighted(context, found))[: context.most_places]:
        where, name = f"{anchor.path}:{anchor.words['line']}", anchor.words["name"]
        yield build_at(anchor, call("assign_in_condition", place=where, name=name))


def _is_own(source: Source, one: Assigned) -> bool:
    """Whether nothing but a condition and what it guards reads a name."""
    function = source.function_of(one.line)
    every = sum(node.id == one.name for node in find_nodes(function or source.tree, ast.Name))
    inside = sum(node.id == one.name for node in find_nodes(one.holder, ast.Name))
    return every == inside + (one.line not in getattr(one.holder, "body", ()))
