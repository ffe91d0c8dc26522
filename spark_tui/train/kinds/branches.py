"""Branches: conditional expressions and back, inverted ifs, early returns, else after return, merged ifs."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, at_line, fname, inside, kind
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.kinds.ternaries import LOOSE, WIDEST, block_of_ternary, has_own_lines, ternary_of_block
from spark_tui.train.source_windows import Function, SourceWindow
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, NameSlot, Slot, WordsSlot

wording = table("wording/branches")

_NEGATED = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: ">=",
    ast.LtE: ">",
    ast.Gt: "<=",
    ast.GtE: "<",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}


def negated(window: SourceWindow, test: ast.expr) -> str:
    """The shortest plain negation of a condition."""
    source = window.source(test)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return window.source(test.operand)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, right = window.source(test.left), window.source(test.comparators[0])
        return f"{left} {_NEGATED[type(test.ops[0])]} {right}"
    if isinstance(test, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
        return f"not {source}"
    return f"not ({source})"


@kind("ternary", *wording["ternary"], needs=r" if [^\n]* else |\n *else:\n", weight=2.2)
def ternary(window: SourceWindow, draw: Draw) -> Made | None:
    """Turns an if/else into a conditional expression, or back. The text before is the window, or the window
    with one of its expressions unfolded."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.Assign | ast.Return | ast.If)]):
        forward = isinstance(node, ast.If) or draw.chance(0.6)
        other = ternary_of_block(window, node) if isinstance(node, ast.If) else block_of_ternary(window, node)
        if other is None:
            continue
        before, after = (
            (other, window.text) if forward and not isinstance(node, ast.If) else (window.text, other)
        )
        clear = before.count("else:" if forward else " else ") == 1
        where = (
            inside(window, window.function_of(node), draw) if clear else WordsSlot(f" on line {node.lineno}")
        )
        kept = node.body[0] if isinstance(node, ast.If) else node
        what: Slot = WordsSlot(draw.choice(["the return value", "the result"]))
        if isinstance(kept, ast.Assign):
            what = NameSlot(window.source(kept.targets[0]))
        slots: dict[str, Slot] = {"line": WordsSlot(f"line {node.lineno}"), "v": what, **placed(where)}
        return Made(before, after, slots, wording["ternary"] if forward else wording["unfold"])
    return None


_SWAPPED = 8
"""The most lines of an if/else whose branches are swapped."""


def _divider(window: SourceWindow, node: ast.If) -> int | None:
    """The index of the line `else:` between the branches."""
    between = range(window.last_line(node.body[-1]), window.first_line(node.orelse[0]))
    return next((index for index in between if window.lines[index].strip() == "else:"), None)


@kind("invert_if", *wording["invert_if"], needs=r"else:", weight=3.0)
def invert_if(window: SourceWindow, draw: Draw) -> Made | None:
    found = [
        n
        for n in window.nodes
        if isinstance(n, ast.If)
        and n.orelse
        and not (
            isinstance(n.orelse[0], ast.If)
            and window.lines[n.orelse[0].lineno - 1].lstrip().startswith("elif")
        )
        and not window.lines[n.lineno - 1].lstrip().startswith("elif")
        and n.test.lineno == n.test.end_lineno
        and window.last_line(n) - n.lineno < _SWAPPED
        and not isinstance(n.test, ast.BoolOp)
        and window.own_lines(n.body[0])
        and window.own_lines(n.orelse[0])
    ]
    for node in draw.shuffled(found):
        lines = window.lines
        divider = _divider(window, node)
        if divider is None:
            continue
        body, other = lines[node.lineno : divider], lines[divider + 1 : window.last_line(node)]
        start, end = window.span(node.test)
        head = lines[node.lineno - 1]
        base = window.starts[node.lineno - 1]
        new_head = head[: start - base] + negated(window, node.test) + head[end - base :]
        new = [
            *lines[: node.lineno - 1],
            new_head,
            *other,
            lines[divider],
            *body,
            *lines[window.last_line(node) :],
        ]
        function = window.function_of(node)
        clear = window.text.count("else:") == 1 and len(re.findall(r"(?m)^\s*(?:el)?if ", window.text)) == 1
        where: Slot = inside(window, function, draw) if clear else WordsSlot(f" on line {node.lineno}")
        slots: dict[str, Slot] = {
            **placed(where),
            "line": at_line(window, node.lineno, draw),
            "of": WordsSlot(f"of the if on line {node.lineno}"),
        }
        return Made(window.text, "\n".join(new) + "\n", slots, block=True)
    return None


@kind(
    "early_return",
    *wording["early_return"],
    needs=r"(?m)^ +if [^\n]*:\n +return\b|\n( +)if [^\n]*:\n(?:\1 [^\n]*\n)+(?!\1)",
    weight=3.4,
)
def early_return(window: SourceWindow, draw: Draw) -> Made | None:
    """An if that ends a function becomes a guard. The text before is the window, or the window with its
    guard replaced by a nested if."""
    for function in draw.shuffled(window.functions):
        for node in draw.shuffled(
            [n for n in window.body_after_docstring(function) if isinstance(n, ast.If)]
        ):
            found = _nested(window, function, node, draw) or _guarded(window, function, node)
            if found is None:
                continue
            before, after, condition = found
            where = inside(window, function, draw)
            slots: dict[str, Slot] = {**placed(where), "f": fname(function), "c": CodeSlot(condition)}
            return Made(before, after, slots, block=True)
    return None


_MOVED = 7
"""The most lines that change their indent."""


def _movable(lines: list[str]) -> bool:
    return 0 < len(lines) <= _MOVED and not any('"""' in line or "'''" in line for line in lines)


def _nested(
    window: SourceWindow, function: Function, node: ast.If, draw: Draw
) -> tuple[str, str, str] | None:
    """Before, after and the guard's condition, for a guard that returns and what comes after it."""
    last, end = window.last_line(node), window.last_line(function)
    left = node.body[0]
    if (
        node.orelse
        or last - node.lineno != 1
        or not isinstance(left, ast.Return)
        or not has_own_lines(window, node)
    ):
        return None
    behind = function.body[function.body.index(node) + 1 :]
    rest = window.lines[last:end]
    while rest and not rest[0].strip():
        rest.pop(0)
    if not _movable(rest):
        return None
    indent, leaves = window.indent(node), isinstance(behind[-1], ast.Return | ast.Raise)
    nested = [
        f"{indent}if {negated(window, node.test)}:",
        *("    " + line if line.strip() else line for line in rest),
    ]
    if left.value is None:
        if any(isinstance(n, ast.Return) for s in behind for n in ast.walk(s)):
            return None
    elif len(rest) < 2:
        return None
    elif leaves and draw.chance(0.5):
        nested.append(f"{indent}{window.source(left)}")
    else:
        nested += [f"{indent}else:", f"{indent}    {window.source(left)}"]
    before = [*window.lines[: node.lineno - 1], *nested, *window.lines[end:]]
    after = [*window.lines[:last], *rest, *window.lines[end:]]
    return "\n".join(before) + "\n", "\n".join(after) + "\n", window.source(node.test)


def _guarded(window: SourceWindow, function: Function, node: ast.If) -> tuple[str, str, str] | None:
    """The same for a function that ends in an if, an if and a return, or an if whose else returns."""
    end, indent = window.last_line(function), window.indent(node)
    last = window.last_line(node.body[-1])
    inner, behind = window.lines[node.lineno : last], function.body[function.body.index(node) + 1 :]
    other = [*node.orelse, *behind]
    if len(inner) < 2 or not _movable(inner) or node.test.lineno != node.test.end_lineno or len(other) > 1:
        return None
    if window.indent(node.body[0]) != indent + "    " or "#" in "".join(window.lines[node.lineno - 1 : end]):
        return None
    if not other:
        if any(isinstance(n, ast.Return) and n.value is not None for n in ast.walk(function)):
            return None
    elif not isinstance(other[0], ast.Return) or other[0].lineno != end or end - last > 2:
        return None
    if behind and not isinstance(node.body[-1], ast.Return | ast.Raise):
        return None
    left = window.source(other[0]) if other else "return"
    condition = negated(window, node.test)
    new = [f"{indent}if {condition}:", f"{indent}    {left}", *(line[4:] for line in inner)]
    after = [*window.lines[: node.lineno - 1], *new, *window.lines[end:]]
    return window.text, "\n".join(after) + "\n", condition


@kind("remove_else", *wording["remove_else"], needs=r"else:", weight=1.8)
def remove_else(window: SourceWindow, draw: Draw) -> Made | None:
    found = [
        n
        for n in window.nodes
        if isinstance(n, ast.If)
        and n.orelse
        and isinstance(n.body[-1], ast.Return | ast.Raise)
        and not window.lines[n.lineno - 1].lstrip().startswith("elif")
    ]
    for node in draw.shuffled(found):
        lines = window.lines
        divider = _divider(window, node)
        if (
            divider is None
            or window.last_line(node) - divider > _MOVED + 1
            or window.text.count("else:") != 1
        ):
            continue
        branch = lines[divider + 1 : window.last_line(node)]
        if any('"""' in line for line in branch):
            continue
        new = [
            *lines[:divider],
            *(line[4:] if line.strip() else line for line in branch),
            *lines[window.last_line(node) :],
        ]
        slots: dict[str, Slot] = {
            **placed(inside(window, window.function_of(node), draw)),
            "line": WordsSlot(f"line {divider + 1}"),
        }
        return Made(window.text, "\n".join(new) + "\n", slots, block=True)
    return None


@kind("merge_ifs", *wording["merge_ifs"], needs=r"if [^\n]+ and |\bif [^\n]+:\n +if ", weight=3.2)
def merge_ifs(window: SourceWindow, draw: Draw) -> Made | None:
    """Joins two nested ifs. If the window has none, its condition of two parts is split to make the text
    before."""
    nested = sum(
        isinstance(n, ast.If) and len(n.body) == 1 and isinstance(n.body[0], ast.If) for n in window.nodes
    )
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.If) and not n.orelse]):
        joined = _joined(window, node)
        split = _split(window, node) if joined is None else None
        if joined is None and split is None:
            continue
        alone = nested == (1 if joined is not None else 0)
        where = (
            inside(window, window.function_of(node), draw) if alone else WordsSlot(f" on line {node.lineno}")
        )
        slots: dict[str, Slot] = {**placed(where), "line": WordsSlot(f"line {node.lineno}")}
        return Made(split or window.text, joined or window.text, slots, block=True)
    return None


def _split(window: SourceWindow, node: ast.If) -> str | None:
    """The window with two nested ifs for `if a and b`."""
    test, last, head = node.test, window.last_line(node), window.lines[node.lineno - 1]
    if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And) or len(test.values) != 2:
        return None
    if test.lineno != test.end_lineno or window.source(test) + ":" != head.strip()[3:]:
        return None
    inner = window.lines[node.lineno : last]
    if not window.own_lines(node.body[0]) or not _movable(inner):
        return None
    indent = window.indent(node)
    a, b = (window.source(v) for v in test.values)
    inner = ["    " + line if line.strip() else line for line in inner]
    block = [f"{indent}if {a}:", f"{indent}    if {b}:", *inner]
    return "\n".join([*window.lines[: node.lineno - 1], *block, *window.lines[last:]]) + "\n"


def _joined(window: SourceWindow, node: ast.If) -> str | None:
    """The window with `if a and b` for two nested ifs."""
    inner, first, last = node.body[0], node.lineno, window.last_line(node)
    if len(node.body) != 1 or not isinstance(inner, ast.If) or inner.orelse or inner.lineno != first + 1:
        return None
    tests, lines = (node.test, inner.test), window.lines[inner.lineno : last]
    heads = window.lines[first - 1 : first + 1]
    if any(isinstance(test, LOOSE) or test.lineno != test.end_lineno for test in tests) or not _movable(
        lines
    ):
        return None
    if (
        any("#" in line or not line.strip().startswith("if ") for line in heads)
        or inner.body[0].lineno == inner.lineno
    ):
        return None
    a, b = (
        f"({window.source(t)})"
        if isinstance(t, ast.BoolOp) and isinstance(t.op, ast.Or)
        else window.source(t)
        for t in tests
    )
    new = f"{window.indent(node)}if {a} and {b}:"
    if len(new) > WIDEST:
        return None
    body = [line[4:] if line.strip() else line for line in lines]
    return "\n".join([*window.lines[: first - 1], new, *body, *window.lines[last:]]) + "\n"
