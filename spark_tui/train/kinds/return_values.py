"""What a function returns, as one of two values."""

from __future__ import annotations

import ast

from spark_tui.train.kinds.base import Draw, Made, fname, kind
from spark_tui.train.source_windows import SourceWindow, arguments
from spark_tui.train.templates.grammar import CodeSlot, Slot
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
