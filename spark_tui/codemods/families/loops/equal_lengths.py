"""Whether two sequences that one index goes through are visibly of the same length."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes, walk

_KEEPING = frozenset(("list", "tuple", "sorted", "reversed", "copy"))
"""Calls whose result has as many items as what they are given, or are called on."""


def are_equally_long(source: Source, loop: ast.For, one: str, two: str) -> bool:
    """Whether the code before a loop compares the lengths of both, makes one of the other without leaving
    items out, or sets both to as many items."""
    around = source.function_of(loop) or source.tree
    if around is None:
        return False
    pair = {f"len({one})", f"len({two})"}
    for node in find_nodes(around, ast.Compare):
        sides = {ast.unparse(side) for side in (node.left, *node.comparators)}
        if pair <= sides and node.lineno < loop.lineno:
            return True
    values = {name: _values(source, around, loop, name) for name in (one, two)}
    if any(len(found) != 1 or found[0] is None for found in values.values() if found):
        return False
    first, second = (next(iter(values[name]), None) for name in (one, two))
    made = (first is not None and _is_made_of(first, two)) or (
        second is not None and _is_made_of(second, one)
    )
    return made or (isinstance(first, ast.List | ast.Tuple) and _has_as_many(first, second))


def _values(source: Source, around: ast.AST, loop: ast.For, name: str) -> list[ast.expr | None]:
    """What a name is set to around a loop; None where that is not plain, or its items may become more."""
    found: list[ast.expr | None] = []
    for node in walk(around):
        if not isinstance(node, ast.Name | ast.Attribute) or ast.unparse(node) != name:
            continue
        parent = source.parents.get(node)
        if isinstance(node.ctx, ast.Store | ast.Del):
            plain = (
                isinstance(parent, ast.Assign) and len(parent.targets) == 1 and parent.lineno < loop.lineno
            )
            found.append(parent.value if plain and isinstance(parent, ast.Assign) else None)
        elif isinstance(parent, ast.Attribute) and isinstance(source.parents.get(parent), ast.Call):
            found += [] if parent.attr in ("index", "count", "copy") else [None]
    return found


def _is_made_of(value: ast.expr, name: str) -> bool:
    """Whether a value has as many items as a name."""
    if isinstance(value, ast.ListComp):
        (first, *more) = value.generators
        return not more and not first.ifs and _goes_through(first.iter, name)
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        sides = (value.left, value.right)
        single = any(isinstance(side, ast.List) and len(side.elts) == 1 for side in sides)
        return single and any(ast.unparse(side) == f"len({name})" for side in sides)
    if isinstance(value, ast.Subscript):
        return ast.unparse(value) == f"{name}[:]"
    if not isinstance(value, ast.Call) or called_name(value) not in _KEEPING:
        return False
    given = _parts(value.args[:1] or ([value.func.value] if isinstance(value.func, ast.Attribute) else []))
    return any(ast.unparse(part) == name for part in given)


def _goes_through(value: ast.expr, name: str) -> bool:
    return ast.unparse(value) in (name, f"range(len({name}))", f"enumerate({name})")


def _parts(given: Iterable[ast.expr]) -> list[ast.expr]:
    """What a call is given, of `map` what that goes through."""
    out: list[ast.expr] = []
    for one in given:
        mapped = isinstance(one, ast.Call) and called_name(one) == "map" and len(one.args) == 2
        out.append(one.args[1] if mapped and isinstance(one, ast.Call) else one)
    return out


def _has_as_many(first: ast.expr | None, second: ast.expr | None) -> bool:
    if not isinstance(first, ast.List | ast.Tuple) or not isinstance(second, ast.List | ast.Tuple):
        return False
    starred = any(isinstance(item, ast.Starred) for item in (*first.elts, *second.elts))
    return not starred and len(first.elts) == len(second.elts)
