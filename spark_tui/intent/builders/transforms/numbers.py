"""Calls that round numbers or keep them between two others."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from spark_tui.codemods.slots import CALLABLE
from spark_tui.intent.builders.definitions.declared_fields import limits_of_declared
from spark_tui.intent.builders.transforms.bounded_containers import sized_container
from spark_tui.intent.builders.transforms.transformed import (
    Transform,
    strip_brackets,
    transform_result,
    transform_value,
)
from spark_tui.intent.building.building import Built, build_at, builder, call, filled, place
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, anchors, parsed, weighted
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Option, Unresolved
from spark_tui.intent.finders.expressions import mentions
from spark_tui.intent.values.likely.assigned_values import value_spots
from spark_tui.intent.values.literals.numbers import is_length
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed, places_fit
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.syntax.signs import OPERATORS
from spark_tui.pysource.syntax.walking import find_nodes, walk


def _digits(text: str) -> str | None:
    """The number of digits in some words: `one digit`, `une seule`."""
    words = re.findall(r"[^\W_]+", text)
    whole = "2" if says("roundings", "cents", text) else phrases.number(text)
    return whole or next((found for word in words if (found := phrases.number(word)) is not None), None)


def _of_function(context: Context) -> Context:
    """The reading with its variable as the function whose result is meant, where one is called so."""
    span, slots = context.span("variable"), context.reading.slots
    name = plain_name(context.text("variable"))
    found = context.names.find(name, CALLABLE) if span is not None and not context.has("function") else []
    if span is None or not any(item.target.name.lower() == name.lower() for item in found):
        return context
    slots = {**{slot: word for slot, word in slots.items() if slot != "variable"}, "function": (span,)}
    return Context(replace(context.reading, slots=slots), context.situation, context.names)


@builder("round_value")
def round_value(context: Context) -> Iterator[Built]:
    doubts = tuple(_unlike_round(context))
    for built in _rounded_values(_of_each(context)):
        yield replace(built, doubts=(*built.doubts, *doubts))


def _of_each(context: Context) -> Context:
    """The reading with the one that a loop of the place goes through, where several are named: `total` of
    *the totals*."""
    span, name = context.span("variable"), plain_name(context.text("variable"))
    if span is None or not name.endswith("s") or not context.placed:
        return context
    loops = [node for _, _, node in context.find(ast.For)]
    each = {inner.id for loop in loops for inner in find_nodes(loop.target, ast.Name)}
    held = {inner.id for loop in loops for inner in find_nodes(loop.iter, ast.Name)}
    if name not in held or name.removesuffix("s") not in each:
        return context
    slots = {**context.reading.slots, "variable": (replace(span, text=name.removesuffix("s")),)}
    return Context(replace(context.reading, slots=slots), context.situation, context.names)


def _unlike_round(context: Context) -> Iterator[str]:
    """What is said that `round` does not do: another direction, or a step that is no number of digits."""
    said, count = context.situation.instruction, context.text("count")
    for direction in ("up", "down"):
        if says("roundings", direction, said):
            yield assumed(f"it was assumed to be rounded to the nearest, not {direction}")
    if count and _digits(count) is None and not phrases.is_said("none_of", count):
        yield assumed(f"a whole number was assumed: {count!r} is no number of digits")
    elif count and says("roundings", "nearest", said):
        yield assumed(f"{count} was assumed to be the number of digits")


def _quantized(text: str, call: ast.Call, digits: str) -> str:
    """A decimal that is rounded to a number of digits already, with another one."""
    step = ast.unparse(call.args[0]) if call.args else ""
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "quantize":
        return ""
    if not re.fullmatch(r"Decimal\('[\d.]+'\)", step):
        raise Unresolved(f"it is rounded already, by quantize({step})")
    exact = f"0.{'0' * (int(digits) - 1)}1" if digits != "0" else "1"
    shown = ast.get_source_segment(text, call.args[0]) or ""
    return text.replace(shown, re.sub(r"[\d.]+", exact, shown), 1)


def _rounded_values(context: Context) -> Iterator[Built]:
    digits = _digits(context.text("count"))
    shown = f", {digits}" if digits not in (None, "0") else ""

    def change(text: str) -> str:
        inner = strip_brackets(text)
        tree = parsed(inner)
        if isinstance(tree, ast.Constant):
            return text
        if isinstance(tree, ast.Call) and (exact := _quantized(inner, tree, digits or "0")):
            return exact
        if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == "round":
            inner = ast.get_source_segment(inner, tree.args[0]) or inner
        if (
            isinstance(tree, ast.Call)
            and ast.unparse(tree.func) == "int"
            and len(tree.args) == 1
            and not shown
        ):
            # What is an int already is rounded in vain.
            return f"int(round({ast.get_source_segment(inner, tree.args[0])}))"
        return f"round({inner}{shown})"

    texts = list(_formatted(context, digits)) if digits not in (None, "0") else []
    if texts:
        yield from texts
        return

    rounded = list(_rounded(context, shown)) if digits is not None else []
    if rounded:
        yield from rounded
        return
    if context.has("variable") and list(value_spots(context)):
        yield from transform_value(context, change, literals=False)
        return
    spots = anchors(context, "expression:variable") if context.has("variable") else []
    if not context.has("function"):  # the name in a call stands for what the function returns
        spots = [spot for spot in spots if not (spot.node and context.source(spot.path).is_called(spot.node))]
    if not spots:
        yield from transform_result(_of_function(context), change, numbers=True)
    for anchor in spots:
        source = context.source(anchor.path)
        assert isinstance(anchor.node, ast.expr)
        if isinstance(anchor.node, ast.Constant):
            continue
        outer = source.parents.get(anchor.node)
        # What a function returns is rounded, and not the function.
        node = outer if isinstance(outer, ast.Call) and outer.func is anchor.node else anchor.node
        changed = replace_code(context, replace(anchor, node=node), change(source.segment(node)))
        yield build_at(anchor, changed)


def _rounded(context: Context, shown: str) -> Iterator[Built]:
    """Values of that name, or of the function that is named, which are rounded to other digits already."""
    variable_text = context.text("variable")
    spots = [
        Anchor(area, node, 0.9)
        for area, source, node in context.find(ast.Call)
        if ast.unparse(node.func) == "round" and node.args
        if (mentions(node.args[0], variable_text) if variable_text else context.placed)
    ]
    for anchor in weighted(context, spots):
        source, node = context.source(anchor.path), anchor.node
        assert isinstance(node, ast.Call)
        new = f"round({source.segment(node.args[0])}{shown})"
        yield build_at(anchor, replace_code(context, anchor, new))


def _formatted(context: Context, digits: str | None) -> Iterator[Built]:
    """A number that is put into a text, with so many digits always: `f"{price:.2f}"`."""
    name = key(plain_name(context.text("variable")))
    if not name or not phrases.mentions("shown", context.situation.instruction):
        return
    spots: list[Anchor] = []
    for area, source, node in context.find(ast.AST):
        inner = (
            node.args[0]
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "str" and node.args
            else node
        )
        value = inner.value if isinstance(inner, ast.FormattedValue) and inner.format_spec is None else inner
        if inner is node and value is node:
            continue
        if (
            isinstance(value, ast.Name | ast.Attribute)
            and key(ast.unparse(value).removeprefix("self.")) == name
        ):
            outer = source.parents.get(node) if isinstance(node, ast.FormattedValue) else node
            spots.append(Anchor(area, outer, 0.9, extra={"value": value}))
    for anchor in weighted(context, spots):
        source, value = context.source(anchor.path), anchor.extra["value"]
        assert anchor.node is not None
        shown, old = source.segment(value), source.segment(anchor.node)
        new = f'f"{{{shown}:.{digits}f}}"'
        if isinstance(anchor.node, ast.JoinedStr):
            new = old.replace(f"{{{shown}}}", f"{{{shown}:.{digits}f}}")
        yield build_at(anchor, replace_code(context, anchor, new))


_BEGUN = 0.3
"""How likely a value is limited where it begins, beside where it grows."""
_EXCEPTION = re.compile(
    r"(?<!\w)(?:unless|except|es sei denn|außer|sauf|salvo|a menos que)(?!\w).*|除非.*", re.IGNORECASE
)


def _bound(context: Context, slot: str, spot: Anchor) -> str:
    """What limits a value: a number or a name; a text that nobody quoted is a name."""
    negative = phrases.table()["conditions"]["negative"]["phrases"]
    if slot == "minimum" and phrases.any_stands_in(negative, context.text(slot).lower()):
        return "0"  # never negative
    text = (filled(context, f"{{{slot}:expression}}", spot) or [Option("")])[0].text
    if text == "None":
        raise Unresolved("None is neither a minimum nor a maximum")
    span = context.span(slot)
    if span is not None and _is_fraction(context, span, spot) and re.fullmatch(r"\d+\.?\d*", text):
        return f"{float(text) / 100:g}"
    is_name = span is not None and not span.quoted and span.text.isidentifier()
    name = text[1:-1] if is_name and text[:1] in "'\"" else text
    tree = context.source(spot.path).tree if spot.path in context.repo.index.paths else None
    inside = spot.node or tree
    owners = (node for node in walk(inside) if isinstance(node, ast.ClassDef)) if name.isidentifier() else ()
    own = (context.visible(spot.path, owner).inner.get(key(name)) for owner in owners)
    return next((code for code in own if code == f"self.{name}"), name)


def _is_fraction(context: Context, span: Span, spot: Anchor) -> bool:
    """Whether percents are said where the code counts in parts of one."""
    said = context.situation.instruction[span.start : span.end + 3].lower()
    tree = context.source(spot.path).tree if spot.path in context.repo.index.paths else None
    values = (one.value for one in find_nodes(spot.node or tree, ast.Constant))
    return "%" in said and any(isinstance(one, float) and 0 < one < 1 for one in values)


@builder("limit_value")
def limit_value(context: Context) -> Iterator[Built]:
    if sized := list(sized_container(context, context.text("maximum"))):
        yield from sized
        return
    context = _of_function(context)
    spot = Anchor(context.areas[0] if context.areas else Area(""))
    spot = replace(spot, node=spot.area.node)
    low, high = (_bound(context, slot, spot) for slot in ("minimum", "maximum"))
    if not low and not high:
        raise Unresolved("the instruction gives neither the minimum nor the maximum")
    with suppress(ValueError):
        low, high = sorted((low, high), key=float)  # between 10 and 0
    if (exception := _EXCEPTION.search(context.situation.instruction)) is not None:
        raise Unresolved(f"{exception[0]!r} is no part of a minimum or maximum")

    most = context.span("maximum")
    cut = most is not None and is_length(most, context.situation.instruction)
    if fields := list(limits_of_declared(context, low, high, cut)):
        yield from fields
        return

    def change(text: str) -> str:
        inner = strip_brackets(text)
        if cut:
            kinds = ast.Name | ast.Attribute | ast.Subscript | ast.Call | ast.Constant | ast.JoinedStr
            plain = isinstance(parsed(inner), kinds)
            return f"{inner if plain else f'({inner})'}[:{high}]"
        if low and high:
            return f"max({low}, min({inner}, {high}))"
        if isinstance(parsed(inner), ast.Constant):
            return _limited(inner, low, high)
        return f"max({low}, {inner})" if low else f"min({high}, {inner})"

    away = tuple(way for way, limit in ((ast.Sub, low), (ast.Add, high)) if not limit)
    grown = [] if cut else list(_grown(context, change, away))
    yield from grown
    try:
        others = (
            transform_value(context, change)
            if context.has("variable")
            else transform_result(context, change, numbers=not cut)
        )
        # Where a value grows past its limit, that is meant.
        yield from (replace(one, weight=(_BEGUN if grown else 1.0) * one.weight) for one in others)
    except Unresolved:
        if not grown:
            raise


def _limited(number: str, low: str, high: str) -> str:
    """A number that is written there, or the limit that it is beyond."""
    with suppress(ValueError):
        beyond = float(number) < float(low) if low else float(number) > float(high)
        if not beyond:
            raise Unresolved(f"{number} is within that limit")
        return low or high
    return number


def _grown(context: Context, change: Transform, away: tuple[type[ast.operator], ...]) -> Iterator[Built]:
    """`level += 1` becomes `level = min(10, level + 1)`, but where a number leads away from the limit."""
    name = key(plain_name(context.text("variable")))
    found_at: list[tuple[Anchor, ast.AugAssign]] = []
    for area in context.areas:
        if area.path in context.repo.index.paths:
            root = area.node or context.source(area.path).tree
            for inner in find_nodes(root, ast.AugAssign):
                # Of a local sum the end is meant, and not each step.
                known = isinstance(inner.value, ast.Constant) or isinstance(inner.target, ast.Name)
                safe = isinstance(inner.op, away) and known
                if safe or not isinstance(inner.op, ast.Mult | ast.Sub | ast.Add):
                    continue
                if name in ("", key(ast.unparse(inner.target).removeprefix("self."))):
                    found_at.append((Anchor(area, inner), inner))
    # A number that is not known may lead to either limit: it is meant where nothing surely leads there.
    found_at = [one for one in found_at if not isinstance(one[1].op, away)] or found_at
    for anchor, node in found_at:
        source = context.source(anchor.path)
        goal = source.segment(node.target)
        sign = OPERATORS[type(node.op)]
        code = f"{goal} = {change(f'({goal} {sign} {source.segment(node.value)})')}"
        made = call("replace_statements", place=place(context, anchor), code=code)
        doubts = (places_fit(len(found_at)),) if len(found_at) > 1 else ()
        near = context.near_node(anchor.path, node) if len(found_at) > 1 else 1.0
        yield Built((made,), min(1.0, 0.95 * near * anchor.area.weight / len(found_at)), doubts)
