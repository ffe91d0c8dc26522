"""A message that says what goes wrong, and no more: it is answered with the repair of a likely cause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spark_tui.intent.answering.problem_answer import offer_fixes
from spark_tui.intent.answering.try_readings import NO_EDIT
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.defects.asking import asks_for_edit, tells_wish
from spark_tui.intent.defects.described import Found, described, names_here, reads_bug, tells_of_bug
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.words.readings import Order

_LEAST, _CLEAR = 0.5, 0.7
"""How likely a repair has to be, and the same where an edit was read."""
_SAID, _SAID_BESIDE_ORDER, _SAID_UNREAD = 0.1, 0.7, 2.0
"""How much the words have to speak for a repair, the same where an order was read that cannot be done, and
where no error was read."""
_TOLD, _CLEARLY_TOLD = 1.1, 3.5
"""How much they have to with the places that they name, and where an edit was read that is not unlikely."""
_BEHIND, _BEFORE = 2.0, 5.0
"""How much they have to speak for a repair after an edit, and where an edit was read besides."""
_LISTED, _TOLD_OF_LIST = 0.2, 1.0
"""How likely the first of several repairs is that are listed where nothing else can be done, and how much the
words speak for it."""
_READ = 0.7
"""How likely an order is read for its edit to be what is meant."""
_SURE, _UNLIKELY = 0.75, 0.45
"""How sure an edit is that is given nevertheless, and one before which any likely repair comes."""


def or_repaired(found: Answer, situation: Situation, orders: Sequence[Order] = ()) -> Answer:
    """The answer that was found, unless the message rather describes a bug whose cause is there. That of a
    message which is clearly read as `orders` stays, if it is an edit or no words speak for a bug."""
    if situation.earlier is not None:
        return _behind_edit(found, situation)
    best = found.ways[0].confidence if found.ways and found.kind == "edit" else 0.0
    read = bool(orders) and all(map(_is_read, orders))
    if best >= _SURE or (best and read) or found.kind in ("question", "chat", "undo"):
        return found
    text, names = situation.instruction, names_here(situation)
    if asks_for_edit(text, names) or (best and tells_wish(text)):
        return found
    repairs = described(situation)
    if not repairs or repairs[0].likely < (_CLEAR if best else _LISTED):
        return found
    if repairs[0].likely < _LEAST:
        return _listed(found, repairs, situation)
    if best >= _UNLIKELY and repairs[0].told < _CLEARLY_TOLD:
        return found
    of_bug, least = tells_of_bug(text), _SAID_BESIDE_ORDER if read else _SAID
    least = least if reads_bug(orders) else _SAID_UNREAD
    if best < _UNLIKELY and (repairs[0].said + of_bug < least or repairs[0].told + of_bug < _TOLD):
        return found
    offered = offer_fixes([one.built for one in repairs], situation, harmless=True)
    return offered if offered.ways else found


def _is_read(order: Order) -> bool:
    """Whether an order is clearly read as one for a certain edit."""
    first = order.readings[0] if order.readings else None
    return first is not None and first.probability >= _READ and first.intent not in (*NO_EDIT, "fix_error")


def _behind_edit(found: Answer, situation: Situation) -> Answer:
    """The same after an edit: a message that clearly tells of a bug is none about that edit."""
    text = situation.instruction
    unmarked = found.kind == "edit" and not found.ways[0].marked
    if unmarked or found.kind in ("question", "chat", "undo") or asks_for_edit(text, names_here(situation)):
        return found
    first = replace(situation, earlier=None, before=None, written=None, changed=(), partial=False)
    first = replace(first, selection=None, focused=False) if situation.focused else first
    repairs = described(first)
    likely, told = (_CLEAR, _BEFORE) if found.kind == "edit" else (_LEAST, _BEHIND)
    if not repairs or repairs[0].likely < likely or repairs[0].told < told or tells_wish(text):
        return found
    offered = offer_fixes([one.built for one in repairs], first, harmless=True)
    return offered if offered.kind == "edit" else found


def _listed(found: Answer, repairs: Sequence[Found], situation: Situation) -> Answer:
    """The likeliest repairs as a choice, where nothing else can be done and the words speak for one."""
    if found.kind not in ("write", "cannot") or found.best is not None or repairs[0].told < _TOLD_OF_LIST:
        return found
    offered = offer_fixes([one.built for one in repairs], situation, harmless=True)
    return offered if offered.kind == "choices" else found
