"""What else a reading may mean of which no call can be built: with a slot less, with one span of several, or
with a name for a slot that has none."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.reading.word_counts import buckets, word_counts
from spark_tui.intent.words.doubts import assumed, unused
from spark_tui.intent.words.phrases import is_said, words
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.intent.words.tokens import Quoted, tokenize
from spark_tui.pysource.tree_comparison import parse_statement

_LESS, _ONE_OF, _TAKEN = 0.5, 0.6, 0.35
"""How likely these are, against the reading as it is."""
_PLACES = frozenset(("function", "class", "file"))
_ALL_OF = frozenset(("attribute", "key"))
"""Slots of which all that is named is needed."""
_LINE_SLOTS = frozenset(("line", "last"))


_NO_VALUES = ("pronouns", "articles", "docstrings", "misspelled")
_MADE = ("name", "new")
"""Slots whose names need not exist."""
_KEPT = ("old", "result", "message", "condition")
"""What an edit without them would do otherwise than is said."""
_OF_ERRORS = ("replace_message", "unwrap_try")
_OF_TEXTS = ("name", "names", "alphabet")
"""Keys by which texts are sorted as they are."""
_SAID = (("key", "sort_by"), ("key", "sort_loop"), ("count", "add_retry"))
_THERE = ("also_allow", "also_require", "add_finally", "fix_error", "annotate_all")
"""Intents that fit nearly every place, so that the one that is named is meant."""


def relax_reading(
    reading: Reading, known_name: Callable[[str, bool], bool]
) -> Iterator[tuple[Reading, float, str]]:
    """Other forms of a reading, with what they weigh and what was guessed; the nearest first.

    What is to be replaced is never another thing than is named, and where an instruction names code that does
    not exist, its place is kept: the edit is meant elsewhere."""
    known = intents().get(reading.intent)
    if known is None:
        return
    missing = [slot for slot in known.required if not reading.slots.get(slot)]
    yield from one_of_several(reading)
    if not missing:
        spans = [span for slot, own in reading.slots.items() if slot not in _MADE for span in own]
        away = not all(known_name(span.text, span.quoted) for span in spans)
        for slot in reading.slots:
            kept = slot in known.required or slot in _KEPT or slot == "function" or (away and slot in _PLACES)
            kept = kept or (slot == "exception" and reading.intent in _OF_ERRORS)
            kept = kept or (slot in _PLACES and reading.intent in _THERE)
            kept = kept or ((slot, reading.intent) in _SAID and reading.text(slot).lower() not in _OF_TEXTS)
            if not kept:
                slots = {name: spans for name, spans in reading.slots.items() if name != slot}
                left = [" ".join(span.text.split()) for span in reading.slots[slot]]
                yield replace(reading, slots=slots), _LESS, _left(slot, left)
    for slot in missing[:1]:
        own, role = re.split(r"[._]", reading.intent), slot.replace("_", " ")
        role = f"{role} one" if role in ("new", "old") else role
        for item in reading.unsure.get(slot, ()):
            if any(is_said(kind, item.text) for kind in _NO_VALUES) or item.text.lower() in own:
                continue
            # The first word says what is done; and any word could be a module.
            if not item.quoted and ((slot == "new" and item.start == 0) or slot == "module"):
                continue
            doubt = assumed(f"{item.text} was assumed to be the {role}")
            yield replace(reading, slots={**reading.slots, slot: (item,)}), _TAKEN, doubt


def one_of_several(reading: Reading) -> Iterator[tuple[Reading, float, str]]:
    """The reading with one of several things that are named for a slot."""
    for slot, spans in reading.slots.items():
        if len(spans) > 1 and slot not in _ALL_OF:
            for span in spans:
                others = [one.text for one in spans if one.text != span.text]
                doubt = (
                    unused(", ".join(others)) if all(map(str.isidentifier, others)) else _left(slot, others)
                )
                yield replace(reading, slots={**reading.slots, slot: (span,)}), _ONE_OF, doubt


def _left(slot: str, texts: Sequence[str]) -> str:
    return assumed(f"not used as the {slot.replace('_', ' ')}: {', '.join(texts)}")


@lru_cache(maxsize=1)
def line_words() -> str:
    """A regular expression for a single line given by its number, not for a range."""
    known = "|".join(re.escape(word) for word in words("lines"))
    return rf"(?<![\w.])(?:{known})\.?\s*(?:#|nr\.?|no\.?)?\s*(\d+)(?!\w|\.\w|\s*[-–]\s*\d)"


@lru_cache(maxsize=1)
def lines_words() -> str:
    """A regular expression for lines given by their numbers: one, or from one to another."""
    known = "|".join(re.escape(word) for word in words("lines"))
    return rf"(?<![\w.])(?:{known})\.?\s*(?:#|nr\.?|no\.?)?\s*\d+(?:\s*(?:[-–]|to)\s*l?\d+)?(?!\w|\.\w)"


@lru_cache(maxsize=1)
def _range_words() -> re.Pattern[str]:
    """From one line to another: *lines 4-6*, *shop.py:4-6*."""
    known, between = ("|".join(map(re.escape, words(name))) for name in ("lines", "between_lines"))
    first = rf"(?<![\w.])(?:{known})\.?\s*#?(\d+)\s*(?:行\s*)?(?:{between})\s*(?:(?:{known})\s*)?#?"
    return re.compile(rf"(?:{first}|\.py:(\d+)\s?[-–]\s?)(\d+)(?!\w|\.\w)", re.IGNORECASE)


def range_named(instruction: str) -> tuple[int, int] | None:
    """The first and the last of the only lines that an instruction gives as a range."""
    found = list(_range_words().finditer(instruction))
    if len(found) != 1:
        return None
    first, last = int(found[0][1] or found[0][2]), int(found[0][3])
    return (first, last) if 0 < first < last else None


_BEHIND_PATH = re.compile(r"(?<=\.py):(\d+)(?::\d+)?(?=[:\s])")
"""The line, as tools write it after a path."""


def line_named(instruction: str) -> tuple[int, int, int] | None:
    """The line that an instruction says it is about, and the characters that say so."""
    found = re.search(line_words(), instruction, re.IGNORECASE) or _BEHIND_PATH.search(instruction)
    return (int(found[1]), found.start(), found.end()) if found else None


def line_is_place(instruction: str) -> bool:
    """Whether words say that something is done in a line, and not to it: *in line 3*."""
    line = line_named(instruction)
    before = instruction[: line[1]].lower().split() if line is not None else []
    told = [word for word in before if not is_said("articles", word)]
    return bool(told) and is_said("in_a_line", told[-1])


def number_of_line(text: str) -> int | None:
    """The number of a line, where a text is nothing else."""
    found = re.fullmatch(line_words() + r"|#?(\d+)", text.strip(), re.IGNORECASE)
    return int(found[1] or found[2]) if found else None


def line_blanked(instruction: str) -> str:
    """The instruction with the words that name a line as blanks; empty where it names none, or several."""
    line = line_named(instruction)
    if line is None:
        return ""
    _, start, end = line
    rest = instruction[end:]
    if line_named(rest) or _goes_on(instruction[start:end], rest):
        return ""
    if instruction[start - 1 : start] == "(" and rest[:1] == ")":
        start, end, rest = start - 1, end + 1, rest[1:]
    return instruction[:start] + " " * (end - start) + rest


def _goes_on(line: str, rest: str) -> bool:
    """Whether another number of a line follows: a range, or a list."""
    between = "|".join(re.escape(word) for word in words("between_lines"))
    listed = r"[\s,;]+" if line.lower().startswith("lines") else r"\s*,\s*(?:\d+\s*,\s*)*"
    return re.match(rf"\s*,?\s*(?:{between})\s*#?\d|{listed}#?\d+\W*\Z", rest, re.IGNORECASE) is not None


def only_a_line(text: str) -> bool:
    """Whether a text says no more than where something is, by the number of a line: *near line 12*."""
    rest = re.findall(r"[^\W\d_]+", line_blanked(text).lower())
    return bool(line_blanked(text)) and not set(rest) - set(words("near_a_line"))


def takes_lines(reading: Reading) -> bool:
    """Whether what is asked for may be said by the numbers of lines."""
    known = intents().get(reading.intent)
    return known is not None and bool(_LINE_SLOTS & set(known.slot_names))


def without_line(reading: Reading, low: int, high: int) -> Reading:
    """The reading without spans that hold nothing but the words of a line, unless it is about lines."""
    if takes_lines(reading):
        return reading
    slots = {}
    for slot, spans in reading.slots.items():
        kept = tuple(
            span for span in spans if not (low <= span.start and span.end <= high and not span.quoted)
        )
        if kept:
            slots[slot] = kept
    return replace(reading, slots=slots)


_SHOWN_BEHIND = re.compile(r"(return|raise|yield|await|assert|del)\s+`([^`]+)`")
"""A statement shown as code without its keyword."""
_MOST_BEHIND = 80


_WHOLE = ("message", "text")
"""Slots that hold all of a text in quotes."""


def with_whole_pieces(reading: Reading, instruction: str) -> Reading:
    """The reading with spans that hold whole quoted pieces, and no bracket that is not theirs."""
    spans = reading.spans
    every = tokenize(instruction).quoted
    pieces = [
        piece
        for piece in every
        if sum(piece.start <= span.start and span.end <= piece.end for span in spans) < 2
        and instruction[max(piece.start - 1, 0) : piece.start + 1] not in ('""', "''")
    ]
    slots = {
        slot: tuple(
            dict.fromkeys(
                _whole(span, pieces, instruction, every if slot in _WHOLE else ()) for span in spans
            )
        )
        for slot, spans in reading.slots.items()
    }
    return replace(reading, slots=slots | _with_rest_of_name(reading, slots, instruction))


_MOST_SAID, _OFTEN_SAID = 5, 300
"""A word is a part of a new name if it is counted at most so often in renames, and in all instructions."""


def _with_rest_of_name(
    reading: Reading, slots: Mapping[str, tuple[Span, ...]], instruction: str
) -> dict[str, tuple[Span, ...]]:
    """All words of a new name that is dictated: `rename chunk to split into chunks`."""
    spans, counts = slots.get("new", ()), word_counts()
    if reading.intent != "rename" or not spans or len(slots.get("symbol", ())) > 1 or spans[0].start < 0:
        return {}
    start, end = spans[0].start, spans[-1].end
    said = instruction[start:end]
    if not re.search(r"\bto [a-z]+(?: [a-z]+)*\Z", instruction[:end]) or not said.startswith(spans[0].text):
        return {}
    for word in re.finditer(r" ([a-z]{2,})(?![\w'])", instruction[end:]):
        count = counts.counts[buckets([word[1]])[0][0]].sum(dtype=int)
        often = count > _OFTEN_SAID or (counts.often("rename", word[1]) or 0) > _MOST_SAID
        apart = word.start() + end != spans[-1].end or is_said("behind_values", word[1])
        known = any(word[1] in item.text for own in slots.values() for item in own)
        last = _ends_so(slots.get("symbol", ()), word[1])
        if apart or (not last and (often or known)):
            break
        spans = (replace(spans[-1], end=end + word.end()),)
        if last:
            break
    return {"new": (Span(start, spans[-1].end, instruction[start : spans[-1].end]),)}


def _ends_so(names: Sequence[Span], word: str) -> bool:
    """Whether the last word of a name is a certain one."""
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", names[0].text) if names else []
    return bool(parts) and parts[-1].lower() == word.lower()


def _whole(span: Span, pieces: Sequence[Quoted], instruction: str, texts: Sequence[Quoted]) -> Span:
    for piece in texts:
        if not piece.code and piece.start <= span.start and span.end <= piece.end:
            return Span(piece.start, piece.end, instruction[piece.inner_start : piece.inner_end], True)
    if span.quoted or span.start < 0:
        return span
    start, end = span.start, span.end
    for piece in pieces:
        if start < piece.end and piece.start < end:
            inside = piece.inner_start <= start and end <= piece.inner_end
            if inside and not piece.code:
                return span
            whole = instruction[piece.inner_start : piece.inner_end]
            if inside and (2 * (end - start) < len(whole) or _is_part(span.text, whole)):
                return span
            if inside:
                return Span(piece.start, piece.end, whole, True)
            start, end = min(start, piece.start), max(end, piece.end)
    text = instruction[start:end]
    start, end, text = _with_brackets(start, end, text, instruction)
    if parse_statement(text) is None:
        while text[-1:] in (")", "]", "}") and text.count(text[-1]) > text.count(
            "([{"[")]}".index(text[-1])]
        ):
            text, end = text[:-1], end - 1
    shown = _SHOWN_BEHIND.fullmatch(text)
    if shown is not None:
        return Span(start, end, f"{shown[1]} {shown[2]}")
    return Span(start, end, text, span.quoted) if (start, end) != (span.start, span.end) and text else span


def _is_part(text: str, code: str) -> bool:
    """Whether a text is a whole expression and the code around it a statement."""
    outer = parse_statement(code)
    inner = parse_statement(text) if outer is not None and not isinstance(outer, ast.Expr) else None
    return isinstance(inner, ast.Expr)


def _with_brackets(start: int, end: int, text: str, instruction: str) -> tuple[int, int, str]:
    """A piece of code up to the bracket that closes the one that it opens: `lru_cache(maxsize` of
    `lru_cache(maxsize=None)`."""
    opened = text.count("(") - text.count(")")
    if opened < 1 or not re.search(r"\w\(", text):
        return start, end, text
    for at in range(end, min(end + _MOST_BEHIND, len(instruction))):
        opened += {"(": 1, ")": -1}.get(instruction[at], 0)
        if opened == 0:
            return start, at + 1, instruction[start : at + 1]
    return start, end, text
