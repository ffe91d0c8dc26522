"""A message that says what goes wrong, and no more: it is answered with the repair of a likely cause."""

from __future__ import annotations

from spark_tui.intent.answering.problem_answer import offer_fixes
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.defects.described import described
from spark_tui.intent.defects.symptoms import tells_symptom
from spark_tui.intent.planning.answers import Answer

_LEAST, _CLEAR = 0.4, 0.7
"""How likely a repair has to be, and the same where an edit was read."""
_TELLS, _CLEARLY = 2.0, 3.0
"""How much likelier the words have to be of a bug than of an edit, by those of its symptom too; and by all
words alone, where an edit was read."""
_OF_SYMPTOM = 0.4
"""How much the words of one symptom say of that, against all words."""
_SURE, _WEAK = 0.75, 0.45
"""How sure an edit is that is given nevertheless; below the second any likely repair precedes it."""


def or_repaired(found: Answer, situation: Situation) -> Answer:
    """The answer that was found, unless the message rather describes a bug whose cause is there."""
    best = found.ways[0].confidence if found.ways and found.kind == "edit" else 0.0
    if situation.earlier is not None or best >= _SURE or found.kind in ("question", "chat", "undo"):
        return found
    tells = tells_symptom(situation.instruction)
    if best >= _WEAK and tells < _CLEARLY:
        return found
    repairs = described(situation)
    if not repairs or repairs[0].built.weight < (_CLEAR if best else _LEAST):
        return found
    if tells + _OF_SYMPTOM * repairs[0].odds < _TELLS:
        return found
    offered = offer_fixes([one.built for one in repairs], situation)
    return offered if offered.ways else found
