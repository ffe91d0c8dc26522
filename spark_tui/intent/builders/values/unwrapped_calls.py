"""Calls that are taken away and leave the value: *don't convert x, it is a number already*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.families.values.unwrapped_calls import kept_value, owners, values_of
from spark_tui.intent.building.building import Built, build_at, builder, call, place
from spark_tui.intent.building.rewritten import is_meant
from spark_tui.intent.context.anchors import Anchor, anchors, need, nodes, weighted
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.finders.which_place import keep_numbered
from spark_tui.intent.words.doubts import DoubtKind, without
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.words import word_set

_CONVERSIONS = word_set(
    "int float str bool bytes list tuple set frozenset dict sorted repr round copy deepcopy encode decode"
    " keys strip lower upper"
)
"""What is meant where no call is named."""
_METHOD = re.compile(r"\.(\w+)\(")


@builder("unwrap_call")
def unwrap_call(context: Context) -> Iterator[Built]:
    if context.has("call"):
        found = need(anchors(context, "call:call"), "call like that", context)
    else:
        found = [
            Anchor(area, node, area.weight, area.doubts)
            for area, _, root in context.trees()
            for node in nodes(root, ast.Call)
            if called_name(node) in _CONVERSIONS
        ]
    able = [(anchor, kept) for anchor in found if (kept := _kept(context, anchor)) is not None]
    if found and not able:
        raise Unresolved("it is not clear what of the call is to stay")
    named = [anchor for anchor, kept in able if _is_named(context, anchor, kept)]
    spots = named or [anchor for anchor, _ in able]
    plain = [replace(one, doubts=without(one.doubts, DoubtKind.PLACES)) for one in spots]
    stays = {anchor.node: kept for anchor, kept in able}
    chosen = keep_numbered(context, weighted(context, plain))
    for anchor in need(chosen, "call around a value", context)[: context.most_places]:
        node, every = anchor.node, context.everywhere
        assert isinstance(node, ast.Call)
        source = context.source(anchor.path)
        value = (
            source.segment(stays[node]) if kept_value(context.repo, source, node) is not stays[node] else ""
        )
        shown = ast.unparse(node.func if every else node)
        lines = range(node.lineno, source.last_line(node) + 1)
        calls = (one for one in nodes(source.statement(node), ast.Call) if one.lineno in lines)
        alike = sum(shown in (ast.unparse(one), ast.unparse(one.func)) for one in calls)
        made = call("unwrap_call", place=place(context, anchor), call=shown, value=value, every=alike > 1)
        yield build_at(anchor, made)


def _kept(context: Context, anchor: Anchor) -> ast.expr | None:
    """What stays of a call: the part that is named, or what is clear by itself."""
    node, source = anchor.node, context.source(anchor.path)
    if not isinstance(node, ast.Call):
        return None
    row = _METHOD.findall(context.text("call")) if context.text("call").strip("`'\"").startswith(".") else []
    if len(row) > 1:
        # `.strip().lower()` are two calls.
        rest = list(owners(node))[: len(row)]
        same = [called_name(one) for one in (node, *rest[:-1])] == row[::-1]
        return rest[-1] if same and len(rest) == len(row) else None
    named = [one for one in values_of(node) if is_meant(context, ast.unparse(one))]
    if context.has("variable") and len(named) == 1:
        return named[0]
    return kept_value(context.repo, source, node)


def _is_named(context: Context, anchor: Anchor, kept: ast.expr) -> bool:
    """Whether a value, a part of it, or what is set to it is the variable that is named."""
    around = context.source(anchor.path).parents.get(anchor.node) if anchor.node is not None else None
    shown = nodes(kept, ast.Name, ast.Attribute, ast.Subscript)
    return is_meant(context, *map(ast.unparse, (kept, *shown, *targets(around))))
