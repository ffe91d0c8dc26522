"""From a reading to calls: by the table `calls.toml`, or by a builder in Python where a table cannot say it.

An entry of the table names a finder (`find`), the operation (`op`), and a template for each field of the
operation. In a template `{slot:converter}` is a slot read by a converter of `values.py`,
`{slot:converter|text}` has a text for a slot that is not named, and `{word}` is something of the anchor:
`line`, `lines`, `in`, `function`, `class`, `path`, `symbol`, `parameter`, `callee`, `old`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Protocol

from spark_tui.codemods import registry
from spark_tui.codemods.registry import Operation
from spark_tui.intent.building import registration  # noqa: F401
from spark_tui.intent.building.already_done import is_gone
from spark_tui.intent.building.bound_values import refuse_bound
from spark_tui.intent.building.forms_here import forms_here
from spark_tui.intent.building.named_symbols import (
    all_of_a_name,
    is_here,
    may_mean_all,
    outer_symbols,
    symbols,
)
from spark_tui.intent.building.shared_lines import lines_of, with_split_lines
from spark_tui.intent.building.symbol_texts import symbol_text
from spark_tui.intent.context.anchors import Anchor, anchors, need
from spark_tui.intent.context.bounds import explain_unparsed
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.places_left_out import not_found
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Candidate, Option, Unresolved
from spark_tui.intent.finders.which_place import keep_numbered
from spark_tui.intent.values.converters.of_slots import CONVERTERS, SlotWords
from spark_tui.intent.words.doubts import DoubtKind, without
from spark_tui.pysource.source import Definition, Function
from spark_tui.tables import read_table

_HOLE = re.compile(r"\{(?P<name>\w+)(?::(?P<kind>\w+))?(?:\|(?P<other>[^{}]*))?\}")
_ALL_OR_ONE = frozenset(("replace_expression", "replace_name_use", "set_argument"))
"""Intents that may mean all places where something stands, if none is named."""
_ALL_LOCALS = 0.4
"""How likely all variables of one name in a file are meant."""
_UNHEARD = 0.5
"""How likely an edit is meant that does not know what it is to leave alone."""
_MOST_COMBINED = 8
_MOST_TRIED = 40
"""How many places are looked at as long as what is said fits none, such as a name that is not known there."""


@dataclass(frozen=True)
class Built:
    """Calls that were built, before the reading is put to them."""

    calls: tuple[Operation, ...]
    weight: float = 1.0
    doubts: tuple[str, ...] = ()
    title: str = ""
    """What the calls do in one line, where they do not say it themselves."""


class Weighted(Protocol):
    """An anchor, an area, an option: how likely it is meant, and what speaks against it."""

    @property
    def weight(self) -> float: ...

    @property
    def doubts(self) -> tuple[str, ...]: ...


def build_at(
    spot: Weighted,
    *calls: Operation,
    option: Weighted | None = None,
    weight: float = 1.0,
    doubts: Iterable[str] = (),
) -> Built:
    """Calls at a place, of an option for one of their fields; the doubts of both are theirs."""
    weight *= spot.weight * (option.weight if option is not None else 1.0)
    return Built(calls, weight, (*spot.doubts, *(option.doubts if option is not None else ()), *doubts))


Builder = Callable[[Context], Iterator[Built]]
BUILDERS: dict[str, Builder] = {}
NARROWED: dict[str, Callable[..., Iterator[Built]]] = {}
"""What keeps some calls of one."""


def builder(*intents: str) -> Callable[[Builder], Builder]:
    """Register the builder of some intents."""

    def register(function: Builder) -> Builder:
        for one in intents:
            assert one not in BUILDERS, one
            BUILDERS[one] = function
        return function

    return register


@lru_cache(maxsize=1)
def calls_table() -> Mapping[str, Mapping[str, Any]]:
    """The entries of `calls.toml`, those of patterns by their dotted name."""
    data = read_table(__file__, "calls.toml")
    patterns = {f"pattern.{name}": entry for name, entry in data.pop("pattern", {}).items()}
    return {**data, **patterns}


_TOLD = {"new": "what it becomes", "old": "what is there now", "target": "what is meant", "place": "where"}
"""The arguments of calls in words."""


def call(op: str, **fields: str | bool) -> Operation:
    """A call from texts; empty ones are left out."""
    given = {name: text for name, text in fields.items() if text not in ("", False)}
    try:
        return registry.from_json({"op": op, **given})
    except registry.IncompleteCall as error:
        told = " and ".join(_TOLD.get(name, f"the {name.replace('_', ' ')}") for name in error.missing)
        raise Unresolved(f"the instruction does not say {told}") from None
    except registry.MalformedCall as error:
        raise Unresolved(str(error)) from None


def build_candidates(context: Context) -> list[Candidate]:
    """The candidates of a reading, the likeliest first. One without calls says why there is none."""
    reading = context.reading
    try:
        refuse_bound(reading, context.situation.instruction)
        made = list(_made(context))
    except Unresolved as error:
        reason = explain_unparsed(context, str(error), error.nothing)
        nothing = error.nothing and reason == str(error)
        return [Candidate((), reading, refused=reason, nothing=nothing)]
    made.sort(key=lambda one: -one.weight)
    every = _everywhere(made, context)
    if every and context.means_all(len(every[0].calls)):
        made = [*every, *(replace(one, weight=0.2 * one.weight) for one in made)]
    elif reading.intent in _ALL_OR_ONE and not context.placed and every:
        doubt = f"all {len(every[0].calls)} places are changed"
        every = [replace(one, weight=0.85, doubts=(*one.doubts, doubt)) for one in every]
        made = [*every, *(replace(one, weight=0.5 * one.weight) for one in made)]
    elif may_mean_all(context, len(made)):
        here = [one for one in made if one.calls and is_here(one.calls[0], context)]
        made += [replace(one, weight=_ALL_LOCALS) for one in _everywhere(here, context)]
    lost = not_found(reading, context.situation, context.names)
    unheard = tuple(f"{one} was not found, and may not be left alone" for one in lost)
    out = []
    seen = set()
    for one in made:
        if one.calls and one.calls not in seen:
            seen.add(one.calls)
            weight = one.weight * _UNHEARD if lost else one.weight
            out.append(Candidate(with_split_lines(one.calls), reading, (*one.doubts, *unheard), weight))
    return out or [Candidate((), reading, refused=explain_unparsed(context, ""))]


def _everywhere(made: list[Built], context: Context) -> list[Built]:
    """The calls of all places as one, from the end of each file, so that lines above stay where they are; or
    those of all symbols, of which only parameters and locals are renamed together."""
    first: dict[tuple[str, int], Built] = {}
    left = {plain_name(one.text) for one in context.reading.left_out}
    for one in made:
        if len(one.calls) != 1 or type(one.calls[0]) is not type(made[0].calls[0]):
            return []
        spot = getattr(one.calls[0], "place", None)
        target = getattr(one.calls[0], "target", None)
        if left & set(str(target or "").rpartition("::")[2].split(".")):
            continue
        if spot is not None and spot.path:
            first.setdefault((spot.path, -spot.first), one)
        elif spot is None and target is not None:
            first.setdefault((str(target), 0), one)
        else:
            return []
    if first and context.reading.intent == "rename":
        outer = outer_symbols({one for one, _ in first}, context)
        if outer:
            whole = all_of_a_name(made[0].calls[0], outer, context)
            return [Built((whole,), 0.95)] if whole is not None else []
    if len(first) < 2:
        return []
    every = (each for one in first.values() for each in one.doubts)
    doubts = without(dict.fromkeys(every), DoubtKind.PLACES, DoubtKind.SYMBOLS)
    return [Built(tuple(first[key].calls[0] for key in sorted(first)), 0.95, doubts)]


def _made(context: Context) -> Iterator[Built]:
    intent = context.reading.intent
    if intent in BUILDERS:
        yield from BUILDERS[intent](context)
    elif (entry := calls_table().get(intent)) is not None:
        yield from from_table(context, entry)
    else:
        raise Unresolved("")


def from_table(context: Context, entry: Mapping[str, Any]) -> Iterator[Built]:
    made = from_entry(context, entry)
    narrow = NARROWED.get(str(entry.get("op")))
    yield from narrow(context, made) if narrow is not None else made


def from_entry(context: Context, entry: Mapping[str, Any]) -> Iterator[Built]:
    """The calls of an entry of the table, for each place that fits."""
    try:
        found = located(context, entry)
    except Unresolved as error:
        raise Unresolved(str(error), error.nothing or is_gone(context, entry)) from None
    reason: Unresolved | None = None
    count = 0
    for place, here, rest in forms_here(context, entry):
        yield from _calls(context, {**entry, "place": place}, here)
        found = [replace(one, weight=one.weight * rest) for one in found]
    for at, anchor in enumerate(found):
        if at >= (context.most_places if count else _MOST_TRIED):
            break
        try:
            for one in _calls(context, entry, anchor):
                count += 1
                yield one
        except Unresolved as error:
            reason = reason or error
    if not count and reason is not None:
        raise reason


def of_table(context: Context, intent: str) -> Iterator[Built]:
    """The calls of an intent's entry."""
    return from_entry(context, calls_table()[intent])


def located(context: Context, entry: Mapping[str, Any]) -> list[Anchor]:
    find = str(entry.get("find", "anywhere"))
    if find.startswith("@"):
        return symbols(context, find[1:], entry.get("kinds", ()))
    if find == "none":
        return [Anchor(Area(context.situation.path))]
    if find == "anywhere":
        return [Anchor(one, one.node, one.weight, one.doubts) for one in context.areas] or [Anchor(Area(""))]
    return need(
        keep_numbered(context, anchors(context, find)),
        str(entry.get("what", find.partition(":")[0].replace("_", " "))),
        context,
    )


def _calls(context: Context, entry: Mapping[str, Any], anchor: Anchor) -> Iterator[Built]:
    from spark_tui.intent.values.methods import PREPARERS

    prepare = entry.get("prepare")
    for ready in PREPARERS[prepare](context, anchor) if prepare else (anchor,):
        fields = {
            name: text
            for name, text in entry.items()
            if name not in ("find", "op", "what", "kinds", "prepare", "doubt", "gone")
        }
        for given, weight, doubts in combined(context, fields, ready):
            if "doubt" in entry:
                doubts = (*doubts, entry["doubt"])
            yield build_at(ready, call(str(entry["op"]), **given), weight=weight, doubts=doubts)


def combined(
    context: Context, fields: Mapping[str, Any], anchor: Anchor
) -> Iterator[tuple[dict[str, str | bool], float, tuple[str, ...]]]:
    """The texts of all fields: the likeliest, then each other option of one field."""
    rows: list[tuple[str, list[Option]]] = []
    for name, template in fields.items():
        options = (
            filled(context, template, anchor)
            if isinstance(template, str)
            else [Option(str(template).lower())]
        )
        if options is not None:
            rows.append((name, options))
    first = {name: options[0] for name, options in rows}
    variants = [first]
    variants += [{**first, name: one} for name, options in rows for one in options[1:]]
    for one in variants[:_MOST_COMBINED]:
        weight = 1.0
        doubts: tuple[str, ...] = ()
        for option in one.values():
            weight *= option.weight
            doubts += option.doubts
        yield {name: option.text for name, option in one.items()}, weight, doubts


def filled(context: Context, template: str, anchor: Anchor) -> list[Option] | None:
    """What a template may become; None where a slot that it needs is not named."""
    out = [Option("")]
    at = 0
    for hole in _HOLE.finditer(template):
        before = template[at : hole.start()]
        at = hole.end()
        options = _hole(context, hole["name"], hole["kind"], hole["other"], anchor)
        if options is None:
            return None
        out = [
            Option(one.text + before + two.text, one.weight * two.weight, one.doubts + two.doubts)
            for one in out
            for two in options
        ]
    return [Option(one.text + template[at:], one.weight, one.doubts) for one in out[:_MOST_COMBINED]]


def _hole(
    context: Context, name: str, kind: str | None, other: str | None, anchor: Anchor
) -> list[Option] | None:
    if kind is None:
        text = word(context, name, anchor)
        if not text and other is None:
            raise Unresolved(f"no {name.replace('_', ' ')} is said or found")
        return [Option(text or other or "")]
    span = context.span(name)
    if span is None or not span.text.strip():
        return [Option(other)] if other is not None else None
    found = CONVERTERS[kind](SlotWords(context, span, anchor))
    if not found:
        raise Unresolved(f"{span.text!r} was not understood as {kind.rstrip('_').replace('_', ' ')}")
    return found


def word(context: Context, name: str, anchor: Anchor) -> str:
    """Something of an anchor as text."""
    if name in anchor.words:
        return anchor.words[name]
    if name == "path":
        return anchor.path
    if name == "in" and not anchor.path:
        raise Unresolved("no file is open or named")
    if anchor.path not in context.repo.index.paths:
        return f"in {anchor.path}" if name == "in" else ""
    source = context.source(anchor.path)
    node = anchor.node
    if name in ("line", "lines") and node is not None and hasattr(node, "lineno"):
        end = anchor.last or node
        return f"{anchor.path}:{node.lineno}" if name == "line" else lines_of(source, anchor.path, node, end)
    if name == "old" and node is not None:
        return source.segment(node)
    if name == "callee" and isinstance(node, ast.Call):
        return ast.unparse(node.func)
    around = source.function_of(node) if node is not None else None
    inner: ast.AST | None = node if isinstance(node, Definition) else around or anchor.area.node
    if name == "in":
        return f"in {symbol_text(source, inner)}" if isinstance(inner, Definition) else f"in {anchor.path}"
    if name == "function" and isinstance(inner, Function):
        return symbol_text(source, inner)
    if name == "class":
        owner = inner if inner is None or isinstance(inner, ast.ClassDef) else source.class_of(inner)
        return symbol_text(source, owner) if owner is not None else ""
    if name == "definition":
        return symbol_text(source, inner) if isinstance(inner, Definition) else ""
    return ""


def place(context: Context, anchor: Anchor) -> str:
    """The exact lines of an anchor."""
    return word(context, "lines", anchor)


def found(context: Context, name: str, what: str = "") -> list[Anchor]:
    what = what or name.partition(":")[0].replace("_", " ")
    return need(anchors(context, name), what, context)[: context.most_places]
