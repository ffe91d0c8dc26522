"""Exceptions that are counted among what goes: *all comments but the last*, *prints except the first two*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby

from spark_tui.codemods.places.comment_blocks import comment_blocks
from spark_tui.codemods.plan import Edit, Plan
from spark_tui.codemods.registry import Operation
from spark_tui.intent.context.described_names import is_form_of
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.syntax.walking import walk

TAKING_AWAY = ("delete_", "remove_")
"""How the intents begin by which something goes."""
Piece = tuple[str, int, int]
"""Characters of a file."""


def is_by_number(span: Span, reading: Reading, instruction: str) -> bool:
    """Whether an exception is a number of pieces and nothing else: *the last two*."""
    return reading.intent.startswith(TAKING_AWAY) and bool(_counted(span, instruction))


def without_counted(candidate: Candidate, situation: Situation) -> tuple[Candidate, list[Span]]:
    """The candidate without the calls, in the order of the text, that its counted exceptions leave out; and
    the exceptions for which there are not so many."""
    found = _left(candidate, situation)
    gone = {piece for pieces in found.values() for piece in pieces} if len(candidate.calls) > 1 else set()
    own = ((one, _pieces((one, one), situation.repo)) for one in candidate.calls)
    kept = tuple(one for one, pieces in own if not gone.intersection(pieces)) if gone else candidate.calls
    return replace(candidate, calls=kept or candidate.calls), [one for one in found if not found[one]]


def places_by_number(candidate: Candidate, situation: Situation) -> list[Piece]:
    """What the only call of a candidate is to leave alone."""
    found = _left(candidate, situation) if len(candidate.calls) == 1 else {}
    return [piece for pieces in found.values() for piece in pieces]


def _left(candidate: Candidate, situation: Situation) -> dict[Span, list[Piece]]:
    """What each counted exception leaves; nothing where there are not so many and one that goes."""
    reading, text = candidate.reading, situation.instruction
    counted = {span: _counted(span, text) for span in reading.left_out if is_by_number(span, reading, text)}
    pieces = sorted(_pieces(candidate.calls, situation.repo)) if counted else []
    out: dict[Span, list[Piece]] = {}
    for span, rows in counted.items():
        fits = all(-len(pieces) <= at < len(pieces) for at, _ in rows)
        ends = [pieces[at:][:count] if at >= 0 else pieces[-count:] for at, count in rows if fits]
        left = {piece for end in ends for piece in end}
        out[span] = sorted(left) if len(left) < len(pieces) else []
    return out


def _counted(span: Span, instruction: str) -> list[tuple[int, int]]:
    """Places in a row, each with how many from there; nothing where a text says anything else."""
    front = re.findall(r"[^\W_]+", instruction[: max(span.start, 0)].lower())
    idle = {*phrases.words("articles"), *phrases.words("and"), *phrases.words("ones")}
    out: list[tuple[int, int]] = []
    for word in re.findall(r"\w+", span.text.lower()):
        number = phrases.number(word)
        if word in _ordinals():
            out.append((_ordinals()[word], 1))
        elif out and number is not None and number.isdecimal() and word not in idle:
            out[-1] = (out[-1][0], int(number))
        elif not (word in idle or word.rstrip("s") in idle or any(is_form_of(word, item) for item in front)):
            return []
    return out


@lru_cache(maxsize=1)
def _ordinals() -> dict[str, int]:
    return {item: int(at) for at, known in phrases.table()["ordinals"].items() for item in known}


def _pieces(calls: Sequence[Operation], repo: Repository) -> Iterator[Piece]:
    """What each of several calls takes, or what the only one takes, comments below each other as one."""
    for one in calls:
        plan = one.plan(repo)
        edits = sorted(plan.edits) if isinstance(plan, Plan) else []
        if len(calls) == 1 and not hasattr(one, "target"):
            yield from _apart(edits, repo)
        elif edits:
            yield edits[0].path, edits[0].start, edits[-1].end


def _apart(edits: Sequence[Edit], repo: Repository) -> Iterator[Piece]:
    """Each edit as one piece, those of the lines of one comment together; none where imports go with them,
    which what stays needs."""
    for path in {one.path for one in edits}:
        source = repo.index.source(path)
        imports = [
            source.span(node) for node in walk(source.tree) if isinstance(node, ast.Import | ast.ImportFrom)
        ]
        own = [one for one in edits if one.path == path]
        beside = [one for one in own if any(low < one.end and one.start < high for low, high in imports)]
        if 0 < len(beside) < len(own):
            return
        blocks = [source.line_span(block.first, block.last) for block in comment_blocks(source)]
        for _, group in groupby(
            own,
            key=lambda one: next((block for block in blocks if block[0] <= one.start < block[1]), one),
        ):
            piece = list(group)
            yield path, piece[0].start, piece[-1].end
