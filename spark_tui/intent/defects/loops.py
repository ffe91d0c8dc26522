"""Causes in loops: what is set anew in each round, and loops that end too early, too late or never."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.building.building import Built
from spark_tui.intent.defects.causes import (
    around,
    cause,
    changed,
    line_before,
    line_gone,
    own,
    returned,
    text_of,
)
from spark_tui.intent.fixes.off_by_one import loop_over_changed
from spark_tui.intent.fixes.seen_error import SeenError
from spark_tui.pysource.inference.known_types import ADDING
from spark_tui.pysource.syntax.walking import LOOPS, find_nodes, names_in, walk


@cause("skips_some", plain=0.9)
def changed_while_gone_through(at: SeenError) -> Iterator[Built]:
    """A loop over what its body adds to or takes from, and goes on."""
    for loop in own(at, ast.For):
        ends = [node for node in walk(loop) if isinstance(node, ast.Return | ast.Break)]
        stores = {
            text_of(node.value) for node in find_nodes(loop, ast.Subscript) if isinstance(node.ctx, ast.Store)
        }
        if not ends and text_of(loop.iter) not in stores:
            yield from loop_over_changed(replace(at, root=loop))


def _loops(at: SeenError) -> list[ast.For | ast.AsyncFor | ast.While]:
    return [*own(at, ast.For), *own(at, ast.AsyncFor), *own(at, ast.While)]


@cause("only_last", plain=0.9)
def set_in_each_round(at: SeenError) -> Iterator[Built]:
    """`total = 0` in the loop that adds to it goes in front of the loop."""
    for loop in _loops(at):
        changes = [node for part in loop.body for node in walk(part)]
        for stmt in loop.body:
            if not isinstance(stmt, ast.Assign) or not _begins(stmt.value):
                continue
            name = text_of(stmt.targets[0])
            if _grows(changes, name) and (name in returned(at) or _read_after(at, loop, name)):
                code = at.source.segment(stmt)
                rows = [line_before(at.source, loop, code), line_gone(at.source, stmt)]
                yield from changed(at, rows, 0.95)


def _begins(node: ast.expr) -> bool:
    """Whether a value is one that something begins with: 0, an empty list, `set()`."""
    if isinstance(node, ast.Constant):
        return node.value in (0, "", 1, False) or node.value is None
    empty = isinstance(node, ast.List | ast.Tuple | ast.Set) and not node.elts
    made = isinstance(node, ast.Call) and not node.args and not node.keywords
    return empty or made or (isinstance(node, ast.Dict) and not node.keys)


def _grows(nodes: list[ast.AST], name: str) -> bool:
    """Whether one of some nodes adds to what has a name."""
    for node in nodes:
        if isinstance(node, ast.AugAssign) and text_of(node.target) == name:
            return True
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute) and called.attr in ADDING and text_of(called.value) == name:
            return True
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.ctx, ast.Store)
            and text_of(node.value) == name
        ):
            return True
    return False


def _read_after(at: SeenError, loop: ast.stmt, name: str) -> bool:
    end = loop.end_lineno or 0
    return any(node.id == name and node.lineno > end for node in own(at, ast.Name))


@cause("only_last", plain=0.8)
def replaced_in_each_round(at: SeenError) -> Iterator[Built]:
    """`total = price` where the loop was begun with `total = 0`: it is added."""
    begun = {
        text_of(stmt.targets[0]): stmt.value
        for stmt in own(at, ast.Assign)
        if around(at, stmt, *LOOPS) is None and _begins(stmt.value)
    }
    for loop in _loops(at):
        for stmt in find_nodes(loop, ast.Assign):
            name = text_of(stmt.targets[0])
            first = begun.get(name)
            if first is None or name in names_in(stmt.value) or isinstance(stmt.value, ast.Constant):
                continue
            if around(at, stmt, ast.If) is not None or not isinstance(stmt.targets[0], ast.Name):
                continue
            low, high = at.source.span(stmt)
            value = at.source.segment(stmt.value)
            if isinstance(first, ast.List):
                yield from changed(at, [(low, high, f"{name}.append({value})")], 0.85)
            elif isinstance(first, ast.Constant) and first.value in (0, ""):
                yield from changed(at, [(low, high, f"{name} += {value}")], 0.9)


@cause("counts_once", plain=0.4)
def set_to_one(at: SeenError) -> Iterator[Built]:
    """`counts[word] = 1` in a loop: one more each time."""
    for loop in _loops(at):
        for stmt in find_nodes(loop, ast.Assign):
            target = stmt.targets[0]
            if (
                isinstance(target, ast.Subscript)
                and isinstance(stmt.value, ast.Constant)
                and stmt.value.value == 1
            ) and around(at, stmt, ast.If) is None:
                base, key = at.source.segment(target.value), at.source.segment(target.slice)
                low, high = at.source.span(stmt.value)
                yield from changed(at, [(low, high, f"{base}.get({key}, 0) + 1")], 0.95)


@cause("only_first", plain=0.9)
def leaves_in_first_round(at: SeenError) -> Iterator[Built]:
    """A `return` that ends each round goes behind the loop."""
    for loop in _loops(at):
        last = loop.body[-1]
        inner = loop.orelse
        if isinstance(last, ast.If) and last.orelse and isinstance(last.orelse[-1], ast.Return):
            yield from _else_behind(at, loop, last)
        elif isinstance(last, ast.Return) and not inner:
            source = at.source
            first, end = source.first_line(last), source.last_line(last)
            deep, outer = source.indent(last), source.indent(loop)
            rows = []
            for line in range(first, end):
                if source.lines[line].startswith(deep):
                    start = source.starts[line]
                    rows.append((start, start + len(deep), outer))
            if len(loop.body) > 1:
                yield from changed(at, rows, 0.95)


def _else_behind(at: SeenError, loop: ast.stmt, test: ast.If) -> Iterator[Built]:
    """`else: return False` in a loop goes behind it."""
    source, leave = at.source, test.orelse[-1]
    if len(test.orelse) > 1 or source.segment(leave).count("\n"):
        return
    low = source.starts[source.last_line(test.body[-1])]
    high = source.starts[source.last_line(leave)]
    code = f"{source.indent(loop)}{source.segment(leave)}{source.newline}"
    if test.end_lineno == loop.end_lineno:
        yield from changed(at, [(low, high, code)], 0.95)


@cause("never_ends", plain=0.9)
def never_counts(at: SeenError) -> Iterator[Built]:
    """`while i < n` without a change of `i`: one more at the end of each round."""
    for loop in own(at, ast.While):
        test = loop.test
        if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.left, ast.Name):
            continue
        name = test.left.id
        stores = {node.id for node in find_nodes(loop, ast.Name) if isinstance(node.ctx, ast.Store)}
        sign = "+" if isinstance(test.ops[0], ast.Lt | ast.LtE) else "-"
        if name in stores or not isinstance(test.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE):
            continue
        last = loop.body[-1]
        if not isinstance(last, ast.Return | ast.Break):
            high = at.source.span(last)[1]
            code = f"{at.source.newline}{at.source.indent(last)}{name} {sign}= 1"
            yield from changed(at, [(high, high, code)], 0.9)


@cause("same_for_all", plain=0.95)
def looked_up_late(at: SeenError) -> Iterator[Built]:
    """`lambda: show(name)` in a loop over `name` takes its value along."""
    for loop in own(at, ast.For):
        targets = [node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)]
        for made in find_nodes(loop, ast.Lambda):
            own_names = {one.arg for one in (*made.args.args, *made.args.kwonlyargs)}
            used = names_in(made.body)
            needed = [name for name in targets if name in used and name not in own_names]
            if needed and not (made.args.vararg or made.args.kwarg or made.args.kwonlyargs):
                spot = at.source.span(made)[0] + len("lambda")
                given = ", ".join(f"{name}={name}" for name in needed)
                head = at.source.text[spot : at.source.span(made.body)[0]].partition(":")[0].strip()
                high = at.source.text.index(":", spot)
                yield from changed(at, [(spot, high, f" {head}, {given}" if head else f" {given}")], 0.95)


@cause("one_missing", "one_too_many")
def ends_of_pieces(at: SeenError) -> Iterator[Built]:
    """Ranges and slices that end one early, or begin one late."""
    too_few = at.kind == "one_missing"
    for node in own(at, ast.Call):
        if text_of(node.func) != "range" or not node.args or len(node.args) > 2:
            continue
        start, end = (node.args[0], node.args[1]) if len(node.args) == 2 else (None, node.args[0])
        one = isinstance(end, ast.BinOp) and isinstance(end.right, ast.Constant) and end.right.value == 1
        if isinstance(end, ast.BinOp) and one and isinstance(end.op, ast.Sub if too_few else ast.Add):
            yield at.swap(end, at.source.segment(end.left), 0.9)
        elif not too_few and not one and not isinstance(end, ast.Constant):
            yield at.swap(end, f"{at.source.segment(end)} - 1", 0.3)
        if start is None or not too_few:
            continue
        if not one and not isinstance(end, ast.Constant) and not text_of(end).startswith("len("):
            yield at.swap(end, f"{at.source.segment(end)} + 1", 0.7)
        if isinstance(start, ast.Constant) and start.value == 1 and text_of(end).startswith("len("):
            yield at.swap(start, "0", 0.7)
    for part in own(at, ast.Slice):
        for side in (part.lower, part.upper):
            yield from _nearer(at, part, side, too_few)


def _nearer(at: SeenError, part: ast.Slice, side: ast.expr | None, too_few: bool) -> Iterator[Built]:
    """The end of a slice without the one that is taken off it or added."""
    ends = side is part.upper
    if isinstance(side, ast.BinOp) and isinstance(side.right, ast.Constant) and side.right.value == 1:
        fewer = isinstance(side.op, ast.Sub) == ends
        if fewer == too_few:
            yield at.swap(side, at.source.segment(side.left), 0.85)
    elif too_few and isinstance(side, ast.UnaryOp) and ends and text_of(side) == "-1":
        low, high = at.source.span(side)
        yield from changed(at, [(low, high, "")], 0.8)
    elif too_few and not ends and isinstance(side, ast.Constant) and side.value == 1:
        low, high = at.source.span(side)
        yield from changed(at, [(low, high, "")], 0.6)


@cause("one_missing", plain=0.8)
def leaves_last_piece(at: SeenError) -> Iterator[Built]:
    """`range(0, len(items) - size, size)` and `range(len(items) // size)` leave the last piece out."""
    for node in own(at, ast.Call):
        counted = node.args[-1] if text_of(node.func) == "range" and len(node.args) in (1, 2) else None
        if isinstance(counted, ast.BinOp) and isinstance(counted.op, ast.FloorDiv):
            left, right = at.source.segment(counted.left), at.source.segment(counted.right)
            if left.startswith("len(") and not isinstance(counted.right, ast.Constant):
                yield at.swap(counted, f"({left} + {right} - 1) // {right}", 1.0)
        if text_of(node.func) == "range" and len(node.args) == 3 and isinstance(node.args[1], ast.BinOp):
            end = node.args[1]
            if isinstance(end.op, ast.Sub) and text_of(end.left).startswith("len("):
                yield at.swap(end, at.source.segment(end.left), 0.95)
