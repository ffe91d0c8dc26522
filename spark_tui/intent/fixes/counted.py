"""A fix of what is never counted up: a number that a loop uses and does not change."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, call, place
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.fixes.seen_error import Seen
from spark_tui.pysource.syntax.walking import walk


def counted_up(at: Seen) -> Iterator[Built]:
    """The number that is named goes up in the handler that is named, else at the end of the loop."""
    said = at.context.situation.instruction
    named = at.context.text("symbol").strip("`") or said
    for loop in at.nodes(ast.While) + at.nodes(ast.For):
        inside = [one for part in loop.body for one in walk(part)]
        read = {one.id for one in [*inside, *walk(getattr(loop, "test", None))] if isinstance(one, ast.Name)}
        for name in sorted(one for one in read if re.search(rf"(?<![\w.]){one}(?![\w.])", named)):
            if not _is_number(at, loop, name):
                continue
            handlers = [one for one in inside if isinstance(one, ast.ExceptHandler) and _is_named(one, said)]
            lacking = [one for one in handlers if not any(_sets(each, name) for each in walk(one))]
            if lacking:
                yield _behind(at, lacking[0].body[-1], name)
            elif not handlers and not any(_sets(one, name) for one in inside):
                yield _behind(at, _last_use(loop, name), name)


def _is_named(handler: ast.ExceptHandler, said: str) -> bool:
    kinds = [one for one in walk(handler.type) if isinstance(one, ast.Name | ast.Attribute)]
    return any(ast.unparse(one).rpartition(".")[2] in said for one in kinds)


def _is_number(at: Seen, loop: ast.stmt, name: str) -> bool:
    """Whether a name was set to a number in front of a loop, in the same function."""
    within = at.source.function_of(loop) or at.source.tree
    values = [one.value for one in walk(within) if isinstance(one, ast.Assign) and _sets(one, name)]
    return any(
        (isinstance(one, ast.Constant) and isinstance(one.value, int))
        or (isinstance(one, ast.Call) and ast.unparse(one.func) in ("int", "len", "max"))
        for one in values
    )


def _sets(one: ast.AST, name: str) -> bool:
    goals = one.targets if isinstance(one, ast.Assign) else [getattr(one, "target", None)]
    return any(isinstance(each, ast.Name) and each.id == name for goal in goals for each in walk(goal))


def _last_use(loop: ast.For | ast.While, name: str) -> ast.stmt:
    """The end of a loop's body; where a `continue` may come before it, the last statement with the name."""
    used = [
        one for one in loop.body if any(isinstance(each, ast.Name) and each.id == name for each in walk(one))
    ]
    early = any(isinstance(one, ast.Continue) for part in loop.body for one in walk(part))
    return used[-1] if early and used else loop.body[-1]


def _behind(at: Seen, one: ast.stmt, name: str) -> Built:
    spot = place(at.context, Anchor(at.area, one))
    made = call("insert_statements", place=spot, code=f"{name} += 1", side="after")
    return Built((made,), 0.9 * at.area.weight)
