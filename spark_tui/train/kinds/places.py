"""Where an edit is, said behind a sentence or in front of it.

Comes in: the slot of a place, as ` in foo` or ` on line 5`. Goes out: the slots `where` and `at`.
Must not know: instructions, tokens, the model.
"""

from __future__ import annotations

from spark_tui.train.phrasing import Place, Slot, Sub, Words

_STOPS = "[, |, |: |: | - ]"


def placed(where: Slot) -> dict[str, Slot]:
    """`{where}` ends a sentence (` in foo`), `{at}` begins one (`in foo: `); both are empty together."""
    if isinstance(where, Place):
        return {"where": where, "at": Sub(where.front, where.slots)}
    if isinstance(where, Sub):
        return {"where": where, "at": Sub(where.template.strip() + _STOPS, where.slots)}
    text = where.text.strip()
    return {"where": where, "at": Sub(text + _STOPS) if text else Words("")}
