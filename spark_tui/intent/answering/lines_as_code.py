"""Lines that an instruction names by their numbers, read as if it showed their code: *swap lines 8 and 9*."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.values.likely.incomplete_readings import line_is_place, line_words
from spark_tui.intent.words.phrases import words
from spark_tui.intent.words.readings import Reading, Reads, Span, SymbolRoles
from spark_tui.pysource.tree_comparison import parse_statement

_RANGE = re.compile(r"\s*(?:[-–:,/]|\w{1,7}\s)\s*#?\d")
"""What goes on with another number that is not said to be a line: a range, or a list."""
_LONGEST = 90
_OF_STATEMENTS = {
    "replace_expression": ("replace_statement", {"new": "code"}),
    "replace_call": ("replace_statement", {"new": "code"}),
    "delete_calls": ("delete_statement", {"call": "code"}),
}
"""What is done to a whole line, by what is done to an expression, and the slots with another name."""
_SAID_ANEW = frozenset(("new", "code", "value", "text", "message", "name", "condition", "line", "last"))
"""Slots of what is to be written, and of lines themselves."""


@lru_cache(maxsize=1)
def _second() -> re.Pattern[str]:
    """The number of another line after one: *lines 8 and 9*."""
    between = "|".join(map(re.escape, (*words("and"), "&", "with", "for")))
    return re.compile(rf"\s*(?:{between})\s*#?(\d+)(?![\w.]*\d)", re.IGNORECASE)


@dataclass(frozen=True)
class _Line:
    """A line that is named: its characters in the instruction, and those of its code in what is read."""

    start: int
    end: int
    text: str
    shown_start: int
    shown_end: int


def whole_lines(
    instruction: str, lines: Sequence[str], reader: Reads, symbols: SymbolRoles
) -> tuple[Reading, ...]:
    """The readings in which a line that is named is all of what a slot holds. None where no line is named, or
    one that is not a statement of its own."""
    named = list(_named(instruction, lines))
    if not named:
        return ()
    shown, at = "", 0
    for line in named:
        code = lines[int(re.sub(r"\D", "", line.text)) - 1].strip()
        shown += f"{instruction[at : line.start]}`{code}`"
        at = line.end
    orders = reader.read(shown + instruction[at:], symbols, "")
    found = (_as_said(reading, named) for reading in (orders[0].readings if len(orders) == 1 else ()))
    return tuple(reading for reading in found if reading is not None)


def about_part_of_line(reading: Reading, instruction: str, lines: Sequence[str]) -> bool:
    """Whether what a reading changes is a piece of a line that is named as its place."""
    if not line_is_place(instruction):
        return False
    named = [lines[int(re.sub(r"\D", "", line.text)) - 1].strip() for line in _named(instruction, lines)]
    pieces = {span.text for slot, own in reading.slots.items() if slot not in _SAID_ANEW for span in own}
    return any(
        piece != code and re.search(rf"(?<!\w){re.escape(piece)}(?!\w)", code)
        for code in named
        for piece in pieces
    )


def _named(instruction: str, lines: Sequence[str]) -> Iterator[_Line]:
    """The lines that are named; none at all if one of them is no whole statement."""
    found = []
    for match in re.finditer(line_words(), instruction, re.IGNORECASE):
        found.append((match.start(), match.end(), match[0]))
        second = _second().match(instruction[match.end() :])
        if second is not None:
            found.append((match.end() + second.start(1), match.end() + second.end(1), second[1]))
        elif _RANGE.match(instruction[match.end() :]):
            return
    shift = 0
    out = []
    for start, end, text in found:
        number = int(re.sub(r"\D", "", text))
        code = lines[number - 1].strip() if 0 < number <= len(lines) else ""
        if not _is_statement(code):
            return
        out.append(_Line(start, end, text, start + shift, start + shift + len(code) + 2))
        shift += len(code) + 2 - (end - start)
    yield from out


def _is_statement(code: str) -> bool:
    """Whether a line is one statement without a block."""
    if not code or len(code) > _LONGEST or "`" in code:
        return False
    statement = parse_statement(code)
    return statement is not None and not hasattr(statement, "body")


def _as_said(reading: Reading, named: Sequence[_Line]) -> Reading | None:
    """A reading with the words of the lines in the place of their code; None if it holds no whole line, or a
    part of one."""
    if reading.intent == "delete_statement" and len(named) > 1:
        return None  # all of them are deleted by their numbers
    whole = False
    slots = {}
    for slot, spans in reading.slots.items():
        own = []
        for span in spans:
            line = next(
                (one for one in named if span.start < one.shown_end and one.shown_start < span.end), None
            )
            if line is None:
                own.append(_moved(span, named))
                continue
            low, high = line.shown_start, line.shown_end
            if not (low <= span.start <= low + 1 and high - 1 <= span.end <= high):
                return None
            whole = True
            own.append(Span(line.start, line.end, line.text))
        slots[slot] = tuple(own)
    left_out = tuple(_moved(span, named) for span in reading.left_out)
    intent, moved = _OF_STATEMENTS.get(reading.intent, (reading.intent, {}))
    slots = {moved.get(slot, slot): own for slot, own in slots.items()}
    return replace(reading, intent=intent, slots=slots, left_out=left_out, unsure={}) if whole else None


def _moved(span: Span, named: Sequence[_Line]) -> Span:
    """A span outside the lines, at its position in the original instruction."""
    before = [line for line in named if line.shown_end <= span.start]
    shift = sum((line.shown_end - line.shown_start) - (line.end - line.start) for line in before)
    return replace(span, start=span.start - shift, end=span.end - shift) if span.start >= 0 else span


def open_lines(situation: Situation) -> Sequence[str]:
    """The lines of the open file, for a first instruction."""
    first = situation.earlier is None and situation.path in situation.repo.index.all_paths
    return (situation.repo.index.text(situation.path) or "").split("\n") if first else ()
