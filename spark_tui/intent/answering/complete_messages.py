"""Messages after an edit that are complete without it."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import FOLLOW_UP, Answer
from spark_tui.intent.planning.certainty import certainty_table
from spark_tui.intent.words.readings import Reads, SymbolRoles


def answer_behind_edit(instruction: str, reader: Reads, situation: Situation, symbols: SymbolRoles) -> Answer:
    """The answer to an instruction after an edit. If the message makes the same call when it is read as the
    first one of a session, it has the marks of that: the certainty is fitted on first messages."""
    found = answer(instruction, reader, situation, symbols)
    if situation.earlier is None or found.kind != "edit":
        return found
    way = found.ways[0]
    if way.marked != (FOLLOW_UP,) or way.from_before:
        return found
    first = replace(situation, earlier=None, before=None, written=None, changed=(), partial=False)
    if situation.focused:
        first = replace(first, selection=None)
    # An edit of a less likely reading has a mark: it need not be made.
    alone = answer(instruction, reader, first, symbols, float(certainty_table()["unmarked_reading"]))
    if alone.kind != "edit" or alone.ways[0].calls != way.calls:
        return found
    return replace(found, ways=(replace(way, marked=alone.ways[0].marked),))
