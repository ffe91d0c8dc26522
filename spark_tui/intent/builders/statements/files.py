"""Calls that change keys of configuration files and lines of other files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.imports.lines import is_grouped
from spark_tui.intent.builders.statements.key_tables import (
    CONFIGURATION,
    as_switch,
    in_said_table,
    is_configuration,
    is_text_now,
    keys_of,
    last_key,
    stands_in_row,
    value_now,
)
from spark_tui.intent.building.building import Built, build_at, builder, call, calls_table, from_entry
from spark_tui.intent.building.named_symbols import symbols
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.areas import explain_missing_file, is_file_named, paths_named
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Option, Unresolved
from spark_tui.intent.values.converters.of_slots import CONVERTERS, SlotWords, quote_of
from spark_tui.intent.values.converters.texts import beside_path
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.phrases import is_said, mentions
from spark_tui.intent.words.phrases import value as value_said


def _places(context: Context) -> Iterator[tuple[str, str, float]]:
    """The files that are named with the key as it is called in each."""
    wanted = context.text("key").strip("`'\"")
    phrase = "." not in wanted and len(wanted.split()) > 2
    if not wanted or (phrase and not any(_homes(context, wanted))):
        raise Unresolved("the instruction names no key")
    found = paths_named(context.repo, context.text("file"))
    in_view = context.situation.path
    if not found and not context.text("file") and in_view and not in_view.endswith((".py", ".pyi")):
        found = [(in_view, 0.8)]
    elif not found and not context.text("file"):
        homes = list(_homes(context, wanted))
        found = [(homes[0][0], 0.7)] if len(homes) == 1 else []
    if not found:
        raise Unresolved(explain_missing_file(context.repo, context.text("file")))
    for path, weight in found[:3]:
        known = keys_of(path, context.repo.index.text(path) or "")
        exact = [item for item in known if item == wanted]
        same = [item for item in known if key(item) == key(wanted)]
        ends = [text for text in known if last_key(text) == key(wanted.rpartition(".")[2])]
        names = list(dict.fromkeys(exact or same or ends)) or [wanted]
        if not exact and not same:
            names = in_said_table(context, path, wanted, ends)
        if (
            not (exact or same or ends)
            and " " in wanted
            and not all(span.quoted for span in context.reading.slots["key"])
        ):
            raise Unresolved(f"{path} has no key {wanted}")
        for name in names[:3]:
            yield path, name, weight / len(names)


@builder("set_key")
def set_key(context: Context) -> Iterator[Built]:
    span = context.span("value")
    if span is None:
        raise Unresolved("the instruction gives no new value")
    plain = span.text.strip().strip("`")
    named = plain_name(context.text("key"))
    if not context.has("file") and named and _stands_unread(context, named):
        raise Unresolved(f"nothing is read in {context.situation.path}, where {named} stands")
    for path, name, weight in _places(context):
        now = value_now(context, path, name)
        more = phrases.any_stands_in(phrases.words("also"), context.beside_slots().lower())
        row = isinstance(now, list) or stands_in_row(context, path, name, commas=more)
        if row and not plain.startswith("["):
            raise Unresolved(f"{name} is a list: say what to add or to take out")
        state = value_said(plain)
        if isinstance(now, bool) and state in ("True", "False"):
            yield Built((call("set_key", path=path, key=name, value=state.lower()),), weight)
            continue
        plain = as_switch(context, path, name, state or "") or plain
        quoted = context.quote(span) in ("'", '"') and path.endswith((".toml", ".json"))
        quoted = quoted or (plain[:1] not in ("'", '"') and is_text_now(context, path, name))
        value = f"{quote_of(None)}{plain}{quote_of(None)}" if quoted else plain
        yield Built((call("set_key", path=path, key=name, value=value),), weight)
        bare = re.fullmatch(r"[\w./-]+", plain) and not re.fullmatch(r"[\d.]+|true|false", plain)
        if bare and not quoted and path.endswith((".toml", ".json")):
            yield Built((call("set_key", path=path, key=name, value=f'"{plain}"'),), weight * 0.9)


def _homes(context: Context, name: str) -> Iterator[tuple[str, str]]:
    """The configuration files of the top folder that have a key, with the key in full."""
    for path in context.repo.index.all_paths:
        if "/" not in path and path.endswith(CONFIGURATION):
            for item in keys_of(path, context.repo.index.text(path) or ""):
                if last_key(item) == key(name.rpartition(".")[2]):
                    yield path, item


def _stands_unread(context: Context, name: str) -> bool:
    """Whether a name stands in the open file, which does not parse."""
    path = context.situation.path
    source = context.source(path) if path in context.repo.index.modules.paths else None
    unread = source is not None and source.tree is None
    return unread and source is not None and re.search(rf"\b{re.escape(name)}\b", source.text) is not None


def key_of_project(context: Context) -> list[Built]:
    """The calls that set what is named, and is nothing in the code, in the one configuration file of the top
    folder that has such a key. Of a file in view that does not parse, what stands in it may be named."""
    wanted = plain_name(context.text("variable"))
    every, slots = list(_homes(context, wanted)), context.reading.slots
    homes = [home for home in every if home[0] == "pyproject.toml"] or every
    unread = _stands_unread(context, wanted)
    if unread or len(homes) != 1 or any(slots.get(slot) for slot in ("file", "function", "class")):
        return []
    path, name = homes[0]
    inside = replace(context.situation, path=path, selection=None, cursor=None)
    made = key_in_view(Context(context.reading, inside, context.names))
    return [
        replace(one, doubts=(*one.doubts, assumed(f"{name} in {path} was assumed to be meant")))
        for one in made
    ]


def key_in_view(context: Context, value: str = "") -> list[Built]:
    """The calls that set what is named where it is a key of the configuration file in view; `value` is what
    it is to be, if the words do not say that."""
    path, slots = context.situation.path, context.reading.slots
    name = plain_name(context.text("variable")).rpartition(".")[2]
    placed = any(slots.get(slot) for slot in ("file", "function", "class"))
    if placed or not name or not is_configuration(path):
        return []
    known = keys_of(path, context.repo.index.text(path) or "")
    names = [item for item in known if last_key(item) == key(name)]
    if value:
        state = (value_said(value) or value).title()
        calls = [
            call("set_key", path=path, key=item, value=as_switch(context, path, item, state) or value)
            for item in names
        ]
        return [Built((made,), 0.95 / len(calls)) for made in calls]
    variable_texts = {
        **{slot: spans for slot, spans in slots.items() if slot != "variable"},
        "key": slots["variable"],
    }
    asked = Context(
        replace(context.reading, intent="set_key", slots=variable_texts), context.situation, context.names
    )
    return list(set_key(asked)) if names else []


@builder("remove_key")
def remove_key(context: Context) -> Iterator[Built]:
    for path, name, weight in _places(context):
        yield Built((call("remove_key", path=path, key=name),), weight)


@builder("sort_imports")
def sort_imports(context: Context) -> Iterator[Built]:
    """In groups where the file has groups or they are asked for, else the lines as they stand together."""
    is_named = any(is_said("groups", item) for item in re.findall(r"[\w-]+", context.situation.instruction))
    for area in context.areas[:3] or [Area("")]:
        apart = area.path in context.repo.index.paths and not is_grouped(context.source(area.path))
        yield Built((call("sort_imports", path=area.path, groups="no" if apart and not is_named else "yes"),))


@builder("rename_file")
def rename_file(context: Context) -> Iterator[Built]:
    """The file that is named, or else the open one."""
    entry = calls_table()["rename_file"]
    yield from from_entry(context, entry if context.has("file") else {**entry, "path": "{path}"})


@builder("move_definition")
def move_definition(context: Context) -> Iterator[Built]:
    """To the file that is named, of two the one that it does not stand in; else to a new one of its name."""
    for anchor in symbols(context, "symbol", ("function", "class", "variable")):
        for option in _destinations(context, anchor):
            made = call("move_definition", target=anchor.words["symbol"], path=option.text)
            yield build_at(anchor, made, option=option)


def _destinations(context: Context, anchor: Anchor) -> list[Option]:
    spans = context.reading.slots.get("file", ())
    for span in spans:
        found = CONVERTERS["file"](SlotWords(context, span, anchor))
        if [item.text for item in found] == [anchor.path] and not is_file_named(context.repo, span.text):
            found = [
                Option(beside_path(span.text.strip("`'\""), anchor.path), 0.9)
            ]  # new, and nearly its own
        if found and (len(spans) == 1 or anchor.path not in [item.text for item in found]):
            return found
    if spans or not mentions("own_file", context.situation.instruction):
        unknown = explain_missing_file(context.repo, context.text("file"))
        raise Unresolved(unknown if spans else "the instruction names no file")
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", plain_name(anchor.words["like"])).lower().strip("_")
    path = beside_path(f"{name}.py", anchor.path)
    return [Option(path, 0.9, (assumed(f"the name {path} was made from {anchor.words['like']}"),))]
