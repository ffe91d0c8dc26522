"""Bugs of a known shape whose symptom is told in words: the words say which shape to look for."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from spark_tui.intent.building.building import Built
from spark_tui.intent.fixes.off_by_one import edits_at_spots, ends_of_ranges, said_numbers
from spark_tui.intent.fixes.seen_error import Fix, SeenError
from spark_tui.intent.fixes.told_results import told_results
from spark_tui.pysource.source import parameters
from spark_tui.pysource.syntax.walking import walk

_DOUBT = "what is wrong was guessed from the words"


@lru_cache(maxsize=1)
def symptom_patterns() -> Mapping[str, re.Pattern[str]]:
    data = tomllib.loads(Path(__file__).with_name("symptoms.toml").read_text("utf-8"))
    return {name: re.compile("|".join(known), re.IGNORECASE) for name, known in data.items()}


def by_symptom(at: SeenError) -> Iterator[Built]:
    """The fixes of the shapes that the words tell and that stand in the code."""
    instruction = at.context.situation.instruction
    for name, fix in _SHAPES.items():
        if symptom_patterns()[name].search(instruction):
            for item in fix(at):
                yield replace(item, doubts=(*item.doubts, _DOUBT))


def _whole_days(at: SeenError) -> Iterator[Built]:
    """`.seconds` of a difference of times leaves the days out: `.total_seconds()`."""
    for node in at.nodes(ast.Attribute):
        if node.attr == "seconds" and isinstance(node.ctx, ast.Load) and _is_difference(at, node.value):
            high = at.source.span(node)[1]
            yield at.spliced(high - len("seconds"), high, "total_seconds()", 0.95)


def _is_difference(at: SeenError, node: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        within = at.source.function_of(node) or at.source.tree
        sets = [inner for inner in walk(within) if isinstance(inner, ast.Assign)]
        return any(
            isinstance(inner.value, ast.BinOp) and ast.unparse(inner.targets[0]) == node.id for inner in sets
        )
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)


def _told_limit(at: SeenError) -> Iterator[Built]:
    """A comparison with N - 1, where the instruction says N."""
    numbers = said_numbers(at.context.situation.instruction)
    literals = {node.value for node in walk(at.source.tree) if isinstance(node, ast.Constant)}
    spots = []
    for inner in at.nodes(ast.Compare):
        for end in inner.comparators:
            value = end.value if isinstance(end, ast.Constant) and type(end.value) is int else 0
            if value > 2 and value + 1 in numbers - literals and value not in numbers:
                spots.append((end, str(value + 1)))
    yield from edits_at_spots(at, spots, ())


def _last_missing(at: SeenError) -> Iterator[Built]:
    """`range(1, n)` leaves the last one out."""
    yield from edits_at_spots(at, list(ends_of_ranges(at)), ())


def _told_end(at: SeenError) -> Iterator[Built]:
    """A range ends before the number that is said: `range(1, SLOTS)` leaves slot 5 out of 5."""
    numbers = said_numbers(at.context.situation.instruction)
    spots = [item for item in ends_of_ranges(at) if _value(at, item[0]) in numbers]
    yield from edits_at_spots(at, spots, ())


def _value(at: SeenError, node: ast.expr) -> object:
    """The number of a literal, or of a constant of the file."""
    if isinstance(node, ast.Constant):
        return node.value
    for stmt in at.source.tree.body if isinstance(at.source.tree, ast.Module) else ():
        if isinstance(stmt, ast.Assign) and ast.unparse(stmt.targets[0]) == ast.unparse(node):
            return stmt.value.value if isinstance(stmt.value, ast.Constant) else None
    return None


def _sorted_copy(at: SeenError) -> Iterator[Built]:
    """`xs.sort()` of a parameter, in a function that gives something else: `xs = sorted(xs)`."""
    for node in at.nodes(ast.Expr):
        called = node.value.func if isinstance(node.value, ast.Call) else None
        inside = at.source.function_of(node)
        if not isinstance(called, ast.Attribute) or called.attr not in ("sort", "reverse") or inside is None:
            continue
        assert isinstance(node.value, ast.Call)
        name = ast.unparse(called.value)
        gives = any(isinstance(inner, ast.Return) and inner.value is not None for inner in walk(inside))
        if gives and name in {parameter.arg for parameter in parameters(inside)}:
            given = "".join(f", {at.source.segment(keyword)}" for keyword in node.value.keywords)
            made = f"sorted({name}{given})" if called.attr == "sort" else f"{name}[::-1]"
            yield at.spliced(*at.source.span(node), f"{name} = {made}", 0.9)


_SHAPES: dict[str, Fix] = {
    "whole_days": _whole_days,
    "sorted_copy": _sorted_copy,
    "last_missing": _last_missing,
    "told_end": _told_end,
    "told_limit": _told_limit,
    "told_results": told_results,
}
"""What looks for a shape; the words of each are in `symptoms.toml`."""
