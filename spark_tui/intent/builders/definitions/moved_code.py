"""Calls that move statements, or a definition as a whole, before or after another place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, build_at, builder, call, found, place
from spark_tui.intent.context.anchors import Anchor, anchors, nodes
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.source import Definition


@builder("move_before", "move_after")
def move(context: Context) -> Iterator[Built]:
    side = context.reading.intent.removeprefix("move_")
    if whole := list(_moved_whole(context, side)):
        yield from whole
        return
    for anchor in found(context, "statement:code", "statement like that")[:3]:
        for other in found(context, "statement:anchor", "place like that")[:3]:
            if other.path == anchor.path and other.node is not anchor.node:
                made = call(
                    "move_statements", place=place(context, anchor), to=place(context, other), side=side
                )
                yield build_at(anchor, made, option=other)


def _moved_whole(context: Context, side: str) -> Iterator[Built]:
    """A definition beside another one, or an import that stands apart to the others."""
    code, beside = (plain_name(context.text(slot)) for slot in ("code", "anchor"))
    for area, _, root in context.trees():
        body: list[ast.stmt] = getattr(root, "body", [])
        suites = [body, *(stmt.body for stmt in body if isinstance(stmt, ast.ClassDef))]
        defined = [{stmt.name: stmt for stmt in suite if isinstance(stmt, Definition)} for suite in suites]
        known = [named for named in defined if code in named and beside in named and code != beside]
        doubts = (*area.doubts, *([f"{len(known)} classes have {code}"] if len(known) > 1 else ()))
        for named in known[:3]:
            ends = (place(context, Anchor(area, named[item])) for item in (code, beside))
            made = call("move_statements", place=next(ends), to=next(ends), side=side)
            yield Built((made,), 0.95 * area.weight / len(known), doubts)
        if known:
            return
        imports = [stmt for stmt in body if isinstance(stmt, ast.Import | ast.ImportFrom)]
        code_text = context.text("code").strip("`")
        lost = [node for node in nodes(root, ast.Import, ast.ImportFrom) if ast.unparse(node) == code_text]
        rest = [imported for imported in imports if imported not in lost]
        if len(lost) == 1 and rest and not anchors(context, "statement:anchor"):
            spots = [place(context, Anchor(area, item)) for item in (lost[0], rest[-1])]
            made = call("move_statements", place=spots[0], to=spots[1], side="after")
            yield build_at(area, made, weight=0.9)
