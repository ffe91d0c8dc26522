"""Loops over two sequences at once: by index, by `zip`, and from one to the other."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, inside, kind
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import SourceWindow, apply_changes
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import ExactSlot, NameSlot, Slot, WordsSlot

wording = table("wording/pairs")

_HEAD = re.compile(r"(\s*)for (\w+), (\w+) in zip\((\w+(?:\.\w+)?), (\w+(?:\.\w+)?)\):")
_MOST_USES = 5


@kind("zip_loop", *wording["to_zip"], needs=r"for \w+, \w+ in zip\([\w.]+, [\w.]+\):", weight=0.6)
def zip_loop(window: SourceWindow, draw: Draw) -> Made | None:
    """Replaces an indexed loop by `zip`, or the reverse. The window has the `zip`; which form is the result
    is drawn."""
    loops = [n for n in window.nodes if isinstance(n, ast.For) and window.own_lines(n) and not n.orelse]
    for node in draw.shuffled(loops):
        match = _HEAD.fullmatch(window.lines[node.lineno - 1])
        if match is None:
            continue
        indent, x, y, a, b = match.groups()
        indexed = _indexed(window, node, {x: a, y: b}, draw)
        if indexed is None:
            continue
        i, changes = indexed
        start = window.starts[node.lineno - 1]
        head = f"{indent}for {i} in range(len({a})):"
        other = apply_changes(window.text, [(start, start + len(match[0]), head), *changes])
        only = len(re.findall(r"(?m)^\s*for ", window.text)) == 1
        where: Slot = (
            inside(window, window.function_of(node), draw) if only else WordsSlot(f" on line {node.lineno}")
        )
        slots: dict[str, Slot] = {
            **placed(where),
            "i": NameSlot(i),
            "x": NameSlot(x),
            "y": NameSlot(y),
            "a": WordsSlot(a),
            "b": WordsSlot(b),
            "c": ExactSlot(f"{a}[{i}]"),
            "d": ExactSlot(f"{b}[{i}]"),
        }
        if draw.chance(0.65):
            return Made(other, window.text, slots, wording["to_zip"])
        return Made(window.text, other, slots, wording["from_zip"])
    return None


def _indexed(
    window: SourceWindow, node: ast.For, sources: dict[str, str], draw: Draw
) -> tuple[str, list[tuple[int, int, str]]] | None:
    """A free index name, and every use of an item as an element; None if an item is stored, formatted or
    used outside the loop."""
    inner = [found for statement in node.body for found in ast.walk(statement)]
    if any(
        isinstance(found, ast.JoinedStr | ast.Lambda | ast.ListComp | ast.GeneratorExp) for found in inner
    ):
        return None
    taken = {found.id for found in inner if isinstance(found, ast.Name) and isinstance(found.ctx, ast.Store)}
    if taken & {*sources, *(source.split(".")[0] for source in sources.values())}:
        return None
    uses = [found for found in inner if isinstance(found, ast.Name) and found.id in sources]
    for name in sources:
        mine = sum(use.id == name for use in uses)
        if not mine or len(re.findall(rf"(?<![\w.]){name}\b", window.text)) != mine + 1:
            return None
    free = [i for i in ("i", "index", "n", "k", "position") if i not in window.names]
    if not free or len(uses) > _MOST_USES:
        return None
    i = draw.choice(free)
    return i, [(*window.span(use), f"{sources[use.id]}[{i}]") for use in uses]
