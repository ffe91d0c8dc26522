"""Edits described by their meaning instead of their text: round, sort, strip, double, negate, ignore case."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, inside, kind
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import SourceWindow, apply_changes, arguments
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, SubTemplate, WordsSlot

wording = table("wording/meanings")

_RESULTS: tuple[tuple[str, str], ...] = (
    ("sorted({x})", "sorted"),
    ("sorted({x}, reverse=True)", "sorted in [descending|reverse] order"),
    ("list({x})", "as a list"),
    ("tuple({x})", "as a tuple"),
    ("set({x})", "as a set"),
    ("round({x}, {n})", "rounded to {n} [digits|decimals|places]"),
    ("str({x})", "as a str[ing|]"),
    ("int({x})", "as an int[eger|]"),
    ("float({x})", "as a float"),
    ("{x}.strip()", "[without [surrounding|leading and trailing] whitespace|stripped]"),
    ("{x}.lower()", "[in lower case|lowercased|in lowercase]"),
    ("{x}.upper()", "[in upper case|uppercased|in capitals]"),
    ("not {x}", "negated"),
    ("-{x}", "with the opposite sign"),
    ("abs({x})", "as an absolute value"),
    ("bool({x})", "as a bool[ean|]"),
    ("{x}.copy()", "as a copy"),
    ("{x}[:{n}]", "cut to the first {n} [items|elements]"),
    ("frozenset({x})", "as a frozenset"),
    ("list(reversed({x}))", "reversed"),
    ("max({x}, 0)", "but never less than 0"),
    ("{x} or []", "or an empty list if it is falsy"),
    ("dict({x})", "as a dict"),
    ("{x} / 1000", "in seconds, not [in |]milliseconds"),
    ("{x} * 1000", "in milliseconds, not [in |]seconds"),
    ("{x} * 100", "in percent, not as a fraction"),
    ("{x}.split()", "split into words"),
    ("{x}.splitlines()", "split into lines"),
    ("{x}.encode()", "as bytes"),
    ("{x}.title()", "in title case"),
)


@kind(
    "shape_result",
    *wording["shape_result"],
    needs=r"return [\w(\[]",
    weight=0.9,
)
def shape_result(window: SourceWindow, draw: Draw) -> Made | None:
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
        if (suffix and not simple) or len(old) > 60 or isinstance(value, ast.Tuple | ast.GeneratorExp):
            continue
        number = draw.choice(["1", "2", "3", "10"])
        new = form.format(x=old, n=number)
        start, end = window.span(value)
        slots: dict[str, Slot] = {
            "how": SubTemplate(how, {"n": ExactSlot(number)}),
            "f": fname(function),
            **placed(inside(window, function, draw)),
        }
        return Made(window.text, window.text[:start] + new + window.text[end:], slots)
    return None


_MADE = "[[convert|cast] {p} to NOUN|turn {p} into NOUN|make {p} NOUN]"
_CLEANED: dict[str, tuple[str, str]] = {
    "{x} = {x}.strip()": ("strip", "[strip {p}|trim {p}|remove the whitespace around {p}]"),
    "{x} = sorted({x})": ("sort", "[sort {p}|bring {p} in order]"),
    "{x} = {x}.lower()": ("lowercase", "[lowercase {p}|make {p} lower case|lower {p}]"),
    "{x} = {x}.upper()": ("uppercase", "[uppercase {p}|make {p} upper case]"),
    "{x} = list({x})": ("make a list of", _MADE.replace("NOUN", "a list")),
    "{x} = set({x})": ("make a set of", _MADE.replace("NOUN", "a set")),
    "{x} = str({x})": ("make a string of", _MADE.replace("NOUN", "a str[ing|]")),
    "{x} = int({x})": ("make an int of", _MADE.replace("NOUN", "an int")),
    "{x} = float({x})": ("make a float of", _MADE.replace("NOUN", "a float")),
    "{x} = Path({x})": ("make a Path of", "[wrap {p} in a Path|turn {p} into a Path]"),
    "{x} = abs({x})": ("take the absolute value of", "take the absolute value of {p}"),
    "print({x})": ("print", "print {p}"),
}


@kind(
    "clean_argument",
    *wording["clean_argument"],
    weight=0.7,
)
def clean_argument(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        args, body = arguments(function), window.body_after_docstring(function)
        if not args or not body or not window.own_lines(body[0]):
            continue
        name = draw.choice(args).arg
        form, (do, act) = draw.choice(list(_CLEANED.items()))
        at = window.starts[window.first_line(body[0]) - 1]
        after = window.text[:at] + window.indent(body[0]) + form.format(x=name) + "\n" + window.text[at:]
        return Made(
            window.text,
            after,
            {
                "do": WordsSlot(do),
                "act": SubTemplate(act, {"p": NameSlot(name)}),
                "p": NameSlot(name),
                "f": fname(function),
            },
        )
    return None


@kind(
    "scale_number",
    *wording["scale_number"],
    needs=r"(?m)^\s*[\w.]+ = \d+$|def [^\n]*=\d",
    weight=2.6,
)
def scale_number(window: SourceWindow, draw: Draw) -> Made | None:
    """Doubles, halves, adds or subtracts one: the reader has to compute the result."""
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
        do, done, new = draw.choice(
            [
                ("double", "twice as large", number * 2),
                ("halve", "half as large", number // 2),
                ("increment", "one more", number + 1),
                ("decrement", "one less", number - 1),
                ("triple", "three times as large", number * 3),
                ("add one to", "one higher", number + 1),
                ("subtract one from", "one lower", number - 1),
                ("quadruple", "four times as large", number * 4),
                ("double", "2x as large", number * 2),
            ]
        )
        if new == number or new < 0 or (do == "halve" and number % 2):
            continue
        start, end = window.span(value)
        after = window.text[:start] + str(new) + window.text[end:]
        where = inside(window, window.function_of(value), draw) if draw.chance(0.4) else WordsSlot("")
        return Made(
            window.text,
            after,
            {"do": WordsSlot(do), "done": WordsSlot(done), "name": NameSlot(name), **placed(where)},
        )
    return None


@kind(
    "flip_flag",
    *wording["flip_flag"],
    needs=r"\w ?= ?(True|False)\b",
    weight=0.9,
)
def flip_flag(window: SourceWindow, draw: Draw) -> Made | None:
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
        do, state = ("enable", "on") if new == "True" else ("disable", "off")
        start, end = window.span(value)
        where = inside(window, window.function_of(value), draw)
        slots: dict[str, Slot] = {
            "do": WordsSlot(do),
            "done": WordsSlot(do + "d"),
            "state": WordsSlot(state),
            "value": CodeSlot(new),
            "was": CodeSlot(source),
            "name": NameSlot(name),
            **placed(where),
        }
        return Made(window.text, window.text[:start] + new + window.text[end:], slots)
    return None


@kind(
    "replace_everywhere",
    *wording["replace_everywhere"],
    weight=3.0,
)
def replace_everywhere(window: SourceWindow, draw: Draw) -> Made | None:
    """A dotted name or a literal that occurs in several places."""
    texts: dict[str, list[tuple[int, int]]] = {}
    for node in window.nodes:
        if isinstance(node, ast.Attribute) or (
            isinstance(node, ast.Constant)
            and isinstance(node.value, int | float)
            and not isinstance(node.value, bool)
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
    return Made(window.text, after, {"old": CodeSlot(old), "new": CodeSlot(new)})


@kind(
    "hint_signature",
    *wording["hint_signature"],
    weight=0.5,
)
def hint_signature(window: SourceWindow, draw: Draw) -> Made | None:
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
                        f"{item.arg} as {new}",
                    ]
                )
            )
        if draw.chance(0.6):
            result = draw.choice(["str", "int", "bool", "None", "list[str]", "float"])
            changes.append((start + match.end(), start + match.end(), f" -> {result}"))
            told.append(
                draw.choice(
                    [f"returns {result}", f"it returns {result}", f"the result is {result}", f"-> {result}"]
                )
            )
        return Made(
            window.text,
            apply_changes(window.text, changes),
            {"f": fname(function), "hints": ExactSlot(", ".join(told))},
        )
    return None
