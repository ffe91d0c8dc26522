"""Calls with a wrong number of arguments, reported by their traceback."""

from __future__ import annotations

import ast

from spark_tui.train.kinds.base import Draw, Made, fname, kind, traceback
from spark_tui.train.source_windows import Change, Function, SourceWindow, apply_changes
from spark_tui.train.templates.grammar import ExactSlot, Slot
from spark_tui.train.templates.tables import table

arity = table("wording/arity")
repairs = table("wording/repairs")

_EXTRA = ("None", "True", "False", "0", "1", '"x"', "[]")


def _callees(window: SourceWindow) -> dict[tuple[str, str], Function]:
    """Plain functions by name, methods by class and name; only those whose arguments can be counted."""
    out: dict[tuple[str, str], Function] = {}
    for function in window.functions:
        given = function.args
        if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs or function.decorator_list:
            continue
        owner = window.owner(function)
        if owner is None or (given.args and given.args[0].arg == "self"):
            out[owner.name if owner else "", function.name] = function
    return out


def _callee(
    window: SourceWindow, call: ast.Call, callees: dict[tuple[str, str], Function]
) -> Function | None:
    if isinstance(call.func, ast.Name):
        return callees.get(("", call.func.id))
    if (
        isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == "self"
    ):
        around = window.function_of(call)
        owner = window.owner(around) if around is not None else None
        return callees.get((owner.name, call.func.attr)) if owner is not None else None
    return None


@kind("fix_argument_count", *repairs["error"], needs=r"def \w+\(", weight=0.7)
def fix_argument_count(window: SourceWindow, draw: Draw) -> Made | None:
    """The result is the window; in the text before, one call has an argument too many, or lacks the one that
    is named like its parameter."""
    callees = _callees(window)
    calls = [n for n in window.nodes if isinstance(n, ast.Call) and n.lineno == n.end_lineno and n.args]
    for call in draw.shuffled(calls):
        function = _callee(window, call, callees)
        if function is None or any(isinstance(item, ast.Starred) for item in call.args) or call.keywords:
            continue
        names = [item.arg for item in function.args.args]
        bound = int(window.owner(function) is not None)
        least = len(names) - len(function.args.defaults)
        if not least <= bound + len(call.args) <= len(names):
            continue
        broken = _lacking(window, call, names, bound, least, draw) or _excess(
            window, call, names, bound, least, draw
        )
        if broken is None:
            continue
        change, told = broken
        owner = window.owner(function)
        before = apply_changes(window.text, [change])
        message = f"TypeError: {owner.name + '.' if owner else ''}{function.name}() {told}"
        if draw.chance(0.6):
            around = window.function_of(call)
            line = before.split("\n")[call.lineno - 1]
            trace = traceback(window.path, call.lineno, line, message, around.name if around else "")
            return Made(before, window.text, {}, repairs["error"], error=trace)
        slots: dict[str, Slot] = {
            "m": ExactSlot(message),
            "n": ExactSlot(str(call.lineno)),
            "f": fname(function),
        }
        return Made(before, window.text, slots, arity["argument_count"])
    return None


def _lacking(
    window: SourceWindow, call: ast.Call, names: list[str], bound: int, least: int, draw: Draw
) -> tuple[Change, str] | None:
    """The call without its last argument, if that is required and named like its parameter."""
    last = call.args[-1]
    name = names[bound + len(call.args) - 1]
    if (
        bound + len(call.args) != least
        or not isinstance(last, ast.Name)
        or last.id != name
        or draw.chance(0.2)
    ):
        return None
    start = window.span(call.args[-2])[1] if len(call.args) > 1 else window.span(last)[0]
    return (start, window.span(last)[1], ""), f"missing 1 required positional argument: '{name}'"


def _excess(
    window: SourceWindow, call: ast.Call, names: list[str], bound: int, least: int, draw: Draw
) -> tuple[Change, str] | None:
    """The call with one argument too many at the end."""
    if bound + len(call.args) != len(names):
        return None
    end = window.span(call.args[-1])[1]
    room = len(names)
    takes = f"{room}" if least == room else f"from {least} to {room}"
    plural = "" if room == 1 and least == room else "s"
    more = (end, end, f", {draw.choice(_EXTRA)}")
    return more, f"takes {takes} positional argument{plural} but {room + 1} were given"
