"""Finds words after a joining word that the edit does not use: an instruction that would be dropped
silently."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.orders.several import undone
from spark_tui.intent.planning.answers import Answer, marked_with
from spark_tui.intent.words.phrases import joining
from spark_tui.intent.words.readings import Reading, Span, Splits, SymbolRoles
from spark_tui.intent.words.reasons import is_reason
from spark_tui.intent.words.tokens import Quoted, tokenize

_ADDS = r"[;&\n；：]|[.:,](?=\s+\S)"
_CALL = re.compile(r"[^\W\d][\w.]*\([^()]*\)")
_WORD = re.compile(r"[^\W\d_]{2,}|[\u3400-\u9fff]")
_SAID = 0.2
"""How likely the words have to be about the edit to need no mark."""
_TALKS = 0.93
"""How likely they have to be talk to need none."""
TALK = ("chat", "question")
_REASON = 6.0
"""What a clause that says why costs."""
_READ, _LEAST = 3.0, -4.0
"""How much the probability of their reading counts beside the log odds that an order begins with the words,
and the sum from which they may be one."""
_LEAST_OF_SEVERAL = -8.0
"""The same in an instruction that has several orders already."""
_LEAST_BEHIND_COMMA = 0.0
"""The same behind a comma, where most words say more of the order before."""


def naming_unsaid(
    found: Answer,
    reading: Reading,
    now: Situation,
    reader: Splits,
    symbols: SymbolRoles,
    within: tuple[int, int] | None = None,
) -> Answer:
    """The edit of a reading, marked if the words after a joining word have no part in it, do not repeat it,
    and may be an order. `within`: where the order of the reading stands, if there are others."""
    earlier = now.earlier.intent if now.earlier is not None else ""
    for said, place in _unsaid(reading, now.instruction, within or (0, len(now.instruction))):
        alone = reader.read(said, symbols, earlier)
        readings = alone[0].readings if alone else ()
        repeated = any(item.intent == reading.intent and item.probability >= _SAID for item in readings)
        talk = not readings or (readings[0].intent in TALK and readings[0].probability >= _TALKS)
        if repeated or talk or _is_written(said, found, now):
            continue
        least = _LEAST if within is None else _LEAST_OF_SEVERAL
        least = _LEAST_BEHIND_COMMA if now.instruction[place[0]] == "," else least
        if may_be_order(place, readings[0], now, reader, symbols, least):
            return replace(found, ways=(marked_with(undone(said), found.ways[0]), *found.ways[1:]))
    return found


def _is_written(said: str, found: Answer, now: Situation) -> bool:
    """Whether an edit writes all calls that are shown in words: *return Job(name) directly*."""
    shown, way = _CALL.findall(said), found.ways[0]
    repo = (now.before if way.from_before else None) or now.repo
    texts = way.plan.texts(repo) if shown else {}
    before = {line for path in texts for line in (repo.index.text(path) or "").splitlines()}
    written = [line for text in texts.values() for line in (text or "").splitlines() if line not in before]
    return bool(shown) and all(any(call in line for line in written) for call in shown)


def may_be_order(
    place: tuple[int, int],
    reading: Reading,
    now: Situation,
    reader: Splits,
    symbols: SymbolRoles,
    least: float = _LEAST,
) -> bool:
    """Whether the words at a place may be an order, and not only the reason of one: by how likely an order
    begins there, and how likely they are read as one alone."""
    earlier = now.earlier.intent if now.earlier is not None else ""
    score = reader.score_of_order(now.instruction, symbols, place, earlier)
    if is_reason(now.instruction[place[0] : place[1]]):
        score -= _REASON
    return score + _READ * (reading.probability if reading.intent not in TALK else 0.0) >= least


def _unsaid(reading: Reading, text: str, within: tuple[int, int]) -> Iterator[tuple[str, tuple[int, int]]]:
    """The words that follow each joining word in a part of the text, up to the next one, and are in no slot
    of a reading; and where they stand with it."""
    spans = reading.held
    held: list[Span | Quoted] = [*spans, *tokenize(text).quoted]
    joins = [
        match
        for match in re.compile(f"{joining()}|{_ADDS}").finditer(text, *within)
        if not any(item.start <= match.start() < item.end for item in held)
        and not any(call.start() <= match.start() < call.end() for call in _CALL.finditer(text))
    ]
    ends = [*(join.start() for join in joins[1:]), within[1]]
    known = bool(spans) or reading.intent.startswith("amend.")
    for one, end in zip(joins, ends, strict=True) if known and joins else ():
        said = text[one.end() : end].strip(" ,;.&\n")
        if len(_WORD.findall(said)) > 1 and not any(one.end() <= span.start < end for span in spans):
            yield said, (one.start(), end)
