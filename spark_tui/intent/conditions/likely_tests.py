"""What a condition means whose words no rule reads: the tests that a small network takes for likeliest."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from spark_tui.intent.conditions.candidates import Place
from spark_tui.intent.conditions.predicates import Predicate
from spark_tui.intent.conditions.ranking import ranked
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.source import Function
from spark_tui.pysource.walking import LOOPS, walk

ACTIONS = {
    "guard_raise": "raise",
    "guard_return": "return",
    "guard_message": "return",
    "skip_in_loop": "continue",
    "stop_loop": "break",
}
_BESIDE = frozenset(("also_allow", "also_require", "change_condition"))
_LEAST, _NEAR, _SURE = 0.2, 0.3, 0.98
_OF_SAME = 4.0
"""How much likelier a test is about what the test beside it looks at."""
_JOINED = re.compile(r"\s+(?:or|and|oder|und|ou|o|y)\s+|\s*,\s*")


def likely(context: Context, span: Span, anchor: Anchor) -> list[Option]:
    """The tests that a text may mean, each with a mark unless one surely wins."""
    parts = _JOINED.split(span.text.strip())
    whole = _of_text(context, span.text, anchor)
    if len(parts) != 2 or (whole and whole[0].weight > _SURE):
        return whole
    found = [_of_text(context, one, anchor) for one in parts]
    if not all(found):
        return whole
    one, two = (each[0] for each in found)
    if one.text == two.text or min(one.weight, two.weight) < (whole[0].weight if whole else 0.0):
        return whole
    doubts = (*one.doubts, *two.doubts)
    return [Option(f"{one.text} or {two.text}", min(one.weight, two.weight), doubts), *whole[:1]]


def _of_text(context: Context, text: str, anchor: Anchor) -> list[Option]:
    source = context.source(anchor.path)
    tree, root = source.tree, anchor.node
    if tree is None or root is None:
        return []
    function = root if isinstance(root, Function) else source.function_of(root)
    owner = source.class_of(function) if function is not None else None
    place = function or (root if isinstance(root, LOOPS) else None)
    if place is None:
        return []
    intent = context.reading.intent
    found = ranked(
        text, context.situation.instruction, ACTIONS.get(intent, "other"), Place.of(place, source, owner)
    )
    if intent in _BESIDE:
        beside = ast.unparse(root)
        found = [(p * _OF_SAME if each.test.left in beside else p, each) for p, each in found]
        found = [
            (p / max(sum(q for q, _ in found), 1.0), each) for p, each in found if each.test.code != beside
        ]
        found.sort(key=lambda one: -one[0])
    if not found or found[0][0] < _LEAST:
        return []
    best = found[0][0]
    out = []
    for odds, one in found[:3]:
        if odds < _NEAR * best:
            break
        code = _written(one.test, tree)
        doubts = () if odds > _SURE else (f"{code} was taken for {text!r}",)
        out.append(Option(code, odds, doubts))
    return out


def _written(test: Predicate, tree: ast.AST) -> str:
    """The test as the file would write it: a path is asked by its own method."""
    if test.kind in ("exists", "not_exists") and _is_path(test.left, tree):
        return f"{'not ' * (test.kind == 'not_exists')}{test.left}.exists()"
    made = parsed(replace(test, right=_quoted(test.right)).code)
    return test.code if made is None else replace(test, right=_quoted(test.right)).code


def _quoted(right: str) -> str:
    return f'"{right[1:-1]}"' if right[:1] == "'" and '"' not in right else right


def _is_path(code: str, tree: ast.AST) -> bool:
    methods = ("exists", "open", "read_text", "write_text", "is_file", "unlink", "mkdir", "stat")
    used = (one for one in walk(tree) if isinstance(one, ast.Attribute) and one.attr in methods)
    return any(ast.unparse(one.value) == code for one in used)
