"""What is done at the one line that an instruction names: then what fits elsewhere is not meant."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.codemods.families.statements.placement import ReplaceStatements
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import Place
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.values.likely.incomplete_readings import line_blanked, line_named
from spark_tui.intent.words.doubts import DoubtKind, without
from spark_tui.intent.words.phrases import words
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.source import Function

_LEAST_NAMED = 2
"""Words of a text that tell it from the others."""


def only_line(situation: Situation) -> int:
    """The number of the line in the open file that an instruction says it is about; 0 where it names none or
    several, or the head of a definition, which stands for all of it."""
    text = situation.instruction
    named = line_named(text) if line_blanked(text) else None
    if named is None or situation.earlier is not None or situation.path not in situation.repo.index.paths:
        return 0
    if set(re.findall(r"\w+", text[: named[1]].lower())[-3:]) & set(words("around_a_line")):
        return 0
    source = situation.repo.index.source(situation.path)
    heads = (
        node.lineno for node in source.definitions if isinstance(node, Function | ast.ClassDef) and node.body
    )
    return 0 if named[0] in heads else named[0]


def is_at(candidate: Candidate, situation: Situation, line: int) -> bool:
    """Whether something that a candidate does is at a line."""
    own = (place for place in line_places(candidate.calls) if place.path == situation.path)
    return any(place.first <= line <= place.last for place in own)


def is_elsewhere(candidate: Candidate, situation: Situation, line: int) -> bool:
    """Whether all that a candidate does is at other lines, or it writes a whole function anew."""
    anew = any(isinstance(call, ReplaceStatements) and call.place.symbol for call in candidate.calls)
    return anew or (bool(line_places(candidate.calls)) and not is_at(candidate, situation, line))


def at_line(candidates: Sequence[Candidate], situation: Situation, line: int) -> list[Candidate]:
    """The candidates without those elsewhere, where any is at the line; as likely together as all were."""
    here = [item for item in candidates if is_at(item, situation, line)]
    away = [item for item in candidates if is_elsewhere(item, situation, line)]
    if not here or not away:
        return list(candidates)
    share = sum(item.weight for item in (*here, *away)) / sum(item.weight for item in here)
    settled = [
        replace(
            item,
            weight=min(1.0, share * item.weight),
            doubts=item.doubts if len(here) > 1 else without(item.doubts, DoubtKind.PLACES),
        )
        for item in here
    ]
    others = [item for item in candidates if item not in here and item not in away]
    return [*settled, *others]


def at_text(reading: Reading, situation: Situation) -> Iterator[tuple[Reading, Situation]]:
    """The reading at the one line with a text of the words that were taken for a function: *the error rate
    print*."""
    named, index = set(split_name(reading.text("function"))), situation.repo.index
    if len(named) >= _LEAST_NAMED and situation.path in index.paths and situation.selection is None:
        texts = index.source(situation.path).strings
        lines = {node.lineno for node in texts if named <= set(split_name(str(node.value)))}
        slots = {slot: spans for slot, spans in reading.slots.items() if slot != "function"}
        for line in lines if len(lines) == 1 else ():
            yield replace(reading, slots=slots), replace(situation, cursor=line, line=line)


def line_places(calls: Sequence[Operation]) -> list[Place]:
    """The places of calls that are lines."""
    places = (getattr(call, name, None) for call in calls for name in ("place", "to"))
    return [place for place in places if isinstance(place, Place) and place.first]
