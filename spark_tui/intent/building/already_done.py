"""Orders with nothing to do: the new name is there already, the import that is to go is not."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Mapping
from typing import Any

from spark_tui.codemods.slots import CALLABLE
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Function


def refuse_done_rename(context: Context) -> None:
    """Where the old name of a rename is unknown and the open file defines the new one, it was done before."""
    name, path = plain_name(context.text("new")), context.situation.path
    own = context.names.in_file(path) if path in context.repo.index.paths else {}
    span = context.span("new")
    if span is None or span.start < 0:
        return  # it is the new name of an edit that is to be made elsewhere
    if context.reading.intent == "rename" and any(one.name == name for item in own.values() for one in item):
        raise Unresolved(f"{name} is already called that", nothing=True)


def refuse_renamed_there(context: Context) -> None:
    """Where the function that is named has the new name and not the old one: names of other functions are not
    meant."""
    old, new = plain_name(context.text("symbol")), plain_name(context.text("new"))
    for area in context.named if context.has("function") and old and new else ():
        if isinstance(area.node, Function):
            bound = context.repo.index.scopes(area.path).scope_of[area.node].bound
            if new in bound and old not in bound and area.node.name not in (old, new):
                raise Unresolved(f"{area.node.name} has {new}, and no {old}", nothing=True)


def refuse_turned_rename(context: Context) -> None:
    """Where what stands after *to* is the name that is there already, it was done before: the reader turns
    an order around of which it knows the new name only."""
    old, new, text = context.span("symbol"), context.span("new"), context.situation.instruction
    if old is None or new is None or not 0 <= new.start < new.end <= old.start:
        return
    before = text[: new.start]
    becomes = rf"(?i){phrases.form('becomes')}\s*[\"'`“„«]?\Z"
    renames = re.search(rf"(?i)(?<!\w){phrases.form('renames')}(?!\w)", before)
    if renames and re.search(becomes, text[: old.start]) and not re.search(becomes, before):
        raise Unresolved(f"{plain_name(old.text)} is already called that", nothing=True)


def refuse_missing_import(context: Context, wanted: str) -> None:
    """Where no file that is meant imports a name, there is no import to remove. What has the name otherwise
    may be meant, so that is not said to be done."""
    known = [context.source(area.path) for area in context.areas[:2] if area.path in context.repo.index.paths]
    kinds = ast.Import | ast.ImportFrom
    imports = [statement for item in known for statement in item.statements if isinstance(statement, kinds)]
    names = {
        item
        for imported in imports
        for alias in imported.names
        for item in (alias.name, alias.asname)
        if item
    }
    names |= {
        imported.module for imported in imports if isinstance(imported, ast.ImportFrom) and imported.module
    }
    parts = {name.partition(".")[0] for name in names}
    if known and wanted.isidentifier() and wanted not in names | parts:
        one = wanted.removesuffix("s")
        kind = re.search(rf"\b{wanted}\W+imports?\s+(\w+)", context.situation.instruction)
        of_a_kind = kind is not None and kind[1] not in phrases.table()["config_lists"]["prepositions"]
        gone = not (of_a_kind or any(re.search(rf"\b{one}s?\b", item.text) for item in known))
        raise Unresolved(f"{wanted} is not imported there", nothing=gone)


def refuse_missing_call(context: Context) -> None:
    """Where no call was found of a function that there is, all of them are gone."""
    called = plain_name(context.text("call"))
    name = next((item for item in (called, called.removesuffix("s")) if hasattr(builtins, item)), called)
    if hasattr(builtins, name) or context.names.find(name, CALLABLE):
        raise Unresolved(f"there is no call of {name} there", nothing=True)


def is_gone(context: Context, entry: Mapping[str, Any]) -> bool:
    """Whether what an entry of the table is to take away is not where it was said to be, and nothing else is
    called so there."""
    if not entry.get("gone") or not context.named:
        return False
    word = plain_name(context.text(str(entry.get("find", "")).partition(":")[2]))
    named = [context.source(area.path).segment(area.node) for area in context.named if area.node is not None]
    return not word or not any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", code) for code in named)
