"""Dictionary entries given by key alone: the value follows the form of the other entries, also where
statements set them one by one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.codemods.families.values.items import SetEntry
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import Expression
from spark_tui.intent.builders.values.replacement import put_value
from spark_tui.intent.building.building import Built, builder, call, of_table, place
from spark_tui.intent.context.anchors import Anchor, anchors, parsed
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.finders.given_arguments import makers
from spark_tui.intent.values.anchor_details import entry
from spark_tui.intent.values.converters.of_slots import literal, read_typed
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import walk

_HOLE = "\0"
_NAMED, _UNNAMED = 0.8, 0.1
"""How likely statements are meant that set entries of what is named, or in a function that is; and others."""


@builder("set_entry")
def set_entry(context: Context) -> Iterator[Built]:
    """An entry by its key and value, or by its key alone where the other entries tell how values are made.
    Several keys are put in together."""
    keys, values = context.reading.slots.get("key", ()), context.reading.slots.get("value", ())
    if len({key.text for key in keys}) > 1 and len(values) in (0, 1, len(keys)):
        yield from _several(context, keys, values)
        return
    if not keys:
        raise Unresolved("the instruction names no key")
    told = [value for value in values if not phrases.is_said("pronouns", value.text)]
    if told and (made := list(_argument_of_maker(context))):
        yield from made
        return
    if told:
        found = list(set_by_statement(context))
        yield from found
        try:
            yield from of_table(context, "set_entry")
        except Unresolved:
            if not found:
                raise
        return
    made = list(_alike(context))
    if not made:
        if _has_key(context, keys[0].text):
            raise Unresolved(f"it has the key {keys[0].text} already", nothing=True)
        raise Unresolved("the instruction gives no value")
    yield from made


def _argument_of_maker(context: Context) -> Iterator[Built]:
    """A keyword of the call that makes what is named: `q` of `q: str = Query(...)` is no dictionary."""
    named, name = context.text("variable"), plain_name(context.text("key"))
    calls = [one for _, _, root in context.trees() for one in makers(root, named)] if named else []
    if not calls or not name.isidentifier() or any(called_name(one) == "dict" for one in calls):
        return
    own = context.reading.slots
    slots = {"argument": own["key"], "value": own["value"], "call": own["variable"]}
    order = replace(context.reading, intent="set_argument", slots=slots)
    yield from of_table(Context(order, context.situation, context.names), "set_argument")


def _several(context: Context, keys: Sequence[Span], values: Sequence[Span]) -> Iterator[Built]:
    """The entries of several keys: with a value each, the one value, or the form of the others."""
    made: list[Built] = []
    done: list[str] = []
    for at, name in enumerate(keys):
        given = values[at : at + 1] if len(values) == len(keys) else values[:1]
        slots = {**context.reading.slots, "key": (name,), "value": tuple(given)}
        if not given:
            slots.pop("value")
        own = Context(replace(context.reading, slots=slots), context.situation, context.names)
        try:
            found = [built for built in set_entry(own) if isinstance(built.calls[0], SetEntry)]
        except Unresolved as why:
            if not why.nothing:
                raise
            done.append(str(why))
            continue
        if not found:
            raise Unresolved(f"no dictionary for {name.text} was found")
        made.append(max(found, key=lambda item: item.weight))
    if not made:
        raise Unresolved("; ".join(done), nothing=True)
    calls: list[Operation] = []
    for at, one in enumerate(made):
        first, entry = made[0].calls[0], one.calls[0]
        assert isinstance(first, SetEntry) and isinstance(entry, SetEntry)
        if entry.target != first.target:
            raise Unresolved("the entries belong into several dictionaries")
        where = first.place
        if where.last > where.first:
            where = replace(where, last=where.last + at)  # each entry has a line
        calls.append(replace(entry, target=Expression(_with(calls[-1])), place=where) if calls else entry)
    doubts = dict.fromkeys([*(doubt for built in made for doubt in built.doubts), *done])
    yield Built(tuple(calls), min(built.weight for built in made), tuple(doubts))


def _with(entry: Operation) -> str:
    """What tells a dictionary from others when an entry is in it: its name, or its code with the entry."""
    assert isinstance(entry, SetEntry)
    shown = str(entry.target)
    return f"{shown[:-1]}, {entry.key}: {entry.value}}}" if shown.endswith("}") else shown


def entry_of_function(context: Context) -> Iterator[Built]:
    """An item or argument that is added to a function which makes a dictionary: an entry like the others."""
    function = context.reading.slots.get("call") or context.reading.slots.get("function", ())
    slots = {"key": context.reading.slots.get("value", ()), "function": function}
    inside = Context(
        replace(context.reading, intent="set_entry", slots=slots), context.situation, context.names
    )
    try:
        if function and any(isinstance(item.node, Function) for item in inside.named):
            yield from _alike(inside)
    except Unresolved:
        return  # it is no function of the repository


def _alike(context: Context) -> Iterator[Built]:
    found = [
        each
        for anchor in anchors(context, "display:variable")
        if isinstance(anchor.node, ast.Dict)
        for item in entry(context, anchor)
        for each in _made_alike(context, item, anchor.node)
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


def _has_key(context: Context, name: str) -> bool:
    """Whether each dictionary that may be meant has a key."""
    shown = [anchor.node for anchor in anchors(context, "display:variable")]
    if not context.has("variable"):  # the likeliest is one with the key
        inside = context.find(ast.Dict)
        shown = [node for _, source, node in inside if not isinstance(source.parents.get(node), ast.Dict)]
    wanted = plain_name(name).strip("`'\"")
    tables = [node for node in shown if isinstance(node, ast.Dict)]
    keys = [{one.value for one in node.keys if isinstance(one, ast.Constant)} for node in tables]
    return bool(keys) and all(wanted in own for own in keys)


def _made_alike(context: Context, anchor: Anchor, node: ast.Dict) -> Iterator[tuple[Anchor, str, float]]:
    """The value of the new key in the form that most of the others have: `self.name` for `"name"`."""
    key = parsed(anchor.words["entry"])
    source, name = context.source(anchor.path), key.value if isinstance(key, ast.Constant) else None
    keys = [item.value if isinstance(item, ast.Constant) else None for item in node.keys]
    if not isinstance(name, str) or not name.isidentifier() or name in keys:
        return
    forms = [
        re.sub(rf"(?<!\w){re.escape(one)}(?!\w)", _HOLE, source.segment(value))
        for one, value in zip(keys, node.values, strict=True)
        if isinstance(one, str) and one
    ]
    forms = [item for item in forms if _HOLE in item]
    for form in sorted(dict.fromkeys(forms), key=lambda item: (-forms.count(item), len(item))):
        value = form.replace(_HOLE, name)
        if _is_known(context, anchor, value, name):
            yield anchor, value, 0.9
            return


def _is_known(context: Context, anchor: Anchor, value: str, name: str) -> bool:
    """Whether what is called as the key is there: as a name, a member of the class, or a field."""
    visible = context.visible(anchor.path, anchor.node)
    tree = parsed(value)
    for node in walk(tree):
        if isinstance(node, ast.Name) and node.id == name and not visible.knows(name):
            return False
        if isinstance(node, ast.Attribute) and node.attr == name:
            own = isinstance(node.value, ast.Name) and node.value.id == "self"
            if not (f"self.{name}" in visible.inner.values() if own else context.names.is_symbol(name)):
                return False
    return tree is not None


def set_by_statement(context: Context) -> Iterator[Built]:
    """The statement for one more key after those of the others, or another value in the one that has it."""
    span, key_text = context.span("value"), context.text("key").strip("`'\"")
    rows = [(area, source, item) for area, source, root in context.trees() for item in _rows(source, root)]
    wanted = key(plain_name(context.text("variable")))
    named = [item for item in rows if wanted and wanted in map(key, _names(item[1], item[2][0]))]
    for area, source, row in (named or rows) if span is not None and key_text else ():
        known = next((item for item in row if _key(item).lower() == key_text.lower()), None)
        last = known or row[-1]
        sure = bool(named) or (area.node is not None and not wanted)
        anchor = Anchor(area, last, (_NAMED if sure else _UNNAMED) / len(named or rows))
        for option in read_typed(context, span, anchor, last.value, "", key_text) if span is not None else ():
            if known is not None:
                yield put_value(context, anchor, known.value, option.text, option.weight, option.doubts)
                continue
            code = f"{source.segment(_owner(last))}[{literal(key_text, source)}] = {option.text}"
            made = call("insert_statements", place=place(context, anchor), code=code, side="after")
            yield Built((made,), anchor.weight * option.weight, (*area.doubts, *option.doubts))


def _rows(source: Source, root: ast.AST) -> Iterator[list[ast.Assign]]:
    """The statements of one body that set entries of one thing by texts, where there are several."""
    found: dict[tuple[int, str], list[ast.Assign]] = {}
    for node in walk(root):
        goal = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        if isinstance(node, ast.Assign) and isinstance(goal, ast.Subscript) and _key(node):
            found.setdefault((id(source.parents.get(node)), ast.unparse(_owner(node))), []).append(node)
    yield from (row for row in found.values() if len(row) > 1)


def _names(source: Source, node: ast.Assign) -> tuple[str, ...]:
    """What is set is called, and the function that makes it."""
    inside = source.function_of(node)
    return ast.unparse(_owner(node)), inside.name if inside is not None else ""


def _owner(node: ast.Assign) -> ast.expr:
    goal = node.targets[0]
    assert isinstance(goal, ast.Subscript)
    return goal.value


def _key(node: ast.Assign) -> str:
    goal = node.targets[0]
    index = goal.slice if isinstance(goal, ast.Subscript) else None
    return index.value if isinstance(index, ast.Constant) and isinstance(index.value, str) else ""
