"""Whether two sequences that one index goes through are visibly of the same length."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Definition, Source
from spark_tui.pysource.syntax.walking import LEAVING, LOOPS, walk

_KEEPING = frozenset(("list", "tuple", "sorted", "reversed", "copy"))
"""Calls whose result has as many items as what they are given, or are called on."""


def are_equally_long(source: Source, loop: ast.For, one: str, two: str) -> bool:
    """Whether the code before a loop lets only sequences of the same length through, makes one of the other
    without leaving items out, or sets both to as many items, and nothing changes them behind that."""
    around = source.function_of(loop) or source.tree
    if around is None:
        return False
    before = list(_before(source, loop))
    changes = [(name, line) for name in (one, two) for line in _changes(source, around, loop, name)]

    def stays(since: dict[str, int]) -> bool:
        return not any(line > since[name] for name, line in changes)

    lengths = {f"len({one})", f"len({two})"}
    checks = [statement.lineno for statement in before if _lets_through(statement, lengths)]
    if checks and stays(dict.fromkeys((one, two), max(checks))):
        return True
    first, second = (_assigned(before, name) for name in (one, two))
    for made, other in ((first, two), (second, one)):
        if made is not None and _is_made_of(made.value, other):
            return stays(dict.fromkeys((one, two), made.lineno))
    if first is None or second is None or not _has_as_many(first.value, second.value):
        return False
    return stays({one: first.lineno, two: second.lineno})


def _before(source: Source, loop: ast.For) -> Iterator[ast.stmt]:
    """The statements that have run where a loop of a function begins."""
    at: ast.stmt = loop
    while True:
        suite = source.suite(at)
        yield from suite[: suite.index(at)]
        outer = next((one for one in source.ancestors(at) if isinstance(one, ast.stmt)), None)
        if outer is None or isinstance(outer, Definition):
            return
        at = outer


def _lets_through(statement: ast.stmt, lengths: set[str]) -> bool:
    """Whether the code after a statement runs only if two lengths are equal."""
    if not isinstance(statement, ast.Assert | ast.If) or not isinstance(statement.test, ast.Compare):
        return False
    wanted = ast.Eq if isinstance(statement, ast.Assert) else ast.NotEq
    if isinstance(statement, ast.If) and not isinstance(statement.body[-1], LEAVING):
        return False
    sides = {ast.unparse(side) for side in (statement.test.left, *statement.test.comparators)}
    return lengths <= sides and all(isinstance(one, wanted) for one in statement.test.ops)


def _assigned(before: list[ast.stmt], name: str) -> ast.Assign | None:
    """The last assignment to a name before a loop."""
    found = [
        one
        for one in before
        if isinstance(one, ast.Assign) and [ast.unparse(item) for item in one.targets] == [name]
    ]
    return max(found, key=lambda one: one.lineno, default=None)


def _changes(source: Source, around: ast.AST, loop: ast.For, name: str) -> Iterator[int]:
    """The lines where a name may get another value, or its value more items or fewer, before a loop begins
    once more."""
    outer = [one for one in source.ancestors(loop) if isinstance(one, LOOPS)]
    last = source.last_line(outer[-1] if outer else loop)
    for node in walk(around):
        if not isinstance(node, ast.Name | ast.Attribute) or ast.unparse(node) != name or node.lineno > last:
            continue
        parent = source.parents.get(node)
        changed = not isinstance(node.ctx, ast.Load)
        if isinstance(parent, ast.Attribute):
            called = isinstance(source.parents.get(parent), ast.Call)
            changed = called and parent.attr not in ("index", "count", "copy")
        elif isinstance(parent, ast.Subscript) and parent.value is node:
            sliced = isinstance(parent.slice, ast.Slice) and isinstance(parent.ctx, ast.Store)
            changed = sliced or isinstance(parent.ctx, ast.Del)
        elif isinstance(parent, ast.Call) and isinstance(source.parents.get(parent), ast.Expr):
            changed = called_name(parent) not in ("print", "len")
        if changed:
            yield node.lineno


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
