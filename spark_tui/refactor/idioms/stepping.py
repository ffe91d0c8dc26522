"""Loops that step: a while over a range, a loop over keys that looks every value up.

Comes in: what is asked. Goes out: the places where it can be done. Must not know: which is meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.idioms.asking import Asked, Spot, way
from spark_tui.refactor.idioms.counting import NAMED, fresh, grown, later, set_before
from spark_tui.refactor.idioms.text import own_lines, replaced, same, uses


def stepped(asked: Asked) -> Iterator[Spot]:
    """`i = a`, `while i < b`, `i += 1`, as a for over a range (or over the items)."""
    src = asked.src
    for loop in src.statements:
        if not isinstance(loop, ast.While) or loop.orelse or len(loop.body) < 2 or not own_lines(src, loop):
            continue
        test, name = loop.test, grown(loop.body[-1])
        if (
            not name
            or not isinstance(test, ast.Compare)
            or len(test.ops) != 1
            or not isinstance(test.ops[0], ast.Lt | ast.LtE)
        ):
            continue
        if not isinstance(test.left, ast.Name) or test.left.id != name or later(src, loop, name):
            continue
        first = set_before(src, loop, name)
        inner = loop.body[:-1]
        if first is None or any(isinstance(one.ctx, ast.Store) for one in uses(inner, name)):
            continue
        if any(isinstance(one, ast.Continue) for part in inner for one in ast.walk(part)):
            continue
        assert isinstance(first.value, ast.Constant)
        bound = src.segment(test.comparators[0])
        if isinstance(test.ops[0], ast.LtE):
            bound = str(int(bound) + 1) if bound.isdigit() else f"{bound} + 1"
        start = "" if first.value.value == 0 else f"{src.segment(first.value)}, "
        row = f"{src.indent(loop)}for {name} in range({start}{bound}):"
        yield Spot(
            loop,
            (
                replaced(src, src.first_line(first), src.last_line(first), ()),
                replaced(src, src.first_line(loop), src.last_line(test), [row]),
                replaced(src, src.first_line(loop.body[-1]), src.last_line(loop.body[-1]), ()),
            ),
            (name, "range"),
        )


def over_items(asked: Asked) -> Iterator[Spot]:
    """`for k in d` with `d[k]` in it goes over `d.items()`."""
    src = asked.src
    for loop in src.statements:
        if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name):
            continue
        held: ast.expr = loop.iter
        if (
            isinstance(held, ast.Call)
            and isinstance(held.func, ast.Attribute)
            and held.func.attr == "keys"
            and not held.args
        ):
            held = held.func.value
        if not isinstance(held, ast.Name | ast.Attribute):
            continue
        key = loop.target.id
        at = [
            node for part in loop.body for node in ast.walk(part)
            if isinstance(node, ast.Subscript) and same(node.value, held) and isinstance(node.slice, ast.Name) and node.slice.id == key
        ]  # fmt: skip
        if not at or any(not isinstance(one.ctx, ast.Load) for one in at):
            continue
        first, changes = loop.body[0], []
        alias = (
            isinstance(first, ast.Assign)
            and first.value in at
            and isinstance(first.targets[0], ast.Name)
            and len(first.targets) == 1
        )
        item = (
            first.targets[0].id
            if alias and isinstance(first, ast.Assign) and isinstance(first.targets[0], ast.Name)
            else fresh(src, _said_items(asked, key), "value")
        )
        if not item:
            continue
        if alias and isinstance(first, ast.Assign):
            changes.append(replaced(src, src.first_line(first), src.last_line(first), ()))
            at = [one for one in at if one is not first.value]
        changes += [(*src.span(one), item) for one in at]
        changes.append(
            (src.span(loop.target)[0], src.span(loop.iter)[1], f"{key}, {item} in {src.segment(held)}.items()")
        )
        yield Spot(loop, tuple(changes), (key, item, "items", "keys", "values"))


def _said_items(asked: Asked, key: str) -> list[str]:
    found = re.search(rf"\b{re.escape(key)}\s*(?:,|and)\s*[`'\"]?(\w+)", asked.order.said)
    return (
        [found[1]]
        if found and found[1] not in ("the", "its")
        else [name for name in NAMED.findall(asked.order.said) if name not in asked.order.identifiers][:1]
    )


_LOOP = "loop loops looping for iterate iterating iterates iteration over index indexes indices indexing counter counters count counting counts hand-made hand made manual manually own range len item items element elements both and through it's its itself rid walk go"


WAYS = (
    way(
        r"\bwhile\b.*\b(?:for|range)\b|\bfor\b.*\bwhile\b|range.*while",
        stepped,
        f"{_LOOP} while into range counting increment incrementing",
    ),
    way(
        r"\bitems\b|\.items\(\)|keys and values|key and value",
        over_items,
        f"{_LOOP} items keys values key value dict dictionary pairs pair lookup lookups looking again subscript access both together use call consider-using-dict-items",
    ),
)
