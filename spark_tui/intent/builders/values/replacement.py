"""The call that puts another value in the place of one: by the name that it has, where it has one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.families.values.replacement import VARIABLES, find_assignments
from spark_tui.codemods.plan import Refused
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.codemods.slots import Symbol
from spark_tui.codemods.uses.symbols import Target, find_symbol
from spark_tui.intent.building.building import Built, build_at, call
from spark_tui.intent.building.rewritten import pass_argument, replace_code
from spark_tui.intent.context.anchors import Anchor, anchors, is_same_expression, parsed
from spark_tui.intent.context.lookup import key
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area
from spark_tui.intent.finders.blocks import default_name
from spark_tui.intent.values.converters.of_slots import read_typed
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Function


def put_value(
    context: Context,
    anchor: Anchor,
    node: ast.expr,
    new: str,
    weight: float = 1.0,
    doubts: tuple[str, ...] = (),
) -> Built:
    """The call that puts other code in the place of an expression: by name where it has one."""
    return build_at(anchor, _value_put(context, anchor, node, new), weight=weight, doubts=doubts)


def _value_put(context: Context, anchor: Anchor, node: ast.expr, new: str) -> Operation:
    source = context.source(anchor.path)
    outer = source.parents.get(node)
    if isinstance(outer, ast.Assign | ast.AnnAssign) and outer.value is node:
        goal = outer.targets[0] if isinstance(outer, ast.Assign) else outer.target
        symbol = _symbol(context, anchor.path, goal)
        if symbol is not None:
            return call("set_value", target=symbol, value=new)
    if isinstance(outer, ast.arguments):
        target = f"{anchor.path}::{source.qualname(source.parents[outer])}"
        return call("set_default", target=target, name=default_name(source, node)[0], default=new)
    passed_to = source.parents.get(outer) if isinstance(outer, ast.keyword) else None
    if isinstance(outer, ast.keyword) and outer.arg and isinstance(passed_to, ast.Call):
        return pass_argument(context, Anchor(anchor.area, passed_to), outer.arg, new)
    return replace_code(context, Anchor(anchor.area, node), new)


def _symbol(context: Context, path: str, goal: ast.expr) -> str | None:
    """The symbol that an assignment sets, where it is found again by its name and line."""
    name = goal.id if isinstance(goal, ast.Name) else goal.attr if isinstance(goal, ast.Attribute) else ""
    for item in context.names.in_file(path).get(key(name), ()):
        for statement, _ in find_assignments(context.repo, item) if item.kind in VARIABLES else ():
            if statement.lineno == goal.lineno:
                several = len(find_assignments(context.repo, item)) > 1
                text = f"{path}::{item.qualname}" + (f"@{statement.lineno}" if several else "")
                return text if _is_found(context, text, item) else None
    return None


def _is_found(context: Context, text: str, target: Target) -> bool:
    seen = find_symbol(context.repo, Symbol.parse(text), VARIABLES)
    return not isinstance(seen, Refused) and seen.qualname == target.qualname


def constant_default(context: Context) -> Iterator[Built]:
    """The constant that is the default of a parameter, where it has the old value that is said."""
    old_text, span = context.text("old"), context.span("default")
    wanted = parsed(phrases.value(old_text) or old_text) if old_text else None
    for anchor in anchors(context, "parameter:parameter") if wanted is not None and span is not None else ():
        node, source = anchor.node, context.source(anchor.path)
        old = default_of(node, anchor.words["parameter"]) if isinstance(node, Function) else None
        for stmt in getattr(source.tree, "body", ()) if isinstance(old, ast.Name) else ():
            named = isinstance(stmt, ast.Assign) and is_same_expression(
                parsed(ast.unparse(stmt.targets[0])), old
            )
            if named and is_same_expression(stmt.value, wanted) and span is not None:
                spot = Anchor(Area(anchor.path), stmt, anchor.weight, anchor.doubts)
                for option in read_typed(context, span, spot, stmt.value, "", ast.unparse(stmt.targets[0])):
                    yield put_value(context, spot, stmt.value, option.text, option.weight, option.doubts)
                return
