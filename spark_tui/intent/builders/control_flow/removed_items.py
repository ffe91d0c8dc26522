"""A function that removes things in a loop gives them back, or how many they were."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, build_at, call, found, place
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words import phrases
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import LOOPS, find_nodes, names_in, walk

_REMOVED = re.compile(
    r"\b(?:removed|deleted|dropped|pruned|purged|discarded|evicted|expired)\b", re.IGNORECASE
)
_REMOVING = ("remove", "discard", "pop", "unlink", "rmtree", "rmdir")


def removed_items(context: Context) -> Iterator[Built]:
    """The list of them, or their number where that is said; none where the words are about something else."""
    text = context.text("result")
    said = _REMOVED.search(text)
    if not context.named or " " not in text.strip() or said is None:
        return
    counts = phrases.any_stands_in(phrases.words("counted_rounds"), text.lower())
    for anchor in found(context, "function", "function"):
        node, source = anchor.node, context.source(anchor.path)
        if not isinstance(node, Function) or said[0] in names_in(node):
            continue
        removals = [spot for stmt in node.body if isinstance(stmt, ast.For) for spot in _removals(stmt)]
        if not removals and not counts and (made := list(_given_back(context, anchor, node))):
            yield from made
            return
        if len(removals) != 1:
            raise Unresolved(f"it is not clear in the code what {node.name} removes")
        statement, item = removals[0]
        leaves = [one for one in walk(node) if isinstance(one, ast.Return | ast.Yield | ast.YieldFrom)]
        last = node.body[-1]
        if leaves not in ([], [last]):
            raise Unresolved(f"{node.name} gives something back already")
        name = next(
            one for one in ("count" if counts else "removed", "gone", "found") if one not in names_in(node)
        )
        add = f"{name} += 1" if counts else f"{name}.append({item})"
        start = f"in {anchor.path}::{source.qualname(node)}"
        end = place(context, Anchor(anchor.area, last))
        inside = place(context, Anchor(anchor.area, statement))
        given = f"return {name}"
        calls = [
            call("replace_statements", place=end, code=given)
            if leaves
            else call("insert_statements", place=end, code=given, side="after"),
            call("insert_statements", place=inside, code=add, side="after"),
            call("insert_statements", place=start, code=f"{name} = {0 if counts else []}", side="start"),
        ]
        shown = source.segment(last) if leaves else ""
        yield build_at(anchor, *calls, weight=0.9, doubts=(f"{shown} goes",) if shown else ())


def _removals(loop: ast.For) -> Iterator[tuple[ast.stmt, str]]:
    """The statements of a loop that remove one of its items, with the name of that."""
    items = names_in(loop.target)
    for stmt in walk(loop):
        if isinstance(stmt, ast.Delete) and len(stmt.targets) == 1:
            gone = stmt.targets[0]
            named = [gone.slice] if isinstance(gone, ast.Subscript) else []
        elif isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Call):
            called = stmt.value.func if called_name(stmt.value) in _REMOVING else None
            named = [*stmt.value.args[:1], *find_nodes(called, ast.Name)] if called is not None else []
        else:
            continue
        if isinstance(loop.iter, ast.Call) and called_name(loop.iter) == "range":
            continue
        name = next((one.id for one in named if isinstance(one, ast.Name) and one.id in items), "")
        if name:
            yield stmt, name


def _given_back(context: Context, anchor: Anchor, node: Function) -> Iterator[Built]:
    """The only thing that a function removes, outside of loops, as what it returns."""
    source, said = context.source(anchor.path), context.text("result")
    own = (stmt for stmt in walk(node) if isinstance(stmt, ast.stmt) and not _in_loop(source, stmt))
    alone = [stmt for stmt in own if _removes_one(source, stmt)]
    named = [one for one in alone if isinstance(one, ast.Assign)]
    found = [one for one in named if ast.unparse(one.targets[0]) in said.split()] or alone
    if len(found) != 1 or any(isinstance(one, ast.Return | ast.Yield) for one in walk(node)):
        return
    stmt, last = found[0], node.body[-1]
    end = f"in {anchor.path}::{source.qualname(node)}"
    value = _removes_one(source, stmt)
    if isinstance(stmt, ast.Assign):
        given = ast.unparse(stmt.targets[0])
        yield build_at(anchor, call("insert_statements", place=end, code=f"return {given}", side="end"))
    elif source.last_line(stmt) == source.last_line(last):
        where = place(context, Anchor(anchor.area, stmt))
        yield build_at(anchor, call("replace_statements", place=where, code=f"return {value}"))
    elif stmt in node.body:
        where = place(context, Anchor(anchor.area, stmt))
        made = call("replace_statements", place=where, code=f"removed = {value}")
        yield build_at(anchor, call("insert_statements", place=end, code="return removed", side="end"), made)


def _in_loop(source: Source, stmt: ast.stmt) -> bool:
    return any(isinstance(one, LOOPS) for one in source.ancestors(stmt))


def _removes_one(source: Source, stmt: ast.stmt) -> str:
    """The code that removes something and gives it, for a statement that does no more; else empty."""
    if (
        isinstance(stmt, ast.Delete)
        and len(stmt.targets) == 1
        and isinstance(gone := stmt.targets[0], ast.Subscript)
    ):
        is_one = not isinstance(gone.slice, ast.Slice)
        return f"{source.segment(gone.value)}.pop({source.segment(gone.slice)})" if is_one else ""
    value = stmt.value if isinstance(stmt, ast.Expr | ast.Assign) else None
    return (
        source.segment(value)
        if isinstance(value, ast.Call) and called_name(value) in ("pop", "popleft", "popitem")
        else ""
    )
