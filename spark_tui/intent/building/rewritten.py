"""Expressions and statements of a place that become others, all together in one edit."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from spark_tui.codemods.registry import Operation
from spark_tui.codemods.rewriting.edits import is_same_tree
from spark_tui.intent.building.building import Built, build_at, call, place
from spark_tui.intent.context.anchors import Anchor, anchors, parsed
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Unresolved
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk


@dataclass(frozen=True, eq=False)
class Rewritten:
    """A node and the code that takes its place; statements may go on to `last`, and go away without code."""

    area: Area
    node: ast.expr | ast.stmt
    new: str
    doubts: tuple[str, ...] = ()
    last: ast.stmt | None = None


def replace_code(context: Context, anchor: Anchor, new: str) -> Operation:
    """The call that puts other code in the place of the expression of an anchor."""
    assert anchor.node is not None
    old = context.source(anchor.path).segment(anchor.node)
    return call("replace_expression", place=place(context, anchor), old=old, new=new)


def replace_around(context: Context, slot: str = "new") -> Iterator[Built]:
    """The edits where shown code has what stands around the named expression as well:
    `isinstance(x, Mapping)` instead of `dict`, in `isinstance(x, dict)`."""
    code = context.text(slot).strip("`")
    new = parsed(code)
    if new is None or not context.has("old") or isinstance(new, ast.Name | ast.Constant):
        return
    inner = [node for node in walk(new) if isinstance(node, ast.expr) and node is not new]
    for anchor in anchors(context, "expression:old"):
        if (old := anchor.node) is None:
            continue
        for outer in _expressions_around(context.source(anchor.path), old):
            if any(is_same_tree(outer, new, {old: node}) for node in inner if not is_same_tree(old, node)):
                spot = replace(anchor, node=outer)
                yield build_at(spot, replace_code(context, spot, code))
                break


def _expressions_around(source: Source, node: ast.AST) -> Iterator[ast.expr]:
    for outer in source.ancestors(node):
        if not isinstance(outer, ast.expr):
            return
        yield outer


def pass_argument(context: Context, anchor: Anchor, name: str, value: str) -> Operation:
    """The call that passes a value: by a keyword, or without one as the last argument."""
    assert isinstance(anchor.node, ast.Call)
    fields = {"callee": ast.unparse(anchor.node.func), "place": place(context, anchor), "value": value}
    return call("set_argument", **fields, name=name) if name else call("add_argument", **fields)


def make_replacement(context: Context, rewritten: Rewritten) -> Operation:
    """The call that puts the new code in the place of the old one."""
    if isinstance(rewritten.node, ast.expr):
        return replace_code(context, Anchor(rewritten.area, rewritten.node), rewritten.new)
    spot = place(context, Anchor(rewritten.area, rewritten.node, last=rewritten.last))
    if not rewritten.new:
        return call("delete_statements", place=spot)
    return call("replace_statements", place=spot, code=rewritten.new)


def build_together(context: Context, found: Iterable[Rewritten], what: str) -> Iterator[Built]:
    """One edit of all places in a file, or of those on the line that is named."""
    every = list(found)
    if not every:
        raise Unresolved(f"no {what} there")
    line = context.situation.line or _named_line(context)
    here = [
        rewritten
        for rewritten in every
        if rewritten.area.path == context.situation.path and line in _lines(rewritten)
    ]
    every = here if line and here else every
    groups: dict[tuple[str, str], list[Rewritten]] = {}
    for rewritten in every:
        # Areas that nobody named are different readings: the function that was edited last, or the file.
        area = rewritten.area
        groups.setdefault((area.path, "" if area.said else area.qualname), []).append(rewritten)
    for group in groups.values():
        # From the end, so that the lines above stay where they are.
        rows = sorted(group, key=_position, reverse=True)
        calls = tuple(make_replacement(context, row) for row in rows)
        doubts = tuple(doubt for row in rows for doubt in (*row.area.doubts, *row.doubts))
        yield Built(calls, max(row.area.weight for row in rows), tuple(dict.fromkeys(doubts)))


def _named_line(context: Context) -> int:
    """The line that a linter names after the open file: `shop.py:12`."""
    name = re.escape(context.situation.path.rpartition("/")[2])
    found = re.search(rf"{name}:(\d+)", context.situation.instruction) if name else None
    return int(found[1]) if found else 0


def _lines(rewritten: Rewritten) -> range:
    return range(rewritten.node.lineno, (rewritten.node.end_lineno or rewritten.node.lineno) + 1)


def _position(rewritten: Rewritten) -> tuple[int, int]:
    return rewritten.node.lineno, rewritten.node.col_offset


def is_meant(context: Context, *shown: str, slot: str = "variable") -> bool:
    """Whether code is what a slot names, or the slot is empty."""
    if not context.has(slot):
        return True
    wanted = key(plain_name(context.text(slot).strip("`'\"")))
    names = [key(text.removeprefix("self.")) for text in shown]
    return any(
        wanted in (one, key(two)) or one.endswith(f".{wanted}") for one, two in zip(names, shown, strict=True)
    )


def list_suites(root: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements in a node."""
    for node in walk(root):
        for name in ("body", "orelse", "finalbody"):
            rows = getattr(node, name, None)
            if isinstance(rows, list) and rows and isinstance(rows[0], ast.stmt):
                yield rows


def add_brackets(source: Source, node: ast.expr) -> str:
    """The code of an operand, in brackets where it needs them beside any operator."""
    text = source.segment(node)
    loose = ast.BoolOp | ast.Compare | ast.IfExp | ast.Lambda | ast.NamedExpr | ast.UnaryOp | ast.BinOp
    return f"({text})" if isinstance(node, loose | ast.Await | ast.Yield | ast.YieldFrom) else text


def replace_within(
    source: Source, node: ast.AST, inner: ast.AST, new: str, last: ast.AST | None = None
) -> str:
    """The code of a node with other code for a part of it, or for the parts up to `last`."""
    low, start, end = source.span(node)[0], source.span(inner)[0], source.span(last or inner)[1]
    text = source.segment(node)
    return text[: start - low] + new + text[end - low :]
