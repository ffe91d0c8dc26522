"""Orders about the lines that an edit deleted: *no, keep it, but as a warning*, *only when verbose*."""

from __future__ import annotations

import re
from dataclasses import replace
from textwrap import dedent

from spark_tui.codemods.plan import Plan
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import (
    LineChange,
    changes_between,
    changes_of_edit,
    functions_around,
)
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.planning.executing import plan_of
from spark_tui.intent.planning.resolve import find_candidates
from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import PLACES, Reading, Span
from spark_tui.pysource.repository import Repository

_MEANT = 0.8


def about_deleted(reading: Reading, situation: Situation) -> list[Candidate]:
    """The ways to do an order to what was deleted in the place of the deletion, where the message takes that
    back or restricts it."""
    before, found = situation.before, changes_of_edit(situation)
    if before is None or not found or any(reading.slots.get(slot) for slot in PLACES):
        return []
    gone = [
        item for item in found if item.old and not any(line.strip() not in ("", "pass") for line in item.new)
    ]
    instruction = situation.instruction
    kept = phrases.any_stands_in(
        (*phrases.words("keeping"), *followup_table()["stays"]["only"]), instruction.lower()
    )
    other = any(re.search(item, instruction, re.IGNORECASE) for item in followup_table()["instead"]["words"])
    if len(gone) != 1 or len(found) != 1 or not (kept or other):
        return []
    change = gone[0]
    known = intents().get(reading.intent)
    if known is not None and "code" in known.required and not reading.slots.get("code"):
        code = dedent("\n".join(change.old)).strip()
        reading = replace(reading, slots={**reading.slots, "code": (Span(-1, -1, code),)})
    lines = (change.first + 1, change.last)
    there = replace(situation, repo=before, path=change.path, earlier=None, before=None, written=None)
    there = replace(there, changed=(), selection=lines, focused=True)
    home = functions_around(replace(change, at=change.first, new=change.old), before)
    inside = {**reading.slots, "function": (Span(-1, -1, ".".join(home)),)}
    for one in (reading, replace(reading, slots=inside)) if home else (reading,):
        if made := [
            candidate for candidate in find_candidates(one, there) if _is_there(candidate, change, before)
        ]:
            doubts = tuple(why for why in made[0].doubts if "places fit" not in why)
            weight = max(made[0].weight, _MEANT)
            return [replace(made[0], reading=reading, doubts=doubts, weight=weight, from_before=True)]
    return []


def _is_there(candidate: Candidate, change: LineChange, before: Repository) -> bool:
    """Whether a candidate changes the lines that were deleted, and beside them only adds lines at the top."""
    plan = plan_of(candidate.calls, before) if candidate.calls else None
    made = changes_between(before, plan.texts(before)) if isinstance(plan, Plan) else []
    there = [item for item in made if change.first <= item.first <= change.last]
    return bool(there) and all(item in there or not (item.old or item.new[0][:1].isspace()) for item in made)
