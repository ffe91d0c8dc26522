"""Parametrized tests, and what a function returns as one of two values."""

from __future__ import annotations

import ast

from spark_tui.train.kinds.base import Draw, Made, fname, kind
from spark_tui.train.source_windows import SourceWindow, arguments
from spark_tui.train.templates.grammar import CodeSlot, ExactSlot, NameSlot, Slot
from spark_tui.train.templates.tables import table


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


wording = table("wording/pytests")

_PLAIN = ("0", "1", "2", "3", "10", "-1", '"a"', '"b"', '"abc"', '""', "[]", "[1, 2]", "{}", "1.5")
_VALUES = (*_PLAIN, "None", "True", "False")


@kind("parametrize_test", *wording["made"], weight=0.7)
def parametrize_test(window: SourceWindow, draw: Draw) -> Made | None:
    """A parametrize table of one argument and the expected value, with one row for each assert or named
    case."""
    tops = [
        f
        for f in window.tree.body
        if isinstance(f, ast.FunctionDef) and len(arguments(f)) == 1 and not f.name.startswith("_")
    ]
    if not tops or "parametrize" in window.text:
        return None
    function = draw.choice(tops)
    test, given = f"test_{function.name}", arguments(function)[0].arg
    if test in window.text or given in ("expected", test):
        return None
    inputs = draw.shuffled(_VALUES)[: draw.rng.randint(2, 3)]
    rows = [(value, draw.choice(_PLAIN)) for value in inputs]
    table = ", ".join(f"({value}, {expected})" for value, expected in rows)
    head = window.text.rstrip("\n") + "\n\n\n"
    parametrized = (
        f'@pytest.mark.parametrize(("{given}", "expected"), [{table}])\n'
        f"def {test}({given}, expected):\n"
        f"    assert {function.name}({given}) == expected\n"
    )
    asserts = [f"{function.name}({value}) == {expected}" for value, expected in rows]
    slots: dict[str, Slot] = {"f": fname(function), "t": NameSlot(test)}
    if draw.chance(0.5):
        plain = f"def {test}():\n" + "".join(f"    assert {line}\n" for line in asserts)
        return Made(head + plain, head + parametrized, slots, wording["made"])
    joint = draw.choice([", ", " and ", ", "])
    relation = draw.choice(["==", "==", "is", "gives", "should be", "->", "returns"])
    spoken = ExactSlot(
        joint.join(f"{function.name}({value}) {relation} {expected}" for value, expected in rows)
    )
    slots["cases"] = draw.slot(CodeSlot(joint.join(asserts)), spoken)
    return Made(window.text, head + parametrized, slots, wording["new"])
