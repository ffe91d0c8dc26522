"""Follow-ups as orders about what was written: moved elsewhere, one more beside it, a type for it."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from dataclasses import replace
from textwrap import dedent

from spark_tui.intent.followup_table import table
from spark_tui.intent.intent_table import intents
from spark_tui.intent.readings import Reading, Span
from spark_tui.intent.resolve import candidates
from spark_tui.intent.situation import Candidate, Situation
from spark_tui.intent.written_lines import Change, changes, focused, tokens_of

_NAMES = ("parameter", "variable", "symbol", "function", "class")
"""Slots that the name of what was written may fill."""
_MOST_NAMES = 3


def orders(reading: Reading, situation: Situation) -> list[Candidate]:
    """The candidates of an amendment that is an order about what was written."""
    out: list[Candidate] = []
    for intent in table()["orders"].get(reading.intent, ()):
        if intent.startswith("insert_"):
            out += _moved(replace(reading, intent=intent), situation)
            continue
        order = replace(reading, intent=intent, slots=_renamed(reading, intent))
        near = focused(situation)
        for one in completed(order, situation):
            out += [found for found in candidates(one, near) if found.calls]
    return [replace(one, reading=reading) for one in out]


def _renamed(reading: Reading, intent: str) -> dict[str, tuple[Span, ...]]:
    """The slots under the names that the order has for them."""
    known = intents()[intent].slot_names
    slots = {slot: spans for slot, spans in reading.slots.items() if slot in known}
    if "default" in known and "value" in reading.slots:
        slots["default"] = reading.slots["value"]
    return slots


def completed(reading: Reading, situation: Situation) -> list[Reading]:
    """The reading with names of what was written in the place of those that it needs and nobody said."""
    known = intents().get(reading.intent)
    missing = [one for one in known.required if one not in reading.slots] if known is not None else []
    lacking = [one for one in missing if one in _NAMES]
    if len(lacking) != 1 or missing != lacking or situation.earlier is None:
        return [reading]
    found = written_names(situation)[:_MOST_NAMES]
    filled = [replace(reading, slots={**reading.slots, lacking[0]: (Span(-1, -1, name),)}) for name in found]
    return filled or [reading]


def written_names(situation: Situation) -> list[str]:
    """The names that an edit brought into its file, then those that begin the lines that it changed."""
    out: dict[str, None] = {}
    found = changes(situation)
    for change in found:
        text = situation.before.index.text(change.path) if situation.before is not None else ""
        was = set(re.findall(r"\w+", text or ""))
        for token in change.written():
            if token.text.isidentifier() and not keyword.iskeyword(token.text) and token.text not in was:
                out[token.text] = None
    for change in found:
        begins = (tokens_of(line)[:1] for line in change.new)
        out |= {one.text: None for tokens in begins for one in tokens if one.text.isidentifier()}
    return [one for one in out if not keyword.iskeyword(one)]


def _moved(reading: Reading, situation: Situation) -> Iterator[Candidate]:
    """What was inserted, inserted elsewhere into the files before it."""
    blocks = [one for one in changes(situation) if not one.old and _code(one)]
    if situation.before is None or len(blocks) != 1:
        return
    block = blocks[0]
    slots = {slot: spans for slot, spans in reading.slots.items() if slot in ("anchor", "function")}
    slots["code"] = (Span(-1, -1, _code(block)),)
    before = replace(situation, repo=situation.before, path=block.path, earlier=None, selection=None)
    for one in candidates(replace(reading, slots=slots), before):
        if one.calls:
            yield replace(one, from_before=True)


def _code(block: Change) -> str:
    return dedent("\n".join(block.new)).strip()
