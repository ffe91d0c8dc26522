"""Comments that go: those that hold a text, or the one that is described by words, its place, or as code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.places.comment_blocks import CommentBlock, comment_blocks
from spark_tui.codemods.rewriting.edits import DIRECTIVE
from spark_tui.intent.building.building import Built, build_at, builder, call
from spark_tui.intent.context.described_names import content_words, is_form_of
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area
from spark_tui.intent.finders.described import ordinals_in
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed, places_fit
from spark_tui.pysource.source import Source

_MOST = 3
"""Comments that may be meant, of which each is a way."""
_NO_CONTENT = ("code", "line", "lines", "block", "old", "dead", "out", "top")
"""Words that say of every comment the same, or where it is."""


@builder("remove_comments")
def remove_comments(context: Context) -> Iterator[Built]:
    text = context.text("text").strip("`'\"# ")
    text = text if re.search(r"\w", text) else _named_in_front(context)
    line = context.situation.line
    lines = context.situation.selection or ((line, line) if line else None)
    for area in context.areas[:3]:
        where = area.place
        if phrases.is_said("shebangs", text) and context.source(area.path).text.startswith("#!"):
            yield build_at(area, call("delete_lines", place=f"{area.path}:1"))
            continue
        if (line or not context.named) and lines and context.situation.path == area.path:
            where = f"{area.path}:{lines[0]}-{lines[1]}"
        elif found := _described(context, area, text):
            yield from _blocks(area, found)
            continue
        elif (row := _beside(context, area, text)) is not None:
            yield build_at(area, call("remove_comments", place=f"{area.path}:{row}"), weight=0.7)
            continue
        doubts = area.doubts if text else (*area.doubts, *_named_comment(context, area))
        fields = {"code": True} if _is_about_code(context) and not text else {"text": text}
        yield Built((call("remove_comments", place=where, **fields),), area.weight, doubts)


def _named_in_front(context: Context) -> str:
    """The words in front of that for comments, where comments of the file have them as they are said: *the
    type: ignore comments*."""
    kinds, path = "|".join(map(re.escape, phrases.words("comments"))), context.situation.path
    found = re.search(rf"((?:\S+ ){{2,4}})(?:{kinds})(?!\w)", context.situation.instruction)
    said = found[1].split() if found is not None and path in context.repo.index.paths else []
    texts = [comment.text for comment in context.source(path).comments] if said else []
    spans = (" ".join(said[at:]).strip("`'\"# ") for at in range(len(said) - 1))
    return next((one for one in spans if any(one in text for text in texts)), "")


def _is_about_code(context: Context) -> bool:
    said = context.situation.instruction.lower()
    return phrases.any_stands_in(phrases.table()["commenting"]["commented"], said)


def _blocks(area: Area, found: list[CommentBlock]) -> Iterator[Built]:
    """The removal of one comment, or of each of a few that it may be."""
    several = (places_fit(len(found)),) if len(found) > 1 else ()
    for block in found[:_MOST]:
        in_words = block.is_code and block.among_words
        doubts = (*several, assumed("it stands among words, and may be an example")) if in_words else several
        rows = f"{area.path}:{block.first + 1}" + (f"-{block.last}" if block.last > block.first + 1 else "")
        # A comment for a tool goes only if its text is given.
        of_tool = block.last == block.first + 1 and DIRECTIVE.match(block.text)
        one = {"text": block.text.lstrip("# ")} if of_tool else {}
        one_call = call("remove_comments", place=rows, **one)
        yield build_at(area, one_call, weight=0.9 / len(found), doubts=doubts)


def _described(context: Context, area: Area, text: str) -> list[CommentBlock]:
    """The comments that words are about, where none holds a text as it is: those with most of the words, and
    at the place that is said. Nothing where all are meant, or none fits."""
    source = context.source(area.path) if area.path in context.repo.index.paths else None
    about_code, own = _is_about_code(context), _words(text)
    counted = _counted(context) if not own else None
    if source is None or (
        text
        and counted is None
        and not about_code
        and any(text in comment.text for comment in source.comments)
    ):
        return []
    low, high = _extent(source, area)
    blocks = [block for block in comment_blocks(source) if low <= block.first < high]
    if about_code:
        alone = [block for block in blocks if block.is_code and not block.among_words]
        blocks = alone or [block for block in blocks if block.is_code]
    beside = context.beside_slots().lower()
    one = phrases.any_stands_in(phrases.table()["commenting"]["one"], beside)
    if not own and not one and not (about_code and area.qualname):
        return []
    words = own or _words(beside)
    # Those for tools are meant only where a word says it.
    blocks = [block for block in blocks if not DIRECTIVE.match(block.text) or _says_one(block, words)]
    if counted is not None and -len(blocks) <= counted < len(blocks):
        return [blocks[counted]]
    placed = _at_place(source, blocks, beside)
    counts = [sum(_says(block.text, word) for word in words) for block in placed]
    most = max(counts, default=0)
    if own and not about_code and most < (1 if len(placed) < len(blocks) else len(words)):
        return []
    return [block for block, count in zip(placed, counts, strict=True) if count == most]


def _counted(context: Context) -> int | None:
    """Which comment of several a message names by its place in the row: *the last comment*."""
    kinds = "|".join(map(re.escape, phrases.table()["commenting"]["one"]))
    said = context.situation.instruction.lower()
    found = [one for match in re.finditer(rf"\w+\s+(?:{kinds})(?!\w)", said) for one in ordinals_in(match[0])]
    return found[0] if len(found) == 1 else None


def _words(text: str) -> list[str]:
    """The words of a text that a comment may have."""
    told = content_words(text) or (text.split()[1:] and re.findall(r"[^\W\d_]+", text))
    table = phrases.table()
    idle = {*_NO_CONTENT, *phrases.words("comments"), *table["config_lists"]["removing"]}
    idle |= {word for said in table["ordinals"].values() for word in said}
    idle |= {word for phrase in table["commenting"]["commented"] for word in re.split(r"\W", phrase)}
    return [word.lower() for word in told if word.lower() not in idle]


def _at_place(source: Source, blocks: list[CommentBlock], said: str) -> list[CommentBlock]:
    """Those at the place that is said: the first, behind code, or below or above code with a word."""
    if phrases.any_stands_in(phrases.words("trailing"), said):
        return [block for block in blocks if block.behind_code] or blocks
    if phrases.any_stands_in(phrases.words("at_the_start"), said):
        return blocks[:1]
    for side, step in (("below", -1), ("above", 1)):
        words = "|".join(map(re.escape, phrases.table()["commenting"][side]))
        if named := re.search(rf"(?<!\w)(?:{words})\s+(?:[^\W\d_]{{1,3}}\s+)?(\w+)", said):
            word = re.compile(rf"(?<!\w){re.escape(named[1])}(?!\w)", re.IGNORECASE)
            if found := [block for block in blocks if word.search(_code_beside(source, block, step))]:
                return found
    return blocks


def _code_beside(source: Source, block: CommentBlock, step: int) -> str:
    """The line of code above a comment, or below it; the one before it where it is at its end."""
    at = block.first if block.behind_code else block.first - 1 if step < 0 else block.last
    while 0 <= at < len(source.lines) and not source.lines[at].partition("#")[0].strip():
        at += step
    return source.lines[at].partition("#")[0] if 0 <= at < len(source.lines) else ""


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


def _says_one(block: CommentBlock, words: list[str]) -> bool:
    return any(_says(block.text, word) for word in words)


def _says(comment: str, word: str) -> bool:
    return any(is_form_of(word, text.lower()) for text in re.findall(r"[^\W\d_]+", comment))


def _named_comment(context: Context, area: Area) -> Iterator[str]:
    """A doubt where a word of the instruction stands in one of several comments: only that may be meant."""
    texts = [comment.text.lower() for comment in context.source(area.path).comments]
    for word in re.findall(r"[^\W\d_]{4,}", context.beside_slots().lower()):
        if 0 < sum(re.search(rf"(?<!\w){word}(?!\w)", text) is not None for text in texts) < len(texts):
            yield f"only the comment with “{word}” may be meant"
            return
