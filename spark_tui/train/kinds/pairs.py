"""Loops over two sequences at once: by index, by `zip`, and from one to the other."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, inside, kind
from spark_tui.train.phrasing import Name, Slot, Words
from spark_tui.train.windows import Window, apply_changes

_HEAD = re.compile(r"(\s*)for (\w+), (\w+) in zip\((\w+(?:\.\w+)?), (\w+(?:\.\w+)?)\):")
_MOST_USES = 5

_TO_ZIP = (
    "use zip{where}, with {x} and {y} as the items",
    "loop over {a} and {b} with zip{where} ({x}, {y})",
    "zip {a} and {b}{where}, call the items {x} and {y}",
    "replace range(len({a})) [with|by] zip{where}, naming the elements {x} and {y}",
    "iterate over {a} and {b} together{where} as {x}, {y}",
    "the loop{where} should use zip, {x} from {a} and {y} from {b}",
    "no indexing{where}, zip {a} with {b} into {x} and {y}",
)
_FROM_ZIP = (
    "use an index {i} instead of zip{where}",
    "loop over range(len({a})) with {i} instead of zip{where}",
    "replace zip{where} [with|by] an index loop, call the index {i}",
    "turn the zip loop{where} into one over indices ({i})",
    "index {a} and {b} with {i} instead of zipping them{where}",
    "no zip{where}, use range(len({a})) and {i}",
    "the loop{where} should count {i} and index {a} and {b}",
)


@kind("zip_loop", *_TO_ZIP, needs=r"for \w+, \w+ in zip\([\w.]+, [\w.]+\):", weight=0.6)
def zip_loop(window: Window, draw: Draw) -> Made | None:
    """The window has the `zip`; its other form counts and indexes. Which one is the answer is drawn."""
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
        where: Slot = inside(window, window.function_of(node), draw) if only else Words(f" on line {node.lineno}")
        slots: dict[str, Slot] = {
            "where": where, "i": Name(i), "x": Name(x), "y": Name(y), "a": Words(a), "b": Words(b),
        }  # fmt: skip
        if draw.chance(0.65):
            return Made(other, window.text, slots, _TO_ZIP)
        return Made(window.text, other, slots, _FROM_ZIP)
    return None


def _indexed(
    window: Window, node: ast.For, sources: dict[str, str], draw: Draw
) -> tuple[str, list[tuple[int, int, str]]] | None:
    """A free index name, and every use of an item as an element; None where an item is stored, formatted or used
    outside the loop."""
    inner = [found for statement in node.body for found in ast.walk(statement)]
    if any(isinstance(found, ast.JoinedStr | ast.Lambda | ast.ListComp | ast.GeneratorExp) for found in inner):
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
