"""Orders after an edit that name no subject are about what was written: *but never below zero*."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace

from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import changes_of_edit, functions_around, select_written_lines
from spark_tui.intent.followups.orders.left_to_written import nodes_on_lines
from spark_tui.intent.followups.orders.on_written import is_written
from spark_tui.intent.planning.resolve import find_candidates
from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.source import parameters
from spark_tui.pysource.syntax.walking import find_nodes

_SUBJECTS = ("function", "class", "file", "anchor", "variable", "parameter", "symbol", "call", "old", "code")
_ELSEWHERE = 0.4
"""How much an order without a subject counts elsewhere, if one can be done to what was written."""
_MOST = 8
_THERE = re.compile(r"\b(?:there|dort|là|ahí|allí)\b|那里", re.IGNORECASE)
Weighed = tuple[float, Candidate]


def names_no_subject(reading: Reading) -> bool:
    """Whether an order says neither where nor to what."""
    return not reading.intent.startswith("amend.") and not any(reading.slots.get(one) for one in _SUBJECTS)


def near_edit(weighed: Sequence[Weighed], situation: Situation) -> list[Weighed]:
    """The candidates with their weights: those of orders without a subject weigh less elsewhere than in the
    lines that were written, if any is about these."""
    amends = any(item[1].reading.intent.startswith("amend.") for item in weighed)
    if not amends and _THERE.search(situation.instruction):
        beside = {id(item) for item in weighed if item[1].calls and _is_beside(item[1], situation)}
        if 0 < len(beside) < len(weighed):
            return [item if id(item) in beside else (_ELSEWHERE**2 * item[0], item[1]) for item in weighed]
    loose = [
        item
        for item in weighed
        if item[1].calls and not item[1].from_before and names_no_subject(item[1].reading)
    ][:_MOST]
    there = {id(item) for item in loose if is_written(item[1], situation)} if len(loose) > 1 else set()
    there = there or {id(item) for item in loose if _is_beside(item[1], situation)}
    much = _ELSEWHERE
    if not there and not any(item[1].reading.everywhere for item in loose):
        there, much = {id(item) for item in loose if _is_around(item[1], situation)}, _ELSEWHERE**2
    if not there or len(there) == len(loose):
        return list(weighed)
    away = {id(item) for item in loose} - there
    return [(much * item[0], item[1]) if id(item) in away else item for item in weighed]


def _is_around(candidate: Candidate, situation: Situation) -> bool:
    """Whether a candidate is for the function in which something was written."""
    spot = getattr(candidate.calls[0], "place", None)
    changes = changes_of_edit(situation)
    around = {(one.path, ".".join(functions_around(one, situation.behind))) for one in changes}
    path, _, name = str(spot.symbol).partition("::") if spot is not None and spot.symbol else ("", "", "")
    return bool(name) and (path, name) in around


def _is_beside(candidate: Candidate, situation: Situation) -> bool:
    """Whether a candidate changes a statement of the block in which something was written."""
    spot = getattr(candidate.calls[0], "place", None)
    if spot is None or not spot.first or spot.path not in situation.behind.index.paths:
        return False
    source = situation.behind.index.source(spot.path)
    lines = {change.at + 1 for change in changes_of_edit(situation) if change.path == spot.path}
    suites = [source.suite(one) for one in source.statements if one.lineno in lines]
    return any(one.lineno == spot.first and one in suite for suite in suites for one in suite)


def with_written_subject(reading: Reading, found: list[Candidate], situation: Situation) -> list[Candidate]:
    """The candidates of an order for a variable that is not named: of what was set in the lines that were
    written, if it can be done there."""
    known = intents().get(reading.intent)
    if known is None or "variable" not in known.slot_names or not names_no_subject(reading):
        return found
    if any(one.calls and is_written(one, situation) for one in found[:_MOST]):
        return found
    targets = {
        ast.unparse(target): None
        for _, node in nodes_on_lines(situation)
        for target in getattr(node, "targets", [getattr(node, "target", None)])
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) and target is not None
    }
    tested = {
        node.id: None
        for source, test in nodes_on_lines(situation)
        if isinstance(test, ast.If)
        for node in find_nodes(test.test, ast.Name)
        if (function := source.function_of(test)) and node.id in (one.arg for one in parameters(function))
    }
    for name in targets or (tested if len(tested) == 1 else ()):
        told = replace(reading, slots={**reading.slots, "variable": (Span(-1, -1, name),)})
        made = [one for one in find_candidates(told, select_written_lines(situation)) if one.calls]
        if there := [one for one in made[:_MOST] if is_written(one, situation) or name in tested]:
            return [*there, *(replace(one, weight=_ELSEWHERE * one.weight) for one in found)]
    return found
