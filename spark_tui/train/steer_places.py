"""Moves lines that an edit put into a function to another place, with the message that asks for it: above
the loop, at the end."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from spark_tui.engine.token_layout import WindowHunk
from spark_tui.train.kinds import Draw
from spark_tui.train.source_windows import Function, SourceWindow
from spark_tui.train.template_grammar import CodeSlot, NameSlot, Slot, SubTemplate

_ABOVE = "[above|before|above|right above|right before|in front of|just before|just above]"
_BELOW = "[below|after|under|right after|behind|right below|just after]"
_NOUNS: tuple[tuple[type[ast.stmt], str], ...] = (
    (ast.For, "the [for |]loop"),
    (ast.While, "the [while |]loop"),
    (ast.Return, "the return"),
    (ast.If, "the if"),
    (ast.With, "the with[ block|]"),
    (ast.Try, "the try[ block|]"),
    (ast.Raise, "the raise"),
)


def other_place(window: SourceWindow, hunk: WindowHunk, draw: Draw) -> tuple[WindowHunk, Slot] | None:
    """Other positions between two statements of a function for inserted lines."""
    if hunk.first != hunk.last or not hunk.new or not all(line.strip() for line in hunk.new):
        return None
    indent = len(hunk.new[0]) - len(hunk.new[0].lstrip())
    function = next((f for f in window.functions if f.lineno <= hunk.first <= (f.end_lineno or 0)), None)
    if function is None or hunk.new[0].lstrip().startswith(("return", "raise", "@", '"""', "def ")):
        return None
    body = window.body_after_docstring(function)
    if not body or any(not window.own_lines(node) for node in body) or len(window.indent(body[0])) != indent:
        return None
    rows = [window.first_line(node) - 1 for node in body]
    if hunk.first not in (*rows, window.last_line(body[-1])):
        return None
    ways = [way for number in range(len(body)) for way in _ways(window, function, body, number)]
    ways = [(row, said) for row, said in ways if row != hunk.first]
    if not ways:
        return None
    row, said = draw.choice(ways)
    return WindowHunk(row, row, hunk.new), said


def _ways(
    window: SourceWindow, function: Function, body: Sequence[ast.stmt], number: int
) -> list[tuple[int, Slot]]:
    """Positions before and after a statement, with their wording."""
    node = body[number]
    above, below = window.first_line(node) - 1, window.last_line(node)
    ends = isinstance(node, ast.Return | ast.Raise)
    out: list[tuple[int, Slot]] = []
    slots: dict[str, Slot] = {"f": NameSlot(function.name)}
    for kind, noun in _NOUNS:
        same = [
            other
            for other in ast.walk(function)
            if isinstance(other, ast.For | ast.While if "loop" in noun else kind)
        ]
        if isinstance(node, kind) and len(same) == 1:
            out.append((above, SubTemplate(f"{_ABOVE} {noun}", slots)))
            out += [] if ends else [(below, SubTemplate(f"{_BELOW} {noun}", slots))]
    text = window.lines[above].strip()
    if below == above + 1 and sum(line.strip() == text for line in window.lines) == 1 and 4 < len(text) < 60:
        said = {"t": CodeSlot(text), **slots}
        out.append((above, SubTemplate(f"{_ABOVE} {{t}}", said)))
        out += [] if ends else [(below, SubTemplate(f"{_BELOW} {{t}}", said))]
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        name = node.targets[0].id
        sets = [
            n
            for n in ast.walk(function)
            if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)
        ]
        if len(sets) == 1:
            said = {"x": NameSlot(name), **slots}
            out.append((above, SubTemplate("[before|above where] {x} is [set|assigned]", said)))
            out.append((below, SubTemplate("[after|below where|once] {x} is [set|assigned]", said)))
    if number == 0:
        out += [
            (above, SubTemplate(shape, slots))
            for shape in ("at the [top|start|beginning]", "at the [top|start] of {f}", "first thing in {f}")
        ]
    if number == len(body) - 1 and not ends:
        out += [
            (below, SubTemplate(shape, slots))
            for shape in ("at the [end|bottom]", "at the [end|bottom] of {f}", "as the last line of {f}")
        ]
    return out
