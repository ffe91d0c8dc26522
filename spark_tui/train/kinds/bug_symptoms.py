"""Repairs of faults that are described by their effect: a sign, a range that ends early, a loop that does not
end."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, kind
from spark_tui.train.source_windows import Function, SourceWindow
from spark_tui.train.templates.grammar import CodeSlot, ExactSlot, NameSlot, Slot, WordsSlot
from spark_tui.train.templates.place_phrases import inside_function, placed
from spark_tui.train.templates.tables import table

wording = table("wording/effects")


def _operator(window: SourceWindow, node: ast.Compare) -> tuple[int, int, str]:
    """The offsets of the only operator of a comparison."""
    first, last = window.span(node.left)[1], window.span(node.comparators[0])[0]
    between = window.text[first:last]
    sign = between.strip()
    at = first + between.index(sign) if sign else first
    return at, at + len(sign), sign


@kind("both_directions", *wording["both"], needs=r" [<>]=? ", weight=0.6)
def both_directions(window: SourceWindow, draw: Draw) -> Made | None:
    """Compares a difference without its sign."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.Compare) and len(n.ops) == 1]):
        function, whole = window.function_of(node), window.source(node)
        if not isinstance(node.left, ast.Name | ast.BinOp) or "\n" in whole or window.text.count(whole) != 1:
            continue
        if isinstance(node.left, ast.BinOp) and not isinstance(node.left.op, ast.Sub):
            continue
        start, end = window.span(node.left)
        if _operator(window, node)[2] not in (">", ">="):
            continue
        slots: dict[str, Slot] = {
            "x": draw.slot(NameSlot(window.source(node.left)), CodeSlot(window.source(node.left))),
            "cmp": CodeSlot(whole),
            "y": ExactSlot(window.source(node.comparators[0])),
            **placed(inside_function(window, function, draw.rng)),
        }
        after = f"{window.text[:start]}abs({window.text[start:end]}){window.text[end:]}"
        return Made(window.text, after, slots)
    return None


@kind("endless_loop", *wording["endless"], needs=r"(?m)^\s*while ", weight=0.7)
def endless_loop(window: SourceWindow, draw: Draw) -> Made | None:
    """Restores the statement that advances a while loop."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.While)]):
        last, function = node.body[-1], window.function_of(node)
        if (
            not isinstance(last, ast.AugAssign)
            or not isinstance(last.target, ast.Name)
            or len(node.body) < 2
            or not window.own_lines(last)
        ):
            continue
        name = last.target.id
        stores = sum(
            isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in ast.walk(node)
        )
        if (
            stores != 1
            or not re.search(rf"\b{name}\b", window.source(node.test))
            or not isinstance(last.value, ast.Constant)
        ):
            continue
        step = window.source(last.value)
        start, end = window.line_span(last.lineno, last.lineno)
        verb = "grow" if isinstance(last.op, ast.Add) else "shrink"
        slots: dict[str, Slot] = {
            "x": NameSlot(name),
            "n": ExactSlot(step),
            "line": CodeSlot(window.source(last)),
            "verb": WordsSlot(verb),
            "f": fname(function) if isinstance(function, Function) else WordsSlot("this"),
            **placed(inside_function(window, function, draw.rng)),
        }
        phrases = wording["endless"] if (verb, step) == ("grow", "1") else wording["endless_step"]
        return Made(window.text[:start] + window.text[end:], window.text, slots, phrases)
    return None


@kind("first_and_last", *wording["range_end"], needs=r"(range|enumerate|randint)\(", weight=1.2)
def first_and_last(window: SourceWindow, draw: Draw) -> Made | None:
    """Corrects the first or last value of a range, described by its result."""
    for node in draw.shuffled(
        [n for n in window.nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name | ast.Attribute)]
    ):
        called, function, args = window.source(node.func), window.function_of(node), node.args
        if (
            node.keywords
            or any(isinstance(a, ast.Starred) for a in args)
            or window.text.count(f"{called}(") != 1
        ):
            continue
        if called == "range" and len(args) == 1 and draw.chance(0.6) and "\n" not in window.source(node):
            source, end = window.source(args[0]), window.span(args[0])[1]
            if source.startswith("len(") or isinstance(args[0], ast.Constant):
                continue
            new, phrases, at = " + 1", wording["range_end"], end
            if source.endswith(" - 1"):
                continue
            after = window.text[:at] + new + window.text[at:]
        elif called == "enumerate" and len(args) == 1:
            end = window.span(args[0])[1]
            if not isinstance(window.parents.get(node), ast.For | ast.comprehension):
                continue
            after, phrases = f"{window.text[:end]}, start=1{window.text[end:]}", wording["from_one"]
            source = window.source(args[0])
        elif (
            called in ("random.randint", "randint", "random.randrange", "randrange")
            and len(args) == 2
            and window.source(args[0]) in ("0", "1")
        ):
            start, end = window.span(args[0])
            new = "1" if window.source(args[0]) == "0" else "0"
            after, phrases = (
                window.text[:start] + new + window.text[end:],
                wording["drawn_from_one"] if new == "1" else wording["drawn_from_zero"],
            )
            source = window.source(args[1])
        else:
            continue
        slots: dict[str, Slot] = {
            "it": draw.slot(CodeSlot(source), ExactSlot(source)),
            "call": NameSlot(called, call=True),
            "f": fname(function) if function else WordsSlot("this"),
            **placed(inside_function(window, function, draw.rng)),
        }
        return Made(window.text, after, slots, phrases)
    return None
