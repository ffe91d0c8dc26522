"""Statements that are told behind an edit, beside what that wrote: *and print it before it leaves*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import call
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import names_of
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Candidate, Option, Situation
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.orders.left_to_written import nodes_on_lines
from spark_tui.intent.reading.shared_places import refers_to_other
from spark_tui.intent.values.converters.of_slots import CONVERTERS, SlotWords
from spark_tui.intent.values.converters.statements import Spoken, is_said
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.source import Source

_BESIDE, _INSIDE = 0.8, 0.7
_OPENING = (ast.If, ast.For, ast.While, ast.With, ast.ExceptHandler)


def beside_written(reading: Reading, found: list[Candidate], situation: Situation) -> list[Candidate]:
    """The candidates of an order behind an edit, with a statement beside what was written where no
    other place is clear."""
    there = reading.intent == "set_value" and refers_to_other(situation.instruction)
    if situation.before is None or (
        any(candidate.calls and not candidate.doubts for candidate in found) and not there
    ):
        return found
    if reading.intent in ("insert_before", "insert_after"):
        made = list(_inserted(reading, situation))
    elif reading.intent == "set_value" and not reading.slots.get("function"):
        made = list(_set(reading, situation))
    else:
        made = []
    return made or found


def _inserted(reading: Reading, situation: Situation) -> Iterator[Candidate]:
    """Code before or behind the statement that a pronoun or a verb means: *that*, *before it leaves*."""
    anchor_text = " ".join(item.text for item in reading.slots.get("anchor", ()))
    kinds = [
        kind
        for kind, forms in followup_table()["does"].items()
        if re.search(forms, anchor_text, re.IGNORECASE)
    ]
    side = reading.intent.removeprefix("insert_")
    written = [
        line for line in nodes_on_lines(situation, beside=bool(kinds)) if isinstance(line[1], ast.stmt)
    ]
    if kinds:
        fits = [line for line in written if type(line[1]).__name__ in kinds]
    elif is_said("pronouns", anchor_text):
        fits = written[-1:] if side == "after" else written[:1]
    else:
        fits = []
    for source, node in fits[-1:]:
        anchor, context = _there(reading, situation, source, node)
        span = context.span("code")
        options = CONVERTERS["code"](SlotWords(context, span, anchor)) if span is not None else []
        for option in options[:1]:
            yield _candidate(reading, source, node, side, option, _BESIDE)


def _set(reading: Reading, situation: Situation) -> Iterator[Candidate]:
    """An assignment as the first statement of the block whose head was written."""
    heads = [line for line in nodes_on_lines(situation) if isinstance(line[1], _OPENING)]
    variable, value = (
        " ".join(item.text for item in reading.slots.get(slot, ())) for slot in ("variable", "value")
    )
    for source, node in heads[:1]:
        first = node.body[0] if isinstance(node, _OPENING) else node
        anchor, context = _there(reading, situation, source, first)
        spoken = Spoken(context, anchor)
        name = spoken.name(variable)
        given = spoken.value(value, name) if name else None
        if name and given:
            yield _candidate(reading, source, first, "before", Option(f"{name} = {given}"), _INSIDE)


def _there(reading: Reading, situation: Situation, source: Source, node: ast.AST) -> tuple[Anchor, Context]:
    there = Situation(situation.behind, source.path, instruction=situation.instruction)
    anchor = Anchor(Area(source.path, node), node)
    return anchor, Context(reading, there, names_of(there.repo, source.path))


def _candidate(
    reading: Reading, source: Source, node: ast.AST, side: str, code: Option, weight: float
) -> Candidate:
    first, last = source.first_line(node) + 1, source.last_line(node)
    place = f"{source.path}:{first}" + (f"-{last}" if last != first else "")
    made = call("insert_statements", place=place, code=code.text, side=side)
    return Candidate((made,), reading, code.doubts, weight * code.weight)
