"""A loop without its first round, the header of a file or table."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, build_at, call, found, place
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.conditions.condition_words import condition_words, plain_text
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.facts.opened_files import is_file
from spark_tui.intent.words.phrases import stands_in
from spark_tui.pysource.names.type_hints import called_name

_READERS = ("reader", "DictReader")
_LISTS = ("readlines", "splitlines", "split")


def says_first(context: Context) -> bool:
    """Whether the rounds to skip are no more than the first one, or the header."""
    low = plain_text(context.text("condition"))
    words = sorted(condition_words()["rounds"]["first"], key=len, reverse=True)
    first_word = next((word for word in words if stands_in(word, low)), "")
    return bool(first_word) and not any(
        item in low.replace(first_word, "") for item in ("start", "begin", "contain", "#")
    )


def without_first(context: Context) -> Iterator[Built]:
    """`next(rows)` in front of a loop over an iterator; a slice of a list."""
    for anchor in found(context, "loop", "loop"):
        loop = anchor.node
        if not isinstance(loop, ast.For):
            continue
        source = context.source(anchor.path)
        shown, kind = source.segment(loop.iter), called_name(loop.iter)
        if kind in _READERS and isinstance(loop.iter, ast.Call) and loop.iter.args:
            taken = source.segment(loop.iter.args[0])
        elif is_file(source, loop, loop.iter, _READERS):
            taken = shown
        else:
            new = f"{shown}[1:]" if kind in _LISTS or isinstance(loop.iter, ast.Name | ast.Attribute) else ""
            if new:
                yield build_at(anchor, replace_code(context, Anchor(anchor.area, loop.iter), new))
            continue
        made = call("insert_statements", place=place(context, anchor), code=f"next({taken})", side="before")
        yield build_at(anchor, made)
