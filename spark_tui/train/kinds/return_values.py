"""What a function returns, in another shape or as one of two values."""

from __future__ import annotations

import ast

from spark_tui.train.kinds.base import Draw, Made, fname, inside, kind
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import SourceWindow, arguments
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, Slot, SubTemplate


@kind("also_return", *table("wording/widening")["also_return"], needs=r"(?m)^\s+return \w", weight=0.9)
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
    *table("wording/meanings")["shape_result"],
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
