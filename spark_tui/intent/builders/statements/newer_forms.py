"""Raw strings, loops over a range, and tuples with types: the places that could be written so."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from spark_tui.codemods.families.classes.typed_tuples import named_tuple
from spark_tui.codemods.families.loops.ranges import read_counted
from spark_tui.codemods.families.texts.raw_strings import as_raw, escaped_strings
from spark_tui.intent.building.building import Built, build_at, builder, call
from spark_tui.intent.building.rewritten import is_meant
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import find_nodes, walk

Found = Iterator[tuple[ast.expr | ast.stmt, tuple[str, ...]]]
"""Nodes with what they may be called."""


@builder("to_raw_string", "pattern.for_range", "to_typed_tuple")
def newer_forms(context: Context) -> Iterator[Built]:
    """The places that are named, the nearest first; of a function or file that is named all in one."""
    op, find, what, slot = _FORMS[context.reading.intent]
    count, line = 0, context.situation.line or 0
    for area, source, root in context.trees():
        found = list(find(source, root))
        here = [one for one in found if one[0].lineno <= line <= (one[0].end_lineno or 0)]
        found = here if here and area.path == context.situation.path else found
        named = [one for one in found if is_meant(context, *one[1], slot=slot)]
        count += len(found)
        said = bool(context.named) and not context.has(slot)
        if len(found) > 1 and op != "loop_range" and (context.everywhere or said):
            yield build_at(area, call(op, place=area.place))
            if context.everywhere:
                continue
        doubts = () if named else (f"{context.text(slot)} was not found",)
        for node, _ in named or found:
            place = f"{area.path}:{node.lineno}-{node.end_lineno}"
            only = {"text": text} if op == "to_raw_string" and (text := _beside_others(source, node)) else {}
            weight = context.near_node(area.path, node) / len(named or found)
            yield build_at(area, call(op, place=place, **only), weight=weight * 0.8, doubts=doubts)
    if not count:
        raise Unresolved(f"no {what} there", nothing=True)


def _strings(source: Source, root: ast.AST) -> Found:
    for node in find_nodes(root, ast.expr):
        text = isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
        inner = isinstance(source.parents.get(node), ast.JoinedStr | ast.FormattedValue)
        low, high = source.span(node)
        if inner or low < 0 or not (text or isinstance(node, ast.JoinedStr)):
            continue
        if any(as_raw(source.text[slice(*span)]) for span in escaped_strings(source, low, high)):
            yield node, tuple(_names_given(source, node))


def _beside_others(source: Source, node: ast.expr | ast.stmt) -> str:
    """The text of a string that shares its lines with others; empty for one that is alone there."""
    low, high = source.line_span(source.first_line(node), source.last_line(node))
    shown = [source.text[slice(*span)] for span in escaped_strings(source, low, high)]
    text = source.segment(node)
    return text if len(shown) > 1 and text in shown else ""


def _names_given(source: Source, node: ast.expr) -> Iterator[str]:
    """What is set to an expression, or to what it is a part of."""
    for one in source.ancestors(node):
        if isinstance(one, ast.keyword) and one.arg:
            yield one.arg
        if isinstance(one, ast.stmt):
            yield from map(ast.unparse, targets(one))
            return


def _loops(source: Source, root: ast.AST) -> Found:
    for node in find_nodes(root, ast.While):
        if (counted := read_counted(source, node)) is not None:
            yield node, (counted.name, ast.unparse(counted.bound))


def _tuples(_: Source, root: ast.AST) -> Found:
    for node in walk(root):
        if isinstance(node, ast.ClassDef | ast.Assign) and named_tuple(node) is not None:
            yield node, (node.name,) if isinstance(node, ast.ClassDef) else (ast.unparse(node.targets[0]),)


_FORMS: dict[str, tuple[str, Callable[[Source, ast.AST], Found], str, str]] = {
    "to_raw_string": ("to_raw_string", _strings, "string has backslashes that a raw one spares", "variable"),
    "pattern.for_range": ("loop_range", _loops, "while loop with a counter stands", "variable"),
    "to_typed_tuple": ("to_typed_tuple", _tuples, "namedtuple stands", "symbol"),
}
"""The operation for an intent, what finds its places, what they are, and the slot that names one."""
