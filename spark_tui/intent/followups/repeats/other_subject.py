"""Added lines that are about one parameter, for another one: *weight instead*, *and weight too*."""

from __future__ import annotations

import re
from itertools import chain

from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import (
    LineChange,
    calls_for,
    changes_of_edit,
    functions_around,
    tokens_of,
)
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.words import phrases
from spark_tui.intent.words.phrases import joining
from spark_tui.intent.words.readings import Order, Reading
from spark_tui.pysource.source import Function, parameters

_MEANT = 0.85
"""How likely that is meant, against all other readings."""
_FEW = 5
_READ_AS = frozenset(
    f"amend.{kind}"
    for kind in ("also", "further", "place", "name", "value", "exception", "condition", "return_instead")
)


def with_other_subject(order: Order, situation: Situation) -> Order:
    """The order as one to do the same to another parameter, in place of or after the one that was written,
    where it says nothing but that parameter."""
    first, text = order.readings[0], situation.instruction[order.start : order.end]
    spans = [span for slot, own in first.slots.items() if slot != "old" for span in own]
    checks = phrases.any_stands_in(phrases.words("asserting"), text.lower()) and len(text.split()) <= _FEW
    if not (first.intent in _READ_AS or checks) or len(spans) != 1 or spans[0].quoted or situation.partial:
        return order
    also = first.intent in ("amend.also", "amend.further") or phrases.mentions("likewise", f" {text} ")
    also = also or re.match(rf"\W*(?:{joining()})", text, re.IGNORECASE) is not None
    reading = Reading("amend.also" if also else "amend.place", _MEANT, {"parameter": (spans[0],)})
    told = chain(phrases.words("returning_words"), *followup_table()["told"].values())
    if not for_other_subject(reading, situation) or phrases.any_stands_in(told, text.lower()):
        return order
    return order.preferring(reading)


def for_other_subject(reading: Reading, situation: Situation) -> list[Candidate]:
    """The added lines for the parameter that a reading names, in place of or after those for the only
    parameter that they use."""
    named, before, found = reading.slots.get("parameter", ()), situation.before, changes_of_edit(situation)
    if reading.intent not in ("amend.also", "amend.place") or len(named) != 1 or before is None:
        return []
    if reading.intent == "amend.also" and (set_too := _for_other_name(reading, situation)):
        return set_too
    blocks = [change for change in found if functions_around(change, situation.behind)]
    if len(blocks) != 1 or blocks[0].old:
        return []
    block, new = blocks[0], named[0].text.strip("`'\"")
    new = phrases.without_articles(new) if re.match(r"\s*(?:if|assert)\b", block.text) else new
    known = _parameters(block, situation)
    used = {token.text for token in tokens_of(block.text) if token.before != "."} & known
    if new not in known:
        # An attribute beside another one of the same object.
        code = situation.behind.index.text(block.path) or ""
        held = set(re.findall(r"(?<![\w.])([a-z_]\w*)\.([a-z_]\w*)(?!\w|\()", block.text))
        used = {f"{owner}.{name}" for owner, name in held if re.search(rf"\b{owner}\.{new}\b(?!\()", code)}
        known = frozenset(f"{one.partition('.')[0]}.{new}" for one in used)
        new = next(iter(known), new)
    returns = re.search(r"\breturn +(?!None\b|\d)\w", block.text) is not None
    if len(used) != 1 or new not in known - used or (returns and reading.intent == "amend.place"):
        return []
    old = re.compile(rf"\b{re.escape(*used)}\b")
    swapped = tuple(old.sub(new, line) for line in block.new)
    lines = (*block.new, *swapped) if reading.intent == "amend.also" else swapped
    calls = calls_for(found, {block: lines}, before)
    return [Candidate(calls, reading, from_before=True)] if calls else []


def _for_other_name(reading: Reading, situation: Situation) -> list[Candidate]:
    """The only line that was added, which sets a name, once more for a new one that is like it."""
    new, found = reading.slots["parameter"][0].text.strip("`'\""), changes_of_edit(situation)
    block = found[0] if len(found) == 1 and not found[0].old and len(found[0].new) == 1 else None
    line = re.match(r"\s*([A-Za-z_]\w*)(?=\s*(?::[^=]*)?=[^=])", block.new[0]) if block is not None else None
    if block is None or line is None or situation.before is None:
        return []
    scope = situation.behind.index.text(block.path) or ""
    alike = bool(set(split_name(new)) & set(split_name(line[1]))) and new.isidentifier()
    if not alike or re.search(rf"(?<![\w.]){re.escape(new)}\b", scope):
        return []
    lines = (*block.new, block.new[0][: line.start(1)] + new + block.new[0][line.end(1) :])
    calls = calls_for(found, {block: lines}, situation.before)
    return [Candidate(calls, reading, from_before=True)] if calls else []


def _parameters(block: LineChange, situation: Situation) -> frozenset[str]:
    """The parameters of the function in which lines were added."""
    name = functions_around(block, situation.behind)[-1]
    definitions = situation.behind.index.source(block.path).definitions
    holders = [one for one in definitions if one.name == name and one.lineno <= block.at + 1]
    if not holders or not isinstance(holders[-1], Function):
        return frozenset()
    return frozenset(item.arg for item in parameters(holders[-1])) - {"self", "cls"}
