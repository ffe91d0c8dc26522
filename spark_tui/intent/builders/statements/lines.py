"""Calls that change lines by their numbers, and lines of files that are no Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.families.files import Substitute
from spark_tui.codemods.families.names.words import language_of
from spark_tui.intent.building.building import Built, builder, call, calls_table, from_entry, of_table
from spark_tui.intent.context.areas import explain_missing_file, paths_named
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.values.likely.incomplete_readings import line_is_place
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed, places_fit
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.intent.words.readings import Span
from spark_tui.intent.words.tokens import tokenize
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import parse


@builder("insert_line")
def insert_line(context: Context) -> Iterator[Built]:
    for path, weight in _text_files(context):
        lines = Source(context.repo.index.text(path) or "", path).lines
        shown = context.text("text").strip("`")
        wanted = context.text("anchor").strip("`'\"").lower() if context.has("anchor") else ""
        at = next((n for n, line in enumerate(lines, 1) if wanted and wanted in line.lower()), 0)
        heads = [n for n, line in enumerate(lines, 1) if line.startswith("#") and path.endswith(".md")]
        at = at or (heads[0] if heads and says("lines", "title", wanted) else 0)
        doubts = (assumed(f"no line has {context.text('anchor')}"),) if wanted and not at else ()
        first = not wanted and says("lines", "first", context.beside_slots()) and lines
        spot = f"{path}:{1 if first else max(at or len(lines), 1)}"
        made = call("insert_lines", place=spot, text=shown, side="before" if first else "after")
        yield Built((made,), weight, doubts)


@builder("substitute")
def substitute(context: Context) -> Iterator[Built]:
    """In the file that is named, else in the one in view, if it is not Python: whole words, unless a part of
    words is quoted or stands only in longer ones."""
    entry = calls_table()["substitute"]
    span = context.span("old")
    quoted = span is not None and span.quoted
    for one in from_entry(
        context, entry if context.has("file") else {**entry, "path": _text_in_view(context)}
    ):
        [made] = one.calls
        if not isinstance(made, Substitute):
            yield one
            continue
        text = context.repo.index.text(made.path) or ""
        whole, letters = replace(made, words=True).places(text), made.places(text)
        if whole and len(whole) < len(letters) and not quoted:
            one = replace(one, calls=(replace(made, words=True),))
            letters = whole
        code = language_of(made.path) is not None or made.old.isdigit()
        unclear = code and len(letters) > 1 and not context.everywhere
        yield replace(one, doubts=(*one.doubts, places_fit(len(letters)))) if unclear else one


def _text_in_view(context: Context) -> str:
    path = context.situation.path
    if path.endswith((".py", ".pyi")) or path not in context.repo.index.all_paths:
        raise Unresolved(explain_missing_file(context.repo, ""))
    return path


def _text_files(context: Context) -> list[tuple[str, float]]:
    if not context.has("file"):
        return [(_text_in_view(context), 1.0)]
    out = paths_named(context.repo, context.text("file"))
    if not out:
        raise Unresolved(explain_missing_file(context.repo, context.text("file")))
    return out


_OTHERWISE = re.compile(r"->|=>|→|\bshould (?:be \W?\d|come\b)")
"""Signs and words of a change of what stands in a line."""


@builder("delete_lines")
def delete_lines(context: Context) -> Iterator[Built]:
    found_files = _text_files(context) if context.has("file") else [(context.situation.path, 1.0)]
    numbers = re.findall(r"\d+", f"{context.text('line')} {context.text('last')}")
    if not numbers:
        raise Unresolved("the instruction does not say which line")
    low, high = int(numbers[0]), int(numbers[-1])
    if high < low or _OTHERWISE.search(context.situation.instruction):
        raise Unresolved(f"the instruction asks for something other than deleting line {low}")
    for path, weight in found_files:
        spot = f"{path}:{low}" + (f"-{high}" if high > low else "")
        shown = Source(context.repo.index.text(path) or "", path).lines[low - 1 : high]
        if len(shown) == 1 and (piece := _piece_of(context, shown[0].strip())):
            yield from _without_argument(context, piece, low)
            return
        alone = all(line.lstrip().startswith("#") for line in shown)
        op = "delete_statements" if path.endswith(".py") else "delete_lines"
        op = "comment_out" if op == "delete_statements" and _is_to_be_commented(context) else op
        op = "remove_comments" if op == "delete_statements" and shown and alone else op
        yield Built((call(op, place=spot),), weight)


_ADDS = re.compile(r"\W*(?:please\s+)?(?:add|append|include|show|print)\s", re.IGNORECASE)


@builder("comment_out")
def comment_out(context: Context) -> Iterator[Built]:
    if _ADDS.match(context.situation.instruction):
        raise Unresolved("what is to be added was not understood")
    yield from of_table(context, "comment_out")


def _is_to_be_commented(context: Context) -> bool:
    """Whether words ask to comment lines out, and none to delete them."""
    words = context.beside_slots().lower()
    table = phrases.table()
    removing = [
        verb for verb in table["config_lists"]["removing"] if verb not in table["commenting"]["behind"]
    ]
    return says("commenting", "out", words) and not phrases.any_stands_in(removing, words)


def _piece_of(context: Context, code: str) -> str:
    """The name beside the number of a line that is only an argument in it: *in line 3 drop vars*."""
    text = context.situation.instruction
    tree = parse(code)
    if tree is None or not line_is_place(text):
        return ""
    inside = {node.id for call in ast.walk(tree) if isinstance(call, ast.Call) for node in _arguments(call)}
    inside |= {one.arg for one in ast.walk(tree) if isinstance(one, ast.keyword) and one.arg}
    said = [token.text for token in tokenize(text).items if token.kind == "name"]
    heads = set(re.findall(r"\w+", code.partition("(")[0]))
    return next((name for name in said if name in inside and name not in heads), "")


def _without_argument(context: Context, name: str, line: int) -> Iterator[Built]:
    """The calls of a line without an argument that is all that the message names of it."""
    reading = replace(context.reading, intent="remove_argument", slots={"argument": (Span(-1, -1, name),)})
    there = Context(reading, replace(context.situation, selection=(line, line)), context.names)
    try:
        yield from of_table(there, "remove_argument")
    except Unresolved:
        raise Unresolved(f"{name} is only a piece of line {line}") from None


def _arguments(call: ast.Call) -> Iterator[ast.Name]:
    values = (*call.args, *(keyword.value for keyword in call.keywords))
    return (node for value in values for node in ast.walk(value) if isinstance(node, ast.Name))
