"""Where an edit is, said behind a sentence or in front of it.

Comes in: the slot of a place, as ` in foo` or ` on line 5`. Goes out: the slots `where` and `at`.
Must not know: instructions, tokens, the model.
"""

from __future__ import annotations

from spark_tui.train.template_grammar import PlaceSlot, Slot, SubTemplate, WordsSlot

_STOPS = "[, |, |: |: | - ]"


def placed(where: Slot) -> dict[str, Slot]:
    """`{where}` ends a sentence (` in foo`), `{at}` begins one (`in foo: `); both are empty together."""
    if isinstance(where, PlaceSlot):
        return {"where": where, "at": SubTemplate(where.front, where.slots)}
    if isinstance(where, SubTemplate):
        return {"where": where, "at": SubTemplate(where.template.strip() + _STOPS, where.slots)}
    text = where.text.strip()
    return {"where": where, "at": SubTemplate(text + _STOPS) if text else WordsSlot("")}
