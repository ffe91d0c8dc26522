"""Dictionary entries given by key alone: the value follows the form of the other entries."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.anchors import Anchor, anchors, parsed
from spark_tui.intent.building import Built, builder, call, from_entry, place, table
from spark_tui.intent.context import Context
from spark_tui.intent.preparing import entry
from spark_tui.intent.situation import Unresolved
from spark_tui.intent.walking import walk
from spark_tui.pysource.source import Function

_HOLE = "\0"


@builder("set_entry")
def set_entry(context: Context) -> Iterator[Built]:
    """An entry by its key and value, or by its key alone where the other entries tell how values are made."""
    if not context.has("key"):
        raise Unresolved("the key is not said")
    if context.has("value"):
        yield from from_entry(context, table()["set_entry"])
        return
    made = list(_alike(context))
    if not made:
        raise Unresolved("the value is not said")
    yield from made


def entry_of_function(context: Context) -> Iterator[Built]:
    """An item or argument that is added to a function which makes a dictionary: an entry like the others."""
    function = context.reading.slots.get("call") or context.reading.slots.get("function", ())
    slots = {"key": context.reading.slots.get("value", ()), "function": function}
    inside = Context(
        replace(context.reading, intent="set_entry", slots=slots), context.situation, context.names
    )
    try:
        if function and any(isinstance(one.node, Function) for one in inside.named):
            yield from _alike(inside)
    except Unresolved:
        return  # it is no function of the repository


@builder("add_item")
def add_item(context: Context) -> Iterator[Built]:
    """An item of a list, tuple or set; where a function makes a dictionary alone, an entry."""
    listed = [one for one in anchors(context, "display:variable") if not isinstance(one.node, ast.Dict)]
    made = [] if listed else list(entry_of_function(context))
    yield from made or from_entry(context, table()["add_item"])


def _alike(context: Context) -> Iterator[Built]:
    found = [
        each
        for anchor in anchors(context, "display:variable")
        if isinstance(anchor.node, ast.Dict)
        for one in entry(context, anchor)
        for each in _made_alike(context, one, anchor.node)
    ]
    for one, value, weight in found:
        made = call(
            "set_entry",
            place=one.words.get("lines") or place(context, one),
            key=one.words["entry"],
            value=value,
            target=one.words["display"],
        )
        yield Built((made,), weight / len(found), ("several dictionaries fit",) if len(found) > 1 else ())


def _made_alike(context: Context, anchor: Anchor, node: ast.Dict) -> Iterator[tuple[Anchor, str, float]]:
    """The value of the new key in the form that most of the others have: `self.name` for `"name"`."""
    key = parsed(anchor.words["entry"])
    source, name = context.source(anchor.path), key.value if isinstance(key, ast.Constant) else None
    keys = [one.value if isinstance(one, ast.Constant) else None for one in node.keys]
    if not isinstance(name, str) or not name.isidentifier() or name in keys:
        return
    forms = [
        re.sub(rf"(?<!\w){re.escape(one)}(?!\w)", _HOLE, source.segment(value))
        for one, value in zip(keys, node.values, strict=True)
        if isinstance(one, str) and one
    ]
    forms = [one for one in forms if _HOLE in one]
    for form in sorted(dict.fromkeys(forms), key=lambda each: (-forms.count(each), len(each))):
        value = form.replace(_HOLE, name)
        if _is_known(context, anchor, value, name):
            yield anchor, value, 0.9
            return


def _is_known(context: Context, anchor: Anchor, value: str, name: str) -> bool:
    """Whether what is called as the key is there: as a name, a member of the class, or a field."""
    visible = context.visible(anchor.path, anchor.node)
    tree = parsed(value)
    for one in walk(tree):
        if isinstance(one, ast.Name) and one.id == name and not visible.knows(name):
            return False
        if isinstance(one, ast.Attribute) and one.attr == name:
            own = isinstance(one.value, ast.Name) and one.value.id == "self"
            if not (f"self.{name}" in visible.inner.values() if own else context.names.is_symbol(name)):
                return False
    return tree is not None
