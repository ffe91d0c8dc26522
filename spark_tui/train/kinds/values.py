"""Literals: numbers, strings, values of variables, defaults."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, at_line, fname, inside, kind
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import SourceWindow
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, SubTemplate, WordsSlot

wording = table("wording/values")


def _numbers(window: SourceWindow) -> list[ast.Constant]:
    return [
        n
        for n in window.nodes
        if isinstance(n, ast.Constant)
        and type(n.value) in (int, float)
        and re.fullmatch(r"\d+(\.\d+)?", window.source(n))
        and not isinstance(window.parents.get(n), ast.UnaryOp)
    ]


def new_number(old: str, draw: Draw) -> str:
    value = float(old) if "." in old else int(old)
    if isinstance(value, float):
        return str(
            draw.choice(
                [round(value * 2, 4), round(value / 2, 4), 0.5, 1.5, 0.25, 3.0, 0.001, round(value + 0.1, 3)]
            )
        )
    picks = [
        value + 1,
        value * 2,
        value + 10,
        0,
        1,
        2,
        3,
        5,
        8,
        10,
        16,
        20,
        30,
        42,
        60,
        64,
        100,
        120,
        255,
        256,
        500,
        1000,
        1024,
    ]
    return str(draw.choice(picks))


@kind(
    "change_number",
    *wording["change_number"],
    needs=r"\d",
    weight=2.2,
)
def change_number(window: SourceWindow, draw: Draw) -> Made | None:
    for node in draw.shuffled(_numbers(window)):
        old = window.source(node)
        function = window.function_of(node)
        start, end = window.span(node)
        same_line = re.findall(rf"(?<![\w.]){re.escape(old)}(?![\w.])", window.lines[node.lineno - 1])
        if len(same_line) != 1:
            continue
        block = window.source(function) if function else window.text
        alone = len(re.findall(rf"(?<![\w.]){re.escape(old)}(?![\w.])", block)) == 1
        new = new_number(old, draw)
        if new == old:
            continue
        after = window.text[:start] + new + window.text[end:]
        line = at_line(window, node.lineno, draw)
        where: Slot = inside(window, function, draw) if alone else WordsSlot(f" on line {node.lineno}")
        if not alone and function is None and draw.chance(0.8):
            continue
        more = float(new) > float(old)
        slots: dict[str, Slot] = {
            "old": ExactSlot(old),
            "new": ExactSlot(new),
            "line": line,
            **placed(where),
            "up": WordsSlot(draw.choice(("raise", "increase") if more else ("lower", "reduce", "decrease"))),
            "updown": WordsSlot("up" if more else "down"),
            "small": WordsSlot(
                draw.choice(("small", "low", "little") if more else ("big", "high", "large", "much"))
            ),
        }
        role = _role(window, node)
        if role and len(re.findall(rf"\b{role}\s*=(?!=)", block)) == 1 and draw.chance(0.7):
            named: dict[str, Slot] = {"role": NameSlot(role), **placed(inside(window, function, draw))}
            return Made(window.text, after, slots | named, wording["change_named_number"])
        return Made(window.text, after, slots)
    return None


def _role(window: SourceWindow, node: ast.Constant) -> str:
    """The name that the number is given to: a keyword or a variable."""
    parent = window.parents.get(node)
    if isinstance(parent, ast.keyword):
        return parent.arg or ""
    target = parent.targets[0] if isinstance(parent, ast.Assign) else None
    return (
        target.id
        if isinstance(target, ast.Name)
        else target.attr
        if isinstance(target, ast.Attribute)
        else ""
    )


@kind("set_variable", *wording["set_variable"], needs=r"(?m)^\s*[\w.]+ = [\w\"'\[{]", weight=1.0)
def set_variable(window: SourceWindow, draw: Draw) -> Made | None:
    """Replaces the right side of a simple assignment by another literal."""
    found = []
    for node in window.nodes:
        if not isinstance(node, ast.Assign) or len(node.targets) != 1 or node.lineno != node.end_lineno:
            continue
        if not isinstance(node.targets[0], ast.Name | ast.Attribute):
            continue
        if isinstance(node.value, ast.Constant | ast.List | ast.Dict | ast.Name):
            found.append(node)
    for node in draw.shuffled(found):
        function = window.function_of(node)
        target = window.source(node.targets[0])
        block = window.source(function) if function else window.text
        if len(re.findall(rf"(?<![\w.]){re.escape(target)} = ", block)) != 1:
            continue
        old = window.source(node.value)
        picks = ["None", "0", "1", "[]", "{}", "True", "False", '""', "-1", "set()", "10", "100", "3", "0.5"]
        if re.fullmatch(r"\d+", old):
            picks = [new_number(old, draw)]
        elif old[:1] in "'\"":
            picks = [old[0] + draw.choice(draw.pools.strings).replace(old[0], "") + old[0], "None"]
        elif old in ("True", "False"):
            picks = ["False" if old == "True" else "True"]
        new = draw.choice([p for p in picks if p != old] or ["None"])
        start, end = window.span(node.value)
        slots: dict[str, Slot] = {
            "name": NameSlot(target),
            "old": CodeSlot(old),
            "new": CodeSlot(new),
            **placed(inside(window, function, draw)),
        }
        return Made(window.text, window.text[:start] + new + window.text[end:], slots)
    return None


_LOGS = frozenset({"debug", "info", "warning", "error", "exception", "critical", "log"})


def _text_role(window: SourceWindow, node: ast.AST) -> str:
    """The purpose of a string as a key of `wording["text_roles"]`, or the name that it is given to; empty if
    neither is known."""
    parent = window.parents.get(node)
    if isinstance(parent, ast.Return):
        return "return"
    if isinstance(parent, ast.Assert):
        return "assert"
    if isinstance(parent, ast.keyword):
        return parent.arg or ""
    if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
        return parent.targets[0].id
    if not isinstance(parent, ast.Call):
        return ""
    if isinstance(window.parents.get(parent), ast.Raise):
        return "raise"
    if isinstance(parent.func, ast.Name):
        return "print" if parent.func.id == "print" else ""
    return "log" if isinstance(parent.func, ast.Attribute) and parent.func.attr in _LOGS else ""


@kind(
    "change_string",
    *wording["change_string"],
    needs=r"['\"]\w",
    weight=2.4,
)
def change_string(window: SourceWindow, draw: Draw) -> Made | None:
    docs = {id(n.value) for n in window.nodes if isinstance(n, ast.Expr)}
    found = [
        n
        for n in window.nodes
        if isinstance(n, ast.Constant)
        and isinstance(n.value, str)
        and id(n) not in docs
        and n.lineno == n.end_lineno
        and 0 < len(n.value) < 60
        and not isinstance(window.parents.get(n), ast.JoinedStr)
        and re.fullmatch(r"(['\"])[^'\"\\\n]*\1", window.source(n))
    ]
    for node in draw.shuffled(found):
        source = window.source(node)
        function = window.function_of(node)
        block = window.source(function) if function else window.text
        if block.count(source) != 1 or len(re.findall(r"['\"]", window.lines[node.lineno - 1])) != 2:
            continue
        old = source[1:-1]
        roll = draw.rng.random()
        words = old.split(" ")
        if len(words) > 2 and roll < 0.5:
            words[draw.rng.randrange(len(words))] = draw.choice(draw.pools.strings).split(" ")[0]
            new = " ".join(words)
        elif roll < 0.65:
            new = draw.choice([old.upper(), old.capitalize(), old + "!", old + ".", old.replace("_", "-")])
        else:
            new = draw.choice(draw.pools.strings)
        if new == old or "'" in new or '"' in new or "\\" in new or "%" in old:
            continue
        start, end = window.span(node)
        after = window.text[: start + 1] + new + window.text[end - 1 :]
        slots: dict[str, Slot] = {
            "old": ExactSlot(old, quoted=True),
            "new": ExactSlot(new, quoted=True),
            "o": ExactSlot(old),
            "n": ExactSlot(new),
            **placed(inside(window, function, draw)),
            "line": at_line(window, node.lineno, draw)
            if draw.chance(0.4)
            else WordsSlot(f"line {node.lineno}"),
        }
        role = _text_role(window, node)
        alike = [
            n
            for n in (found if function is None else ast.walk(function))
            if isinstance(n, ast.Constant | ast.JoinedStr)
        ]
        if role and sum(_text_role(window, n) == role for n in alike) == 1 and draw.chance(0.5):
            named: Slot = (
                SubTemplate(wording["text_roles"][role]) if role in wording["text_roles"] else NameSlot(role)
            )
            return Made(window.text, after, {**slots, "role": named}, wording["change_text_by_role"])
        return Made(window.text, after, slots)
    return None


@kind(
    "change_default",
    *wording["change_default"],
    needs=r"def [^\n]*=",
    weight=1.0,
)
def change_default(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        args = function.args
        pairs = list(zip(reversed([*args.posonlyargs, *args.args]), reversed(args.defaults), strict=False))
        pairs += [(a, d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d is not None]
        pairs = [(a, d) for a, d in pairs if isinstance(d, ast.Constant)]
        if not pairs:
            continue
        arg, default = draw.choice(pairs)
        old = window.source(default)
        picks = ["None", "True", "False", "0", "1", "10", "-1", '""', "()", "100", "5", "1.0", "30"]
        if old in ("True", "False"):
            picks = ["False" if old == "True" else "True", "None"]
        elif re.fullmatch(r"\d+", old):
            picks = [new_number(old, draw), "None"]
        elif old[:1] in "'\"":
            picks = ["None", f'"{draw.choice(draw.pools.strings).split(" ")[0]}"']
        new = draw.choice([p for p in picks if p != old] or ["None"])
        if '""' in new[1:] or new == old:
            continue
        start, end = window.span(default)
        slots: dict[str, Slot] = {
            "arg": NameSlot(arg.arg),
            "f": fname(function),
            "new": CodeSlot(new),
            "old": CodeSlot(old),
            "n": ExactSlot(new),
            "o": ExactSlot(old),
            "set": ExactSlot(f"{arg.arg}={new}"),
            "was": ExactSlot(f"{arg.arg}={old}"),
            "g": ExactSlot(function.name),
        }
        return Made(window.text, window.text[:start] + new + window.text[end:], slots)
    return None
