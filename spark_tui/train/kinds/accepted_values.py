"""One more accepted value, condition or result, a loop that ends early, and other file modes, log levels and
types."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, kind
from spark_tui.train.kinds.behaviour_changes import loops, named, spot
from spark_tui.train.source_windows import SourceWindow, arguments
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, SubTemplate

wording = table("wording/widening")


@kind("accept_value", *wording["accept"], needs=r" == ['\"\d]", weight=1.0)
def accept_value(window: SourceWindow, draw: Draw) -> Made | None:
    """`x == "a"` becomes `x in ("a", "b")`."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.Compare) and len(n.ops) == 1]):
        right, whole = node.comparators[0], window.source(node)
        if (
            not isinstance(node.ops[0], ast.Eq)
            or not isinstance(right, ast.Constant)
            or window.text.count(whole) != 1
        ):
            continue
        if (
            not isinstance(node.left, ast.Name | ast.Attribute)
            or "\n" in whole
            or type(right.value) not in (str, int)
        ):
            continue
        given = window.source(right)
        new = (
            given[0] + draw.choice(draw.pools.variables) + given[0]
            if isinstance(right.value, str)
            else str(draw.rng.randint(0, 40))
        )
        left, end = window.span(node.left)[1], window.span(node)[1]
        if new == given or window.text[left:end] != f" == {given}" or window.text.count(f"== {given}") != 1:
            continue
        after = f"{window.text[:left]} in ({given}, {new}){window.text[end:]}"
        slots: dict[str, Slot] = {
            "x": NameSlot(window.source(node.left)),
            "s": CodeSlot(given),
            "v": CodeSlot(new),
            "cmp": CodeSlot(whole),
        }
        return Made(window.text, after, slots | spot(window, node, draw))
    return None


@kind("extend_condition", *wording["require"], needs=r"(?m)^\s*(if|elif|while) ", weight=1.0)
def extend_condition(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds an `and` or an `or` to a condition. Mixed operators would need parentheses and are left alone."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.If | ast.While)]):
        old = window.source(node.test)
        if (
            "\n" in old
            or len(old) > 50
            or window.text.count(old) != 1
            or isinstance(node.test, ast.BoolOp | ast.IfExp | ast.NamedExpr | ast.Lambda)
        ):
            continue
        if window.text[window.span(node.test)[1]] != ":" or len(old) < 3:
            continue
        function = window.function_of(node)
        names = [a.arg for a in arguments(function)] if function else []
        name = draw.choice(
            names or sorted({n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)}) or ["ready"]
        )
        more = draw.choice(
            [
                name,
                f"not {name}",
                f"{name} is not None",
                f"{name} is None",
                f"{name} > 0",
                f"len({name}) > {draw.rng.randint(1, 9)}",
                f"isinstance({name}, str)",
                f'{name} != "{draw.choice(draw.pools.variables)}"',
                draw.name(window.names),
            ]
        )
        if more in old:
            continue
        word, phrases = draw.choice(
            [("and", wording["require"]), ("and", wording["require"]), ("or", wording["alternative"])]
        )
        end = window.span(node.test)[1]
        after = f"{window.text[:end]} {word} {more}{window.text[end:]}"
        slots: dict[str, Slot] = {"old": CodeSlot(old), "c": CodeSlot(more)}
        return Made(window.text, after, slots | spot(window, node, draw), phrases)
    return None


@kind("also_return", *wording["also_return"], needs=r"(?m)^\s+return \w", weight=0.9)
def also_return(window: SourceWindow, draw: Draw) -> Made | None:
    """Makes the only result of a function a pair."""
    for function in draw.shuffled(window.functions):
        returns = [n for n in ast.walk(function) if isinstance(n, ast.Return) and n.value is not None]
        if len(returns) != 1 or function.returns is not None or returns[0].lineno != returns[0].end_lineno:
            continue
        value = returns[0].value
        assert value is not None
        old = window.source(value)
        stored = {
            n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        names = sorted((stored | {a.arg for a in arguments(function)}) - {old})
        if (
            not names
            or len(old) > 40
            or isinstance(value, ast.Tuple | ast.IfExp | ast.Lambda)
            or not window.own_lines(returns[0])
        ):
            continue
        more = draw.choice([*names, *names, "True", "None", f"len({draw.choice(names)})"])
        end = window.span(value)[1]
        slots: dict[str, Slot] = {"f": fname(function), "y": CodeSlot(more), "old": CodeSlot(old)}
        return Made(window.text, f"{window.text[:end]}, {more}{window.text[end:]}", slots)
    return None


@kind("break_after_first", *wording["break"], needs=r"(?m)^\s*for \w+ in ", weight=0.6)
def break_after_first(window: SourceWindow, draw: Draw) -> Made | None:
    """Ends a loop early with a `break`."""
    for node in loops(window, draw):
        last = node.body[-1]
        if not window.own_lines(last) or isinstance(
            last, ast.Return | ast.Continue | ast.Break | ast.Raise | ast.If | ast.Try
        ):
            continue
        at = window.starts[window.last_line(last)]
        after = f"{window.text[:at]}{window.indent(last)}break\n{window.text[at:]}"
        return Made(window.text, after, named(window, node, draw))
    return None


_MODES = (
    ("r", "rb", "in binary[ mode|]", "read [bytes|binary]"),
    (
        "w",
        "a",
        "[for appending|to append]",
        "[append to the file|don't overwrite the file, append to it|append instead of overwriting]",
    ),
    ("w", "wb", "in binary[ mode|]", "write [bytes|binary]"),
    (
        "w",
        "x",
        "[so that it must not exist|for exclusive creation]",
        "[fail if the file exists already|never overwrite an existing file]",
    ),
    (
        "a",
        "w",
        "[for writing|to write it anew]",
        "[overwrite the file instead of appending|start the file anew]",
    ),
    ("rb", "r", "[as text|in text mode]", "read text[, not bytes|]"),
    ("wb", "w", "[as text|in text mode]", "write text[, not bytes|]"),
    ("wb", "ab", "[for appending|to append]", "[append to the file|append instead of overwriting]"),
    ("r", "r+", "for reading and writing", "open the file for reading and writing"),
)


@kind("open_mode", *wording["open_mode"], needs=r"\bopen\([^\n]+['\"](r|w|a|rb|wb)['\"]", weight=0.9)
def open_mode(window: SourceWindow, draw: Draw) -> Made | None:
    """Changes the mode of the only `open` of a function, said literally or by its effect."""
    calls = [
        n
        for n in window.nodes
        if isinstance(n, ast.Call) and window.source(n.func).rpartition(".")[2] == "open"
    ]
    for node in draw.shuffled(calls):
        function = window.function_of(node)
        if (
            len(node.args) != 2
            or not isinstance(node.args[1], ast.Constant)
            or "\n" in window.source(node.args[0])
        ):
            continue
        if sum(window.function_of(other) is function for other in calls) != 1:
            continue
        old, quote = node.args[1].value, window.source(node.args[1])[0]
        if not isinstance(old, str):
            continue
        fitting = [row for row in _MODES if row[0] == old and not ("b" in row[1] and node.keywords)]
        if not fitting or len(window.source(node.args[0])) > 40:
            continue
        _, new, mode, how = draw.choice(fitting)
        start, end = window.span(node.args[1])
        slots: dict[str, Slot] = {
            "m": CodeSlot(f"{quote}{new}{quote}"),
            "old": CodeSlot(f"{quote}{old}{quote}"),
            "mode": SubTemplate(mode),
            "how": SubTemplate(how),
            "file": CodeSlot(window.source(node.args[0])),
        }
        return Made(
            window.text,
            f"{window.text[:start]}{quote}{new}{quote}{window.text[end:]}",
            slots | spot(window, node, draw),
        )
    return None


_LEVELS = ("debug", "info", "warning", "error", "exception", "critical")


@kind(
    "log_level",
    *wording["log_level"],
    needs=r"log\w*\.(debug|info|warning|error|exception|critical)\(",
    weight=0.9,
)
def log_level(window: SourceWindow, draw: Draw) -> Made | None:
    """Changes the level of the only log call of that level."""
    calls = [
        n
        for n in window.nodes
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in _LEVELS
    ]
    for node in draw.shuffled(calls):
        assert isinstance(node.func, ast.Attribute)
        was, first = node.func.attr, node.args[0] if node.args else None
        if sum(getattr(n.func, "attr", "") == was for n in calls) != 1 or not isinstance(first, ast.Constant):
            continue
        text = window.source(first)
        if (
            "\n" in text
            or not 4 < len(text) < 60
            or not re.search(r"log", window.source(node.func.value), re.IGNORECASE)
        ):
            continue
        level = draw.choice([name for name in _LEVELS if name not in (was, "exception")])
        end = window.span(node.func)[1]
        after = f"{window.text[: end - len(was)]}{level}{window.text[end:]}"
        slots: dict[str, Slot] = {"text": CodeSlot(text), "level": ExactSlot(level), "was": ExactSlot(was)}
        return Made(window.text, after, slots | spot(window, node, draw))
    return None


@kind("convert_value", *wording["wrap_value"], needs=r"(?m)^\s*[\w.]+ = [\w.]+[\[(]", weight=1.0)
def convert_value(window: SourceWindow, draw: Draw) -> Made | None:
    """Passes the value that a name is set to through `int`, `str`, `list` or a similar call."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.Assign) and len(n.targets) == 1]):
        target, value = node.targets[0], node.value
        name, source = window.source(target), window.source(value)
        if not isinstance(target, ast.Name | ast.Attribute) or not isinstance(
            value, ast.Call | ast.Subscript | ast.Attribute | ast.Name
        ):
            continue
        if len(re.findall(rf"(?m)^\s*{re.escape(name)} = ", window.text)) != 1 or "\n" in source:
            continue
        kind_of = draw.choice(["int", "str", "float", "list", "tuple", "set", "Path", "dict", "bool"])
        if re.match(r"(int|str|float|list|tuple|set|Path|dict|bool|bytes|await|yield)\b", source):
            continue
        start, end = window.span(value)
        slots: dict[str, Slot] = {
            "x": NameSlot(name),
            "t": ExactSlot(kind_of),
            "some": ExactSlot(("an " if kind_of == "int" else "a ") + kind_of),
        }
        after = f"{window.text[:start]}{kind_of}({source}){window.text[end:]}"
        return Made(window.text, after, slots | spot(window, node, draw))
    return None
