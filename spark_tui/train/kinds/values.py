# ruff: noqa: E501 - phrase tables and one-line cases read better unbroken
"""Literals: numbers, strings, values of variables, defaults."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, at_line, fname, inside, kind
from spark_tui.train.phrasing import Code, Exact, Name, Slot, Words
from spark_tui.train.windows import Window


def _numbers(window: Window) -> list[ast.Constant]:
    return [
        n for n in window.nodes
        if isinstance(n, ast.Constant) and type(n.value) in (int, float) and re.fullmatch(r"\d+(\.\d+)?", window.source(n))
        and not isinstance(window.parents.get(n), ast.UnaryOp)
    ]  # fmt: skip


def new_number(old: str, draw: Draw) -> str:
    value = float(old) if "." in old else int(old)
    if isinstance(value, float):
        return str(
            draw.choice([round(value * 2, 4), round(value / 2, 4), 0.5, 1.5, 0.25, 3.0, 0.001, round(value + 0.1, 3)])
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
    "change {old} to {new}{where}",
    "change {old} to {new} [on|in|at] {line}",
    "replace {old} [with|by] {new}{where}",
    "use {new} instead of {old}{where}",
    "set the {old} to {new}{where}",
    "the {old}{where} should be {new}",
    "[on|in] {line} use {new} instead of {old}",
    "make it {new} instead of {old}{where}",
    "{old} should be {new}{where}",
    "[on|at] {line}: {old} -> {new}",
    "{new} rather than {old}{where}",
    "bump {old} to {new}{where}",
    "not {old} but {new}{where}",
    needs=r"\d",
    weight=2.2,
)
def change_number(window: Window, draw: Draw) -> Made | None:
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
        where: Slot = inside(window, function, draw) if alone else Words(f" on line {node.lineno}")
        if not alone and function is None and draw.chance(0.8):
            continue
        slots: dict[str, Slot] = {"old": Exact(old), "new": Exact(new), "where": where, "line": line}
        return Made(window.text, after, slots)
    return None


_SET = (
    "set {name} to {new}{where}",
    "change {name} to {new}{where}",
    "{name} should be {new}{where}",
    "make {name} {new}{where}",
    "change the value of {name} to {new}{where}",
    "{name} = {new}{where}",
    "initialise {name} with {new}{where}",
    "use {new} for {name}{where}",
    "start {name} at {new}{where}",
    "let {name} be {new}{where}",
    "update {name} to {new}{where}",
    "the [initial|] value of {name} should be {new}{where}",
)


@kind("set_variable", *_SET, needs=r"(?m)^\s*[\w.]+ = [\w\"'\[{]", weight=1.5)
def set_variable(window: Window, draw: Draw) -> Made | None:
    """The right side of a simple assignment becomes another literal."""
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
        slots: dict[str, Slot] = {"name": Name(target), "new": Code(new), "where": inside(window, function, draw)}
        return Made(window.text, window.text[:start] + new + window.text[end:], slots)
    return None


@kind(
    "change_string",
    "change [the|] [string|text|message|] {old} to {new}{where}",
    "replace [the string|the text|] {old} [with|by] {new}{where}",
    "use {new} instead of {old}{where}",
    "[the|] {old} should [be|say|read] {new}{where}",
    "{old} -> {new}{where}",
    "it should say {new} instead of {old}{where}",
    "[the message on|] {line}: [say|use] {new} instead",
    "change the [string|text] [on|in] {line} to {new}",
    "reword {old} to {new}{where}",
    "make the text {new}, not {old}{where}",
    needs=r"['\"]\w",
    weight=2.0,
)
def change_string(window: Window, draw: Draw) -> Made | None:
    docs = {id(n.value) for n in window.nodes if isinstance(n, ast.Expr)}
    found = [
        n for n in window.nodes
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in docs and n.lineno == n.end_lineno
        and 0 < len(n.value) < 60 and not isinstance(window.parents.get(n), ast.JoinedStr)
        and re.fullmatch(r"(['\"])[^'\"\\\n]*\1", window.source(n))
    ]  # fmt: skip
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
            "old": Exact(old, quoted=True), "new": Exact(new, quoted=True), "where": inside(window, function, draw),
            "line": at_line(window, node.lineno, draw) if draw.chance(0.4) else Words(f"line {node.lineno}"),
        }  # fmt: skip
        return Made(window.text, after, slots)
    return None


@kind(
    "change_default",
    "change the default [value|] of {arg} [in {f}|of {f}|for {f}] to {new}",
    "{arg} should default to {new} in {f}",
    "make {new} the default [for|of] {arg} in {f}",
    "set the default of {arg} to {new}[ in {f}| of {f}]",
    "default {arg} to {new} in {f}",
    "in {f}, {arg} should be {new} by default",
    "{f}: default {arg} is {new}",
    "use {new} as the default for {arg} in {f}",
    "let {arg} be {new} by default in {f}",
    needs=r"def [^\n]*=",
    weight=1.2,
)
def change_default(window: Window, draw: Draw) -> Made | None:
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
        slots: dict[str, Slot] = {"arg": Name(arg.arg), "f": fname(function), "new": Code(new)}
        return Made(window.text, window.text[:start] + new + window.text[end:], slots)
    return None
