"""Calls that let a loop go through some of its items only."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.builders.collections.loops import looped
from spark_tui.intent.building.building import Built, build_at, builder, filled
from spark_tui.intent.building.rewritten import add_brackets, replace_code
from spark_tui.intent.context.anchors import Anchor, weighted
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Option, Unresolved
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes, walk


@builder("limit_loop")
def limit_loop(context: Context) -> Iterator[Built]:
    area = context.areas[0] if context.areas else Area("")
    count = (filled(context, "{count:count}", Anchor(area, area.node)) or [Option("")])[0].text
    sliced = list(_last_items(context, count))
    if sliced:
        yield from sliced
        return
    if not count:
        raise Unresolved("the instruction does not say how many items")

    last = phrases.mentions("last_only", context.situation.instruction)
    if cut := list(_of_returned(context, count, last)):
        yield from cut
        return

    def change(source: Source, node: ast.expr) -> str:
        if last:
            whole = (
                f"list({source.segment(node)})" if _only_goes_on(source, node) else add_brackets(source, node)
            )
            return f"{whole}[-{count}:]"
        if _only_goes_on(source, node):
            held = "itertools" in context.repo.index.scopes(source.path).module.bound
            return f"{'itertools.' if held else ''}islice({source.segment(node)}, {count})"
        return f"{add_brackets(source, node)}[:{count}]"

    for built in looped(context, change):
        roots = [area.node for area in context.areas if area.node is not None]
        picks = any(isinstance(node, ast.If) for root in roots for node in walk(root))
        doubts = (assumed("the first of all was assumed, not of those that are picked"),) if picks else ()
        yield replace(built, doubts=(*built.doubts, *doubts))


def _of_returned(context: Context, count: str, last: bool) -> Iterator[Built]:
    """So many items of a list that a function fills, where it is used for what is returned."""
    for area, source, root in context.trees():
        name = context.visible(area.path, root).inner.get(key(plain_name(context.text("variable"))), "")
        looped = [loop for loop in find_nodes(root, ast.For) if ast.unparse(loop.iter) == name]
        is_filled = isinstance(root, Function) and not looped and f"{name}.append(" in source.segment(root)
        returned = find_nodes(root, ast.Return) if name and is_filled else ()
        uses = [one for stmt in returned for one in find_nodes(stmt, ast.Name) if one.id == name]
        if len(uses) == 1:
            new = f"{name}[-{count}:]" if last else f"{name}[:{count}]"
            yield build_at(Anchor(area, uses[0]), replace_code(context, Anchor(area, uses[0]), new))


def _last_items(context: Context, count: str) -> Iterator[Built]:
    """The last so many in the place of the first: `x[-n:]` for `x[:n]`."""
    if not phrases.mentions("last_only", context.situation.instruction):
        return
    spots = [
        (Anchor(area, inner, 0.9), inner, inner.slice.upper)
        for area, _, inner in context.find(ast.Subscript)
        if isinstance(inner.slice, ast.Slice)
        if inner.slice.lower is None and inner.slice.step is None and inner.slice.upper is not None
    ]
    weights = {item.node: item for item in weighted(context, [one for one, *_ in spots])}
    for spot, node, end in spots:
        source = context.source(spot.path)
        new = f"{add_brackets(source, node.value)}[-{count or add_brackets(source, end)}:]"
        yield build_at(weights[node], replace_code(context, spot, new))


_SLICED = ("list", "sorted", "tuple", "range", "str", "split", "splitlines", "readlines", "findall")


_GOES_ON = re.compile(r"(?:\w+\.)*(?:Async)?(?:Iter|Generator|[Ss]et\b|[Dd]ict\b|Mapping)")


def _only_goes_on(source: Source, node: ast.expr) -> bool:
    """Whether what a loop goes through has no slices: what most calls give, or a parameter of such a type."""
    if isinstance(node, ast.GeneratorExp | ast.Set | ast.SetComp | ast.Dict | ast.DictComp):
        return True
    if isinstance(node, ast.Call):
        return called_name(node) not in _SLICED
    inside = source.function_of(node)
    types = (
        {parameter.arg: parameter.annotation for parameter in parameters(inside)}
        if inside is not None
        else {}
    )
    kind = types.get(node.id) if isinstance(node, ast.Name) else None
    return kind is not None and _GOES_ON.match(ast.unparse(kind)) is not None
