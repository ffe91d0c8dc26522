"""Calls that change operators, comparisons and conditions."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.building.building import Built, build_at, builder, call, found, place
from spark_tui.intent.building.first_fitting import first_fitting
from spark_tui.intent.building.patterns import shown_with_holes
from spark_tui.intent.building.rewritten import replace_around
from spark_tui.intent.context.anchors import Anchor, anchors, is_same_expression, need, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option, Unresolved
from spark_tui.intent.finders.expressions import mentions
from spark_tui.intent.values.converters.of_slots import CONVERTERS, SlotWords
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import names_in, walk

_MOST_TRIED = 40


@builder("pattern.invert_if")
def invert_if(context: Context) -> Iterator[Built]:
    """The branches of the `if` whose condition is named, or of those in a place; of one without an `else`,
    that and what follows it."""
    if not context.has("condition"):
        entry = {"op": "apply_pattern", "place": "{in}"}
        forms = [({**entry, "name": name},) for name in ("invert_if", "invert_leaving")]
        yield from first_fitting(context, *forms)
        return
    spots = anchors(context, "test:condition")
    tree = parsed(context.text("condition"))
    if tree is not None and not any(is_same_expression(tree, item.node) for item in spots):
        turned = parsed(negate_code(ast.unparse(tree)))
        spots = [item for item in anchors(context, "test") if is_same_expression(turned, item.node)] or spots
    for anchor in need(spots, "condition", context)[: context.most_places]:
        spot = f"{anchor.path}:{getattr(anchor.extra['owner'], 'lineno', 0)}"
        yield build_at(anchor, call("apply_pattern", name="invert_if", place=spot))


@builder("negate_condition")
def negate_condition(context: Context) -> Iterator[Built]:
    instruction = context.situation.instruction
    for anchor in found(context, "test:old", "condition"):
        source, test = context.source(anchor.path), anchor.node
        assert isinstance(test, ast.expr)
        text = source.segment(test)
        parts = _operands(test) if isinstance(test, ast.BoolOp) and context.has("old") else []
        named = [item for item in parts if mentions(item, context.text("old"))]
        part = named[0] if len(named) == 1 else test
        low, high = (at - source.span(test)[0] for at in source.span(part))
        new = text[:low] + negate_code(text[low:high]) + text[high:]
        made = call("change_condition", place=place(context, anchor), new=new, old=text)
        owner = anchor.extra.get("owner")
        turned = part is test and isinstance(owner, ast.If) and owner.orelse and _TURNED.search(instruction)
        if turned and isinstance(owner, ast.If) and not _goes_on(source, owner):
            # Whoever inverts an `if` keeps what it does: its branches change places.
            spot = f"{anchor.path}:{owner.lineno}"
            yield build_at(anchor, call("apply_pattern", name="invert_if", place=spot))
            if _BRANCHES.search(instruction):
                continue
            anchor = replace(anchor, weight=_NEGATED * anchor.weight)
        yield build_at(anchor, made)


_BRANCHES = re.compile(r"\b(?:branch|zweig|branche|rama)", re.IGNORECASE)
_TURNED = re.compile(rf"\b(?:invert|flip|turn|umkehren|invers|invier)|{_BRANCHES.pattern}", re.IGNORECASE)
"""Words for a condition that is turned round, not only denied."""
_NEGATED = 0.2


def _goes_on(source: Source, owner: ast.If) -> bool:
    """Whether an `if` has an `elif`, or is one."""
    return source.text[source.span(owner.orelse[0])[0] :].startswith("elif") or source.text[
        source.span(owner)[0] :
    ].startswith("elif")


_NEAR, _CLEARLY = 0.75, 0.1
"""How alike two conditions are where one stands for the other, and by how much more than any other one."""
_BEGUN = re.compile(r"(?:[<>=!]=|[<>]|is\b|in\b|not in\b)")


@builder("change_condition")
def change_condition(context: Context) -> Iterator[Built]:
    """Another condition. Of several that are joined only the named, or the like one, is another."""
    if shown := list(shown_with_holes(context, "condition")) or list(replace_around(context, "condition")):
        yield from shown
        return
    reason: Unresolved | None = None
    made: list[tuple[float, Built]] = []
    for anchor in need(anchors(context, "test:old"), "condition", context)[:_MOST_TRIED]:
        try:
            made += _changed(context, anchor)
        except Unresolved as error:  # a name that is not known there
            reason = reason or error
    if not made and reason is not None:
        raise reason
    sides = [[str(getattr(one.calls[0], name, "")) for name in ("new", "old")] for _, one in made]
    same_size = [
        new is not None and new == old for new, old in (map(_emptiness, map(parsed, pair)) for pair in sides)
    ]
    alike = [one for one, same in zip(made, same_size, strict=True) if same]
    if not context.has("old") and len(alike) == 1 < len(made):
        made = [(score, replace(one, weight=0.95, doubts=())) for score, one in alike]
    elif not context.has("old") and len(made) > 1:
        if not any(score for score, _ in made):
            raise Unresolved("no condition there tests the same")
        likely = sorted((score for score, _ in made), reverse=True)
        olds = [(score, parsed(getattr(one.calls[0], "old", ""))) for score, one in made]
        same = [test for score, test in olds if score and _compares(test, context.text("condition"))]
        if len(same) < 2 and likely[0] >= _NEAR and likely[0] - likely[1] >= _CLEARLY:
            made = [
                (score, replace(one, weight=0.95, doubts=())) for score, one in made if score == likely[0]
            ]
        else:
            made = [(score, replace(one, weight=one.weight * (1.0 if score else 0.3))) for score, one in made]
    yield from [one for _, one in made][: context.most_places]


def _emptiness(test: ast.expr | None) -> tuple[str, bool] | None:
    """What a test asks to be empty, or not to be: `len(x) == 0` asks the same as `not x`."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _emptiness(test.operand)
        return (inner[0], not inner[1]) if inner is not None else None
    if isinstance(test, ast.Name | ast.Attribute):
        return ast.unparse(test), False
    if isinstance(test, ast.Call) and ast.unparse(test.func) == "len" and len(test.args) == 1:
        return ast.unparse(test.args[0]), False
    if not isinstance(test, ast.Compare) or len(test.ops) > 1:
        return None
    sized, right = _emptiness(test.left), ast.unparse(test.comparators[0])
    empty = {("Eq", "0"): True, ("NotEq", "0"): False, ("Gt", "0"): False, ("Lt", "1"): True}
    empty |= {("GtE", "1"): False, ("LtE", "0"): True}
    found = empty.get((type(test.ops[0]).__name__, right)) if isinstance(test.left, ast.Call) else None
    if found is None and right in ("[]", "{}", "''", "()"):
        found = {"Eq": True, "NotEq": False}.get(type(test.ops[0]).__name__)
    return (sized[0], found) if sized is not None and found is not None else None


def _items_lost(source: Source, test: ast.expr, new: str) -> Iterator[str]:
    """A doubt where nothing in a loop uses what it takes up any more: it does the same in each round."""
    for loop in source.ancestors(test):
        if isinstance(loop, ast.For):
            used = names_in(test) & names_in(loop.target)
            others = [node for row in loop.body for node in walk(row) if isinstance(node, ast.Name)]
            inside = {id(node) for node in walk(test)}
            left = {node.id for node in others if id(node) not in inside} | names_in(parsed(new))
            if used and not left & names_in(loop.target):
                yield f"the loop does not use {ast.unparse(loop.target)} any more"


def _compares(test: ast.expr | None, text: str) -> bool:
    """Whether a test compares the same as another one by another operator, and so may stand for it."""
    new = parsed(text)
    if not isinstance(test, ast.Compare) or not isinstance(new, ast.Compare):
        return False
    return is_same_expression(test.left, new.left) and type(test.ops[0]) is not type(new.ops[0])


def _changed(context: Context, anchor: Anchor) -> Iterator[tuple[float, Built]]:
    """The changes of one condition, by how much what is new is like what goes."""
    source, test = context.source(anchor.path), anchor.node
    assert isinstance(test, ast.expr)
    span, old = context.span("condition"), parsed(context.text("old"))
    new_words = span.text.strip().strip("`") if span is not None else ""
    if (truth := _truth_said(new_words)) and (alone := _only_subject(test)):
        new = f"not {alone}" if truth == "falsy" else alone
        made = call("change_condition", place=place(context, anchor), new=new, old=source.segment(test))
        yield 1.0, build_at(anchor, made)
        return
    parts = [test]
    if isinstance(test, ast.BoolOp):
        parts += [node for node in walk(test) if isinstance(node, ast.expr) and node in _operands(test)]
    if context.has("old"):
        named = (node for node in walk(test) if isinstance(node, ast.expr) and is_same_expression(old, node))
        parts = [next(named, test)]
    elif (bounded := _bounds(parsed(new_words))) and bounded == _only_subject(test):
        parts = [test]
    best: tuple[float, Built] | None = None
    for part in parts:
        text = new_words
        if _BEGUN.match(new_words):  # `is not None`: of what stands there
            if old is None and (
                part is not test or not isinstance(part, ast.Name | ast.Attribute | ast.Subscript)
            ):
                continue
            subject = part.left if isinstance(part, ast.Compare) else part
            text = f"{source.segment(subject)} {new_words}"
        constant = isinstance(parsed(text), ast.Constant)
        options = [Option(text)] if constant else _of_part(context, anchor, part, text)
        for option in options[:1]:
            score = likeness(source.segment(part), option.text)
            low, high = (at - source.span(test)[0] for at in source.span(part))
            shown = source.segment(test)
            loose = part is not test and isinstance(parsed(option.text), ast.BoolOp)
            new = shown[:low] + (f"({option.text})" if loose else option.text) + shown[high:]
            made = call("change_condition", place=place(context, anchor), new=new, old=shown)
            weight = anchor.weight * option.weight
            if best is None or score > best[0] + _CLEARLY:
                lost = _items_lost(source, test, new)
                best = score, Built((made,), weight, (*anchor.doubts, *option.doubts, *lost))
    if best is not None:
        yield best


def _truth_said(text: str) -> str:
    """Whether words only ask for the truth of what is tested: *just falsy*."""
    return next(
        (kind for kind in ("falsy", "truthy") if phrases.any_stands_in(phrases.words(kind), text)), ""
    )


def _only_subject(test: ast.expr) -> str:
    """The one name or attribute that all parts of a test compare; empty where they look at several."""
    parts = _operands(test) if isinstance(test, ast.BoolOp) else [test]
    parts = [part.operand if isinstance(part, ast.UnaryOp) else part for part in parts]
    sides = {ast.unparse(part.left if isinstance(part, ast.Compare) else part) for part in parts}
    plain = all(
        isinstance(part, ast.Compare | ast.Name | ast.Attribute | ast.Subscript) for part in parts
    ) and all(
        isinstance(part.comparators[0], ast.Constant) for part in parts if isinstance(part, ast.Compare)
    )
    return sides.pop() if len(sides) == 1 and plain else ""


def _bounds(new: ast.expr | None) -> str:
    """What a condition bounds from both sides, or compares with several values."""
    while isinstance(new, ast.UnaryOp) and isinstance(new.op, ast.Not):
        new = new.operand
    match new:
        case ast.Compare(comparators=[middle, _]):
            return ast.unparse(middle)
        case ast.Compare(
            left=left, ops=[ast.In() | ast.NotIn()], comparators=[ast.Tuple() | ast.Set() | ast.List()]
        ):
            return ast.unparse(left)
    return ""


def _of_part(context: Context, anchor: Anchor, part: ast.expr, text: str) -> list[Option]:
    """What a condition means in the place of a part; of one that names nothing (*over 3*) its left side
    is compared in the same way as now."""
    try:
        return _options(context, anchor, text)
    except Unresolved:
        if not isinstance(part, ast.Compare):
            if part is anchor.node and not isinstance(part, ast.BoolOp):
                raise
            return []
        subject = context.source(anchor.path).segment(part.left)
        made = _options(context, anchor, f"{subject} is {text}")
        tests = [parsed(option.text) for option in made]
        return [
            one
            for one, test in zip(made, tests, strict=True)
            if isinstance(test, ast.Compare)
            and type(test.ops[0]) is type(part.ops[0])
            and _ends_with(text, test.comparators[0])
        ]


def _ends_with(text: str, node: ast.expr) -> bool:
    """Whether words end with what is compared: a name with words after it is what they are about."""
    return isinstance(node, ast.Constant) or text.rstrip(" .`").endswith(ast.unparse(node))


def _operands(test: ast.BoolOp) -> list[ast.expr]:
    out: list[ast.expr] = []
    for value in test.values:
        out += _operands(value) if isinstance(value, ast.BoolOp) else [value]
    return out


def _options(context: Context, anchor: Anchor, text: str) -> list[Option]:
    span = context.span("condition")
    if span is None:
        raise Unresolved("the instruction names no condition")
    found = CONVERTERS["condition"](SlotWords(context, replace(span, text=text), anchor))
    if not found:
        raise Unresolved(f"{text!r} was not understood as condition")
    return found


def likeness(old: str, new: str) -> float:
    """How much of two conditions is the same; nothing where they share no name."""
    names = [
        {ast.unparse(node) for node in walk(tree) if isinstance(node, ast.Name | ast.Attribute)}
        if (tree := parsed(text)) is not None
        else set()
        for text in (old, new)
    ]
    return difflib.SequenceMatcher(None, old, new).ratio() if names[0] & names[1] else 0.0
