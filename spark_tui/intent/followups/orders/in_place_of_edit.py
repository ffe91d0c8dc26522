"""Follow-ups that replace the last edit: do the same another way."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.codemods.families.classes.bases import AddBase
from spark_tui.codemods.plan import Plan
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import changes_of_edit, definitions_changed
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.orders.near_edit import names_no_subject
from spark_tui.intent.followups.orders.on_written import is_written
from spark_tui.intent.planning.executing import plan_of
from spark_tui.intent.planning.resolve import find_candidates
from spark_tui.intent.words.readings import Reading

_AWAY = 0.1
"""How much an order that names no place counts where it cannot take the place of the edit."""
_LIKELY = 0.6
"""How likely that candidate is meant whose names are those of the lines that were changed."""


def in_place_of_edit(reading: Reading, found: list[Candidate], situation: Situation) -> list[Candidate]:
    """The candidates of an order after an edit, with those that take the place of the edit."""
    if situation.before is None:
        return found
    if reading.intent.startswith("amend."):
        return found
    beside = Context(reading, situation).beside_slots()
    if not any(re.search(item, beside, re.IGNORECASE) for item in followup_table()["instead"]["words"]):
        return found
    if any(candidate.calls and is_written(candidate, situation, partly=True) for candidate in found):
        return found
    if _replaces_elsewhere(found, situation):
        return found
    loose = names_no_subject(reading)
    then = replace(situation, repo=situation.before, earlier=None, selection=None)
    made = [
        replace(candidate, from_before=True)
        for candidate in find_candidates(reading, then)
        if candidate.calls and (not loose or _is_done_there(candidate, situation))
    ]
    if loose and not made:
        return [one if one.from_before else replace(one, weight=_AWAY * one.weight) for one in found]
    return _named_by_lines(made, situation) or found


def _is_done_there(candidate: Candidate, situation: Situation) -> bool:
    """Whether a candidate changes a function in which the edit did something, or no function as it did."""
    before, found = situation.before or situation.repo, changes_of_edit(situation)
    plan = plan_of(candidate.calls, before)
    if not isinstance(plan, Plan):
        return True
    edited = definitions_changed(before, {one.path: situation.behind.index.text(one.path) for one in found})
    return not edited.keys().isdisjoint(definitions_changed(before, plan.texts(before)))


def _replaces_elsewhere(found: list[Candidate], situation: Situation) -> bool:
    """Whether a base class is replaced in a class that the last edit does not mention."""
    calls = [call for one in found for call in one.calls if isinstance(call, AddBase) and call.instead_of]
    return bool(calls) and all(
        _names_of_edit(situation).isdisjoint(re.findall(r"\w+", f"{call.target.name} {call.base}"))
        for call in calls
    )


def _names_of_edit(situation: Situation) -> set[str]:
    lines = " ".join(line for change in changes_of_edit(situation) for line in (*change.old, *change.new))
    return set(re.findall(r"[A-Za-z_]\w+", lines))


def _named_by_lines(found: list[Candidate], situation: Situation) -> list[Candidate]:
    """Where no candidate is likely, prefer the one that shares most names with the changed lines: *the table*
    is the one that these lines look into."""
    if any(candidate.weight >= _LIKELY for candidate in found):
        return found
    names = _names_of_edit(situation)
    score = [len(names & set(re.findall(r"[A-Za-z_]\w+", str(candidate.calls)))) for candidate in found]
    best = [one for one, count in zip(found, score, strict=True) if count == max(score)]
    if len(best) != 1:
        return found
    return [replace(candidate, weight=_LIKELY) if candidate is best[0] else candidate for candidate in found]
