"""Options of calls described by their effect, command-line options, keys of results, defaults for missing
values, further branches."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, kind
from spark_tui.train.kinds.behaviour_changes import spot
from spark_tui.train.kinds.idioms import on_own_line
from spark_tui.train.source_windows import SourceWindow, arguments
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, SubTemplate

wording = table("wording/options")

_SECONDS = ("5", "10", "30", "60")
_OPTIONS: tuple[tuple[str, str, str, str], ...] = table("tables/options")["options"]
_NEEDS_ARGUMENTS = re.compile(
    r"print|max|min|zip|enumerate|sorted|open|.*(dumps?|run|makedirs|split|gather|error|warning|rmtree)"
)


@kind("call_option", *wording["call_option"], needs=r"\w\(", weight=1.2)
def call_option(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a keyword that the instruction describes by its effect."""
    for node in draw.shuffled(
        [n for n in window.nodes if isinstance(n, ast.Call) and n.lineno == n.end_lineno]
    ):
        source, whole = window.source(node.func), window.source(node)
        known = {item.arg for item in node.keywords}
        fitting = [row for row in _OPTIONS if re.fullmatch(row[0], source) and row[1] not in known]
        if not fitting or None in known or whole[-2:] == ",)" or window.text.count(f"{source}(") != 1:
            continue
        _, keyword, value, effect = draw.choice(fitting)
        modes = [
            a.value for a in [*node.args, *(k.value for k in node.keywords)] if isinstance(a, ast.Constant)
        ]
        binary = keyword == "encoding" and any(isinstance(mode, str) and "b" in mode for mode in modes[-1:])
        bare = _NEEDS_ARGUMENTS.fullmatch(source) and not node.args
        single = source in ("max", "min") and keyword == "default" and len(node.args) != 1
        second = keyword in ("start", "errors") and len(node.args) > 1
        if binary or bare or single or second or any(isinstance(a, ast.GeneratorExp) for a in node.args):
            continue
        seconds = draw.choice(_SECONDS)
        end = window.span(node)[1] - 1
        new = (", " if node.args or node.keywords else "") + f"{keyword}={value.format(t=seconds)}"
        slots: dict[str, Slot] = {
            "call": NameSlot(source, call=True),
            "effect": SubTemplate(effect, {"t": ExactSlot(seconds)}),
            **spot(window, node, draw),
        }
        return Made(window.text, window.text[:end] + new + window.text[end:], slots)
    return None


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
    number, text = str(draw.choice([0, 1, 3, 5, 10, 100])), draw.choice(draw.pools.variables)
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
        key = quote + draw.choice(draw.pools.variables) + quote
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
                f"{quote}{draw.choice(draw.pools.variables)}{quote}",
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


@kind(
    "default_for_missing", *wording["get_default"], needs=r"\.get(env)?\(['\"]|\[['\"]\w+['\"]\]", weight=1.1
)
def default_for_missing(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a default to `.get` or `getenv`, or replaces a lookup by `.get` with a default."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.Call | ast.Subscript)]):
        whole = window.source(node)
        key = (
            node.slice
            if isinstance(node, ast.Subscript)
            else node.args[0]
            if len(node.args) == 1 and not node.keywords
            else None
        )
        if "\n" in whole or len(whole) > 50 or window.text.count(whole) != 1:
            continue
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            continue
        default = draw.choice(
            ["None", "0", '""', "[]", "False", "1", "{}", f'"{draw.choice(draw.pools.variables)}"', "True"]
        )
        if window.source(key)[0] == "'":
            default = default.replace('"', "'")
        start, end = window.span(node)
        phrases: tuple[str, ...] = wording["get_default"]
        if isinstance(node, ast.Subscript):
            holder = window.source(node.value)
            loaded = isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name | ast.Attribute)
            if not loaded or holder.rpartition(".")[2][:1].isupper():
                continue
            new, phrases = f"{holder}.get({window.source(key)}, {default})", wording["subscript_get"]
        else:
            found = re.fullmatch(r"(.+)\.(?:get|getenv)", window.source(node.func))
            if found is None or default == "None" or ("env" in found[0] and default[0] not in "'\""):
                continue
            holder, new = found[1], f"{whole[:-1]}, {default})"
        slots: dict[str, Slot] = {
            "k": CodeSlot(window.source(key)),
            "d": NameSlot(holder),
            "v": CodeSlot(default),
            "get": CodeSlot(whole),
            "sub": CodeSlot(whole),
        }
        return Made(
            window.text,
            window.text[:start] + new + window.text[end:],
            slots | spot(window, node, draw),
            phrases,
        )
    return None


@kind("add_elif", *wording["elif"], needs=r"(?m)^\s*if [\w.]+ == ['\"\d]", weight=1.1)
def add_elif(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a branch for another value after the last one of an if chain, before its `else`."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.If)]):
        test = node.test
        if (
            not isinstance(test, ast.Compare)
            or not isinstance(test.ops[0], ast.Eq)
            or len(test.ops) > 1
            or window.function_of(node) is None
        ):
            continue
        subject, given = window.source(test.left), test.comparators[0]
        if (
            not isinstance(test.left, ast.Name | ast.Attribute)
            or not isinstance(given, ast.Constant)
            or window.lines[node.lineno - 1].lstrip().startswith("elif")
        ):
            continue
        end = node
        while (
            len(end.orelse) == 1
            and isinstance(end.orelse[0], ast.If)
            and window.lines[end.orelse[0].lineno - 1].lstrip().startswith("elif")
        ):
            end = end.orelse[0]
        others = [
            n
            for n in window.nodes
            if isinstance(n, ast.If)
            and re.match(rf"(el)?if {re.escape(subject)} == ", window.lines[n.lineno - 1].strip())
        ]
        if not window.own_lines(end.body[-1]) or any(
            not node.lineno <= n.lineno <= (node.end_lineno or 0) for n in others
        ):
            continue
        quote = window.source(given)[0]
        value = (
            quote + draw.choice(draw.pools.variables) + quote
            if isinstance(given.value, str)
            else str(draw.rng.randint(2, 40))
        )
        first = node.body[0]
        results = [
            "None",
            "True",
            "False",
            "0",
            "1",
            f'"{draw.choice(draw.pools.variables)}"',
            *(a.arg for f in [window.function_of(node)] if f for a in arguments(f)),
        ]
        result = draw.choice(results)
        if isinstance(first, ast.Return):
            code, do = f"return {result}", f"return {result}"
        elif isinstance(first, ast.Assign) and isinstance(first.targets[0], ast.Name):
            code, do = f"{first.targets[0].id} = {result}", f"set {first.targets[0].id} to {result}"
        else:
            code, do = draw.choice(
                [
                    ("pass", "do nothing"),
                    ("return None", "return None"),
                    ("raise ValueError", "raise ValueError"),
                    (f"print({subject})", f"print {subject}"),
                ]
            )
        if value in window.text or not isinstance(given.value, str | int) or isinstance(given.value, bool):
            continue
        indent, at = window.indent(node), window.starts[window.last_line(end.body[-1])]
        new = f"{indent}elif {subject} == {value}:\n{indent}    {code}\n"
        slots: dict[str, Slot] = {
            "x": NameSlot(subject),
            "v": CodeSlot(value),
            "code": CodeSlot(code),
            "do": ExactSlot(do),
            **spot(window, node, draw),
        }
        return Made(window.text, window.text[:at] + new + window.text[at:], slots)
    return None
