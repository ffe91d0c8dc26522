"""All definitions of a kind in a file or a class: *all functions*, *every class*, *the overloads*."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from spark_tui.intent.building.building import Built, call
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Function

_DEFINED = ("function", "method", "class")


@lru_cache(maxsize=256)
def kind_said(word: str) -> str:
    """The kind of definition that a word is for, one or many of it; empty for other words."""
    kinds = phrases.table()["symbol_kinds"]
    for kind in _DEFINED:
        rows = "|".join(map(re.escape, kinds[kind]))
        if re.fullmatch(rf"(?:{rows})(?:s|es|n|en)?", word, re.IGNORECASE):
            return kind
    return ""


def is_overloads(text: str) -> bool:
    return phrases.is_said("overloads", text)


def remove_overloads(context: Context) -> Iterator[Built]:
    """The removal of the signatures for type checkers in what is named, or in the open file."""
    for area in context.areas[:1]:
        yield Built((call("remove_overloads", place=area.place),), 0.95)


def remove_kind(context: Context, kind: str) -> Iterator[Built]:
    """The removal of all of a kind but what is left out, from the end of the file: those above may be used
    by those below."""
    for area in context.areas[:1]:
        if area.path not in context.repo.index.paths:
            continue
        source = context.source(area.path)
        known = [one for one in source.definitions if isinstance(one, Function) is (kind != "class")]
        inside = [one for one in known if area.node is None or area.node in source.ancestors(one)]
        owned = [one for one in inside if (source.class_of(one) is not None) is (kind == "method")]
        outer = [one for one in owned if source.function_of(one) is None]
        left = {plain_name(span.text).rpartition(".")[2] for span in context.reading.left_out}
        names = dict.fromkeys(source.qualname(one) for one in reversed(outer) if one.name not in left)
        calls = tuple(call("remove_definition", target=f"{area.path}::{name}") for name in names)
        if calls:
            yield Built(calls, 0.95)
            return
    raise Unresolved(f"there is no {'other ' * bool(context.reading.left_out)}{kind} there", nothing=True)
