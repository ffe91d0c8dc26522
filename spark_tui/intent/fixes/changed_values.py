"""Fixes of values that change elsewhere too, or not at all: lists that are shared, sorted, walked through."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.intent.building.building import Built, call, place
from spark_tui.intent.context.anchors import Anchor, same_tree
from spark_tui.intent.fixes.off_by_one import loop_over_changed
from spark_tui.intent.fixes.seen_error import Seen
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import names_in, walk

_LEAVES = ast.Return | ast.Break | ast.Raise


def sorted_copy(at: Seen) -> Iterator[Built]:
    """`xs.sort()` of a parameter, in a function that gives something else: `xs = sorted(xs)`."""
    for one in at.nodes(ast.Expr):
        called = one.value.func if isinstance(one.value, ast.Call) else None
        inside = at.source.function_of(one)
        if not isinstance(called, ast.Attribute) or called.attr not in ("sort", "reverse") or inside is None:
            continue
        assert isinstance(one.value, ast.Call)
        name = ast.unparse(called.value)
        gives = any(isinstance(each, ast.Return) and each.value is not None for each in walk(inside))
        if gives and name in {each.arg for each in parameters(inside)}:
            given = "".join(f", {at.source.segment(each)}" for each in one.value.keywords)
            made = f"sorted({name}{given})" if called.attr == "sort" else f"{name}[::-1]"
            yield at.spliced(*at.source.span(one), f"{name} = {made}", 0.9)


def own_rows(at: Seen) -> Iterator[Built]:
    """`[[0] * w] * h`: each of the inner lists is made anew."""
    for one in at.nodes(ast.BinOp):
        rows = one.left.elts if isinstance(one.left, ast.List) else ()
        if isinstance(one.op, ast.Mult) and len(rows) == 1 and _is_list(rows[0]):
            inner, count = at.source.segment(rows[0]), at.source.segment(one.right)
            yield at.swap(one, f"[{inner} for _ in range({count})]", 0.95)


def _is_list(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return _is_list(node.left)
    return isinstance(node, ast.List | ast.Dict | ast.Set | ast.ListComp)


def looped_copy(at: Seen) -> Iterator[Built]:
    """A loop that takes from what it goes through, and goes on, goes through a copy."""
    found = [
        one
        for one in at.nodes(ast.For)
        if not any(isinstance(each, _LEAVES) for part in one.body for each in walk(part))
    ]
    for loop in found:
        if isinstance(loop.iter, ast.Name | ast.Attribute):
            yield from loop_over_changed(replace(at, root=loop, line=loop.lineno))


def each_pair_once(at: Seen) -> Iterator[Built]:
    """A loop in a loop over the same: the inner one begins behind the outer one's."""
    for outer in at.nodes(ast.For):
        inner = next((one for one in outer.body if isinstance(one, ast.For)), None)
        if inner is None or not same_tree(outer.iter, inner.iter) or not isinstance(outer.target, ast.Name):
            continue
        over, first = at.source.segment(outer.iter), outer.target.id
        if isinstance(outer.iter, ast.Call) and ast.unparse(outer.iter.func) == "range":
            if len(outer.iter.args) == 1:
                end = at.source.segment(outer.iter.args[0])
                yield at.swap(inner.iter, f"range({first} + 1, {end})", 0.95)
        elif isinstance(outer.iter, ast.Name | ast.Attribute):
            used = names_in(at.source.function_of(outer) or at.root)
            name = next(one for one in ("i", "at", "number", "") if one not in used)
            if not name:
                continue
            low, high = at.source.span(outer.target)[0], at.source.span(outer.iter)[1]
            head = at.spliced(low, high, f"{name}, {first} in enumerate({over})", 0.9)
            rest = at.swap(inner.iter, f"{over}[{name} + 1:]", 0.9)
            yield Built((*rest.calls, *head.calls), 0.9 * at.area.weight, (), head.title)


def heeded_parameter(at: Seen) -> Iterator[Built]:
    """A parameter that is set anew before anything reads it, or whose default stands in its place."""
    for inside in [one for one in at.source.definitions if isinstance(one, Function)]:
        if at.area.node is not None and inside is not at.area.node:
            continue
        said = at.context.text("symbol") or at.context.situation.instruction
        for name in [one.arg for one in parameters(inside) if _stands(one.arg, said)]:
            uses = [one for one in walk(inside) if isinstance(one, ast.Name) and one.id == name]
            loads = [one for one in uses if isinstance(one.ctx, ast.Load)]
            default = default_of(inside, name)
            first = next((one for one in inside.body if _sets(one, name)), None)
            if first is not None and not any(one.lineno <= first.lineno for one in loads):
                yield from _set_only_if_none(at, first, name, default)
            elif not uses and isinstance(default, ast.Name | ast.Constant) and _tells(default):
                for one in walk(inside):
                    inner = at.source.function_of(one) is inside and one is not default
                    if isinstance(one, ast.expr) and inner and same_tree(default, one):
                        yield at.swap(one, name, 0.9)


def _stands(name: str, said: str) -> bool:
    return name not in ("self", "cls") and name in said.replace("`", " ").replace("'", " ").split()


def _tells(default: ast.Name | ast.Constant) -> bool:
    return isinstance(default, ast.Name) or (default.value not in (None, True, False, 0, 1, ""))


def _sets(one: ast.stmt, name: str) -> bool:
    goals = one.targets if isinstance(one, ast.Assign) else []
    return any(isinstance(each, ast.Name) and each.id == name for each in goals)


def _set_only_if_none(at: Seen, one: ast.stmt, name: str, default: ast.expr | None) -> Iterator[Built]:
    spot = place(at.context, Anchor(at.area, one))
    if isinstance(default, ast.Constant) and default.value is None:
        code = f"if {name} is None:\n    {at.source.segment(one)}"
        made = call("replace_statements", place=spot, code=code)
    else:
        made = call("delete_statements", place=spot)
    yield Built((made,), 0.95 * at.area.weight)


def first_out(at: Seen) -> Iterator[Built]:
    """`queue.pop()` of what is appended to takes the first one."""
    for one in at.nodes(ast.Call):
        called = one.func
        if isinstance(called, ast.Attribute) and called.attr == "pop" and not one.args:
            high = at.source.span(one)[1] - 1
            yield at.spliced(high, high, "0", 0.8)
