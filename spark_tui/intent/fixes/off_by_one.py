"""Fixes of what is one too many or one too few: comparisons, ranges, what is counted from one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.building.building import Built, build_at
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, is_same_expression, weighted
from spark_tui.intent.fixes.seen_error import SeenError
from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import is_to_go_further
from spark_tui.pysource.source import Definition
from spark_tui.pysource.syntax.signs import OTHER_BOUND, SIGNS
from spark_tui.pysource.syntax.walking import ORDERED, walk

_WORD = re.compile(r"-?\d+(?:\.\d+)*|[^\W\d_]+")
_DOUBT = "what is one off was guessed"


def tells_one_off(text: str, counts: bool) -> bool:
    """Whether a text says that something is one off: in words, or by two counts that differ by one."""
    if phrases.mentions("one_off", text):
        return True
    numbers = said_numbers(text)
    return counts and any(number + 1 in numbers for number in numbers if number > 1)


def said_numbers(text: str) -> set[int]:
    """The whole numbers and ordinals in a text: `three discs and a fourth one`."""
    found = {int(one) for word in _WORD.findall(text) if (one := phrases.number(word) or "").isdecimal()}
    places = {item: int(place) + 1 for place, known in phrases.table()["ordinals"].items() for item in known}
    ordinals = {places.get(item, 0) for item in re.findall(r"\w+", text.lower())}
    return found | {ordinal for ordinal in ordinals if ordinal > 2}  # "first" and "second" count nothing


def off_by_one(at: SeenError) -> Iterator[Built]:
    """Each comparison that may be one off."""
    instruction = at.context.situation.instruction
    if tells_one_off(instruction, counts=not at.line) and at.kind in ("", "index"):
        further = is_to_go_further(instruction)
        ends = [one for one in ends_of_ranges(at) if further is None or further != _has_one_more(one[0])]
        spots = ends if ends and phrases.mentions("of_loops", instruction) else [*_comparisons(at), *ends]
        spots = [spot for spot in spots if _may_be_there(at, spot[0], instruction)]
        yield from edits_at_spots(at, spots, (_DOUBT,))


def _has_one_more(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)


def edits_at_spots(
    at: SeenError, spots: list[tuple[ast.expr, str]], doubts: tuple[str, ...]
) -> Iterator[Built]:
    """The spots with their new code as edits, weighted by how much of the words stands near them."""
    new = dict(spots)
    for anchor in weighted(at.context, [Anchor(at.area, item, 0.9) for item in new]):
        assert isinstance(anchor.node, ast.expr)
        made = replace_code(at.context, anchor, new[anchor.node])
        yield build_at(anchor, made, weight=at.area.weight, doubts=doubts)


def _may_be_there(at: SeenError, node: ast.AST, text: str) -> bool:
    """Whether a place is in a function that the words name, if they name any of the file."""
    named = {
        definition.name
        for definition in at.source.definitions
        if re.search(rf"(?<!\w){definition.name}(?!\w)", text)
    }
    around = {ancestor.name for ancestor in at.source.ancestors(node) if isinstance(ancestor, Definition)}
    return not named or bool(named & around)


def _comparisons(at: SeenError) -> Iterator[tuple[ast.expr, str]]:
    """Comparisons by `<` and the like in the other form; those with literals where there are no others."""
    found = [node for node in at.nodes(ast.Compare) if len(node.ops) == 1 and type(node.ops[0]) in ORDERED]
    plain = [node for node in found if not isinstance(node.comparators[0], ast.Constant)]
    for item in plain or found:
        source = at.source
        left, right = (source.segment(each) for each in (item.left, item.comparators[0]))
        yield item, f"{left} {OTHER_BOUND[SIGNS[type(item.ops[0])]]} {right}"


def ends_of_ranges(at: SeenError) -> Iterator[tuple[ast.expr, str]]:
    """`range(1, n)`, which ends one early, and ends from which one is taken."""
    for node in at.nodes(ast.Call):
        if ast.unparse(node.func) != "range" or not node.args:
            continue
        end = node.args[0] if len(node.args) == 1 else node.args[1]
        text = at.source.segment(end)
        if isinstance(end, ast.BinOp) and isinstance(end.right, ast.Constant) and end.right.value == 1:
            yield end, at.source.segment(end.left)
        elif len(node.args) > 1 and not isinstance(end, ast.Constant) and not text.startswith("len("):
            yield end, f"{text} + 1"


def past_the_end(at: SeenError) -> Iterator[Built]:
    """`x[i + 1]` in a loop over all of `range(len(x))`: the loop ends one before."""
    function = at.function
    for node in walk(function) if at.exact and function is not None else at.nodes(ast.Subscript):
        index = node.slice if isinstance(node, ast.Subscript) else None
        if not isinstance(index, ast.BinOp) or not isinstance(index.op, ast.Add):
            continue
        loops = [ancestor for ancestor in at.source.ancestors(node) if isinstance(ancestor, ast.For)]
        for loop in loops:
            end = _end_of_range(loop.iter)
            if end is not None and is_same_expression(loop.target, index.left):
                new = f"{at.source.segment(end)} - {at.source.segment(index.right)}"
                yield replace(at, line=loop.lineno).swap(end, new, 0.95)
                return


def _end_of_range(node: ast.expr) -> ast.expr | None:
    """The `len(x)` of `range(len(x))`."""
    if not isinstance(node, ast.Call) or ast.unparse(node.func) != "range" or len(node.args) not in (1, 2):
        return None
    return node.args[-1] if ast.unparse(node.args[-1]).startswith("len(") else None


def loop_over_changed(at: SeenError) -> Iterator[Built]:
    """A loop over what its body adds to or takes from goes through a copy."""
    for node in at.nodes(ast.For):
        looped = node.iter
        inner = looped.func if isinstance(looped, ast.Call) and not looped.args else looped
        base = inner.value if isinstance(looped, ast.Call) and isinstance(inner, ast.Attribute) else looped
        text = at.source.segment(looped)
        if any(_changes(item, base) for part in node.body for item in ast.walk(part)):
            yield replace(at, line=node.lineno).swap(looped, f"list({text})", 0.9)


_CHANGING = ("pop", "popitem", "remove", "discard", "add", "append", "insert", "clear", "update")


def _changes(node: ast.AST, base: ast.expr) -> bool:
    """Whether a node adds to a collection or takes from it."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in _CHANGING and is_same_expression(base, node.func.value)
    stored = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del)
    return stored and isinstance(node, ast.Subscript) and is_same_expression(base, node.value)
