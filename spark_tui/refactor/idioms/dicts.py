"""Dictionaries that fill themselves: Counter and defaultdict for loops that look first.

Comes in: what is asked. Goes out: the places where it can be done. Must not know: which is meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.idioms.asking import Asked, Spot, way
from spark_tui.refactor.idioms.gathers import first_of
from spark_tui.refactor.idioms.text import behind, has_comment, own_lines, replaced, same, uses
from spark_tui.refactor.source import Change, Source

_MADE = {
    "0": "int",
    "[]": "list",
    "set()": "set",
    "{}": "dict",
    "list()": "list",
    "dict()": "dict",
    '""': "str",
    "0.0": "float",
}


def _grown(loop: ast.For, name: str) -> tuple[ast.Subscript, str, list[ast.stmt]] | None:
    """What a loop does with `name[key]`: the place, the start where it is missing, the statements."""
    body = loop.body
    if len(body) == 2 and isinstance(body[0], ast.If) and not body[0].orelse and len(body[0].body) == 1:
        test, put, step = body[0].test, body[0].body[0], body[1]
        if (
            not isinstance(test, ast.Compare)
            or len(test.ops) != 1
            or not isinstance(test.ops[0], ast.NotIn)
            or not isinstance(put, ast.Assign)
        ):
            return None
        place = put.targets[0]
        if (
            isinstance(place, ast.Subscript)
            and isinstance(place.value, ast.Name)
            and place.value.id == name
            and same(place.slice, test.left)
            and same(test.comparators[0], place.value)
        ):
            used = _place(step)
            if used is not None and same(used, place):
                return place, ast.unparse(put.value), [step]
    if len(body) == 1 and isinstance(body[0], ast.If) and len(body[0].body) == len(body[0].orelse) == 1:
        test, step, put = body[0].test, body[0].body[0], body[0].orelse[0]
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            return None
        if isinstance(test.ops[0], ast.NotIn):
            step, put = put, step
        at = _place(step)
        if (
            at is None
            or not isinstance(put, ast.Assign)
            or not isinstance(step, ast.AugAssign)
            or not isinstance(at.value, ast.Name)
        ):
            return None
        alike = (
            same(put.targets[0], at) and same(test.left, at.slice) and ast.unparse(put.value) == ast.unparse(step.value)
        )
        if alike and at.value.id == name:
            return at, "0", [step]
    return None


def _place(step: ast.stmt) -> ast.Subscript | None:
    if isinstance(step, ast.AugAssign) and isinstance(step.target, ast.Subscript):
        return step.target
    call = step.value if isinstance(step, ast.Expr) else None
    if (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Subscript)
    ):
        return call.func.value
    return None


def _loops(src: Source) -> Iterator[tuple[ast.For, ast.Assign | ast.AnnAssign, str]]:
    """Loops with the empty dictionary in front that they fill."""
    for loop in src.statements:
        if (
            not isinstance(loop, ast.For)
            or loop.orelse
            or not own_lines(src, loop)
            or has_comment(src, src.first_line(loop), src.last_line(loop))
        ):
            continue
        for name in sorted(
            {
                one.value.id
                for one in ast.walk(loop)
                if isinstance(one, ast.Subscript) and isinstance(one.value, ast.Name)
            }
        ):
            first = first_of(src, loop, name)
            if first is not None and first.value is not None and src.segment(first.value) in ("{}", "dict()"):
                yield loop, first, name


def defaulting(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    for loop, first, name in _loops(src):
        found, assigned = _grown(loop, name), first.value
        if found is None or assigned is None:
            continue
        place, start, steps = found
        made = _MADE.get(start)
        if made is None:
            continue
        rows = [
            row[len(src.step) :] if src.indent(steps[0]) != src.indent(loop.body[0]) else row
            for row in src.lines[src.first_line(steps[0]) : src.last_line(steps[0])]
        ]
        changes: list[Change] = [
            (*src.span(assigned), f"defaultdict({made})"),
            replaced(src, src.first_line(loop.body[0]), src.last_line(loop), rows),
        ]
        yield Spot(
            loop,
            tuple(changes),
            (name, made, "defaultdict", src.segment(place)),
            imports="from collections import defaultdict",
        )


def counting(asked: Asked) -> Iterator[Spot]:
    """A loop that only counts what it goes over."""
    src = asked.src
    for loop, first, name in _loops(src):
        found = _grown(loop, name)
        step = found[2][0] if found else loop.body[0]
        counted = isinstance(step, ast.AugAssign) and ast.unparse(step.value) == "1" and isinstance(step.op, ast.Add)
        if found is None and isinstance(step, ast.Assign) and len(loop.body) == 1:
            key = re.escape(src.segment(loop.target))
            counted = re.fullmatch(rf"{name}\[{key}\] = {name}\.get\({key}, 0\) \+ 1", src.segment(step)) is not None
        place = found[0].slice if found else loop.target
        if not counted or not isinstance(loop.target, ast.Name) or (found and found[1] != "0"):
            continue
        bare = isinstance(place, ast.Name) and place.id == loop.target.id
        inner = (
            src.segment(loop.iter) if bare else f"{src.segment(place)} for {loop.target.id} in {src.segment(loop.iter)}"
        )
        after = behind(src, loop)[:1]
        returned = (
            bool(after)
            and isinstance(after[0], ast.Return)
            and isinstance(after[0].value, ast.Name)
            and after[0].value.id == name
        )
        if len(uses([src.function_of(loop) or loop], loop.target.id)) != len(uses([loop], loop.target.id)):
            continue
        last = src.last_line(after[0]) if returned else src.last_line(loop)
        row = f"{src.indent(loop)}{'return' if returned else f'{name} ='} Counter({inner})"
        between = [line for line in src.lines[src.last_line(first) : src.first_line(loop)] if line.strip()]
        yield Spot(
            loop,
            (replaced(src, src.first_line(first), last, [*between, row]),),
            (name, "Counter"),
            last,
            imports="from collections import Counter",
        )


_WORDS = "collections dict dictionary instead if loop count counting counts check missing key keys import from with group grouping default int list set of manual by hand setdefault get"
WAYS = (
    way(r"\bdefaultdict\b|default dict", defaulting, f"{_WORDS} defaultdict default"),
    way(r"\bcounter\b", counting, f"{_WORDS} counter collections.counter"),
)
