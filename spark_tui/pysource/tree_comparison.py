"""Parse Python texts quietly, and compare them by their syntax trees."""

from __future__ import annotations
import __future__

import ast
import copy
from functools import lru_cache, reduce
from operator import or_

from spark_tui.pysource.source import Source, docstring
from spark_tui.pysource.syntax.parsing import compiles, parse
from spark_tui.shared_ends import same_at_end, same_at_start


def parse_statement(text: str) -> ast.stmt | None:
    """The one statement of a text, or None where it is none, or several."""
    tree = parse(text)
    return tree.body[0] if tree is not None and len(tree.body) == 1 else None


@lru_cache(maxsize=8)
def changed_statements(old: Source, new: Source) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The statements of two modules but those that begin, and those that end, both alike: on lines with the
    same text. Where as many are left of both, those that stand alike in the same place are left out too."""
    return _changed(old, new, old.body, new.body)


@lru_cache(maxsize=8)
def changed_members(old: Source, new: Source) -> tuple[str, list[ast.stmt], list[ast.stmt]]:
    """The same of the body of the innermost class that has all of them and keeps its head; first its dotted
    name and a dot, or nothing."""
    where, (first, second) = "", changed_statements(old, new)
    while len(first) == len(second) == 1:
        one, other = first[0], second[0]
        if not (isinstance(one, ast.ClassDef) and isinstance(other, ast.ClassDef)):
            break
        if not _head(old, one) or _head(old, one) != _head(new, other):
            break
        where = f"{where}{one.name}."
        first, second = _changed(old, new, one.body, other.body)
    return where, first, second


def _head(source: Source, node: ast.ClassDef) -> tuple[str, ...]:
    """The lines of a class before those of its body."""
    return source.lines[source.first_line(node) : source.first_line(node.body[0])]


def _changed(
    old: Source, new: Source, first: list[ast.stmt], second: list[ast.stmt]
) -> tuple[list[ast.stmt], list[ast.stmt]]:
    same = same_at_start(old.lines, new.lines)
    low = 0
    for one, other in zip(first, second, strict=False):
        extent = _extent(old, one)
        if extent[1] > same or extent != _extent(new, other):
            break
        low += 1
    same = len(old.lines) - same_at_end(old.lines, new.lines)
    moved, high = len(new.lines) - len(old.lines), 0
    for one, other in zip(first[low:][::-1], second[low:][::-1], strict=False):
        start, end = _extent(old, one)
        if start < same or _extent(new, other) != (start + moved, end + moved):
            break
        high += 1
    first, second = first[low : len(first) - high], second[low : len(second) - high]
    if len(first) != len(second):
        return first, second
    both = zip(first, second, strict=True)
    pairs = [(one, other) for one, other in both if _lines(old, one) != _lines(new, other)]
    return [one for one, _ in pairs], [other for _, other in pairs]


@lru_cache(maxsize=8)
def still_compiles(old: Source, new: Source) -> bool:
    """Whether nothing keeps the second of two texts from compiling that did not keep the first: its changed
    statements compile by themselves. False says nothing."""
    if old.tree is None or new.tree is None:
        return False
    flags, head = 0, True
    for one in new.tree.body:
        if isinstance(one, ast.ImportFrom) and one.module == "__future__":
            known = __future__.all_feature_names
            features = [getattr(__future__, item.name) for item in one.names if item.name in known]
            if not head or len(features) < len(one.names):
                return False
            flags = reduce(or_, (feature.compiler_flag for feature in features), flags)
        elif one is not docstring(new.tree):
            head = False
    declared = (statement for statement in new.statements if type(statement) in (ast.Global, ast.Nonlocal))
    if any(new.function_of(statement) is None for statement in declared):
        return False  # it may forbid what other statements of the module or the class do
    changed = changed_members(old, new)[2]
    owner = new.class_of(changed[0]) if changed else None
    if owner is not None:
        owner = copy.copy(owner)
        owner.body, changed = changed, [owner]
    return compiles(ast.Module(changed, []), flags)


def _extent(source: Source, statement: ast.stmt) -> tuple[int, int]:
    return source.first_line(statement), source.last_line(statement)


def _lines(source: Source, statement: ast.stmt) -> tuple[str, ...]:
    return source.lines[slice(*_extent(source, statement))]


def same_tree(one: str, two: str) -> bool:
    """Equal as code, layout and comments aside."""
    first, second = parse(one), parse(two)
    return first is not None and second is not None and ast.dump(first) == ast.dump(second)
