"""Fixes of what is one off, told by what comes of it: the last is missing, one too many, the first is 0."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from spark_tui.intent.building.building import Built
from spark_tui.intent.fixes.off_by_one import edits, ends_of_ranges, said_numbers
from spark_tui.intent.fixes.seen_error import Seen
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import walk

_SIZES = ("days", "months", "years", "hours", "minutes", "seconds")


def last_missing(at: Seen) -> Iterator[Built]:
    """`range(1, n)` leaves the last one out."""
    yield from edits(at, list(ends_of_ranges(at)), ())


def told_end(at: Seen) -> Iterator[Built]:
    """A range ends before the number that is said: `range(1, SLOTS)` leaves slot 5 out of 5."""
    said = said_numbers(at.context.situation.instruction)
    spots = [one for one in ends_of_ranges(at) if _value(at, one[0]) in said]
    yield from edits(at, spots, ())


def told_limit(at: Seen) -> Iterator[Built]:
    """A number that is compared with is one less than the one that is said to be right."""
    said = said_numbers(at.context.situation.instruction)
    literals = {one.value for one in walk(at.source.tree) if isinstance(one, ast.Constant)}
    spots = []
    for one in at.nodes(ast.Compare):
        for end in one.comparators:
            value = end.value if isinstance(end, ast.Constant) and type(end.value) is int else 0
            if value > 2 and value + 1 in said - literals and value not in said:
                spots.append((end, str(value + 1)))
    yield from edits(at, spots, ())


def _value(at: Seen, node: ast.expr) -> object:
    """The number of a literal, or of a constant of the file."""
    if isinstance(node, ast.Constant):
        return node.value
    for one in at.source.tree.body if isinstance(at.source.tree, ast.Module) else ():
        if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == ast.unparse(node):
            return one.value.value if isinstance(one.value, ast.Constant) else None
    return None


# -- results -----------------------------------------------------------------------------------------


def one_less(at: Seen) -> Iterator[Built]:
    """A function that is named gives one too many: `n + 1` → `n`, or it begins one before: `i - window`."""
    for result in _results(at):
        if isinstance(result, ast.BinOp) and isinstance(result.op, ast.Add) and _is_one(result.right):
            yield at.swap(result, at.source.segment(result.left), 0.9)
    symbol = at.context.text("symbol").strip("`")
    for one in at.nodes(ast.BinOp) if symbol else ():
        outer = at.source.parents.get(one)
        begins = isinstance(outer, ast.Slice) and outer.lower is one
        begins = begins or (isinstance(outer, ast.Call) and ast.unparse(outer.func) == "max")
        if isinstance(one.op, ast.Sub) and ast.unparse(one.right) == symbol and begins:
            yield at.swap(one, f"{at.source.segment(one)} + 1", 0.9)


def one_more(at: Seen) -> Iterator[Built]:
    """A function that is named gives one too few: `(end - start).days` → `(end - start).days + 1`."""
    for result in _results(at):
        if isinstance(result, ast.BinOp) and isinstance(result.op, ast.Sub) and _is_one(result.right):
            yield at.swap(result, at.source.segment(result.left), 0.9)
        elif isinstance(result, ast.Attribute) and result.attr in _SIZES:
            yield at.swap(result, f"{at.source.segment(result)} + 1", 0.9)
        elif isinstance(result, ast.Call) and ast.unparse(result.func) == "len":
            yield at.swap(result, f"{at.source.segment(result)} + 1", 0.7)


def _results(at: Seen) -> Iterator[ast.expr]:
    """What a function that is named gives."""
    if isinstance(at.root, Function):
        yield from (one.value for one in at.nodes(ast.Return) if one.value is not None)


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


def index_before(at: Seen) -> Iterator[Built]:
    """`MONTHS[month]` of names in a row, the first of which is number 1."""
    tables = {
        ast.unparse(one.targets[0])
        for one in (at.source.tree.body if isinstance(at.source.tree, ast.Module) else ())
        if isinstance(one, ast.Assign) and isinstance(one.value, ast.List | ast.Tuple)
    }
    spots: list[tuple[ast.expr, str]] = [
        (one.slice, f"{at.source.segment(one.slice)} - 1")
        for one in at.nodes(ast.Subscript)
        if ast.unparse(one.value) in tables and isinstance(one.slice, ast.Name | ast.Attribute)
    ]
    yield from edits(at, spots, ())


# -- numbers that begin at 0 -------------------------------------------------------------------------


def from_one(at: Seen) -> Iterator[Built]:
    """What is shown or given as a number begins at 1: a counter, `range(n)`, `enumerate(items)`."""
    said = at.context.situation.instruction
    if not any(phrases.number(one) == "0" for one in re.findall(r"\w+", said)):
        return
    spots: list[tuple[ast.expr, str]] = []
    loops: list[tuple[ast.For | ast.comprehension, Sequence[ast.AST]]] = [
        *((one, one.body) for one in at.nodes(ast.For)),
        *((each, [one.elt]) for one in at.nodes(ast.ListComp) for each in one.generators),
    ]
    for one, body in loops:
        over = one.iter
        names = [each.id for each in walk(one.target) if isinstance(each, ast.Name)]
        if not names or not isinstance(over, ast.Call) or len(over.args) != 1:
            continue
        if any(_is_index(each, names[0]) for part in body for each in walk(part)):
            continue
        text, called = at.source.segment(over.args[0]), ast.unparse(over.func)
        shown = any(_is_shown(at, each, names[0]) for part in body for each in walk(part))
        if called == "range" and shown:
            spots.append((over, f"range(1, {text} + 1)"))
        elif called == "enumerate" and len(names) > 1 and shown:
            spots.append((over, f"enumerate({text}, 1)"))
    for each in at.nodes(ast.Assign):
        if isinstance(each.value, ast.Constant) and each.value.value == 0 and type(each.value.value) is int:
            name = ast.unparse(each.targets[0])
            if _counts_what_it_shows(at, each, name):
                spots.append((each.value, "1"))
    yield from edits(at, spots, ())


def _is_index(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Subscript) and any(
        isinstance(one, ast.Name) and one.id == name for one in walk(node.slice)
    )


def _is_shown(at: Seen, node: ast.AST, name: str) -> bool:
    """Whether a node is the name, as an argument of a call or in a text."""
    outer = at.source.parents.get(node)
    kinds = ast.Call | ast.FormattedValue | ast.Tuple | ast.BinOp
    return isinstance(node, ast.Name) and node.id == name and isinstance(outer, kinds)


def _counts_what_it_shows(at: Seen, node: ast.Assign, name: str) -> bool:
    """Whether a loop behind shows a counter, and counts it up only as its last statement."""
    suite = at.source.suite(node)
    for loop in suite[suite.index(node) + 1 :]:
        if isinstance(loop, ast.For | ast.While) and isinstance(loop.body[-1], ast.AugAssign):
            counts = ast.unparse(loop.body[-1].target) == name
            shown = any(_is_shown(at, one, name) for part in loop.body[:-1] for one in walk(part))
            indexed = any(_is_index(one, name) for part in loop.body for one in walk(part))
            if counts and shown and not indexed:
                return True
    return False
