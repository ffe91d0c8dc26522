"""Tests of one value that a single call makes: `name.endswith(a) or name.endswith(b)`, and `isinstance`."""

from __future__ import annotations

import ast
import re

from spark_tui.codemods.rewriting.evaluation import has_effects
from spark_tui.intent.builders.conditions.removed_parts import in_parens
from spark_tui.intent.building.building import Built
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, nodes
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.words.doubts import assumed, places_fit
from spark_tui.pysource.source import Source

_OF_TEXTS = ("startswith", "endswith")
_TYPED = "isinstance"


def asked_at_once(context: Context) -> list[Built]:
    """The calls for what words name: in each condition that asks the same of one value several times."""
    said = {*re.findall(r"\w+", context.situation.instruction)}
    names = [name for name in (*_OF_TEXTS, _TYPED) if name in said]
    found = [
        (Anchor(area, node, area.weight, area.doubts), code)
        for area, source, root in context.trees()
        for node in nodes(root, ast.BoolOp)
        if (code := _joined(source, node, names))
    ]
    if len(found) > 1 and (context.everywhere or context.means_all(len(found))):
        calls = tuple(replace_code(context, spot, code) for spot, (code, _) in found)
        return [Built(calls, found[0][0].weight, found[0][0].doubts)]
    several = (places_fit(len(found)),) if len(found) > 1 else ()
    return [
        Built(
            (replace_code(context, spot, code),), spot.weight / len(found), (*spot.doubts, *doubts, *several)
        )
        for spot, (code, doubts) in found
    ]


def _joined(source: Source, node: ast.BoolOp, names: list[str]) -> tuple[str, tuple[str, ...]] | None:
    """A condition whose tests that stand beside each other are one, and what is doubtful in it."""
    word, front = (" and ", "not ") if isinstance(node.op, ast.And) else (" or ", "")
    runs: list[tuple[tuple[str, str] | None, list[ast.expr]]] = []
    for one in node.values:
        asked = _asked(source, one, bool(front), names)
        if runs and asked is not None and runs[-1][0] == asked:
            runs[-1][1].append(one)
        else:
            runs.append((asked, [one]))
    parts, sure = list[str](), True
    for asked, run in runs:
        given = [item for one in run for item in _given(one)] if len(run) > 1 else []
        sure &= asked is None or asked[0] == _TYPED or all(is_text(item) for item in given)
        alone = in_parens(source.segment(run[0]))
        parts.append(_as_one(source, asked, front, given) if asked and given else alone)
    doubts = () if sure else (assumed("each of them was assumed to be a text"),)
    return (word.join(parts), doubts) if len(runs) < len(node.values) else None


def _asked(source: Source, one: ast.expr, denied: bool, names: list[str]) -> tuple[str, str] | None:
    """What a test asks of which value, where it can ask for several things at once."""
    match one, denied:
        case (ast.Call() as call, False) | (ast.UnaryOp(op=ast.Not(), operand=ast.Call() as call), True):
            if call.keywords or any(map(has_effects, [*call.args, call.func])):
                return None
        case _:
            return None
    match call:
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=[_]) if name in names:
            return name, source.segment(value)
        case ast.Call(func=ast.Name(id=name), args=[value, _]) if name in names and name == _TYPED:
            return name, source.segment(value)
    return None


def _given(one: ast.expr) -> list[ast.expr]:
    """What a test asks for."""
    call = one.operand if isinstance(one, ast.UnaryOp) else one
    assert isinstance(call, ast.Call)
    last = call.args[-1]
    return last.elts if isinstance(last, ast.Tuple) else [last]


def _as_one(source: Source, asked: tuple[str, str], front: str, given: list[ast.expr]) -> str:
    name, value = asked
    shown = f"({', '.join(map(source.segment, given))})"
    return f"{front}{name}({value}, {shown})" if name == _TYPED else f"{front}{value}.{name}({shown})"
