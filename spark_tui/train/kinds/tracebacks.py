"""Repairs of errors that are pasted as tracebacks: a text used as a number, a number used as a text, an
unset local."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, inside, kind
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import Function, SourceWindow
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, WordsSlot

wording = table("wording/crashes")

_NO_NUMBER = (
    "TypeError: unsupported operand type(s) for -: 'str' and 'int'",
    "TypeError: unsupported operand type(s) for /: 'str' and 'int'",
    "TypeError: '>' not supported between instances of 'str' and 'int'",
    'TypeError: can only concatenate str (not "int") to str',
    "TypeError: '<' not supported between instances of 'str' and 'int'",
    "TypeError: 'str' object cannot be interpreted as an integer",
    "TypeError: unsupported operand type(s) for +: 'int' and 'str'",
)


def told(
    window: SourceWindow, function: Function | None, line: int, error: str, draw: Draw
) -> dict[str, Slot]:
    """The error, and a traceback that ends with it."""
    name = function.name if function else "<module>"
    head = draw.choice(
        [
            'Traceback (most recent call last):\n  File "{p}", line {n}, in {f}\n{e}',
            'File "{p}", line {n}, in {f}\n{e}',
            '  File "{p}", line {n}, in {f}\n    {s}\n{e}',
        ]
    )
    text = window.lines[line - 1].strip() if line <= len(window.lines) else ""
    trace = head.format(p=window.path, n=line, f=name, e=error, s=text)
    return {
        "err": ExactSlot(error),
        "trace": ExactSlot(trace),
        "f": fname(function) if function else WordsSlot("it"),
        **placed(inside(window, function, draw)),
    }


@kind("needs_number", *wording["number"], needs=r"type=(int|float)|= (int|float)\(", weight=1.5)
def needs_number(window: SourceWindow, draw: Draw) -> Made | None:
    """Converts a text that is used in arithmetic to a number where it is read."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.Call | ast.keyword)]):
        function = window.function_of(node)
        error = draw.choice(_NO_NUMBER)
        if isinstance(node, ast.keyword):
            parent = window.parents.get(node)
            kind_of = window.source(node.value)
            if (
                node.arg != "type"
                or kind_of not in ("int", "float")
                or not isinstance(parent, ast.Call)
                or not parent.args
                or parent.lineno != parent.end_lineno
            ):
                continue
            start, end = window.span(node)
            if not window.text[:start].endswith(", ") or not isinstance(parent.args[0], ast.Constant):
                continue
            if parent.keywords[0] is not node:
                continue
            before = window.text[: start - 2] + window.text[end:]
            slots: dict[str, Slot] = {
                "x": ExactSlot(str(parent.args[0].value)),
                "t": ExactSlot(kind_of),
                **told(SourceWindow(window.path, before), function, node.lineno, error, draw),
            }
            return Made(before, window.text, slots, wording["option"])
        parent = window.parents.get(node)
        kind_of = window.source(node.func)
        if (
            kind_of not in ("int", "float")
            or len(node.args) != 1
            or node.keywords
            or not isinstance(parent, ast.Assign)
            or not isinstance(parent.targets[0], ast.Name)
        ):
            continue
        inner, name = window.source(node.args[0]), parent.targets[0].id
        if "\n" in inner or window.text.count(f"{name} = ") != 1:
            continue
        start, end = window.span(node)
        before = window.text[:start] + inner + window.text[end:]
        slots = {
            "x": NameSlot(name),
            "t": ExactSlot(kind_of),
            **told(SourceWindow(window.path, before), function, node.lineno, error, draw),
        }
        return Made(before, window.text, slots)
    return None


@kind("number_in_text", *wording["text"], needs=r"\+ str\(", weight=1.0)
def number_in_text(window: SourceWindow, draw: Draw) -> Made | None:
    """Wraps a number that is joined to a text in str()."""
    for node in draw.shuffled(
        [
            n
            for n in window.nodes
            if isinstance(n, ast.Call)
            and isinstance(n.func, ast.Name)
            and n.func.id == "str"
            and len(n.args) == 1
        ]
    ):
        parent, function = window.parents.get(node), window.function_of(node)
        if (
            not isinstance(parent, ast.BinOp)
            or not isinstance(parent.op, ast.Add)
            or isinstance(node.args[0], ast.BinOp | ast.IfExp | ast.Starred)
        ):
            continue
        inner = window.source(node.args[0])
        if "\n" in inner or len(inner) > 40:
            continue
        start, end = window.span(node)
        before = window.text[:start] + inner + window.text[end:]
        error = draw.choice(
            [
                'TypeError: can only concatenate str (not "int") to str',
                'TypeError: can only concatenate str (not "float") to str',
                'TypeError: can only concatenate str (not "NoneType") to str',
                "TypeError: must be str, not int",
            ]
        )
        slots: dict[str, Slot] = {
            "x": draw.slot(CodeSlot(inner), NameSlot(inner)),
            **told(SourceWindow(window.path, before), function, node.lineno, error, draw),
        }
        return Made(before, window.text, slots)
    return None


@kind(
    "unset_local",
    *wording["unset"],
    needs=r"(?m)^    +\w+ = (0|\[\]|\{\}|None|''|\"\"|False|1|0\.0|set\(\))$",
    weight=1.2,
)
def unset_local(window: SourceWindow, draw: Draw) -> Made | None:
    """Gives a first value to a local that is set in only one branch, or changed before it is set."""
    for function in draw.shuffled(window.functions):
        for node in function.body:
            if (
                not isinstance(node, ast.Assign)
                or len(node.targets) != 1
                or not isinstance(node.targets[0], ast.Name)
                or not window.own_lines(node)
            ):
                continue
            name, value = node.targets[0].id, window.source(node.value)
            uses = [
                n
                for n in ast.walk(function)
                if isinstance(n, ast.Name) and n.id == name and n is not node.targets[0]
            ]
            if (
                value not in ("0", "[]", "{}", "None", "''", '""', "False", "1", "0.0", "set()")
                or not uses
                or len(function.body) < 3
            ):
                continue
            after = function.body[function.body.index(node) + 1 :]
            if (
                not after
                or window.first_line(after[0]) != node.lineno + 1
                or not any(name in window.source(n) for n in after[:1])
            ):
                continue
            elsewhere = len(re.findall(rf"\b{name}\b", window.text)) - len(
                re.findall(rf"\b{name}\b", window.source(function))
            )
            if elsewhere or "#" in window.lines[node.lineno - 1]:
                continue
            start, end = window.line_span(node.lineno, node.lineno)
            before = window.text[:start] + window.text[end:]
            grows = any(
                isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)
                for n in ast.walk(function)
                if n is not node.targets[0]
            )
            errors = (
                "UnboundLocalError: cannot access local variable "
                f"'{name}' where it is not associated with a value",
                f"UnboundLocalError: local variable '{name}' referenced before assignment",
            )
            error = draw.choice(errors) if grows else f"NameError: name '{name}' is not defined"
            line = min(n.lineno for n in uses) - 1
            slots: dict[str, Slot] = {
                "x": NameSlot(name),
                "v": draw.slot(CodeSlot(value), ExactSlot(value)),
                "line": CodeSlot(f"{name} = {value}"),
                **told(SourceWindow(window.path, before), function, max(1, line), error, draw),
            }
            return Made(before, window.text, slots)
    return None
