"""Messages after an edit that are complete without it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.codemods.registry import Operation, slots_of
from spark_tui.codemods.slots import Place, Symbol
from spark_tui.intent.answering.answer import answer
from spark_tui.intent.answering.reading_orders import plain_text, read_orders
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.planning.answers import FOLLOW_UP, UNSURE, Answer, Way
from spark_tui.intent.planning.certainty import certainty_table
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reads, SymbolRoles
from spark_tui.pysource.repository import Repository

_UNREAD = ("write", "cannot")
_LIKELY = 0.1
"""How likely a reading is at least that makes a message one about an edit."""


def answer_behind_edit(instruction: str, reader: Reads, situation: Situation, symbols: SymbolRoles) -> Answer:
    """The answer to an instruction after an edit. A message that means the same without it, names what that
    edit is not about, and does not correct it (*no, set B to 2*) is answered as the first one of a session.
    Any other has the marks of that if it makes the same edit when it is read so: the certainty is fitted on
    first messages."""
    earlier = situation.earlier
    if earlier is None:
        return answer(instruction, reader, situation, symbols)
    first = replace(situation, earlier=None, before=None, written=None, changed=(), partial=False)
    if situation.focused:
        first = replace(first, selection=None)
    sure = float(certainty_table()["unmarked_reading"])
    plain = plain_text(instruction, first, symbols)
    behind, ahead = (read_orders(plain, reader, symbols, intent) for intent in (earlier.intent, ""))
    alone = None
    corrects = any(re.search(one, plain, re.IGNORECASE) for one in followup_table()["instead"]["words"])
    if not earlier.turned_down and not corrects and _same_order(behind, ahead, sure):
        alone = answer(instruction, reader, first, symbols, sure)
        if alone.kind == "edit" and _is_elsewhere(alone.ways[0].calls, earlier, plain):
            return alone
    found = answer(instruction, reader, situation, symbols)
    about_edit = corrects or earlier.turned_down or _may_amend(behind) or _only_refers(plain, ahead)
    if found.kind in _UNREAD and not about_edit:
        return _as_first(alone or answer(instruction, reader, first, symbols), found, ahead)
    way = found.ways[0] if found.kind == "edit" else None
    if way is None or way.marked != (FOLLOW_UP,) or way.from_before or corrects:
        return found
    alone = answer(instruction, reader, first, symbols) if alone is None else alone
    if alone.ways and _same_edit(alone.ways[0], way, situation.repo):
        marked = alone.ways[0].marked if alone.kind == "edit" else (UNSURE,)
        return replace(found, ways=(replace(way, marked=marked),))
    amends = any(order.readings[0].intent.startswith("amend.") for order in behind if order.readings)
    if not amends and _is_elsewhere(way.calls, earlier, plain):
        return replace(found, ways=(replace(way, marked=(UNSURE,)),))
    return found


def _may_amend(behind: Sequence[Order]) -> bool:
    """Whether a message may be about an edit: one of the likeliest readings of an order amends it."""
    likely = (item for order in behind for item in order.readings if item.probability >= _LIKELY)
    return any(item.intent.startswith("amend.") for item in likely)


def _only_refers(text: str, ahead: Sequence[Order]) -> bool:
    """Whether a message names nothing, and says by a pronoun what it is about: not the whole file."""
    named = any(order.readings[0].slots for order in ahead if order.readings)
    return not named and phrases.any_stands_in(phrases.words("pronouns"), text.lower())


def _as_first(alone: Answer, found: Answer, ahead: Sequence[Order]) -> Answer:
    """The answer to a message of which nothing is read behind an edit, as to the first one of a session, if
    that is what it most likely means then."""
    likeliest = {order.readings[0].intent for order in ahead if order.readings}
    if not alone.ways or any(one.done is None or one.done.intent not in likeliest for one in alone.ways[:1]):
        return found
    return replace(alone, ways=tuple(replace(one, marked=one.marked or (UNSURE,)) for one in alone.ways))


def _same_edit(one: Way, other: Way, repo: Repository) -> bool:
    """Whether two ways make the same call, or calls with the same outcome."""
    return one.calls == other.calls or one.plan.texts(repo) == other.plan.texts(repo)


def _same_order(behind: Sequence[Order], ahead: Sequence[Order], sure: float) -> bool:
    """Whether a message is one order, and surely the same behind an edit and by itself."""
    if len(behind) != 1 or len(ahead) != 1 or not (behind[0].readings and ahead[0].readings):
        return False
    one, other = behind[0].readings[0], ahead[0].readings[0]
    same = replace(one, probability=other.probability) == other
    return same and min(one.probability, other.probability) >= sure


def _is_elsewhere(calls: Sequence[Operation], earlier: Done, plain: str) -> bool:
    """Whether all that calls are about is named in a message, and none of it is what an edit was about."""
    named = {*_symbols(calls)}
    said = all(name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", plain) for name in named)
    return bool(named) and said and named.isdisjoint(_symbols((*earlier.calls, *earlier.others)))


def _symbols(calls: Sequence[Operation]) -> Iterator[str]:
    """The last names of the symbols that calls are about, of a constructor that of its class; for lines an
    empty one."""
    for call in calls:
        for slot in slots_of(type(call)):
            value = getattr(call, slot.name)
            if isinstance(value, Place | Symbol):
                name = value.symbol.rpartition("::")[2] if isinstance(value, Place) else value.name
                yield name.removesuffix(".__init__").rpartition(".")[2]
