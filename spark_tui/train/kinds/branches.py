# ruff: noqa: E501 - phrase tables and one-line cases read better unbroken
"""Branches: ternaries and back, inversion, early returns, else after return, merged ifs."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, at_line, fname, inside, kind
from spark_tui.train.phrasing import Slot, Words
from spark_tui.train.windows import Window

_NEGATED = {ast.Eq: "!=", ast.NotEq: "==", ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<", ast.Is: "is not", ast.IsNot: "is",
            ast.In: "not in", ast.NotIn: "in"}  # fmt: skip


def negated(window: Window, test: ast.expr) -> str:
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


@kind(
    "ternary",
    "use a [ternary|conditional expression]{where}",
    "turn the if/else{where} into a [ternary|conditional expression|one-liner]",
    "write the if/else [on|at] {line} as a [ternary|conditional expression]",
    "collapse the if/else{where} to one line",
    "make the if/else [on|at] {line} a one-liner",
    "replace the if/else{where} [with|by] a ternary",
    "the if/else{where} fits in one expression",
    needs=r" if [^\n]* else ",
    weight=1.0,
)
def ternary(window: Window, draw: Draw) -> Made | None:
    found = [
        n for n in window.nodes
        if isinstance(n, ast.Assign | ast.Return) and isinstance(n.value, ast.IfExp) and n.lineno == n.end_lineno and window.own_lines(n)
    ]  # fmt: skip
    for node in draw.shuffled(found):
        value = node.value
        assert isinstance(value, ast.IfExp)
        indent = window.indent(node)
        head = window.text[window.span(node)[0] : window.span(value)[0]]
        if "(" in head:
            continue
        test, body, other = (window.source(n) for n in (value.test, value.body, value.orelse))
        block = [f"{indent}if {test}:", f"{indent}    {head}{body}", f"{indent}else:", f"{indent}    {head}{other}"]
        start, end = window.line_span(node.lineno, node.lineno)
        text = window.text[:start] + "\n".join(block) + "\n" + window.text[end:]
        function = window.function_of(node)
        forward = draw.chance(0.6)
        clear = text.count("else:") == 1 if forward else window.text.count(" else ") == 1
        where: Slot = inside(window, function, draw) if clear else Words(f" on line {node.lineno}")
        slots: dict[str, Slot] = {"where": where, "line": Words(f"line {node.lineno}")}
        if forward:
            return Made(text, window.text, slots)
        return Made(window.text, text, slots, _UNFOLD)
    return None


_UNFOLD = (
    "turn the [ternary|conditional expression]{where} into an if/else [block|statement|]",
    "expand the [ternary|conditional expression]{where}",
    "use a normal if/else instead of the ternary{where}",
    "write the conditional expression on {line} as if/else",
    "no ternary{where}, use if and else",
    "unfold the ternary [on|at] {line}",
)


@kind(
    "invert_if",
    "invert the [if|condition] [on|at] {line}[ and swap the branches|]",
    "invert the [if|condition]{where}",
    "swap the [branches|if and else branches] {of}",
    "flip the [if|condition] [on|at] {line}",
    "negate the condition [on|at] {line} and swap the branches",
    "put the else branch first{where}",
    "the if on {line} should be the other way round",
    needs=r"else:",
    weight=0.8,
)
def invert_if(window: Window, draw: Draw) -> Made | None:
    found = [
        n for n in window.nodes
        if isinstance(n, ast.If) and n.orelse and not (isinstance(n.orelse[0], ast.If) and window.lines[n.orelse[0].lineno - 1].lstrip().startswith("elif"))
        and not window.lines[n.lineno - 1].lstrip().startswith("elif") and n.test.lineno == n.test.end_lineno
        and window.last_line(n) - n.lineno < 14 and window.own_lines(n.body[0]) and window.own_lines(n.orelse[0])
    ]  # fmt: skip
    for node in draw.shuffled(found):
        lines = window.lines
        divider = next(
            (
                k
                for k in range(window.last_line(node.body[-1]), window.first_line(node.orelse[0]))
                if lines[k].strip() == "else:"
            ),
            None,
        )
        if divider is None:
            continue
        body, other = lines[node.lineno : divider], lines[divider + 1 : window.last_line(node)]
        start, end = window.span(node.test)
        head = lines[node.lineno - 1]
        base = window.starts[node.lineno - 1]
        new_head = head[: start - base] + negated(window, node.test) + head[end - base :]
        new = [*lines[: node.lineno - 1], new_head, *other, lines[divider], *body, *lines[window.last_line(node) :]]
        function = window.function_of(node)
        clear = window.text.count("else:") == 1 and len(re.findall(r"(?m)^\s*(?:el)?if ", window.text)) == 1
        where: Slot = inside(window, function, draw) if clear else Words(f" on line {node.lineno}")
        slots: dict[str, Slot] = {
            "where": where,
            "line": at_line(window, node.lineno, draw),
            "of": Words(f"of the if on line {node.lineno}"),
        }
        return Made(window.text, "\n".join(new) + "\n", slots)
    return None


@kind(
    "early_return",
    "use an early return{where}",
    "replace the nested if{where} [with|by] an early return",
    "de-nest {f}[ with an early return|]",
    "flatten {f}[: return early|]",
    "invert the if{where} and return early",
    "reduce the nesting{where} with a guard clause",
    "return early in {f} instead of nesting",
    weight=0.8,
    needs=r"(?m)^\s+if [^\n]*:\n",
)
def early_return(window: Window, draw: Draw) -> Made | None:
    """A guard at the start of a function becomes a nested block before (the answer is the window), or a last
    block is turned."""
    for function in draw.shuffled(window.functions):
        body = window.body_after_docstring(function)
        for place, node in enumerate(body[:-1]):
            if (
                not isinstance(node, ast.If)
                or node.orelse
                or len(node.body) != 1
                or not isinstance(node.body[0], ast.Return)
            ):
                continue
            returned = node.body[0].value
            if returned is not None and window.source(returned) != "None":
                continue
            rest = window.lines[window.last_line(node) : window.last_line(body[-1])]
            if len(rest) > 12 or any(isinstance(n, ast.Return) for s in body[place + 1 :] for n in ast.walk(s)):
                continue
            if (
                node.test.lineno != node.test.end_lineno
                or node.body[0].lineno == node.lineno
                or any('"""' in line for line in rest)
            ):
                continue
            while rest and not rest[0].strip():
                rest.pop(0)
            indent = window.indent(node)
            head = f"{indent}if {negated(window, node.test)}:"
            nested = [head, *("    " + line if line.strip() else line for line in rest)]
            before = [*window.lines[: node.lineno - 1], *nested, *window.lines[window.last_line(body[-1]) :]]
            after = [*window.lines[: window.last_line(node)], *rest, *window.lines[window.last_line(body[-1]) :]]
            if before == after:
                continue
            slots: dict[str, Slot] = {"where": inside(window, function, draw), "f": fname(function)}
            return Made("\n".join(before) + "\n", "\n".join(after) + "\n", slots)
    return None


@kind(
    "remove_else",
    "remove the [unnecessary|useless|redundant|] else{where}",
    "drop the else after return{where}",
    "no else after return{where}",
    "the else{where} is [not needed|redundant][, remove it|]",
    "dedent the else branch{where}",
    "get rid of the else [on|at] {line}",
    "else after return is noise{where}",
    needs=r"else:",
    weight=0.8,
)
def remove_else(window: Window, draw: Draw) -> Made | None:
    found = [
        n for n in window.nodes
        if isinstance(n, ast.If) and n.orelse and isinstance(n.body[-1], ast.Return | ast.Raise)
        and not window.lines[n.lineno - 1].lstrip().startswith("elif")
    ]  # fmt: skip
    for node in draw.shuffled(found):
        lines = window.lines
        divider = next(
            (
                k
                for k in range(window.last_line(node.body[-1]), window.first_line(node.orelse[0]))
                if lines[k].strip() == "else:"
            ),
            None,
        )
        if divider is None or window.last_line(node) - divider > 15 or window.text.count("else:") != 1:
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
            "where": inside(window, window.function_of(node), draw),
            "line": Words(f"line {divider + 1}"),
        }
        return Made(window.text, "\n".join(new) + "\n", slots)
    return None


@kind(
    "merge_ifs",
    "merge the [two|nested|] ifs{where}",
    "combine the nested ifs{where}[ with and|]",
    "join the two conditions{where} with and",
    "collapse the nested if{where}",
    "one if is enough{where}, use and",
    "merge the if [on|at] {line} with the one inside",
    "put both conditions{where} in one if",
    needs=r"if [^\n]+ and ",
    weight=0.7,
)
def merge_ifs(window: Window, draw: Draw) -> Made | None:
    """The answer is the window; before it, a condition of two parts stands as two nested ifs."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.If) and not n.orelse]):
        test = node.test
        head = window.lines[node.lineno - 1]
        if (
            not isinstance(test, ast.BoolOp)
            or not isinstance(test.op, ast.And)
            or len(test.values) != 2
            or head.lstrip().startswith("elif")
        ):
            continue
        last = window.last_line(node)
        if test.lineno != test.end_lineno or last - node.lineno > 10 or window.source(test) + ":" != head.strip()[3:]:
            continue
        if not window.own_lines(node.body[0]) or any('"""' in line for line in window.lines[node.lineno : last]):
            continue
        indent = window.indent(node)
        a, b = (window.source(v) for v in test.values)
        block = [
            f"{indent}if {a}:",
            f"{indent}    if {b}:",
            *("    " + line if line.strip() else line for line in window.lines[node.lineno : last]),
        ]
        before = [*window.lines[: node.lineno - 1], *block, *window.lines[last:]]
        nested = sum(isinstance(n, ast.If) and len(n.body) == 1 and isinstance(n.body[0], ast.If) for n in window.nodes)
        where: Slot = inside(window, window.function_of(node), draw) if not nested else Words(f" on line {node.lineno}")
        return Made("\n".join(before) + "\n", window.text, {"where": where, "line": Words(f"line {node.lineno}")})
    return None
