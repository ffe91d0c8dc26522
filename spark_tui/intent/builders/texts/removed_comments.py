"""Comments that go: those that hold a text, or the one that is described."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, build_at, builder, call
from spark_tui.intent.context.described_names import content_words, is_form_of
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Source
from spark_tui.pysource.tree_comparison import parse

_COMMENTED = ("commented", "out", "code", "loop", "block", "call", "line", "lines")
"""Words for code that is a comment."""


@builder("remove_comments")
def remove_comments(context: Context) -> Iterator[Built]:
    text = context.text("text").strip("`'\"# ")
    text = text if re.search(r"\w", text) else ""
    line = context.situation.line
    lines = context.situation.selection or ((line, line) if line else None)
    for area in context.areas[:3]:
        where = area.place
        if phrases.is_said("shebangs", text) and context.source(area.path).text.startswith("#!"):
            yield build_at(area, call("delete_lines", place=f"{area.path}:1"))
            continue
        if (line or not context.named) and lines and context.situation.path == area.path:
            where = f"{area.path}:{lines[0]}-{lines[1]}"
        elif rows := _described(context, area, text):
            where = f"{area.path}:{rows[0]}" + (f"-{rows[-1]}" if len(rows) > 1 else "")
            # A comment for a tool goes only if its text is given.
            shown = context.source(area.path).lines[rows[0] - 1].partition("#")[2].strip()
            one = {"text": shown} if len(rows) == 1 else {}
            yield build_at(area, call("remove_comments", place=where, **one), weight=0.9)
            continue
        elif (row := _beside(context, area, text)) is not None:
            yield build_at(area, call("remove_comments", place=f"{area.path}:{row}"), weight=0.7)
            continue
        doubts = area.doubts if text else (*area.doubts, *_named_comment(context, area))
        yield Built((call("remove_comments", place=where, text=text),), area.weight, doubts)


def _described(context: Context, area: Area, text: str) -> list[int]:
    """The lines of the one comment all of whose words are said, where none holds the text as it is; of code
    that is commented out all lines below each other."""
    source = context.source(area.path) if area.path in context.repo.index.paths else None
    words = [word.lower() for word in content_words(text) or (text.split()[1:] and text.split())]
    if source is None or not words or any(text in comment.text for comment in source.comments):
        return []
    low, high = _extent(source, area)
    rows = {
        source.position(comment.span[0])[0] + 1: comment.text
        for comment in source.comments
        if low < source.position(comment.span[0])[0] + 1 <= high
    }
    left = [item for item in words if item not in _COMMENTED] or words
    fits = [row for row, shown in rows.items() if _says(shown, left)]
    run = _run(source, rows, fits[0]) if fits and _is_code(rows[fits[0]]) else fits[:1]
    return run if set(fits) <= set(run) else []


def _beside(context: Context, area: Area, text: str) -> int | None:
    """The line of the one comment with a text at a statement that names a definition, where none is in it."""
    name = getattr(area.node, "name", "")
    if not text or not name:
        return None
    source = context.source(area.path)
    low, high = _extent(source, area)
    rows = [source.position(one.span[0])[0] + 1 for one in source.comments if text in one.text]
    if any(low < row <= high for row in rows):
        return None
    own = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    codes = {row: (line.split("#")[0] for line in source.lines[row - 1 :]) for row in rows}
    found = [row for row, lines in codes.items() if own.search(next(filter(str.strip, lines), ""))]
    return found[0] if len(found) == 1 else None


def _extent(source: Source, area: Area) -> tuple[int, int]:
    """The lines of an area, with the comments at its end."""
    if not isinstance(area.node, ast.stmt):
        return 0, len(source.lines)
    low, high = source.first_line(area.node), source.last_line(area.node)
    indent = area.node.col_offset
    while high < len(source.lines) and source.lines[high][: indent + 1].isspace():
        if not source.lines[high].lstrip().startswith("#"):
            break
        high += 1
    return low, high


def _says(comment: str, words: list[str]) -> bool:
    own = [text.lower() for text in re.findall(r"[^\W\d_]+", comment)]
    return all(any(is_form_of(item, each) for each in own) for item in words)


def _is_code(comment: str) -> bool:
    shown = comment.lstrip("# ").rstrip()
    whole = f"{shown} pass" if shown.endswith(":") else shown
    return re.search(r"[=(]|:\Z", shown) is not None and parse(whole) is not None


def _run(source: Source, rows: dict[int, str], at: int) -> list[int]:
    """The lines of comments around one, with nothing else between them."""

    def alone(row: int) -> bool:
        return row in rows and source.lines[row - 1].lstrip().startswith("#")

    low = high = at
    while alone(low - 1):
        low -= 1
    while alone(high + 1):
        high += 1
    return list(range(low, high + 1))


def _named_comment(context: Context, area: Area) -> Iterator[str]:
    """A doubt where a word of the instruction stands in one of several comments: only that may be meant."""
    texts = [comment.text.lower() for comment in context.source(area.path).comments]
    for word in re.findall(r"[^\W\d_]{4,}", context.beside_slots().lower()):
        if 0 < sum(re.search(rf"(?<!\w){word}(?!\w)", text) is not None for text in texts) < len(texts):
            yield f"only the comment with “{word}” may be meant"
            return
