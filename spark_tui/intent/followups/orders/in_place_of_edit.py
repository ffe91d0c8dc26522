"""Follow-ups that replace the last edit: catch the error instead of the check, or do the same another way."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from textwrap import indent

from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import names_of, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Candidate, Situation
from spark_tui.intent.context.written_lines import calls_with, changes_of_edit
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.orders.left_to_written import definitions_written, nodes_on_lines
from spark_tui.intent.followups.orders.on_written import is_written
from spark_tui.intent.followups.orders.shown_expressions import shown_expressions
from spark_tui.intent.planning.resolve import find_candidates
from spark_tui.intent.values.converters.of_slots import CONVERTERS, SlotWords
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import names_in, walk

_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break, ast.Pass)
_CAUGHT = 0.9
_LIKELY = 0.6
"""How likely that candidate is meant whose names are those of the lines that were changed."""


def in_place_of_edit(reading: Reading, found: list[Candidate], situation: Situation) -> list[Candidate]:
    """The candidates of an order behind an edit, with those that take the place of the edit."""
    if situation.before is None:
        return found
    if shown := shown_expressions(reading, situation):
        return shown
    if _catches(reading, situation) and (caught := list(_caught(reading, situation))):
        return caught
    if reading.intent.startswith("amend."):
        return found
    beside = Context(reading, situation).beside_slots()
    if not any(re.search(item, beside, re.IGNORECASE) for item in followup_table()["instead"]["words"]):
        return found
    if any(candidate.calls and is_written(candidate, situation, partly=True) for candidate in found):
        return found
    then = replace(situation, repo=situation.before, earlier=None, selection=None)
    made = [
        replace(candidate, from_before=True)
        for candidate in find_candidates(reading, then)
        if candidate.calls
    ]
    return _named_by_lines(made, situation) or found


def _catches(reading: Reading, situation: Situation) -> bool:
    """Whether an order catches an error, or names one in a message about catching."""
    known = followup_table()["catching"]
    is_named = re.search(known["words"], situation.instruction, re.IGNORECASE) is not None
    return reading.intent in known["intents"] or (reading.intent == "amend.exception" and is_named)


def _named_by_lines(found: list[Candidate], situation: Situation) -> list[Candidate]:
    """Where no candidate is likely, prefer the one that shares most names with the changed lines: *the table*
    is the one that these lines look into."""
    if any(candidate.weight >= _LIKELY for candidate in found):
        return found
    lines = " ".join(line for change in changes_of_edit(situation) for line in (*change.old, *change.new))
    names = set(re.findall(r"[A-Za-z_]\w+", lines))
    score = [len(names & set(re.findall(r"[A-Za-z_]\w+", str(candidate.calls)))) for candidate in found]
    best = [one for one, count in zip(found, score, strict=True) if count == max(score)]
    if len(best) != 1:
        return found
    return [replace(candidate, weight=_LIKELY) if candidate is best[0] else candidate for candidate in found]


def _caught(reading: Reading, situation: Situation) -> Iterator[Candidate]:
    """An error that is caught around the first statement that a written guard protects, with what the guard
    does as the handler."""
    function_texts = [plain_name(item.text) for item in reading.slots.get("function", ())]
    if situation.before is None or (
        function_texts and not set(function_texts) & set(definitions_written(situation))
    ):
        return
    whole = {
        (change.path, at + 1)
        for change in changes_of_edit(situation)
        for at in range(change.at, change.at + len(change.new))
    }
    for source, guard in nodes_on_lines(situation):
        lines = range(getattr(guard, "lineno", 0), source.last_line(guard) + 1)
        if not isinstance(guard, ast.If) or not all((source.path, line) in whole for line in lines):
            continue
        tried = _protected(source, guard)
        if tried is None or guard.orelse or not isinstance(guard.body[-1], _LEAVING):
            continue
        there = replace(situation, repo=situation.behind, path=source.path)
        anchor = Anchor(Area(source.path, tried), tried)
        context = Context(reading, there, names_of(there.repo, source.path))
        span = context.span("exception")
        options = CONVERTERS["exception"](SlotWords(context, span, anchor)) if span is not None else []
        for option in options[:1]:
            text = _with_handler(source, guard, tried, option.text)
            calls = calls_with({source.path: text}, situation)
            if calls:
                yield Candidate(calls, reading, weight=_CAUGHT * option.weight, from_before=True)


def _protected(source: Source, guard: ast.If) -> ast.stmt | None:
    """The first statement behind a guard that uses a name of its condition."""
    names = names_in(guard.test)
    suite = source.suite(guard)
    return next(
        (
            stmt
            for stmt in suite[suite.index(guard) + 1 :]
            if any(isinstance(node, ast.Name) and node.id in names for node in walk(stmt))
        ),
        None,
    )


def _with_handler(source: Source, guard: ast.If, tried: ast.stmt, exception: str) -> str:
    """The text with the statement tried in place of the guard."""
    lines = source.text.splitlines(keepends=True)
    margin = " " * guard.col_offset
    start, end = source.first_line(guard), source.last_line(guard)
    first, last = source.first_line(tried), source.last_line(tried)
    body = lines[source.first_line(guard.body[0]) : source.last_line(guard.body[-1])]
    code = [
        f"{margin}try:\n",
        *(indent(line, "    ") for line in lines[first:last]),
        f"{margin}except {exception}:\n",
        *body,
    ]
    return "".join([*lines[:start], *lines[end:first], *code, *lines[last:]])
