"""Expressions: operators, conditions, results, calls."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, at_line, fname, inside, kind
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import SourceWindow, arguments
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, WordsSlot

wording = table("wording/expressions")

_OPERATORS = {
    "<": ("<=", ">", ">=", "!="),
    "<=": ("<", ">=", ">"),
    ">": (">=", "<", "<=", "!="),
    ">=": (">", "<=", "<"),
    "==": ("!=", ">=", "is"),
    "!=": ("==", "is not"),
    "is": ("is not", "=="),
    "is not": ("is", "!="),
    "in": ("not in",),
    "not in": ("in",),
    "and": ("or",),
    "or": ("and",),
    "+": ("-", "*"),
    "-": ("+",),
    "*": ("+", "/", "**"),
    "/": ("//", "*"),
    "//": ("/",),
    "%": ("//",),
    "+=": ("-=", "="),
    "-=": ("+=",),
}


_SAID = {
    "<": "less than",
    "<=": "at most",
    ">": "greater than",
    ">=": "at least",
    "==": "equal to",
    "!=": "not equal to",
    "is": "identical to",
    "is not": "not identical to",
    "in": "contained in",
    "not in": "not contained in",
    "and": "a logical and",
    "or": "a logical or",
    "+": "plus",
    "-": "minus",
    "*": "times",
    "**": "a power",
    "/": "true division",
    "//": "integer division",
    "%": "modulo",
    "+=": "an increment",
    "-=": "a decrement",
    "=": "a plain assignment",
}
"""Operators as people say them."""

_OPERATOR = re.compile(
    r"(?<=[\w)\]'\"]) (<=|>=|==|!=|<|>|is not|not in|is|in|and|or|\+=|-=|\+|-|\*|//|/|%) (?=[\w(\[{'\"-])"
)


@kind(
    "change_operator",
    *wording["change_operator"],
    weight=1.7,
)
def change_operator(window: SourceWindow, draw: Draw) -> Made | None:
    spots = []
    for node in window.nodes:
        if (
            isinstance(node, ast.Compare | ast.BoolOp | ast.BinOp | ast.AugAssign)
            and node.lineno == node.end_lineno
        ):
            start, end = window.span(node)
            spots += [
                (node, start + m.start(1), m.group(1)) for m in _OPERATOR.finditer(window.text[start:end])
            ]
    for node, start, old in draw.shuffled(spots):
        line = window.lines[node.lineno - 1]
        if (
            sum(m.group(1) == old for m in _OPERATOR.finditer(line)) != 1
            or "'" in line
            or '"' in line
            or "for " in line
        ):
            continue
        function = window.function_of(node)
        block = window.source(function) if function else window.text
        alone = block.count(f" {old} ") == 1
        new = draw.choice(_OPERATORS[old])
        after = window.text[:start] + new + window.text[start + len(old) :]
        by_line = at_line(window, node.lineno, draw)
        where: Slot = inside(window, function, draw) if alone else WordsSlot(f" on line {node.lineno}")
        slots: dict[str, Slot] = {
            "old": CodeSlot(old),
            "new": CodeSlot(new),
            "is": ExactSlot(_SAID[old]),
            "be": ExactSlot(_SAID[new]),
            "line": by_line,
            **placed(where),
        }
        return Made(window.text, after, slots)
    return None


@kind(
    "change_condition",
    *wording["change_condition"],
    needs=r"(?m)^\s*(if|while|elif) ",
    weight=1.4,
)
def change_condition(window: SourceWindow, draw: Draw) -> Made | None:
    found = [
        n for n in window.nodes if isinstance(n, ast.If | ast.While) and n.test.lineno == n.test.end_lineno
    ]
    for node in draw.shuffled(found):
        old = window.source(node.test)
        function = window.function_of(node)
        if window.text.count(old) != 1 or len(old) > 60:
            continue
        names = sorted({n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)} or {"value"})
        name = draw.choice(names)
        picks = [
            f"{name} is None",
            f"{name} is not None",
            f"not {name}",
            f"len({name}) > {draw.rng.randint(0, 9)}",
            f"isinstance({name}, {draw.choice(['str', 'int', 'list', 'dict', 'bytes'])})",
            f"{old} and {name} is not None",
            f"{name} > 0",
            f"not ({old})",
            f"{old} or {draw.name(window.names)}",
            f"{name} in {draw.name(window.names)}",
        ]
        new = draw.choice(picks)
        start, end = window.span(node.test)
        if new == old or window.text[start - 1] == "(":
            continue
        slots: dict[str, Slot] = {
            "old": CodeSlot(old),
            "new": CodeSlot(new),
            "o": ExactSlot(old),
            "n": ExactSlot(new),
            "line": at_line(window, node.test.lineno, draw),
            **placed(inside(window, function, draw)),
        }
        return Made(window.text, window.text[:start] + new + window.text[end:], slots)
    return None


@kind(
    "change_return",
    *wording["change_return"],
    needs=r"return ",
    weight=0.9,
)
def change_return(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        returns = [n for n in ast.walk(function) if isinstance(n, ast.Return) and n.value is not None]
        if len(returns) != 1 or returns[0].lineno != returns[0].end_lineno:
            continue
        node = returns[0]
        assert node.value is not None
        old = window.source(node.value)
        if len(old) > 60:
            continue
        name = draw.choice([a.arg for a in arguments(function)] or [draw.name(window.names)])
        picks = [
            "None",
            "True",
            "False",
            "[]",
            "{}",
            '""',
            f"{old} or None",
            f"list({old})",
            f"str({old})",
            f"({old}, {name})",
        ]
        picks += [
            name,
            f"not {old}",
            f"len({old})",
            f"{old}, True",
            "0",
            "-1",
            f"sorted({old})",
            f"dict({old})",
        ]
        new = draw.choice([p for p in picks if p != old])
        start, end = window.span(node.value)
        slots: dict[str, Slot] = {
            "old": CodeSlot(old),
            "new": CodeSlot(new),
            "f": fname(function),
            "ret": CodeSlot(f"return {old}"),
            "n_ret": CodeSlot(f"return {new}"),
            "line": at_line(window, node.lineno, draw),
            **placed(inside(window, function, draw)),
        }
        return Made(window.text, window.text[:start] + new + window.text[end:], slots)
    return None


@kind(
    "change_call",
    *wording["change_call"],
    needs=r"\w\(",
    weight=1.6,
)
def change_call(window: SourceWindow, draw: Draw) -> Made | None:
    calls = [
        n for n in window.nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name | ast.Attribute)
    ]
    for node in draw.shuffled(calls):
        old = window.source(node.func)
        function = window.function_of(node)
        block = window.source(function) if function else window.text
        if "\n" in old or len(old) > 40 or len(re.findall(rf"(?<![\w.]){re.escape(old)}\(", block)) != 1:
            continue
        if function is None:
            continue
        if isinstance(node.func, ast.Attribute) and draw.chance(0.7):
            new = old[: -len(node.func.attr)] + draw.name(window.names, draw.pools.functions)
        else:
            new = draw.name(window.names, draw.pools.functions)
        start, end = window.span(node.func)
        slots: dict[str, Slot] = {
            "old": NameSlot(old, call=True),
            "new": NameSlot(new, call=True),
            "line": at_line(window, node.lineno, draw),
            **placed(inside(window, function, draw)),
        }
        return Made(window.text, window.text[:start] + new + window.text[end:], slots)
    return None
