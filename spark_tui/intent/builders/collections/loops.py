"""Calls that change what a loop goes through: sorted, reversed, the first so many, the items themselves."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from spark_tui.codemods.checks.value_kinds import ONE_WAY, value_kind
from spark_tui.codemods.families.loops.counted import find_range_subject
from spark_tui.codemods.slots import SymbolKind
from spark_tui.intent.builders.collections.sort_direction import (
    direction_wished,
    names_only_direction,
    order_said,
)
from spark_tui.intent.builders.collections.sorting import sort_by
from spark_tui.intent.builders.transforms.applied import sorted_already
from spark_tui.intent.building.building import Built, build_at, builder, call, found, of_table, place
from spark_tui.intent.building.rewritten import pass_argument, replace_code
from spark_tui.intent.context.anchors import Anchor, anchors, parsed
from spark_tui.intent.context.described_names import best_described, content_words, score_description
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.values.literals.sort_keys import Item, key_of
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed, taken_for
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes, walk

_MEMBER = frozenset((SymbolKind.ATTRIBUTE, SymbolKind.METHOD))
_NOT_NAMED = 0.2
"""How likely a loop is meant where the words for the key name what another one goes through."""


def looped(context: Context, change: Callable[[Source, ast.expr], str]) -> Iterator[Built]:
    for anchor in found(context, "loop:variable", "loop"):
        node = anchor.node
        if not isinstance(node, ast.For | ast.AsyncFor):
            continue
        source = context.source(anchor.path)
        spot = Anchor(anchor.area, node.iter)
        yield build_at(anchor, replace_code(context, spot, change(source, node.iter)))


@builder("sort_loop")
def sort_loop(context: Context) -> Iterator[Built]:
    key_text = context.text("key").strip("`'\"")
    written = "json" in context.situation.instruction.lower() and not key_text
    if written and (sorted_keys := list(sorted_already(context, descending=False))):
        yield from sorted_keys
        return
    if key_text and says("tied", "tied", context.beside_slots()):
        yield from sort_by(context)
        return

    down = ", reverse=True" if order_said(context) == "down" and names_only_direction(context) else ""

    guessed: list[str] = []

    def change(source: Source, whole: ast.expr) -> str:
        guessed.clear()
        loop, node = source.parents.get(whole), _unsorted(whole)
        if not key_text or phrases.lookup("transforms", key_text) == "sorted({x})":
            if _has_no_order(source, whole):
                raise Unresolved("the instruction does not say what to sort by")
            return f"sorted({source.segment(node)}{down})"
        if parsed(key_text) is not None and (
            "(" in key_text or key_text.startswith("lambda") or key_text in ("len", "str.lower", "abs")
        ):
            return f"sorted({source.segment(node)}, key={key_text}{down})"
        goals = loop.target.elts if isinstance(loop, ast.For) and isinstance(loop.target, ast.Tuple) else []
        names = [ast.unparse(goal) for goal in goals]
        places = [_place_of(item.text, names) for item in context.reading.slots["key"]] if goals else []
        if goals and None in places and ast.unparse(node).endswith(".items()"):
            at = next(
                (i for i, kind in enumerate(("keys", "values")) if phrases.is_said(kind, key_text)), None
            )
            places = [at]
        if places and None not in places:
            shown = ", ".join(f"item[{at}]" for at in places)
            shown = f"({shown})" if len(places) > 1 else shown
            return f"sorted({source.segment(node)}, key=lambda item: {shown}{down})"
        if goals:
            raise Unresolved(f"{key_text} is not what the loop iterates over")
        text, doubts = _key(context, source, node, loop, key_text)
        guessed[:] = doubts
        return f"sorted({source.segment(node)}{text and f', key={text}'}{down})"

    rekeyed = list(_rekeyed(context, key_text)) if key_text.isidentifier() else []
    if rekeyed and not context.has("variable"):
        yield from rekeyed
        return
    if not anchors(context, "loop:variable" if context.has("variable") else "loop"):
        yield from sort_by(context)
        return
    made = [replace(built, doubts=(*built.doubts, *guessed)) for built in looped(context, change)]
    named = [_describes(key_text, parsed(str(getattr(item.calls[0], "old", "")))) for item in made]
    for one, fits in zip(made, named, strict=True):
        yield one if fits or not any(named) else replace(one, weight=one.weight * _NOT_NAMED)


def _unsorted(node: ast.expr) -> ast.expr:
    """What is sorted there, where nothing says by what: another order takes the place of that one."""
    if isinstance(node, ast.Call) and called_name(node) == "sorted" and len(node.args) == 1:
        return node.args[0] if not node.keywords else node
    return node


def _place_of(text: str, names: list[str]) -> int | None:
    """Which of several names is meant: as it is spelled, or the one that the words describe."""
    found = [name for name in names if name == text.strip("`'\"")] or best_described(
        content_words(text), names, {}
    )[0]
    return names.index(found[0]) if len(found) == 1 else None


def _describes(text: str, node: ast.AST | None) -> bool:
    """Whether words name what a loop goes through: *row name* for `rows`."""
    return isinstance(node, ast.Name) and score_description(content_words(text), node.id) == 1.0


def _has_no_order(source: Source, node: ast.expr) -> bool:
    """Whether a loop reads attributes of its items, which are no texts then, and no class has an order."""
    loop = source.parents.get(node)
    item = loop.target.id if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) else ""
    read = [inner for inner in find_nodes(loop, ast.Attribute) if ast.unparse(inner.value) == item]
    ordered = re.search(r"__lt__|order=True|total_ordering|NamedTuple|namedtuple|Enum\b", source.text)
    return not ordered and any(
        not hasattr(str, inner.attr) and not hasattr(int, inner.attr) for inner in read
    )


def _key(
    context: Context, source: Source, node: ast.expr, loop: ast.AST | None, text: str
) -> tuple[str, tuple[str, ...]]:
    """By what the items of a loop are sorted: the keys of a dictionary as they are, or by their values."""
    name = plain_name(text).rpartition(".")[2]
    item = loop.target.id if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) else "item"
    read = f"{source.segment(node)}[{item}]"
    keyed = any(
        isinstance(inner, ast.Subscript) and ast.unparse(inner) == read for inner in walk(loop or node)
    )
    if keyed and not any(_is_read(inner, item, name) for inner in walk(loop or node)):
        words = text.lower().split()
        as_key = key(name) == key(item) or any(word in ("name", *phrases.words("keys")) for word in words)
        by_value = any(word in phrases.words("values") for word in words) or _describes(text, node)
        doubts = (
            ()
            if as_key
            else (assumed(f"{text} was assumed to be {'what is looked up' if by_value else item}"),)
        )
        return f"{source.segment(node)}.get" if by_value and not as_key else "", doubts
    if key(name) == key(item) and not any(_is_read(inner, item, name) for inner in walk(loop or node)):
        return "", ()  # each item is what is named
    if isinstance(node, ast.Call) and name == called_name(node):
        return "", ()  # in the order of what gives them
    try:
        return key_of(Item(context, source, None, node, None), [text])
    except Unresolved:
        if not name.isidentifier() or next(context.repo.index.files_with_member(name), None) is None:
            raise
        return f"lambda {item}: {item}.{name}", _as_attribute(context, name)


def _as_attribute(context: Context, name: str) -> tuple[str, ...]:
    """A doubt about an attribute that no class is known to have."""
    found = context.names.find(name, _MEMBER)
    known = any(item.target.name.rpartition(".")[2] == name for item in found)
    return () if known else (taken_for(name, "an attribute"),)


def _key_of_file(source: Source, name: str) -> str:
    """The text by which something is looked up or kept in a file, that a name is or describes."""
    looked_up = (one.slice for one in find_nodes(source.tree, ast.Subscript))
    kept = (key for one in find_nodes(source.tree, ast.Dict) for key in one.keys)
    keys = {str(one.value) for one in (*looked_up, *kept) if isinstance(one, ast.Constant)}
    found = best_described(content_words(name), keys, {})[0]
    return name if name in keys else found[0] if len(found) == 1 else ""


def _is_read(node: ast.AST, item: str, name: str) -> bool:
    """Whether a node reads an attribute of that name of an item."""
    return isinstance(node, ast.Attribute) and node.attr == name and ast.unparse(node.value) == item


def _rekeyed(context: Context, name: str) -> Iterator[Built]:
    """What is sorted by one attribute or entry already, sorted by another one."""
    spots = []
    known = context.has("function") or next(context.repo.index.files_with_member(name), None) is not None
    for anchor in anchors(context, "call_of_sort"):
        given = anchor.node.keywords if isinstance(anchor.node, ast.Call) else []
        keys = [
            keyword.value
            for keyword in given
            if keyword.arg == "key" and isinstance(keyword.value, ast.Lambda)
        ]
        spots += [(anchor, item.body) for item in keys]
    for anchor, body in spots:
        doubts = anchor.doubts
        text = context.source(anchor.path).segment(body)
        if known and isinstance(body, ast.Attribute) and isinstance(body.value, ast.Name):
            new = f"{body.value.id}.{name}"
            doubts = (*doubts, *_as_attribute(context, name))
        elif isinstance(body, ast.Subscript) and isinstance(body.slice, ast.Constant):
            other = _key_of_file(context.source(anchor.path), name)
            named = isinstance(body.slice.value, str) and other
            new = text.replace(str(body.slice.value), other) if named else text
        else:
            continue
        where = place(context, Anchor(anchor.area, body))
        if new != text:
            made = call("replace_expression", place=where, old=text, new=new)
            yield Built((made,), anchor.weight, doubts)


@builder("reverse_loop")
def reverse_loop(context: Context) -> Iterator[Built]:
    def change(source: Source, node: ast.expr) -> str:
        text = source.segment(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "sorted" and not any(keyword.arg == "reverse" for keyword in node.keywords):
                return text[:-1] + ", reverse=True)"
            if node.func.id not in ("range", "list", "sorted"):
                return f"reversed(list({text}))"
        kind = value_kind(
            context.repo, source.path, node, context.repo.index.scopes(source.path).around(node)
        )
        return f"reversed(list({text}))" if kind in ONE_WAY else f"reversed({text})"

    count = 0
    for built in looped(context, change) if anchors(context, "loop:variable") else ():
        count += 1
        yield built
    for built in _sorted_calls(context) if not count else ():
        yield built
    if not count and not anchors(context, "call_of_sort"):
        raise Unresolved("no loop and nothing that is sorted was found")


def _sorted_calls(context: Context) -> Iterator[Built]:
    """`sorted(x)` and `x.sort()` with `reverse=True`, unless they are sorted as is asked for."""
    for anchor in anchors(context, "call_of_sort"):
        sorts = context.source(anchor.path).segment(anchor.node) if anchor.node is not None else ""
        if "reverse=" not in sorts and direction_wished(context.situation.instruction, sorts) == "up":
            raise Unresolved("it is already sorted that way", nothing=True)
        yield build_at(anchor, pass_argument(context, anchor, "reverse", "True"))


@builder("pattern.loop_items")
def loop_items(context: Context) -> Iterator[Built]:
    """`items()`; where a loop counts through an index, the items without it."""
    yield from of_table(context, "pattern.loop_items")
    for area, _, root in context.trees():
        if any(find_range_subject(node) for node in find_nodes(root, ast.For)):
            yield Built((call("loop_directly", place=area.place),), area.weight, area.doubts)
