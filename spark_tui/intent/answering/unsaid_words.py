"""Finds words after a joining word that the edit does not use: an instruction that would be dropped
silently."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.orders.several import undone
from spark_tui.intent.planning.ways import Answer, marked_with
from spark_tui.intent.words.phrases import joining
from spark_tui.intent.words.readings import Reading, Reads, Span, SymbolRoles
from spark_tui.intent.words.tokens import Quoted, tokenize

_ADDS = r"[;&\n；]|\.(?=\s+\S)"
_WORD = re.compile(r"[^\W\d_]{2,}|[\u3400-\u9fff]")
_SAID = 0.2
"""How likely the words have to be about the edit to need no mark."""
_TALKS = 0.93
"""How likely they have to be talk to need none."""
TALK = ("chat", "question")


def naming_unsaid(
    found: Answer, reading: Reading, now: Situation, reader: Reads, symbols: SymbolRoles
) -> Answer:
    """The edit of a reading, marked if the words after a joining word have no part in it and do not
    repeat it."""
    for words in dict.fromkeys(_unsaid(reading, now.instruction)):
        alone = reader.read(words, symbols, now.earlier.intent if now.earlier is not None else "")
        readings = alone[0].readings if alone else ()
        repeated = any(item.intent == reading.intent and item.probability >= _SAID for item in readings)
        talk = not readings or (readings[0].intent in TALK and readings[0].probability >= _TALKS)
        if not repeated and not talk:
            return replace(found, ways=(marked_with(undone(words), found.ways[0]), *found.ways[1:]))
    return found


def _unsaid(reading: Reading, text: str) -> Iterator[str]:
    """The words that follow each joining word, up to the next one, and are in no slot of a reading."""
    spans = [*(item for own in reading.slots.values() for item in own), *reading.left_out]
    held: list[Span | Quoted] = [*spans, *tokenize(text).quoted]
    joins = [
        match
        for match in re.finditer(f"{joining()}|{_ADDS}", text)
        if not any(item.start <= match.start() < item.end for item in held)
    ]
    ends = [*(join.start() for join in joins[1:]), len(text)]
    for one, end in zip(joins, ends, strict=True) if spans and joins else ():
        words = text[one.end() : end].strip(" ,;.&\n")
        if len(_WORD.findall(words)) > 1 and not any(one.end() <= span.start < end for span in spans):
            yield words
