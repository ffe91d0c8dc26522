# ruff: noqa: E501 - phrase tables and one-line cases read better unbroken
"""Edits told by what they mean, not by their text: round, sort, strip, double, negate, ignore case."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, inside, kind
from spark_tui.train.phrasing import Code, Exact, Name, Slot, Sub, Words
from spark_tui.train.windows import Window, apply_changes, arguments

_RESULTS: tuple[tuple[str, str], ...] = (
    ("sorted({x})", "sorted"), ("sorted({x}, reverse=True)", "sorted in [descending|reverse] order"), ("list({x})", "as a list"), ("tuple({x})", "as a tuple"),
    ("set({x})", "as a set"), ("round({x}, {n})", "rounded to {n} [digits|decimals|places]"), ("str({x})", "as a string"), ("int({x})", "as an int[eger|]"),
    ("float({x})", "as a float"), ("{x}.strip()", "without [surrounding|leading and trailing] whitespace"), ("{x}.lower()", "in lower case"),
    ("{x}.upper()", "in upper case"), ("not {x}", "negated"), ("-{x}", "with the opposite sign"), ("abs({x})", "as an absolute value"),
    ("bool({x})", "as a bool[ean|]"), ("{x}.copy()", "as a copy"), ("len({x})", "length"), ("{x}[:{n}]", "cut to the first {n} [items|elements]"),
    ("list(reversed({x}))", "reversed"), ("max({x}, 0)", "but never less than 0"), ("{x} or []", "or an empty list if it is falsy"), ("dict({x})", "as a dict"),
)  # fmt: skip


@kind(
    "shape_result",
    "return the result {how}{where}",
    "{f} should return its result {how}",
    "make {f} return its result {how}",
    "the result of {f} should be {how}",
    "give the result {how} back from {f}",
    "return it {how}{where}",
    "I want the return value of {f} {how}",
    needs=r"return [\w(\[]",
    weight=1.2,
)
def shape_result(window: Window, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        returns = [n for n in ast.walk(function) if isinstance(n, ast.Return) and n.value is not None]
        if len(returns) != 1 or returns[0].lineno != returns[0].end_lineno:
            continue
        value = returns[0].value
        assert value is not None
        old = window.source(value)
        form, how = draw.choice(_RESULTS)
        suffix = form.startswith("{x}") or form[0] in "-n"
        simple = isinstance(value, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
        if (
            (suffix and not simple)
            or len(old) > 60
            or isinstance(value, ast.Tuple | ast.GeneratorExp)
            or how == "length"
        ):
            continue
        number = draw.choice(["1", "2", "3", "10"])
        new = form.format(x=old, n=number)
        start, end = window.span(value)
        slots: dict[str, Slot] = {
            "how": Sub(how, {"n": Exact(number)}),
            "f": fname(function),
            "where": inside(window, function, draw),
        }
        return Made(window.text, window.text[:start] + new + window.text[end:], slots)
    return None


@kind(
    "clean_argument",
    "{do} {p} at the [start|beginning] of {f}",
    "{f} should {do} {p} first",
    "first {do} {p} in {f}",
    "{do} {p} before anything else in {f}",
    "make {f} {do} {p} at the start",
    "in {f}, {do} {p} first",
    "let {f} {do} {p} before it does anything",
    weight=1.0,
)
def clean_argument(window: Window, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        args, body = arguments(function), window.body_after_docstring(function)
        if not args or not body or not window.own_lines(body[0]):
            continue
        name = draw.choice(args).arg
        form, do = draw.choice([
            ("{x} = {x}.strip()", "strip"), ("{x} = {x}.lower()", "lowercase"), ("{x} = {x}.upper()", "uppercase"), ("{x} = list({x})", "copy [into a list |]"),
            ("{x} = sorted({x})", "sort"), ("{x} = str({x})", "[convert|turn] to a string"), ("{x} = int({x})", "[convert|turn] to an int"), ("print({x})", "print"),
            ("{x} = abs({x})", "take the absolute value of"), ("{x} = {x} or []", "default to an empty list"), ("{x} = Path({x})", "wrap in a Path"),
        ])  # fmt: skip
        if re.search(r"to a|to an|in a|into", do):
            continue
        at = window.starts[window.first_line(body[0]) - 1]
        after = window.text[:at] + window.indent(body[0]) + form.format(x=name) + "\n" + window.text[at:]
        return Made(window.text, after, {"do": Words(do), "p": Name(name), "f": fname(function)})
    return None


@kind(
    "scale_number",
    "{do} {name}{where}",
    "{do} the value of {name}{where}",
    "{name} should be {done}{where}",
    "{name} has to be {done}{where}",
    "let's {do} {name}{where}",
    "I want {name} {done}{where}",
    "{name} needs to be {done}{where}",
    needs=r"(?m)^\s*[\w.]+ = \d+$|def [^\n]*=\d",
    weight=0.9,
)
def scale_number(window: Window, draw: Draw) -> Made | None:
    """Double, halve, one more, one less, zero, negative: the reader has to do the sum."""
    spots: list[tuple[str, ast.expr]] = []
    for node in window.nodes:
        if (
            isinstance(node, ast.Assign)
            and len(node.targets) == 1
            and isinstance(node.targets[0], ast.Name | ast.Attribute)
        ):
            spots.append((window.source(node.targets[0]), node.value))
        elif isinstance(node, ast.FunctionDef):
            args = node.args
            spots += [(a.arg, d) for a, d in zip(reversed(args.args), reversed(args.defaults), strict=False)]
    for name, value in draw.shuffled(spots):
        source = window.source(value)
        if (
            not re.fullmatch(r"\d{1,3}", source)
            or len(re.findall(rf"(?<![\w.]){re.escape(name)}(?::[^=\n,]+)? ?= ?\d", window.text)) != 1
        ):
            continue
        number = int(source)
        do, done, new = draw.choice([
            ("double", "twice as large", number * 2), ("halve", "half as large", number // 2), ("increment", "one more", number + 1),
            ("decrement", "one less", number - 1), ("zero", "zero", 0), ("triple", "three times as large", number * 3), ("reset", "one", 1),
        ])  # fmt: skip
        if new == number or new < 0 or (do == "halve" and number % 2) or do in ("zero", "reset"):
            continue
        start, end = window.span(value)
        after = window.text[:start] + str(new) + window.text[end:]
        where = inside(window, window.function_of(value), draw) if draw.chance(0.4) else Words("")
        return Made(window.text, after, {"do": Words(do), "done": Words(done), "name": Name(name), "where": where})
    return None


@kind(
    "flip_flag",
    "{do} {name}{where}",
    "turn {state} {name}{where}",
    "{name} should be {state}{where}",
    "set {name} to {value}{where}",
    "switch {name} {state}{where}",
    "{name} has to be {value}{where}",
    "make {name} {value}{where}",
    needs=r"\w ?= ?(True|False)\b",
    weight=0.9,
)
def flip_flag(window: Window, draw: Draw) -> Made | None:
    spots: list[tuple[str, ast.expr]] = []
    for node in window.nodes:
        if (
            isinstance(node, ast.Assign)
            and len(node.targets) == 1
            and isinstance(node.targets[0], ast.Name | ast.Attribute)
        ):
            spots.append((window.source(node.targets[0]), node.value))
        elif isinstance(node, ast.keyword) and node.arg:
            spots.append((node.arg, node.value))
    for name, value in draw.shuffled(spots):
        source = window.source(value)
        if (
            source not in ("True", "False")
            or len(re.findall(rf"(?<![\w.]){re.escape(name)} ?= ?(?:True|False)", window.text)) != 1
        ):
            continue
        new = "False" if source == "True" else "True"
        words = ("enable", "on") if new == "True" else ("disable", "off")
        start, end = window.span(value)
        slots: dict[str, Slot] = {"do": Words(words[0]), "state": Words(words[1]), "value": Code(new), "name": Name(name),
                                  "where": inside(window, window.function_of(value), draw)}  # fmt: skip
        return Made(window.text, window.text[:start] + new + window.text[end:], slots)
    return None


@kind(
    "replace_everywhere",
    "replace {old} [with|by] {new} everywhere",
    "replace all [occurrences|uses] of {old} [with|by] {new}",
    "change every {old} to {new}",
    "use {new} instead of {old} everywhere",
    "all {old} should be {new}",
    "swap all {old} for {new}",
    "{old} -> {new} in the whole file",
    weight=1.2,
)
def replace_everywhere(window: Window, draw: Draw) -> Made | None:
    """A dotted name or a literal that stands in several places."""
    texts: dict[str, list[tuple[int, int]]] = {}
    for node in window.nodes:
        if isinstance(node, ast.Attribute) or (
            isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool)
        ):
            source = window.source(node)
            if re.fullmatch(r"[\w.]+", source) and len(source) > 1:
                texts.setdefault(source, []).append(window.span(node))
    several = [
        s
        for s, spans in texts.items()
        if 2 <= len(set(spans)) <= 5
        and len(re.findall(rf"(?<![\w.]){re.escape(s)}(?!\w)", window.text)) == len(set(spans))
    ]
    if not several:
        return None
    old = draw.choice(sorted(several))
    head, _, last = old.rpartition(".")
    if re.fullmatch(r"[\d.]+", old):
        new = str(draw.rng.randint(2, 500))
    else:
        new = draw.choice([f"{head}.{draw.variant(last, window.names)}", draw.name(window.names)])
    if new == old or new in window.text:
        return None
    after = apply_changes(window.text, [(a, b, new) for a, b in sorted(set(texts[old]))])
    return Made(window.text, after, {"old": Code(old), "new": Code(new)})


@kind(
    "hint_signature",
    "add type hints to {f}: {hints}",
    "annotate {f}: {hints}",
    "type {f}: {hints}",
    "add annotations to {f} ({hints})",
    "{f} takes {hints}, add type hints",
    "in {f} {hints}, annotate that",
    "the types in {f} are: {hints}",
    weight=0.9,
)
def hint_signature(window: Window, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        args = [a for a in arguments(function) if a.annotation is None]
        if not 1 <= len(args) <= 3 or function.returns is not None or len(args) != len(arguments(function)):
            continue
        start = window.name_at(function)[1]
        match = re.search(r"\)(?=:\s*(#[^\n]*)?\n)", window.text[start : window.span(function.body[0])[0]])
        if match is None:
            continue
        changes, told = [], []
        for item in args:
            new = draw.choice(["str", "int", "bool", "float", "list[str]", "bytes", "dict", "Path"])
            end = window.span(item)[1]
            default = window.text[end] == "=" and window.text[end + 1] != "="
            changes.append((end, end + (1 if default else 0), f": {new}" + (" = " if default else "")))
            told.append(
                draw.choice(
                    [
                        f"{item.arg} is [a|an|] {new}".replace("[a|an|]", "an" if new == "int" else "a"),
                        f"{item.arg}: {new}",
                    ]
                )
            )
        if draw.chance(0.6):
            result = draw.choice(["str", "int", "bool", "None", "list[str]", "float"])
            changes.append((start + match.end(), start + match.end(), f" -> {result}"))
            told.append(draw.choice([f"returns {result}", f"it returns {result}", f"the result is {result}"]))
        return Made(
            window.text, apply_changes(window.text, changes), {"f": fname(function), "hints": Exact(", ".join(told))}
        )
    return None
