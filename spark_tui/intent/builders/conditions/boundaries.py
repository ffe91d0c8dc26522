"""Calls that make comparisons and ranges include their boundary, or leave it out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

from spark_tui.intent.builders.conditions.operators import operator_call
from spark_tui.intent.building.building import Built, build_at, builder, found
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import (
    Anchor,
    Search,
    finder,
    is_same_expression,
    nodes,
    parsed,
    weighted,
)
from spark_tui.intent.context.lookup import split_name, without_s
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.finders.expressions import keep_best, mentions, names_in_node
from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import is_to_go_further
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.signs import TURNED
from spark_tui.pysource.syntax.walking import walk

_NAMES = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_WIDER = {"<": "<=", ">": ">="}


@finder
def comparison(at: Search) -> Iterator[Anchor]:
    """Comparisons with `<` and the like, in which the value or variable stands."""
    wanted = [
        at.context.text(item) for item in ("variable", "value", "expression", "old") if at.context.has(item)
    ]
    ordered = [
        node for node in nodes(at.root, ast.Compare) if _is_ordered(node) and at.source.span(node)[0] >= 0
    ]
    scores: list[tuple[float, ast.AST]] = []
    for inner in ordered:
        score = sum(_names(at.source, inner, text) for text in wanted)
        if score or not wanted:
            scores.append((min(1.0, 0.5 + score / (2 * len(wanted))) if wanted else 0.9, inner))
    yield from keep_best(scores or [(0.5, node) for node in ordered])


def _is_ordered(node: ast.AST) -> bool:
    return isinstance(node, ast.Compare) and any(type(item) in _NAMES for item in node.ops)


def _names(source: Source, node: ast.AST, text: str) -> float:
    """How well words name a part of a comparison: as it is, by the value of a constant, or by its words."""
    if mentions(node, text):
        return 1.0
    inside = [inner for inner in walk(node) if isinstance(inner, ast.Name | ast.Attribute)]
    wanted = parsed(phrases.value(text) or text)
    if isinstance(wanted, ast.Constant):
        constants = {inner.id for inner in inside if isinstance(inner, ast.Name)}
        return 0.9 * any(
            isinstance(stmt, ast.Assign)
            and is_same_expression(wanted, stmt.value)
            and ast.unparse(goal) in constants
            for stmt in getattr(source.tree, "body", ())
            for goal in getattr(stmt, "targets", ())
        )
    words = {without_s(word) for word in split_name(phrases.without_articles(text))}
    words -= set(phrases.words("bounds")) if len(words) > 1 else set()
    known = {
        without_s(word) for inner in inside for name in names_in_node(inner) for word in split_name(name)
    }
    if words and not words <= known:
        ends = (set(phrases.words(kind)) for kind in ("low_end", "high_end"))
        words = next((item & known for item in ends if words <= item), words)
    return 0.8 if words and words <= known else 0.0


@builder("include_boundary")
def include_boundary(context: Context) -> Iterator[Built]:
    if beyond := list(_up_to(context)):
        yield from beyond
        return
    none = "every comparison there includes its boundary already"
    yield from _relative(context, _WIDER, none, "+")


def _up_to(context: Context) -> Iterator[Built]:
    """A boundary that is moved to a number which is named and lies beyond it: `mask < 0` for `mask < 1` where
    a mask of 0 counts too."""
    wanted = parsed(phrases.value(context.text("value")) or "") if context.has("value") else None
    if not isinstance(wanted, ast.Constant) or type(wanted.value) is not int:
        return
    for anchor in found(context, "comparison"):
        node = anchor.node
        if not isinstance(node, ast.Compare) or not isinstance(node.comparators[-1], ast.Constant):
            continue
        limit, low = node.comparators[-1].value, isinstance(node.ops[-1], ast.Lt | ast.GtE)
        high = isinstance(node.ops[-1], ast.Gt | ast.LtE)
        if type(limit) is int and ((low and wanted.value < limit) or (high and wanted.value > limit)):
            spot = replace(anchor, node=node.comparators[-1])
            yield build_at(anchor, replace_code(context, spot, str(wanted.value)))


@builder("exclude_boundary")
def exclude_boundary(context: Context) -> Iterator[Built]:
    table_of = {new: old for old, new in _WIDER.items()}
    yield from _relative(context, table_of, "every comparison there is already strict", "-")


@builder("flip_comparison")
def flip_comparison(context: Context) -> Iterator[Built]:
    yield from _relative(context, TURNED, "there is no comparison to reverse")


def _relative(context: Context, table_of: dict[str, str], none: str, step: str = "") -> Iterator[Built]:
    ended = list(_ranges(context, step)) if step else []
    try:
        groups = [] if ended and _tells_range(context) else list(_compared(context, table_of, step))
    except Unresolved:
        ends = _ends(context) if step and not ended else []
        if ends and all(_ends_so(context, one, _step_said(context, step)) for one in ends):
            raise Unresolved("the range there ends as is asked for", nothing=True) from None
        if not ended:
            raise
        groups = []
    if len(signs := set(re.findall(r"(?<!\S)[<>]=?(?!\S)", context.beside_slots()))) == 2:
        # `<= instead of >` says both signs, of which one is there.
        pairs = [pair for pair in permutations(signs) if pair in table_of.items()] or permutations(signs)
        both = [list(_compared(context, {old: new})) for old, new in pairs]
        groups = both[0] if len(both) == 1 else [] if all(both) else both[0] or both[1]
    if not groups and not ended:
        raise Unresolved(none, nothing=bool(step) and _is_compared(context, set(table_of.values())))
    made = [item for group in groups for item in group] or ended
    whole = sum(item.weight for item in made)
    alone = 1.0
    for group in groups:
        if len(group) > 1 and not (context.has("value") or context.has("variable")):
            calls = tuple(call_node for item in reversed(group) for call_node in item.calls)
            share = sum(item.weight for item in group) / whole
            doubts = () if share > 0.8 else group[0].doubts
            yield Built(calls, 0.85 * share, (*doubts, f"all {len(group)} comparisons are changed"))
            alone = 0.3
    yield from (replace(item, weight=alone * item.weight / max(whole, 0.9)) for item in made)


def _is_compared(context: Context, signs: set[str]) -> bool:
    """Whether what is named, a value or a variable, is compared by such a sign, or all that is compared in
    the function that is named."""
    every = found(context, "comparison")
    likely = [anchor for anchor in every if anchor.weight > 0.5]
    if not (context.has("value") or context.has("variable")) or not likely:
        likely = every if context.has("function") else []
    used = [_NAMES.get(type(sign)) for one in likely for sign in getattr(one.node, "ops", ())]
    return any(sign in signs for sign in used) if likely is not every else bool(used) and set(used) <= signs


def leaving(source: Source, node: ast.AST) -> ast.stmt | None:
    """The one statement under a test, where that leaves a function or a loop without a result."""
    tested = next((one for one in source.ancestors(node) if not isinstance(one, ast.BoolOp)), None)
    if not isinstance(tested, ast.If) or tested.orelse:
        return None
    match tested.body:
        case [ast.Raise() | ast.Continue() | ast.Break() | ast.Return(value=None) as last]:
            return last
        case [ast.Return(value=ast.Constant(value=value)) as last] if not value:
            return last
        case [ast.Return(value=ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[])) as last]:
            return last
    return None


def _says_allowed(context: Context, step: str) -> bool:
    """Whether the message says which values are allowed: *1 is fine*, *1 is not allowed*."""
    instruction = context.situation.instruction.lower()
    denied = phrases.any_stands_in(phrases.words("negations"), instruction)
    allowed = any(phrases.is_said("allowing", word) for word in re.findall(r"[^\W\d_]+", instruction))
    return allowed and not (denied and step == "+")


def _compared(context: Context, wanted: dict[str, str], step: str = "") -> Iterator[list[Built]]:
    """The comparisons that are named, those that are joined together."""
    value_text = parsed(phrases.value(context.text("value")) or context.text("value"))
    groups: dict[ast.AST, list[Built]] = {}
    for anchor in found(context, "comparison", "comparison"):
        node, table_of = anchor.node, wanted
        assert isinstance(node, ast.Compare)
        source = context.source(anchor.path)
        outer = source.parents.get(node)
        sides = [node.left, *node.comparators]
        pairs = list(zip(node.ops, sides, sides[1:], strict=False))
        named = [
            pair
            for pair in pairs
            if is_same_expression(value_text, pair[1]) or is_same_expression(value_text, pair[2])
        ]
        if step and isinstance(leaving(source, node), ast.Raise) and _says_allowed(context, step):
            # What is *fine* is not refused: the comparison that refuses it leaves it out.
            table_of = {new: old for old, new in table_of.items()}
        words = context.text("variable")
        if not named and words and len(pairs) > 1:
            named = [pair for pair in pairs if any(_names(source, side, words) for side in pair[1:])]
        for kind, left, _ in named or pairs:
            old = _NAMES.get(type(kind), "")
            if old in table_of:
                joined = groups.setdefault(outer if isinstance(outer, ast.BoolOp) else node, [])
                joined.append(operator_call(context, anchor, old, table_of[old], left))
    for group in groups.values():
        # One comparison may be found twice: by its condition, and by itself.
        once = {built.calls: built for built in reversed(group)}
        weights = {calls: sum(item.weight for item in group if item.calls == calls) for calls in once}
        yield [replace(built, weight=weights[calls]) for calls, built in reversed(once.items())]


def _tells_range(context: Context) -> bool:
    words = f"{context.text('variable')} {context.beside_slots()}"
    return not context.has("value") and phrases.mentions("of_loops", words)


def _ranges(context: Context, step: str) -> Iterator[Built]:
    """Ranges that go one further, or stop one before, as the message says if it says how they are wrong."""
    step = _step_said(context, step)
    for anchor in weighted(context, _ends(context)):
        node, source = anchor.node, context.source(anchor.path)
        assert isinstance(node, ast.expr)
        if not _ends_so(context, anchor, step):
            left = node.left if isinstance(node, ast.BinOp) and _by_one(node) else None
            new = source.segment(left) if left is not None else f"{source.segment(node)} {step} 1"
            yield build_at(anchor, replace_code(context, anchor, new))


def _step_said(context: Context, step: str) -> str:
    further = is_to_go_further(context.situation.instruction)
    return step if further is None else "+" if further else "-"


def _ends(context: Context) -> list[Anchor]:
    """The ends of the ranges in a function that is named, or in the file where loops are meant."""
    found = []
    for area, source, inner in context.find(ast.Call):
        if called_name(inner) in ("range", "randrange") and inner.args:
            end = inner.args[0] if len(inner.args) == 1 else inner.args[1]
            if source.span(end)[0] >= 0 and (area.node is not None or _tells_range(context)):
                found.append(Anchor(area, end, 0.9))
    return found


def _by_one(node: ast.AST | None) -> str:
    """The sign by which one is added to something or taken from it, or nothing."""
    if not isinstance(node, ast.BinOp) or ast.unparse(node.right) != "1":
        return ""
    return "+" if isinstance(node.op, ast.Add) else "-" if isinstance(node.op, ast.Sub) else ""


def _ends_so(context: Context, anchor: Anchor, step: str) -> bool:
    """Whether a range goes one further or stops one before already: it never includes what it ends with."""
    code = context.source(anchor.path).segment(anchor.node) if anchor.node is not None else ""
    named = code in (context.text("variable"), context.text("value"))
    wrong = is_to_go_further(context.situation.instruction) is not None
    return _by_one(anchor.node) == step or (step == "-" and named and not wrong)
