"""Constants for values that stand in the code: their names and the places that get them."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import chain, count

from spark_tui.codemods.families.values.extraction import ExtractConstant
from spark_tui.intent.builders.texts.described_literals import (
    described_literals,
    name_of_described,
    said_name,
)
from spark_tui.intent.builders.texts.moved_values import (
    compiled_pattern,
    of_its_class,
    says_class,
    without_local,
)
from spark_tui.intent.building.building import Built, build_at, builder, call, filled, found, place, word
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, anchors, is_same_expression, parsed
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.words.doubts import assumed, made_up
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import text_in
from spark_tui.pysource.syntax.walking import walk


@builder("extract_constant")
def extract_constant(context: Context) -> Iterator[Built]:
    values = context.reading.slots.get("value", ())
    several = len(values) > 1 and not context.has("name")
    yield from _each_value(context, values) if several else _one_value(context)


def _one_value(context: Context, taken: Collection[str] | None = None) -> Iterator[Built]:
    """A constant for a value. One of several gets none of the names that are `taken`, in all of its function,
    as each moves the lines."""
    spots = anchors(context, "literal:value") or described_literals(context)
    spots = spots or found(context, "expression:value", "value like that")
    # What stands in a file more than once has one name, unless a place is named or described.
    digit = re.fullmatch(r"-?\d", context.text("value")) is not None
    whole = len(spots) > 1 and not context.placed and not digit
    whole = whole and spots[1].weight > 0.9 * spots[0].weight
    if kept := list(_constant_there(context, spots)) or list(compiled_pattern(context, spots)):
        yield from kept
        return
    # What an edit wrote has the name wherever it stands, and not only there.
    whole = whole or (context.situation.focused and not digit and _is_written(context))
    for anchor in spots[: context.most_places]:
        node = anchor.node
        assert isinstance(node, ast.expr)
        source, bound = context.source(anchor.path), context.repo.index.scopes(anchor.path).module.bound
        if whole:
            anchor = replace(anchor, doubts=anchor.area.doubts)
        names = filled(context, "{name:constant_name}", anchor)
        if names is None:
            name = (
                said_name(context)
                or name_of_described(context, anchor)
                or _constant_name(source, node, {*bound, *(taken or ())})
            )
            names = [Option(name, 0.8, (made_up("the name was made up"),))]
        where = word(context, "in", anchor) if context.has("function") else place(context, anchor)
        if taken is not None and (inside := source.function_of(node)) is not None:
            where = f"in {anchor.path}::{source.qualname(inside)}"
        for option in names:
            if of_class := of_its_class(context, anchor, option.text):
                yield build_at(anchor, *of_class, option=option)
                continue
            beside = (assumed("a constant of the module was meant"),) if says_class(context) else ()
            for spot in dict.fromkeys((where, f"in {anchor.path}")):
                weight = 1.0 if (spot == where) != whole else 0.1 if whole else 0.4
                fields = {"place": spot, "value": source.segment(node), "name": option.text}
                calls = (call("extract_constant", **fields), *without_local(source, node))
                yield build_at(anchor, *calls, option=option, weight=weight, doubts=beside)


def _each_value(context: Context, values: tuple[Span, ...]) -> Iterator[Built]:
    """A constant for each of several values: *the 80 and 24*."""
    made: list[Built] = []
    for span in values:
        reading = replace(context.reading, slots={**context.reading.slots, "value": (span,)})
        one = Context(reading, context.situation, context.names)
        names = [call.name for built in made for call in built.calls if isinstance(call, ExtractConstant)]
        made.append(next(_one_value(one, names)))
    calls = tuple(one for built in made for one in built.calls)
    doubts = dict.fromkeys(doubt for built in made for doubt in built.doubts)
    yield Built(calls, min(built.weight for built in made), tuple(doubts))


def _constant_there(context: Context, spots: list[Anchor]) -> Iterator[Built]:
    """The uses of a constant that has the name and the value already."""
    name = context.text("name").strip("`'\"")
    for anchor in spots[: context.most_places]:
        source = context.source(anchor.path)
        for stmt in getattr(source.tree, "body", ()):
            set_here = isinstance(stmt, ast.Assign) and [ast.unparse(goal) for goal in stmt.targets] == [name]
            if not set_here or not isinstance(stmt.value, ast.Constant) or stmt.value is anchor.node:
                continue
            same = is_same_expression(stmt.value, anchor.node)
            if same or isinstance(getattr(anchor.node, "value", None), type(stmt.value.value)):
                doubts = () if same else (f"{name} is {ast.unparse(stmt.value)}",)
                yield build_at(anchor, replace_code(context, anchor, name), doubts=doubts)


def _is_written(context: Context) -> bool:
    """Whether a literal stands in the lines that the edit before wrote."""
    lines, wanted = context.situation.selection, parsed(context.text("value"))
    source = context.source(context.situation.path)
    return lines is not None and any(
        isinstance(node, ast.Constant)
        and lines[0] <= node.lineno <= lines[1]
        and is_same_expression(node, wanted)
        for node in walk(source.tree)
    )


def _fallback_name(source: Source, node: ast.expr) -> Iterator[str]:
    """`default_cols` of `cols or 80`."""
    outer = source.parents.get(node)
    first = outer.values[0] if isinstance(outer, ast.BoolOp) and isinstance(outer.op, ast.Or) else None
    if isinstance(first, ast.Name | ast.Attribute):
        yield f"default_{ast.unparse(first).rpartition('.')[2]}"


def _constant_name(source: Source, node: ast.expr, taken: Collection[str]) -> str:
    """A name for a literal from what it is used for, or from its words."""
    from spark_tui.codemods.places.displays import names_of_value
    from spark_tui.intent.finders.blocks import default_name

    for item in (*names_of_value(source, node), *default_name(source, node), *_fallback_name(source, node)):
        name = "_".join(split_name(re.sub(r"\W+", "_", item))).upper()
        if name and name not in taken:
            return name
    text = text_in(node)
    inside = source.function_of(node)
    plain = f"{inside.name.strip('_').upper()}_VALUE" if inside is not None else "VALUE"
    plain = "_".join(re.findall(r"[A-Za-z]+", text)[:3]).upper() or plain
    numbered = (f"{plain}_{number}" for number in count(2))
    return next(name for name in chain([plain], numbered) if name not in taken)
