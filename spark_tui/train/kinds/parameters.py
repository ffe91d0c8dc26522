"""Parameters of functions and arguments of calls: add, remove, reorder."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, at_line, fname, inside, kind
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import Change, Function, SourceWindow, apply_changes, arguments
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, WordsSlot

wording = table("wording/parameters")

_DEFAULTS = ("None", "False", "True", "0", "1", '""', "()", "10", "30", "1.0")
_TYPES = {
    "None": "str | None",
    "False": "bool",
    "True": "bool",
    "0": "int",
    "1": "int",
    '""': "str",
    "()": "tuple",
    "10": "int",
    "30": "float",
    "1.0": "float",
}


def parens(window: SourceWindow, function: Function) -> tuple[int, int] | None:
    """Offsets between the parentheses of a one-line parameter list."""
    _, end = window.name_at(function)
    if window.text[end] != "(":
        return None
    depth = 0
    for at in range(end, len(window.text)):
        character = window.text[at]
        depth += (character == "(") - (character == ")")
        if character in "\"'#\n":
            return None
        if depth == 0:
            return end + 1, at
    return None


def place_for_parameter(
    window: SourceWindow, function: Function, *, with_default: bool
) -> tuple[int, str] | None:
    """Where a new last parameter goes, as (offset, form with `{}`)."""
    inner = parens(window, function)
    args = function.args
    if inner is None or args.posonlyargs:
        return None
    start, end = inner
    if not window.text[start:end].strip():
        return start, "{}"
    if args.kwonlyargs or (args.vararg and with_default):
        if args.kwarg:
            at = window.span(args.kwarg)[0] - 2
            return at, "{}, "
        return end, ", {}"
    if args.vararg or args.kwarg:
        first = args.vararg or args.kwarg
        assert first is not None
        at = window.span(first)[0] - (1 if args.vararg else 2)
        return at, "{}, "
    if args.defaults and not with_default:
        return None
    return end, ", {}"


@kind(
    "add_parameter",
    *wording["add_parameter"],
    weight=1.1,
)
def add_parameter(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        with_default = draw.chance(0.75)
        place = place_for_parameter(window, function, with_default=with_default)
        if place is None or sum(f.name == function.name for f in window.functions) > 1:
            continue
        name = (
            draw.name(window.names)
            if draw.chance(0.7)
            else draw.choice(
                [
                    "timeout",
                    "verbose",
                    "strict",
                    "default",
                    "encoding",
                    "limit",
                    "callback",
                    "dry_run",
                    "logger",
                    "debug",
                    "key",
                ]
            )
        )
        if name in window.names:
            continue
        default = draw.choice(_DEFAULTS)
        typed = draw.chance(0.8) if any(a.annotation for a in arguments(function)) else draw.chance(0.15)
        kind_of = _TYPES[default]
        if with_default:
            new = f"{name}: {kind_of} = {default}" if typed else f"{name}={default}"
        else:
            kind_of = draw.choice(["str", "int", "bool", "float", "list[str]", "bytes"])
            new = f"{name}: {kind_of}" if typed else name
        changes: list[Change] = [(place[0], place[0], place[1].format(new))]
        p: Slot = CodeSlot(new) if (typed or with_default) else NameSlot(name)
        phrases: tuple[str, ...] = ()
        if with_default and not typed and draw.chance(0.6):
            p = NameSlot(name)
            phrases = wording["add_parameter_default"]
        elif typed and draw.chance(0.5):
            p = NameSlot(name)
            phrases = wording["add_parameter_typed"]
        dd: Slot = WordsSlot(
            draw.choice([f" with default {default}", f", default {default}", f" defaulting to {default}"])
            if with_default
            else ""
        )
        slots: dict[str, Slot] = {
            "p": p,
            "f": fname(function),
            "d": CodeSlot(default),
            "t": CodeSlot(kind_of),
            "dd": dd,
            "g": ExactSlot(function.name),
            "new": ExactSlot(new),
        }
        return Made(window.text, apply_changes(window.text, changes), slots, phrases)
    return None


@kind(
    "remove_parameter",
    *wording["remove_parameter"],
    needs=r"def \w+\([^)\n]*,",
    weight=1.3,
)
def remove_parameter(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        inner = parens(window, function)
        args = function.args.args
        used = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)}
        free = [a for a in args if a.arg not in used and a.arg not in ("self", "cls")]
        if inner is None or not free or function.args.posonlyargs:
            continue
        item = draw.choice(free)
        if (
            re.search(rf"\b{item.arg}\b", window.text[inner[1] :])
            or len(re.findall(rf"\b{function.name}\(", window.text)) > 1
        ):
            continue
        parts = _split(window.text[inner[0] : inner[1]])
        kept = [p for p in parts if not re.match(rf"\s*{item.arg}\b", p)]
        if len(kept) != len(parts) - 1:
            continue
        new = ", ".join(p.strip() for p in kept)
        after = window.text[: inner[0]] + new + window.text[inner[1] :]
        return Made(window.text, after, {"p": NameSlot(item.arg), "f": fname(function)})
    return None


def _split(text: str) -> list[str]:
    """Parts between commas outside brackets."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


@kind(
    "swap_parameters",
    *wording["swap_parameters"],
    needs=r"def \w+\([^)\n]*,",
    weight=1.6,
)
def swap_parameters(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        args = [a for a in function.args.args if a.arg not in ("self", "cls")]
        plain = args[: len(args) - len(function.args.defaults)]
        if (
            len(plain) < 2
            or len(re.findall(rf"\b{function.name}\(", window.text)) > 1
            or parens(window, function) is None
        ):
            continue
        at = draw.rng.randrange(len(plain) - 1)
        a, b = plain[at], plain[at + 1]
        changes = [(*window.span(a), window.source(b)), (*window.span(b), window.source(a))]
        return Made(
            window.text,
            apply_changes(window.text, changes),
            {"a": NameSlot(a.arg), "b": NameSlot(b.arg), "f": fname(function)},
        )
    return None


@kind(
    "add_keyword_argument",
    *wording["add_keyword_argument"],
    needs=r"\w\(",
    weight=1.3,
)
def add_keyword_argument(window: SourceWindow, draw: Draw) -> Made | None:
    calls = [
        n
        for n in window.nodes
        if isinstance(n, ast.Call)
        and isinstance(n.func, ast.Name | ast.Attribute)
        and n.lineno == n.end_lineno
        and not any(k.arg is None for k in n.keywords)
    ]
    for node in draw.shuffled(calls):
        source = window.source(node.func)
        function = window.function_of(node)
        block = window.source(function) if function else window.text
        if (
            len(source) > 40
            or len(re.findall(rf"(?<![\w.]){re.escape(source)}\(", block)) != 1
            or function is None
        ):
            continue
        if any(isinstance(a, ast.GeneratorExp) for a in node.args) or isinstance(
            window.parents.get(node), ast.FormattedValue | ast.JoinedStr
        ):
            continue
        key = draw.choice(
            [
                "timeout",
                "encoding",
                "key",
                "default",
                "strict",
                "reverse",
                "check",
                "indent",
                "flush",
                "sep",
                "end",
                "verbose",
                "exist_ok",
                "maxsplit",
                "text",
                "errors",
                draw.choice(draw.pools.variables),
            ]
        )
        if any(k.arg == key for k in node.keywords):
            continue
        value = {
            "timeout": draw.choice(["10", "30", "5.0", "None"]),
            "encoding": '"utf-8"',
            "indent": draw.choice(["2", "4"]),
            "maxsplit": "1",
            "sep": '", "',
            "end": '""',
            "errors": '"replace"',
            "key": draw.choice(["len", "str.lower"]),
        }.get(key, draw.choice(["True", "False", "None", key]))
        _, end = window.span(node)
        empty = not node.args and not node.keywords
        new = f"{key}={value}"
        after = window.text[: end - 1] + ("" if empty else ", ") + new + window.text[end - 1 :]
        slots: dict[str, Slot] = {
            "kw": CodeSlot(new),
            "k": NameSlot(key),
            "v": CodeSlot(value),
            "call": NameSlot(source, call=True),
            "g": ExactSlot(source),
            "n": ExactSlot(new),
            "line": at_line(window, node.lineno, draw),
            **placed(inside(window, function, draw)),
        }
        return Made(window.text, after, slots)
    return None


@kind(
    "remove_argument",
    *wording["remove_argument"],
    needs=r"\w+=",
    weight=1.6,
)
def remove_argument(window: SourceWindow, draw: Draw) -> Made | None:
    calls = [n for n in window.nodes if isinstance(n, ast.Call) and n.keywords and n.lineno == n.end_lineno]
    for node in draw.shuffled(calls):
        source = window.source(node.func)
        function = window.function_of(node)
        item = node.keywords[-1]
        if (
            item.arg is None
            or len(source) > 40
            or window.text.count(window.source(item)) != 1
            or "\n" in source
        ):
            continue
        start, end = window.span(item)
        others: list[ast.expr | ast.keyword] = [*node.args, *node.keywords[:-1]]
        if others:
            start = max(window.span(o)[1] for o in others)
        if window.text[end] != ")" or "(" in window.text[start : start + 1]:
            continue
        after = window.text[:start] + window.text[end:]
        slots: dict[str, Slot] = {
            "kw": draw.slot(CodeSlot(window.source(item)), NameSlot(item.arg)),
            "call": NameSlot(source, call=True),
            "k": NameSlot(item.arg),
            "line": at_line(window, node.lineno, draw),
            **placed(inside(window, function, draw)),
        }
        return Made(window.text, after, slots)
    return None


@kind(
    "swap_arguments",
    *wording["swap_arguments"],
    needs=r"\w\([^()\n]+,",
    weight=1.6,
)
def swap_arguments(window: SourceWindow, draw: Draw) -> Made | None:
    calls = [
        n
        for n in window.nodes
        if isinstance(n, ast.Call)
        and len(n.args) == 2
        and not n.keywords
        and n.lineno == n.end_lineno
        and not any(isinstance(a, ast.Starred) for a in n.args)
    ]
    for node in draw.shuffled(calls):
        source = window.source(node.func)
        function = window.function_of(node)
        first, second = node.args
        if (
            len(source) > 30
            or len(re.findall(rf"(?<![\w.]){re.escape(source)}\(", window.text)) != 1
            or "\n" in source
        ):
            continue
        a, b = window.source(first), window.source(second)
        if a == b or max(len(a), len(b)) > 40:
            continue
        after = apply_changes(window.text, [(*window.span(first), b), (*window.span(second), a)])
        slots: dict[str, Slot] = {
            "call": NameSlot(source, call=True),
            "a": CodeSlot(a),
            "b": CodeSlot(b),
            "o": ExactSlot(f"{source}({a}, {b})"),
            "n": ExactSlot(f"{source}({b}, {a})"),
            "line": at_line(window, node.lineno, draw),
            **placed(inside(window, function, draw)),
        }
        return Made(window.text, after, slots)
    return None
