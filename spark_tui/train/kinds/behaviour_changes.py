"""Small changes of behaviour: what a loop counts, how a value is shown, a set in place of a list."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, kind
from spark_tui.train.kinds.parameter_passing import in_text
from spark_tui.train.source_windows import Change, SourceWindow, apply_changes
from spark_tui.train.templates.grammar import CodeSlot, NameSlot, Slot, SubTemplate, WordsSlot
from spark_tui.train.templates.place_phrases import inside_function, placed
from spark_tui.train.templates.tables import table

wording = table("wording/everyday")
_COUNTING = ("len", "sorted", "set", "sum", "max", "min")


def spot(window: SourceWindow, node: ast.AST, draw: Draw) -> dict[str, Slot]:
    """The function of a node, as a phrase for the end or the start of a sentence."""
    return placed(inside_function(window, window.function_of(node), draw.rng))


def loops(window: SourceWindow, draw: Draw) -> list[ast.For]:
    """Loops over a short expression, with one target, that differ in what they run over."""
    found = [
        n for n in window.nodes if isinstance(n, ast.For) and isinstance(n.target, ast.Name) and not n.orelse
    ]
    sources = [window.source(n.iter) for n in found]
    short = [
        n for n in found if len(window.source(n.iter)) <= 40 and sources.count(window.source(n.iter)) == 1
    ]
    return draw.shuffled(
        [n for n in short if n.iter.lineno == n.iter.end_lineno and window.own_lines(n.body[0])]
    )


def named(window: SourceWindow, node: ast.For, draw: Draw) -> dict[str, Slot]:
    assert isinstance(node.target, ast.Name)
    return {
        "x": NameSlot(node.target.id),
        "it": CodeSlot(window.source(node.iter)),
        **spot(window, node, draw),
    }


@kind("count_in_loop", *wording["count"], needs=r"(?m)^\s*for \w+ in ", weight=0.7)
def count_in_loop(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a counter that starts at 0 before a loop and grows at the end of each round."""
    for node in loops(window, draw):
        last = node.body[-1]
        leaves = any(isinstance(n, ast.Return | ast.Continue | ast.Break | ast.Raise) for n in ast.walk(node))
        if leaves or not window.own_lines(last) or window.lines[node.lineno - 2].lstrip().startswith("#"):
            continue
        assert isinstance(node.target, ast.Name)
        name = draw.choice(
            ["count", "counter", "n", "total", "seen", f"{node.target.id}_count", "processed", "done"]
        )
        if name in window.names:
            continue
        first, end = window.starts[node.lineno - 1], window.starts[window.last_line(last)]
        changes = [
            (first, first, f"{window.indent(node)}{name} = 0\n"),
            (end, end, f"{window.indent(last)}{name} += 1\n"),
        ]
        after = apply_changes(window.text, changes)
        return Made(window.text, after, {"n": NameSlot(name), **named(window, node, draw)})
    return None


_FORMATS: tuple[tuple[str, str], ...] = table("tables/edits")["formats"]


@kind("format_value", *wording["format"], needs=r"\bf['\"][^\n]*\{[\w.]+\}", weight=1.0)
def format_value(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a format to a value of an f-string: decimals, width, percent, hex, repr."""
    texts = [n for n in window.nodes if isinstance(n, ast.JoinedStr) and n.lineno == n.end_lineno]
    for node in draw.shuffled(texts):
        start, end = window.span(node)
        found = list(re.finditer(r"(?<!\{)\{([A-Za-z_][\w.]*)\}(?!\})", window.text[start:end]))
        if not found or not re.match(r"[fF]['\"]", window.text[start:]):
            continue
        match = draw.choice(found)
        if window.text.count(match[0]) != 1:
            continue
        spec, how = draw.choice(_FORMATS)
        at = start + match.end() - 1
        slots: dict[str, Slot] = {
            "x": NameSlot(match[1]),
            "how": SubTemplate(how),
            **spot(window, node, draw),
        }
        return Made(window.text, window.text[:at] + spec + window.text[at:], slots)
    return None


@kind("list_to_set", *table("wording/handed")["to_set"], needs=r"= \[\]\n(?s:.*)\.append\(", weight=1.0)
def list_to_set(window: SourceWindow, draw: Draw) -> Made | None:
    """Makes a set of a list that is only added to, searched and iterated."""
    for node in draw.shuffled(
        [
            n
            for n in window.nodes
            if isinstance(n, ast.Assign) and window.source(n.value) == "[]" and len(n.targets) == 1
        ]
    ):
        target, function = node.targets[0], window.function_of(node)
        name = window.source(target)
        scope = (
            function
            if isinstance(target, ast.Name)
            else window.owner(function)
            if function is not None
            else None
        )
        if scope is None or not isinstance(target, ast.Name | ast.Attribute):
            continue
        uses = [
            n
            for n in ast.walk(scope)
            if isinstance(n, type(target)) and window.source(n) == name and n is not target
        ]
        adds: list[ast.Attribute] = []
        fine = True
        for use in uses:
            parent = window.parents[use]
            if isinstance(parent, ast.Attribute):
                fine &= parent.attr == "append"
                adds.append(parent)
            else:
                tests = (
                    isinstance(parent, ast.Compare)
                    and isinstance(parent.ops[0], ast.In | ast.NotIn)
                    and use is not parent.left
                )
                counted = isinstance(parent, ast.Call) and window.source(parent.func) in _COUNTING
                fine &= (
                    tests
                    or counted
                    or (isinstance(parent, ast.For) and parent.iter is use)
                    or isinstance(parent, ast.Return)
                )
        if not fine or not adds or len(adds) > 3 or any(in_text(window, use) for use in uses):
            continue
        added = [window.parents[item] for item in adds]
        if any(
            isinstance(n, ast.Call) and n.args and isinstance(n.args[0], ast.Dict | ast.List | ast.Set)
            for n in added
        ):
            continue
        changes: list[Change] = [(*window.span(node.value), "set()")]
        changes += [(window.span(item)[1] - len("append"), window.span(item)[1], "add") for item in adds]
        where = inside_function(window, function, draw.rng) if isinstance(target, ast.Name) else WordsSlot("")
        same = len(re.findall(rf"(?m)^\s*{re.escape(name)} = \[\]$", window.text))
        if same > 1 and isinstance(where, WordsSlot):
            continue
        return Made(window.text, apply_changes(window.text, changes), {"x": NameSlot(name), **placed(where)})
    return None
