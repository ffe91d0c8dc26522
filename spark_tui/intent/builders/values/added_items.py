"""Items that are added to lists, tuples and sets: one, several, names of `__all__`, or one more value that is
compared."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.codemods.families.values.items import AddItem
from spark_tui.codemods.slots import Expression
from spark_tui.intent.builders.values.entries import entry_of_function
from spark_tui.intent.building.building import Built, builder, of_table
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, anchors, parsed, weighted
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.values.literals.numbers import is_number
from spark_tui.intent.words import phrases
from spark_tui.pysource.names.type_hints import last_name

_LISTS = (ast.List, ast.Set, ast.Tuple)


@builder("add_item")
def add_item(context: Context) -> Iterator[Built]:
    """An item of a list, tuple or set; where a function makes a dictionary alone, an entry."""
    listed = [
        anchor for anchor in anchors(context, "display:variable") if not isinstance(anchor.node, ast.Dict)
    ]
    span = context.span("variable")
    tested = list(_of_test(context)) if not listed or (span is not None and span.quoted) else []
    made = tested if listed else [*tested, *entry_of_function(context)]
    for built in made or of_table(context, "add_item"):
        quoted = any(one.quoted for one in context.reading.slots.get("value", ()))
        if not quoted and (there := _is_in(built)):
            raise Unresolved(f"{there} is in it already", nothing=True)
        built = _one_by_one(built, listed, "+=" in context.beside_slots())
        built = _exported(context, _as_quoted(context, built, listed), listed)
        yield replace(built, doubts=(*built.doubts, *_misplaced(context, built, listed)))


def _one_by_one(built: Built, listed: Sequence[Anchor], joined: bool) -> Built:
    """An item for each that is shown in a list: it is a list itself only among lists."""
    first, text = built.calls[0], str(getattr(built.calls[0], "value", ""))
    shown = getattr(parsed(text), "elts", []) if isinstance(parsed(text), _LISTS) else []
    items = _items(listed)
    if not isinstance(first, AddItem) or any(isinstance(item, _LISTS) for item in items):
        return built
    texts = [ast.get_source_segment(text, item) or "" for item in shown if items or joined]
    return replace(built, calls=tuple(replace(first, value=Expression(one)) for one in texts) or built.calls)


def _is_in(built: Built) -> str:
    """The item that is called as a new one: `self.unit` for *unit*. It is no text then."""
    first = built.calls[0]
    if not isinstance(first, AddItem):
        return ""
    new, target = parsed(first.value), parsed(first.target)
    name = new.value if isinstance(new, ast.Constant) else None
    items = [one for one in getattr(target, "elts", ()) if not isinstance(one, ast.Constant)]
    return next((ast.unparse(one) for one in items if last_name(one) == name), "")


def _items(listed: Sequence[Anchor]) -> list[ast.expr]:
    return [element for anchor in listed for element in getattr(anchor.node, "elts", ())]


def _as_quoted(context: Context, built: Built, listed: Sequence[Anchor]) -> Built:
    """Numbers in quotes as texts where they go among texts."""
    items = _items(listed)
    said = {span.text for span in context.reading.slots.get("value", ()) if span.quoted}
    if any(map(is_number, items)) or not any(map(is_text, items)):
        return built
    calls = (
        replace(one, value=Expression(f'"{one.value}"'))
        if isinstance(one, AddItem) and one.value in said and is_number(parsed(one.value))
        else one
        for one in built.calls
    )
    return replace(built, calls=tuple(calls))


def _exported(context: Context, built: Built, listed: Sequence[Anchor]) -> Built:
    """Names in quotes where they go to `__all__`, which has nothing else."""
    anchor = next(iter(listed), None)
    first = next(iter(getattr(anchor.node, "elts", ())), None) if anchor is not None else None
    mark = (
        context.source(anchor.path).segment(first)[:1]
        if anchor is not None and first is not None and is_text(first)
        else '"'
    )
    calls = tuple(
        replace(one, value=Expression(f"{mark}{one.value}{mark}"))
        if isinstance(one, AddItem) and one.target == "__all__" and one.value.isidentifier()
        else one
        for one in built.calls
    )
    return replace(built, calls=calls)


def _of_test(context: Context) -> Iterator[Built]:
    """One more value beside the one that a name is compared with: `verb == "go"`, and 'walk' for go."""
    old = context.text("variable").strip("`'\"")
    values = [item.text.strip("`'\"") for item in context.reading.slots.get("value", ())]
    tests = [
        Anchor(area, node, area.weight, area.doubts)
        for area, _, node in context.find(ast.Compare)
        if isinstance(node.ops[0], ast.Eq)
        and isinstance(right := node.comparators[0], ast.Constant)
        and right.value == old
        and values
        and old not in values
    ]
    for anchor in weighted(context, tests):
        source, node = context.source(anchor.path), anchor.node
        assert isinstance(node, ast.Compare)
        held = ", ".join((source.segment(node.comparators[0]), *(literal(one, source) for one in values)))
        test = f"{source.segment(node.left)} in ({held})"
        yield Built((replace_code(context, anchor, test),), anchor.weight)


def _misplaced(context: Context, made: Built, listed: Sequence[Anchor]) -> Iterator[str]:
    """What is doubtful about an item: a number among texts, and another place than the one that is said."""
    value = parsed(str(getattr(made.calls[0], "value", "")))
    texts = all(map(is_text, _items(listed)))
    if listed and texts and is_number(value):
        yield f"{ast.unparse(value or ast.Pass())} is not text like the others"
    named = plain_name(context.text("variable"))
    if any(ast.unparse(element) == named for element in _items(listed)):
        yield f"{named} is one of the items there"
    first = (*phrases.words("leading"), *phrases.words("begin"), "front")
    if listed and phrases.any_stands_in(first, context.beside_slots().lower()):
        yield "it was put after the others"
