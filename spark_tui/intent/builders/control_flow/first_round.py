"""A loop without its first round, the header of a file or table."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.building.building import Built, build_at, call, found, place
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.conditions.condition_words import condition_words, plain_text
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.facts.held_resources import is_file
from spark_tui.intent.words.doubts import DoubtKind, without
from spark_tui.intent.words.phrases import stands_in
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.syntax.walking import names_in

_BY_NAMES = "DictReader"
_READERS = ("reader", _BY_NAMES)
_NAMES = ("rows", "lines", "reader", "read_rows", "read_lines", "all_rows", "all_lines")
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
    """`next(rows, None)` in front of a loop over an iterator (it may be empty); a slice of a list. Of
    several loops the one over a file is meant, where a header is spoken of."""
    made = [item for anchor in found(context, "loop", "loop") for item in _of_loop(context, anchor)]
    of_file = [one for is_of_file, one in made if is_of_file]
    if _says_header(context) and len(of_file) == 1 < len(made):
        yield replace(of_file[0], weight=0.9, doubts=without(of_file[0].doubts, DoubtKind.PLACES))
        return
    yield from (one for _, one in made)


def _says_header(context: Context) -> bool:
    return "head" in context.text("condition").lower()


def _of_loop(context: Context, anchor: Anchor) -> Iterator[tuple[bool, Built]]:
    """The way to skip the first round of a loop, and whether it goes over a file."""
    loop = anchor.node
    if not isinstance(loop, ast.For):
        return
    source = context.source(anchor.path)
    shown, kind = source.segment(loop.iter), called_name(loop.iter)
    if kind == _BY_NAMES and _says_header(context):
        raise Unresolved(f"{_BY_NAMES} takes the header for the names of its rows", nothing=True)
    if kind in _READERS and isinstance(loop.iter, ast.Call) and loop.iter.args:
        # The first line of the file itself holds the names of the rows.
        taken = source.segment(loop.iter.args[0]) if kind != _BY_NAMES else shown
    elif is_file(source, loop, loop.iter, _READERS):
        taken = shown
    else:
        if kind in _LISTS or isinstance(loop.iter, ast.Name | ast.Attribute):
            new = replace_code(context, Anchor(anchor.area, loop.iter), f"{shown}[1:]")
            yield False, build_at(anchor, new)
        return
    before = place(context, anchor)
    if taken.isidentifier():
        code = f"next({taken}, None)"
        yield True, build_at(anchor, call("insert_statements", place=before, code=code, side="before"))
        return
    # What is opened in the head of the loop has to have a name.
    there = names_in(source.function_of(loop) or source.tree or loop)
    name = next(one for one in _NAMES if one not in there)
    named = replace_code(context, Anchor(anchor.area, loop.iter), name)
    code = f"{name} = {shown}\nnext({name}, None)"
    set_first = call("insert_statements", place=before, code=code, side="before")
    yield True, build_at(anchor, named, set_first)
