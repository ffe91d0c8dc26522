"""Parameters that are passed on or fall back to an attribute."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, kind
from spark_tui.train.source_windows import Function, SourceWindow, apply_changes, arguments
from spark_tui.train.templates.grammar import CodeSlot, NameSlot, Slot
from spark_tui.train.templates.tables import table

wording = table("wording/handed")


def _open_signature(window: SourceWindow, function: Function) -> tuple[int, str] | None:
    """The offset for a new parameter and its separator; None for signatures with stars, types or several
    lines."""
    given = function.args
    if given.vararg or given.kwarg or given.kwonlyargs or any(a.annotation for a in arguments(function)):
        return None
    start = window.text.index("(", window.name_at(function)[1])
    last = max([start + 1, *(window.span(n)[1] for n in (*given.posonlyargs, *given.args, *given.defaults))])
    close = window.text.find(")", last)
    if (
        window.text[last:close].strip()
        or window.line_at(close) != function.lineno
        or (not given.args and close != last)
    ):
        return None
    return last, ", " if given.args else ""


def in_text(window: SourceWindow, node: ast.AST) -> bool:
    """Whether the node is inside an f-string, where positions are not exact."""
    at: ast.AST | None = node
    while at is not None:
        if isinstance(at, ast.JoinedStr):
            return True
        at = window.parents.get(at)
    return False


@kind("fall_back_to_attribute", *wording["fallback"], needs=r"self\.\w+", weight=1.5)
def fall_back_to_attribute(window: SourceWindow, draw: Draw) -> Made | None:
    """Lets a method take a value as a parameter, with the attribute as the fallback."""
    for method in draw.shuffled(
        [f for f in window.functions if window.owner(f) is not None and not f.name.startswith("__")]
    ):
        body, place = window.body_after_docstring(method), _open_signature(window, method)
        if (
            not body
            or place is None
            or method.decorator_list
            or not method.args.args
            or method.args.args[0].arg != "self"
            or not window.own_lines(body[0])
        ):
            continue
        reads = [
            n
            for n in ast.walk(method)
            if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == "self"
        ]
        inner = {n.id for n in ast.walk(method) if isinstance(n, ast.Name)} | {
            a.arg for a in ast.walk(method) if isinstance(a, ast.arg)
        }
        for node in draw.shuffled(reads):
            parent = window.parents[node]
            same = [n for n in reads if n.attr == node.attr]
            stored = re.search(rf"self\.{node.attr}(: [^\n=]+)? = ", window.text)
            if (
                len(same) != 1
                or not isinstance(node.ctx, ast.Load)
                or not stored
                or node.attr in inner
                or node.attr.startswith("_")
            ):
                continue
            if (
                isinstance(parent, ast.Attribute | ast.Subscript)
                or (isinstance(parent, ast.Call) and parent.func is node)
                or in_text(window, node)
            ):
                continue
            at, indent = window.starts[window.first_line(body[0]) - 1], window.indent(body[0])
            changes = [
                (place[0], place[0], f"{place[1]}{node.attr}=None"),
                (at, at, f"{indent}if {node.attr} is None:\n{indent}    {node.attr} = self.{node.attr}\n"),
                (*window.span(node), node.attr),
            ]
            slots: dict[str, Slot] = {
                "f": fname(method),
                "p": NameSlot(node.attr),
                "a": NameSlot(f"self.{node.attr}"),
            }
            return Made(window.text, apply_changes(window.text, changes), slots)
    return None


def _closable(window: SourceWindow, call: ast.Call) -> bool:
    """Whether a keyword can be added at the end of the call."""
    whole = window.source(call)
    return (
        call.lineno == call.end_lineno
        and whole[-2:] != ",)"
        and not any(isinstance(a, ast.GeneratorExp | ast.Starred) for a in call.args)
        and not any(k.arg is None for k in call.keywords)
    )


_FLAGS: tuple[str, ...] = table("tables/edits")["passed_on"]
_BUILT_IN = re.compile(
    r"(print|len|str|int|float|range|list|dict|set|tuple|isinstance|super|max|min|sum|sorted"
    r"|enumerate|zip|round|type|repr|abs|any|all|getattr|hasattr|ValueError|KeyError|\w+Error|input|iter"
    r"|next|map|filter|bool|Exception)"
)


@kind("hand_on", *wording["through"], needs=r"def \w+\([^)\n]*\):", weight=2.0)
def hand_on(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a parameter and passes it to a call."""
    for function in draw.shuffled(window.functions):
        place = _open_signature(window, function)
        found = [
            n
            for n in ast.walk(function)
            if isinstance(n, ast.Call) and _closable(window, n) and not in_text(window, n)
        ]
        if (
            place is None
            or function.decorator_list
            or (function.name.startswith("__") and function.name != "__init__")
        ):
            continue
        for call in draw.shuffled(found):
            name = window.source(call.func)
            if (
                not re.fullmatch(r"[\w.]{2,40}", name)
                or _BUILT_IN.fullmatch(name)
                or re.search(
                    r"\.(append|strip|lower|upper|items|keys|values|join|split|add|pop|extend"
                    r"|sort|write|read|close|startswith|endswith|format|replace|update)$",
                    name,
                )
            ):
                continue
            if sum(window.source(n.func) == name for n in found) != 1:
                continue
            flag = draw.choice(_FLAGS) if draw.chance(0.6) else draw.name(window.names)
            if flag in window.names:
                continue
            default = draw.choice(
                (
                    "None",
                    "False",
                    "True",
                    "False",
                    "None",
                    str(draw.rng.randint(0, 30)),
                    f'"{draw.choice(draw.names)}"',
                )
            )
            end = window.span(call)[1] - 1
            comma = ", " if call.args or call.keywords else ""
            changes = [
                (place[0], place[0], f"{place[1]}{flag}={default}"),
                (end, end, f"{comma}{flag}={flag}"),
            ]
            slots: dict[str, Slot] = {
                "f": fname(function),
                "c": NameSlot(name, call=True),
                "p": NameSlot(flag),
                "d": CodeSlot(default),
                "pd": CodeSlot(f"{flag}={default}"),
            }
            return Made(window.text, apply_changes(window.text, changes), slots)
    return None
