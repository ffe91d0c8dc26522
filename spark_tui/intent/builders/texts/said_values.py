"""Calls that put a value into a message that stands in the code: which one it was, the path, the limit."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.intent.building.building import BUILDERS, Built, build_at, builder, call
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, anchors
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.finders import shown_messages
from spark_tui.intent.finders.blocks import is_log, is_print
from spark_tui.intent.finders.messages import may_print, without_cut
from spark_tui.intent.texts.message_subjects import Surroundings
from spark_tui.intent.texts.message_values import WantedValues, find_wanted_values
from spark_tui.intent.texts.shown_in_texts import ShownValue, shown_already, with_values
from spark_tui.intent.words.doubts import DoubtKind, places_fit, without
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes

_BESIDE = 0.4
"""How likely a value is meant for a message that is about something else."""
_FAR, _ALONE = 2.0, 0.8
"""How much likelier one of several messages is to be the only one, and how likely it is then."""


@builder("say_value")
def say_value(context: Context) -> Iterator[Built]:
    if _is_new_text(context):
        yield from BUILDERS["replace_message"](context)
        return
    spots = find_messages(context)
    if not spots:
        raise Unresolved("no message was found")
    made: list[tuple[Anchor, Built]] = []
    reasons: list[Unresolved] = []
    for anchor in spots[: context.most_places]:
        try:
            made += [(anchor, built) for built in _in_message(context, anchor)]
        except Unresolved as error:
            reasons.append(error)
    if not made:
        raise next((unresolved for unresolved in reasons if unresolved.nothing), reasons[0])
    best = max((one.weight for _, one in made))
    for anchor, one in made:
        others = [other.weight for spot, other in made if spot is not anchor]
        alone = one.weight == best and best > _FAR * max(others, default=0.0)
        doubts = without(one.doubts, DoubtKind.PLACES) if alone else one.doubts
        yield replace(one, weight=max(one.weight, _ALONE) if alone else one.weight, doubts=doubts)


def _in_message(context: Context, anchor: Anchor) -> Iterator[Built]:
    """The ways to show in one message what is meant."""
    node, source = anchor.node, context.source(anchor.path)
    assert isinstance(node, ast.expr)
    if (handler := _handler(context, anchor)) is not None:
        yield from _with_error(context, anchor, handler)
        return
    found = _wanted(context, anchor, node)
    about = next((subject.code for subject in Surroundings(source, node).subjects()), "")
    idle = done = False
    for item in found:
        values = [value for value in item.values if not shown_already(_whole(source, node), value.code)]
        idle = idle or not values
        if values and (changed := _shown(context, source, node, values)):
            old, new = changed
            edit = replace_code(context, replace(anchor, node=old), new)
            done = True
            fits = 1.0 if about in [value.code for value in values] else _BESIDE
            yield build_at(anchor, edit, option=item, weight=fits)
    if not done and idle:
        told = {word.lower() for word in split_name(context.text("value"))}
        shown = {word.lower() for item in found for value in item.values for word in split_name(value.code)}
        raise Unresolved("the message already says that", nothing=not told or bool(told & shown))
    if not done:
        raise Unresolved("what the message should say is not known there")


def _wanted(context: Context, anchor: Anchor, node: ast.expr) -> list[WantedValues]:
    """What the message is to say; of several things that are named each."""
    spans = context.reading.slots.get("value", ())
    if len(spans) < 2:
        return list(find_wanted_values(context, anchor, node))
    rows = []
    for span in spans:
        told = replace(context.reading, slots={**context.reading.slots, "value": (span,)})
        rows.append(
            list(find_wanted_values(Context(told, context.situation, context.names), anchor, node))[:1]
        )
    if not all(rows):
        return []
    values = tuple(dict.fromkeys(value for row in rows for value in row[0].values))
    doubts = tuple(dict.fromkeys(doubt for row in rows for doubt in row[0].doubts))
    return [replace(rows[0][0], values=values, weight=min(row[0].weight for row in rows), doubts=doubts)]


def _shown(
    context: Context, source: Source, node: ast.expr, values: Sequence[ShownValue]
) -> tuple[ast.expr, str] | None:
    if isinstance(node, ast.Name | ast.Attribute):
        return (
            node,
            f"{source.segment(node)}({', '.join(value.code for value in values)})",
        )  # an error without a text
    if isinstance(node, ast.Call) and not node.args and not node.keywords:
        return node, f"{source.segment(node.func)}({', '.join(value.code for value in values)})"
    front = says("said_values", "front", context.beside_slots())
    return with_values(source, node, values, front)


def _whole(source: Source, node: ast.expr) -> ast.expr:
    """The call whose first argument a text is, else the text."""
    outer = source.parents.get(node)
    return (
        outer
        if isinstance(outer, ast.Call) and node in outer.args and (is_log(outer) or is_print(outer))
        else node
    )


def _is_new_text(context: Context) -> bool:
    """Whether a whole new text with placeholders is given."""
    return bool(re.search(r"\{\w|%[sdr]", context.text("message"))) and not context.has("value")


def find_messages(context: Context) -> list[Anchor]:
    """The messages that are meant: of the kind or with the words that are said, the nearest first."""
    texts = _written(context, anchors(context, "said_message"))
    every = [item for item in texts if item.words["kind"] != shown_messages.PASSED]
    told = context.span("message")
    if told is None:
        if not _is_about_message(context, every):
            raise Unresolved("the last edit wrote no message")
        return _of_kind(context.beside_slots(), every)
    words = set(split_name(told.text))
    whole = " ".join(told.text.split()).lower()
    flat = without_cut(whole)
    counts = [
        (
            _says(context, anchor, flat) + (whole in _text(context, anchor)),
            len(words & set(split_name(_text(context, anchor)))),
        )
        for anchor in every
    ]
    best = max(counts, default=(False, 0))
    alike = [one for one, count in zip(every, counts, strict=True) if count == best]
    if best[0] or best[1] >= (max(len(words) / 2, 1) if told.quoted else 1):
        return keep_fitting(alike, every)
    if told.quoted:
        if passed := [item for item in texts if item not in every and whole in _text(context, item)]:
            return keep_fitting(passed, passed)
        raise Unresolved(f"no message says {told.text!r}")
    return _of_kind(told.text, every)


def _is_about_message(context: Context, found: list[Anchor]) -> bool:
    """Whether words behind an edit that wrote no message may be about one: they name it, or its function."""
    if context.situation.earlier is None or context.has("function"):
        return True
    lines, words = context.situation.selection or (1, 0), context.beside_slots()
    near = any(lines[0] <= getattr(item.node, "lineno", 0) <= lines[1] for item in found)
    return near or any(says("message_kinds", kind, words) for kind in ("logged", "shown", "errors", "texts"))


def _says(context: Context, anchor: Anchor, text: str) -> bool:
    """Whether a message holds a text, or is printed so for some values."""
    made = isinstance(anchor.node, ast.expr) and may_print(anchor.node, text)
    return text in _text(context, anchor) or made


def _written(context: Context, found: list[Anchor]) -> list[Anchor]:
    """Each message once; after an edit those that it wrote, where it wrote some."""
    once = list({id(anchor.node): anchor for anchor in reversed(found)}.values())
    every = sorted(once, key=lambda item: -item.weight)
    lines = context.situation.selection
    if lines is None or not context.situation.focused:
        return every
    near = [item for item in every if lines[0] <= getattr(item.node, "lineno", 0) <= lines[1]]
    return keep_fitting(near, every) if near else every


def _text(context: Context, anchor: Anchor) -> str:
    shown = context.source(anchor.path).segment(anchor.node) if anchor.node is not None else ""
    return " ".join(re.sub(r"""["']\s*\n\s*[fFrR]?["']""", "", shown).split()).lower()


def _of_kind(phrase: str, found: list[Anchor]) -> list[Anchor]:
    """Of several messages those of the kind that words name: an error, a log line, a print."""
    words = {text.lower() for text in re.findall(r"\w+", phrase)}
    if called := [anchor for anchor in found if anchor.words["called"] in words]:
        return keep_fitting(called, found)
    for kind in ("logged", "shown", "errors"):
        fits = [anchor for anchor in found if anchor.words["kind"] == kind]
        if fits and says("message_kinds", kind, phrase):
            return keep_fitting(fits, found)
    return found


def keep_fitting(fits: list[Anchor], found: list[Anchor]) -> list[Anchor]:
    """Some of several places with the weight of them all."""
    share = sum(anchor.weight for anchor in found) / sum(anchor.weight for anchor in fits)
    doubts = [without(anchor.doubts, DoubtKind.PLACES) for anchor in fits]
    if len(fits) > 1:
        doubts = [
            (*row, places_fit(len(fits))) if one.weight * share < 0.8 else row
            for row, one in zip(doubts, fits, strict=True)
        ]
    return [
        replace(one, weight=min(one.weight * share, 1.0), doubts=row)
        for one, row in zip(fits, doubts, strict=True)
    ]


def _handler(context: Context, anchor: Anchor) -> ast.ExceptHandler | None:
    """The handler whose error a message is to show, where that is what words name."""
    source = context.source(anchor.path)
    outers = source.ancestors(anchor.node) if anchor.node is not None else ()
    handler = next((outer for outer in outers if isinstance(outer, ast.ExceptHandler)), None)
    return handler if says("said_values", "error", context.text("value")) else None


def _with_error(context: Context, anchor: Anchor, handler: ast.ExceptHandler) -> Iterator[Built]:
    """The caught error in the message, with a name for it where it has none."""
    source, node = context.source(anchor.path), anchor.node
    assert isinstance(node, ast.expr)
    names = [inner.name for inner in find_nodes(source.tree or handler, ast.ExceptHandler) if inner.name]
    scopes = context.repo.index.scopes(anchor.path)
    inside = source.function_of(handler)
    taken = (scopes.scope_of[inside] if inside is not None else scopes.module).bound
    names = [*sorted(set(names), key=names.count, reverse=True), "e", "err", "exc", "error"]
    name = handler.name or next(item for item in names if item not in taken)
    made = (
        None if shown_already(_whole(source, node), name) else with_values(source, node, (ShownValue(name),))
    )
    if made is None:
        raise Unresolved("the message already says that", nothing=handler.name is not None)
    old, new = made
    edit = replace_code(context, replace(anchor, node=old), new)
    line = f"{anchor.path}:{handler.lineno}"
    named = () if handler.name else (call("name_exception", place=line, name=name),)
    yield build_at(anchor, *named, edit)
