"""Newer and shorter forms: the places that could be written so. Raw strings, loops over a range, tuples with
types, generators that are handed to a call, `:=`, and what is left over from Python 2."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from spark_tui.codemods.families.classes.typed_tuples import named_tuple
from spark_tui.codemods.families.loops.ranges import read_counted
from spark_tui.codemods.families.statements.assigned_conditions import Assigned, assigned_conditions
from spark_tui.codemods.families.texts.raw_strings import as_raw, escaped_strings
from spark_tui.codemods.families.values.passed_generators import list_passed
from spark_tui.intent.building.building import Built, build_at, builder, call, from_entry
from spark_tui.intent.building.rewritten import is_meant
from spark_tui.intent.context.anchors import Anchor, nodes, weighted
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.finders.which_place import keep_numbered
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import find_nodes, walk

Found = Iterator[tuple[ast.expr | ast.stmt, tuple[str, ...]]]
"""Nodes with what they may be called."""
_LEFTOVERS = {
    "prefix": re.compile(
        r"(?<!\w)u(?:''|\"\"|['\"`]|-strings?|-?pr[eéä]fi\w*)|pr[eéä]fi[jx]\w*|pr[aä]fix\w*|前缀", re.I
    ),
    "object": re.compile(r"(?<!\w)object(?!\w)", re.I),
    "coding": re.compile(r"coding|kodierung|encodage|codificación|编码", re.I),
    "future": re.compile(r"future", re.I),
}
_READ_ELSEWHERE = 0.5
"""How likely a condition is meant whose value is read elsewhere too."""


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
    if not count and op == "loop_range" and any(context.find(ast.While)):
        raise Unresolved("no `while` loop there counts from a value that is set in front of it")
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


@builder("drop_python2")
def drop_python2(context: Context) -> Iterator[Built]:
    """All kinds, unless the instruction names some."""
    said = context.situation.instruction
    named = [kind for kind, words in _LEFTOVERS.items() if words.search(said)]
    entry = {"op": "drop_python2", "place": "{in}", "only": f"[{', '.join(named)}]" if named else ""}
    yield from from_entry(context, entry)


@builder("pattern.generator")
def pattern_generator(context: Context) -> Iterator[Built]:
    found = [
        Anchor(area, node, area.weight, area.doubts)
        for area, _, root in context.trees()
        for node in nodes(root, ast.Call)
        if list_passed(node) is not None
    ]
    if not found:
        raise Unresolved("no list there is made only for a call")
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
