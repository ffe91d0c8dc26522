"""Command-line options, and keys of dicts that functions return."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, kind
from spark_tui.train.source_windows import SourceWindow, arguments
from spark_tui.train.templates.grammar import CodeSlot, ExactSlot, NameSlot, Slot, SubTemplate
from spark_tui.train.templates.tables import table

wording = table("wording/options")


def on_own_line(window: SourceWindow, element: ast.expr, value: ast.Dict) -> bool:
    """Whether a value with its key and its comma fills one line."""
    keys = dict(zip(value.values, value.keys, strict=True))
    start = keys.get(element) or element
    line = window.lines[start.lineno - 1]
    inside_line = line[start.col_offset : element.end_col_offset]
    return start.lineno == element.end_lineno and line.strip() == f"{inside_line},"


@kind("add_option", *wording["option"], needs=r"\.add_argument\(", weight=1.0)
def add_option(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds an `add_argument` after the last one of its parser."""
    calls = [
        n
        for n in window.nodes
        if isinstance(n, ast.Expr)
        and isinstance(n.value, ast.Call)
        and isinstance(n.value.func, ast.Attribute)
        and n.value.func.attr == "add_argument"
    ]
    owners = {window.source(n.value.func.value) for n in calls}  # type: ignore[attr-defined]
    last = max(calls, key=lambda n: n.lineno, default=None)
    if last is None or len(owners) != 1 or not window.own_lines(last):
        return None
    name = draw.name(window.names).replace("_", "-")
    number, text = str(draw.choice([0, 1, 3, 5, 10, 100])), draw.choice(draw.names)
    rest, what = draw.choice(
        [
            ('action="store_true"', "[a flag|a switch|off by default|store_true]"),
            ('action="store_true"', "[a flag|a switch|true when given]"),
            ("type=int", "[an int|an integer|type int]"),
            (
                f"type=int, default={number}",
                f"[an int, default {number}|int, {number} by default|an integer that defaults to {number}]",
            ),
            (f'default="{text}"', f'default "{text}"'),
            ("required=True", "[required|mandatory]"),
            ("type=float", "[a float|type float]"),
            ("default=None", "[default None|None by default]"),
            ('nargs="*"', "[any number of values|zero or more values]"),
            ("type=Path", "[a Path|a path|type Path]"),
            (f'help="{text}"', f'with the help "{text}"'),
        ]
    )
    if f'"--{name}"' in window.text or f"'--{name}'" in window.text:
        return None
    line = f'{window.indent(last)}{owners.pop()}.add_argument("--{name}", {rest})\n'
    if re.search(r"add_argument\(\s*'", window.text):
        line = line.replace('"', "'")
    at = window.starts[window.last_line(last)]
    slots: dict[str, Slot] = {"flag": NameSlot(f"--{name}"), "what": SubTemplate(what)}
    return Made(window.text, window.text[:at] + line + window.text[at:], slots)


def _with_dict(window: SourceWindow, draw: Draw) -> SourceWindow:
    """The window with a function that ends in `return x` returning a dict of `x` and other names instead."""
    for function in draw.shuffled(window.functions):
        last = function.body[-1]
        if not isinstance(last, ast.Return) or not isinstance(last.value, ast.Name | ast.Attribute):
            continue
        if function.returns is not None or function.name.startswith("__") or not window.own_lines(last):
            continue
        value = window.source(last.value)
        names = [
            value.rpartition(".")[2],
            *draw.shuffled([a.arg for a in arguments(function)])[: draw.rng.randint(0, 2)],
        ]
        entries = [
            f'"{name}": {value if number == 0 else name}' for number, name in enumerate(dict.fromkeys(names))
        ]
        indent = window.indent(last)
        new = "{" + ", ".join(entries) + "}"
        if len(entries) > 1 and draw.chance(0.5):
            new = "{\n" + "".join(f"{indent}    {entry},\n" for entry in entries) + indent + "}"
        start, end = window.span(last.value)
        return SourceWindow(window.path, window.text[:start] + new + window.text[end:])
    return window


@kind("add_return_key", *wording["return_key"], needs=r"(?m)^\s+return (\{|[\w.]+$)", weight=0.8)
def add_return_key(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a key to the only dict that a function returns. If no function returns one, the window is changed
    first."""
    if not re.search(r"return \{(\n|['\"])", window.text):
        window = _with_dict(window, draw)
    for function in draw.shuffled(window.functions):
        returns = [n for n in ast.walk(function) if isinstance(n, ast.Return)]
        dicts = [n.value for n in returns if isinstance(n.value, ast.Dict)]
        if len(dicts) != 1 or not dicts[0].values:
            continue
        value = dicts[0]
        last, source = value.values[-1], window.source(value)
        quote = "'" if "'" in source and '"' not in source else '"'
        key = quote + draw.choice(draw.names) + quote
        names = [a.arg for a in arguments(function)]
        new = draw.choice(
            [
                *names,
                *names,
                "None",
                "True",
                "False",
                "0",
                "1",
                "[]",
                f"{quote}{draw.choice(draw.names)}{quote}",
            ]
        )
        end = window.span(value)[1]
        if key in source or None in value.keys:
            continue
        if value.lineno == value.end_lineno and source[-2] not in ", ":
            at, more = end - 1, f", {key}: {new}"
        elif on_own_line(window, last, value):
            line = window.lines[last.lineno - 1]
            at, more = window.starts[last.lineno], f"{line[: len(line) - len(line.lstrip())]}{key}: {new},\n"
        else:
            continue
        slots: dict[str, Slot] = {"key": CodeSlot(key), "value": CodeSlot(new), "f": fname(function)}
        return Made(window.text, window.text[:at] + more + window.text[at:], slots)
    return None


@kind("short_option", *table("wording/scopes")["short"], needs=r"\.add_argument\(", weight=0.7)
def short_option(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a short name for a command-line option, before the long one."""
    calls = [n for n in window.nodes if isinstance(n, ast.Call) and not isinstance(n.func, ast.Call)]
    for call in draw.shuffled(calls):
        first = call.args[0] if call.args else None
        if (
            not window.source(call.func).endswith("add_argument")
            or len(call.args) != 1
            or not isinstance(first, ast.Constant)
        ):
            continue
        long = str(first.value)
        letter = draw.choice([long[2:3], long[2:3], draw.choice("abcdefghknpqrtvwxy")])
        if (
            not long.startswith("--")
            or not letter.isalpha()
            or re.search(rf"['\"]-{letter}['\"]", window.text)
        ):
            continue
        start, _ = window.span(first)
        after = window.text[:start] + f'"-{letter}", '.replace('"', window.text[start]) + window.text[start:]
        return Made(
            window.text,
            after,
            {"s": ExactSlot(letter), "d": ExactSlot(draw.choice([long, long, long[2:], f"`{long}`"]))},
        )
    return None
