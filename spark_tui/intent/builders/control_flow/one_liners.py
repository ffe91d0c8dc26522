"""Functions in one line: the form that the code of the function has."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.patterns.table import pattern_table
from spark_tui.codemods.plan import Plan
from spark_tui.intent.building.building import (
    Built,
    build_at,
    builder,
    call,
    calls_table,
    from_entry,
    of_table,
    place,
)
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import names_in

_COMPREHENSIONS = ("list_comprehension", "dict_comprehension", "set_comprehension")
_FORMS = ("ternary", *_COMPREHENSIONS, "any", "next", "sum", "join")
_SIMPLER = ("merge_ifs", "dict_get", "setdefault", "chained_comparison", "augmented")


@builder("pattern.return_condition")
def return_condition(context: Context) -> Iterator[Built]:
    """The condition itself; where none is returned and one line is wanted, what makes one of the code. Where
    it is only to become simpler, the first form that fits."""
    made = list(of_table(context, "pattern.return_condition"))
    text = context.situation.instruction.lower()
    simpler = phrases.any_stands_in(phrases.words("simplifying"), text) and context.named
    wanted = simpler or (phrases.any_stands_in(phrases.words("one_line"), text) and context.named)
    fits = any(isinstance(built.calls[0].plan(context.repo), Plan) for built in made)
    if not fits and (asked := list(_membership(context))):
        yield from asked
        return
    if not wanted or fits:
        yield from made
        return
    for name in (*_FORMS, *(_SIMPLER if simpler else ())):
        entry = calls_table()[f"pattern.{name}"]
        for form in (f"{name}_returned", name):
            for built in from_entry(context, {**entry, "name": form}) if form in pattern_table() else ():
                plan = built.calls[0].plan(context.repo)
                if isinstance(plan, Plan) and (simpler or len(plan.edits) == 1):
                    doubts = (assumed("this form was assumed to be simpler"),) if simpler else ()
                    yield replace(built, weight=0.9 * built.weight, doubts=(*built.doubts, *doubts))
                    return
    yield from made


def _membership(context: Context) -> Iterator[Built]:
    """`x in items` for a loop that returns whether one of the items is `x`."""
    for area, source, loop in context.find(ast.For) if context.named else ():
        inner = loop.body[0]
        if len(loop.body) > 1 or loop.orelse or not isinstance(inner, ast.If) or inner.orelse:
            continue
        test, behind = inner.test, _next_to(source, loop)
        sides = [test.left, test.comparators[0]] if isinstance(test, ast.Compare) else []
        other = [one for one in sides if ast.unparse(one) != ast.unparse(loop.target)]
        equal = isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)
        if not equal or len(other) != 1 or [*map(ast.unparse, inner.body)] != ["return True"]:
            continue
        own = names_in(loop.target) & names_in(other[0])
        if own or behind is None or ast.unparse(behind[0]) != "return False":
            continue
        code = f"return {source.segment(other[0])} in {source.segment(loop.iter)}"
        spot = place(context, Anchor(area, loop, last=behind[0] if behind[1] else None))
        yield build_at(area, call("replace_statements", place=spot, code=code), weight=0.95)


def _next_to(source: Source, stmt: ast.stmt) -> tuple[ast.stmt, bool] | None:
    """The statement that runs after one, and whether it stands right behind it."""
    inner: ast.AST = stmt
    while isinstance(inner, ast.stmt) and not isinstance(inner, Function):
        rows = source.suite(inner)
        if rows[-1] is not inner:
            return rows[rows.index(inner) + 1], inner is stmt
        outer = source.parents.get(inner)
        inner = outer if isinstance(outer, ast.If) else source.tree or ast.Pass()
    return None
