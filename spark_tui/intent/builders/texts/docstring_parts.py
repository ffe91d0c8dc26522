"""A part of a docstring that goes: *the Raises section*, *the example*, *the last line*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from spark_tui.codemods.docstrings import SECTION, dedent_docstring
from spark_tui.intent.building.building import Built, build_at, builder, call, found, of_table
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.described_names import is_form_of
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.finders.described import ordinals_in
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.source import Definition, docstring

_FIELD = re.compile(r":(\w+)\s*([^:]*):")
_LABEL = re.compile(r"\s*([^\W\d]\w*(?: [\w.]+)?)\s*(?:\([^)]*\))?:")
_EXAMPLE, _TESTS = ">>>", ("doctest", "example")
_IDLE = ("articles", "filling", "rest", "deleting", "docstrings", "places_in", "of_class")
_DEFINED = ("function", "method", "class")
_WORD = re.compile(r"[^\W\d_]{2,}")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True)
class _Part:
    """Lines of a docstring, and the words that it is called by."""

    first: int
    last: int
    words: tuple[str, ...]


@builder("remove_docstring")
def remove_docstring(context: Context) -> Iterator[Built]:
    """The docstring, or what is left of it where words name a part."""
    wanted, counted, unit = _wanted(context)
    if not (wanted or counted):
        yield from of_table(context, "remove_docstring")
        return
    named = False
    for anchor in found(context, "documented"):
        lines = _lines(anchor)
        rest = _without_sentence(lines, wanted, counted) if unit == "sentence" else None
        gone = _named(lines, wanted, context) or _counted(lines, counted, unit) if rest is None else []
        doubts = (
            () if rest is not None or gone else (assumed("lines with these words were assumed to be meant"),)
        )
        if rest is None:
            gone = gone or [
                at for at, line in enumerate(lines) if wanted and _has(_WORD.findall(line), wanted)
            ]
            if _keeps().search(context.situation.instruction) and gone:
                gone = [at for at in range(len(lines)) if at not in gone]
            rest = [line for at, line in enumerate(lines) if at not in gone] if gone else None
        if rest is None:
            continue
        named = True
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(rest)).strip("\n")
        target = anchor.words["documented"]
        made = (
            call("set_docstring", target=target, text=text)
            if text
            else call("remove_docstring", target=target)
        )
        yield build_at(anchor, made, doubts=doubts)
    if not named and unit:
        raise Unresolved("its docstring has no such part")
    if not named:
        yield from of_table(context, "remove_docstring")


@lru_cache(maxsize=1)
def _keeps() -> re.Pattern[str]:
    """What says that a part stays and all else goes: *everything but*, *to its first line*."""
    every, excepting, articles = (
        "|".join(map(re.escape, phrases.words(kind))) for kind in ("every", "excepting", "articles")
    )
    ordinals = (item for known in phrases.table()["ordinals"].values() for item in known)
    return re.compile(
        rf"(?<!\w)(?:(?:{every})\s+(?:but|except|{excepting})|(?:only|just)\s+keep|keep\s+(?:only|just)"
        rf"|to\s+(?:(?:{articles})\s+)?(?:{'|'.join(map(re.escape, ordinals))}))(?!\w)",
        re.IGNORECASE,
    )


@lru_cache(maxsize=1)
def _ahead() -> re.Pattern[str]:
    """What says of which form a docstring is, and names no part: *one-line*, *multi line docstring*."""
    parts, whole = ("|".join(map(re.escape, phrases.words(kind))) for kind in ("text_parts", "docstrings"))
    return re.compile(rf"(?<!\w)\w+(?:-\w+)+|(?<!\w)(?:{parts})(?=\s+(?:{whole})(?!\w))", re.IGNORECASE)


def _wanted(context: Context) -> tuple[list[str], list[int], str]:
    """The words that may name a part, the places in a row that are said, and `line`, `sentence` or `part`."""
    beside = _ahead().sub(" ", context.beside_slots())
    kinds = {item for kind in _DEFINED for item in phrases.table()["symbol_kinds"][kind]}
    idle = {*kinds, *phrases.table()["config_lists"]["removing"], *chain(*map(phrases.words, _IDLE))}
    parts, words = phrases.words("text_parts"), [word.lower() for word in _WORD.findall(beside)]
    said = [word for word in words if word in parts or word.rstrip("s") in parts]
    told = [word for word in words if word not in idle]
    ordinal = {item for known in phrases.table()["ordinals"].values() for item in known}
    unit = said[0].rstrip("s") if said else ""
    if unit:
        unit = next((kind for kind in ("line", "sentence") if unit in phrases.words(f"text_{kind}s")), "part")
    counted = ordinals_in(beside) if unit else []
    return [word for word in told if word not in said and word not in ordinal], counted, unit


def _lines(anchor: Anchor) -> list[str]:
    doc = docstring(anchor.node) if isinstance(anchor.node, Definition | ast.Module) else None
    return dedent_docstring(doc) if doc is not None else []


def _named(lines: Sequence[str], wanted: Sequence[str], context: Context) -> list[int]:
    """The lines of the parts that are called by all of the words, or of those whose number is said."""
    fitting = [part for part in _parts(lines) if wanted and _has(part.words, wanted)]
    inner = [one for one in fitting if not any(_is_inside(other, one) for other in fitting)]
    numbers = [at for at in ordinals_in(context.beside_slots()) if -len(inner) <= at < len(inner)]
    inner = [inner[at] for at in numbers] or inner
    return sorted({at for part in inner for at in range(part.first, part.last)})


def _is_inside(one: _Part, other: _Part) -> bool:
    return other.first <= one.first and one.last <= other.last and one != other and one.words == other.words


def _has(words: Sequence[str], wanted: Sequence[str]) -> bool:
    return all(any(is_form_of(word, item.lower()) for item in words) for word in wanted)


def _parts(lines: Sequence[str]) -> Iterator[_Part]:
    """Sections, the entries in them, fields, and examples that are run."""
    for at, line in enumerate(lines):
        if field := _FIELD.match(line):
            yield _Part(at, _end(lines, at), (field[1], *_WORD.findall(field[2])))
        elif line and not line[0].isspace() and (SECTION.match(line) or _LABEL.match(line)) and at:
            title = tuple(_WORD.findall((SECTION.match(line) or _LABEL.match(line) or [""])[0]))
            yield _Part(at, _section_end(lines, at), title)
        elif label := _LABEL.match(line):
            yield _Part(at, _end(lines, at), tuple(_WORD.findall(label[1])))
        if line.lstrip().startswith(_EXAMPLE) and not (at and lines[at - 1].lstrip().startswith(_EXAMPLE)):
            headed = at and lines[at - 1].rstrip().endswith(":") and lines[at - 1].strip()
            yield _Part(at - bool(headed), _example_end(lines, at), _TESTS)


def _example_end(lines: Sequence[str], at: int) -> int:
    """Where an example ends that is run: before a blank line, or the next one behind what this gives."""
    for end in range(at + 1, len(lines)):
        starts, follows = (line.lstrip().startswith(_EXAMPLE) for line in (lines[end], lines[end - 1]))
        if not lines[end].strip() or (starts and not follows):
            return end
    return len(lines)


def _end(lines: Sequence[str], at: int) -> int:
    """Where what begins on a line ends: before the next line that is not deeper."""
    deep = len(lines[at]) - len(lines[at].lstrip())
    for end in range(at + 1, len(lines)):
        line = lines[end]
        if not line.strip() or len(line) - len(line.lstrip()) <= deep:
            return end
    return len(lines)


def _section_end(lines: Sequence[str], at: int) -> int:
    """Where a section ends: at the next line that is no deeper, behind a blank one."""
    for end in range(at + 1, len(lines)):
        line, before = lines[end], lines[end - 1]
        rule = end == at + 1 and set(line.strip()) == {"-"}
        if line.strip() and not line[0].isspace() and not before.strip() and not rule:
            return end
        if SECTION.match(line):
            return end
    return len(lines)


def _counted(lines: Sequence[str], counted: Sequence[int], unit: str) -> list[int]:
    """The lines, or the paragraphs, at some places in a row."""
    rows = [at for at, line in enumerate(lines) if line.strip()]
    starts = [at for at in rows if not at or not lines[at - 1].strip()]
    gone: list[int] = []
    for place in counted:
        known = rows if unit == "line" else starts
        if not -len(known) <= place < len(known):
            return []
        first = known[place]
        blank = (end for end in range(first, len(lines)) if not lines[end].strip())
        gone += [first] if unit == "line" else range(first, next(blank, len(lines)))
    return gone


def _without_sentence(
    lines: Sequence[str], wanted: Sequence[str], counted: Sequence[int]
) -> list[str] | None:
    """The lines without the sentences at some places in a row, or with some words; None without such."""
    every = [
        (at, sentence) for at, line in enumerate(lines) for sentence in _SENTENCE.split(line) if sentence
    ]
    if counted and all(-len(every) <= at < len(every) for at in counted):
        gone = {id(every[at]) for at in counted}
    else:
        gone = {id(one) for one in every if wanted and _has(_WORD.findall(one[1]), wanted)}
    if not gone:
        return None
    kept = [one for one in every if id(one) not in gone]
    out = []
    for at, line in enumerate(lines):
        own = [sentence for row, sentence in kept if row == at]
        if own or not line.strip():
            out.append(line if len(own) == len(_SENTENCE.split(line)) else " ".join(own))
    return out
