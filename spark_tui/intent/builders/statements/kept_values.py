"""A value in the place of statements that make it: it is kept under the name that they set."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace

from spark_tui.codemods.families.statements.placement import ReplaceStatements
from spark_tui.intent.building.building import NARROWED, Built, call
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.pysource.inference.known_types import ADDING
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.tree_comparison import parse_statement

_VALUES = (
    *(ast.Dict, ast.List, ast.Set, ast.Tuple, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    *(ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Subscript, ast.Name, ast.Attribute, ast.JoinedStr),
)
"""Expressions that do nothing as statements."""


def kept(context: Context, made: Iterable[Built]) -> Iterator[Built]:
    """What is shown in the place of a loop is what the loop fills: `rows = [x for x in xs]`. A value in the
    place of statements that set nothing, or several names, does nothing and is none."""
    for built in made:
        one = built.calls[0]
        assert isinstance(one, ReplaceStatements)
        value = parse_statement(one.code)
        if not isinstance(value, ast.Expr) or not isinstance(value.value, _VALUES) or not one.place.first:
            yield built
            continue
        source, lines = context.source(one.place.path), range(one.place.first, one.place.last + 1)
        names = {
            ast.unparse(target)
            for stmt in source.statements
            if stmt.lineno in lines
            for target in _filled(stmt)
        }
        if len(names) != 1:
            raise Unresolved(f"{one.code} does nothing by itself")
        code = f"{names.pop()} = {one.code}"
        changed = call("replace_statements", place=str(one.place), code=code)
        yield replace(built, calls=(changed, *built.calls[1:]))


def _filled(stmt: ast.stmt) -> Iterator[ast.expr]:
    """What a statement sets, adds to or fills; not what a loop in it goes through."""
    for node in walk(stmt):
        if isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (item.value if isinstance(item, ast.Subscript) else item for item in targets)
        elif isinstance(func := getattr(node, "func", None), ast.Attribute) and func.attr in ADDING:
            yield func.value


NARROWED["replace_statements"] = kept
