"""Slots that say which expression is meant, and where it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.train.kinds.base import Draw, fname, inside
from spark_tui.train.source_windows import SourceWindow
from spark_tui.train.templates.grammar import CodeSlot, NameSlot, PlaceSlot, Slot, SubTemplate, WordsSlot

_STOPS = "[, |, |: |: | - ]"


def placed(where: Slot) -> dict[str, Slot]:
    """`{where}` ends a sentence (` in foo`), `{at}` begins one (`in foo: `); both are empty together."""
    if isinstance(where, PlaceSlot):
        return {"where": where, "at": SubTemplate(where.front, where.slots)}
    if isinstance(where, SubTemplate):
        return {"where": where, "at": SubTemplate(where.template.strip() + _STOPS, where.slots)}
    text = where.text.strip()
    return {"where": where, "at": SubTemplate(text + _STOPS) if text else WordsSlot("")}


def shown(text: str) -> Slot:
    return NameSlot(text) if text.isidentifier() else CodeSlot(text)


def located(window: SourceWindow, node: ast.AST, draw: Draw) -> dict[str, Slot] | None:
    """Where an expression is; None if its text occurs more than once and no words would tell which is
    meant."""
    function, source = window.function_of(node), window.source(node)
    scope = window.source(function) if function is not None else window.text
    if scope.count(source) != 1 or "\n" in source or len(source) > 60:
        return None
    where = inside(window, function, draw)
    if window.text.count(source) > 1 and isinstance(where, WordsSlot):
        return None
    return placed(where)


def added(window: SourceWindow, node: ast.AST, other: ast.expr, draw: Draw) -> dict[str, Slot] | None:
    """Where a name is that is joined to a text once in its function; None if no words would tell which is
    meant."""
    function, source = window.function_of(node), window.source(other)
    scope = window.source(function) if function is not None else window.text
    pattern = rf"(?:['\"] \+ {re.escape(source)}\b)|(?:\b{re.escape(source)} \+ ['\"])"
    if len(re.findall(pattern, scope)) != 1:
        return None
    where = inside(window, function, draw)
    return (
        None if len(re.findall(pattern, window.text)) > 1 and isinstance(where, WordsSlot) else placed(where)
    )


def results(window: SourceWindow, draw: Draw) -> Iterator[tuple[ast.expr, Slot, dict[str, Slot]]]:
    """Assigned and returned values with what to call them and where they are."""
    found = [
        n
        for n in window.nodes
        if isinstance(n, ast.Assign | ast.Return) and n.value is not None and n.lineno == n.end_lineno
    ]
    for node in draw.shuffled(found):
        value, function = node.value, window.function_of(node)
        if value is None or function is None or isinstance(value, ast.Constant):
            continue
        places = located(window, value, draw)
        if places is None:
            continue
        if isinstance(node, ast.Assign):
            target = window.source(node.targets[0])
            stored = [
                n
                for n in ast.walk(function)
                if isinstance(n, ast.Assign | ast.AugAssign | ast.For)
                and target
                in (window.source(t) for t in (n.targets if isinstance(n, ast.Assign) else [n.target]))
            ]
            if len(node.targets) > 1 or not re.fullmatch(r"[\w.]+", target) or len(stored) > 1:
                continue
            yield value, shown(target), places
        elif sum(isinstance(n, ast.Return) for n in ast.walk(function)) == 1:
            said: Slot = SubTemplate("[the result|the return value|what is returned]")
            if draw.chance(0.5):
                said, places = (
                    SubTemplate(
                        draw.choice(("what {f} returns", "the result of {f}", "the return value of {f}")),
                        {"f": fname(function)},
                    ),
                    placed(WordsSlot("")),
                )
            yield value, said, places
        else:
            yield value, CodeSlot(window.source(value)), places
