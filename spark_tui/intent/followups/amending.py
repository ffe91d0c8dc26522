"""Instructions that amend the answer before: another value, another place, also there, not there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from spark_tui.codemods.plan import Plan, Refused
from spark_tui.intent.context.situation import Candidate, Done, Situation
from spark_tui.intent.context.written_lines import changes_of_edit
from spark_tui.intent.followups.amendments.amendment_candidates import in_lines
from spark_tui.intent.followups.amendments.by_call import (
    NO_SUCH,
    NOT_WHICH,
    adds_condition,
    by_call,
    closest_calls,
)
from spark_tui.intent.followups.amendments.exchanged_tokens import MEMBER, only_judges
from spark_tui.intent.followups.amendments.further_orders import (
    as_further_thing,
    further_orders,
    with_written_type,
)
from spark_tui.intent.followups.amendments.given_back import gives_back, is_idle
from spark_tui.intent.followups.amendments.given_functions import without_functions_as_values
from spark_tui.intent.followups.amendments.named_elsewhere import named_elsewhere, renamed_elsewhere
from spark_tui.intent.followups.amendments.other_decorators import other_decorators
from spark_tui.intent.followups.amendments.places import as_place, in_its_class
from spark_tui.intent.followups.amendments.respelled import respelled, with_own_error
from spark_tui.intent.followups.amendments.sibling_files import in_sibling_file
from spark_tui.intent.followups.amendments.values_beside import with_value_beside
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.orders.moved_guards import moved_guards
from spark_tui.intent.followups.orders.on_written import one_of_orders
from spark_tui.intent.followups.parts.fewer_places import touches_nothing
from spark_tui.intent.followups.parts.named import without_named, without_targets
from spark_tui.intent.followups.parts.named_orders import without_named_orders
from spark_tui.intent.followups.repeats.both_kept import both_kept
from spark_tui.intent.followups.repeats.other_subject import for_other_subject
from spark_tui.intent.followups.repeats.repeated_lines import repeat_lines
from spark_tui.intent.followups.repeats.said_again import also_named
from spark_tui.intent.followups.written.exits import says_more
from spark_tui.intent.followups.written.other_forms import asked_form
from spark_tui.intent.planning.executing import plan_of
from spark_tui.intent.words.doubts import Doubt, DoubtKind
from spark_tui.intent.words.phrases import is_said
from spark_tui.intent.words.readings import Reading

_PARTS = ("amend.except", "amend.only_here")
_MORE = Doubt("what else the last edit wrote is not kept", DoubtKind.NOT_KEPT)
_ELSEWHERE = ("amend.also", "amend.place", "amend.everywhere")
_BEHIND = 0.3
"""How much a way to amend counts where the other one is known to be what was done."""


def amended(reading: Reading, situation: Situation) -> list[Candidate]:
    """The candidates of a reading that amends the earlier answer, with what is given as it is meant."""
    reading, doubts = respelled(reading, situation)
    word = situation.instruction.strip(" .!?…")
    if word.isalpha() and is_said("maybe_replies", word):
        doubts = (*doubts, Doubt(f"{word} may be meant as a reply to the edit", DoubtKind.TAKEN_FOR))
    found = with_own_error(_amended, reading, situation)
    return [replace(one, doubts=(*one.doubts, *doubts)) for one in found] if doubts else found


def _amended(reading: Reading, situation: Situation) -> list[Candidate]:
    """The candidates by the call of the earlier answer, and by the lines that it wrote. They are for the
    repository before it, except for further places."""
    earlier = situation.earlier
    if earlier is None:
        return [Candidate((), reading, refused="there is no answer yet that this could change")]
    if plain := _refused(reading, earlier, situation) or _not_by_its_call(reading, earlier, situation):
        return plain
    reading = with_written_type(in_its_class(in_sibling_file(reading, situation), situation), situation)
    if moved := _elsewhere(reading, situation):
        return moved
    called = _by_call(reading, earlier, situation)
    lines = in_lines(reading, situation, any(one.calls for one in called))
    if reading.intent in _ELSEWHERE:
        lines = with_value_beside(lines or repeat_lines(reading, situation), reading, situation)
        called = with_value_beside(called, reading, situation)
        called = [one for one in called if not (lines and is_idle(one, situation))]
    if lines and earlier.calls and _is_refused(called, situation):
        lines = []
    joins = reading.intent == "amend.condition" and adds_condition(situation.instruction)
    formed = reading.intent == "amend.other_reading" and asked_form(situation.instruction)
    if lines and (joins or formed or says_more(reading, situation.instruction)):
        called = []
    if not any(one.calls for one in (*called, *lines)):
        lines = _further(reading, situation) or lines
    if reading.intent in _PARTS:
        called, lines = _without_parts(reading, called, lines, situation)
    called, lines = _weighed(reading, called, lines, situation, earlier)
    found = without_functions_as_values(reading, [*called, *lines], situation)
    return sorted(found, key=lambda item: -item.weight)


def _refused(reading: Reading, earlier: Done, situation: Situation) -> list[Candidate]:
    """Why the last edit cannot be amended as a reading says, or what is done to another name instead."""
    if elsewhere := named_elsewhere(reading, situation):
        refused = Candidate((), reading, refused=f"the last edit has nothing to do with {elsewhere}")
        return renamed_elsewhere(reading, elsewhere, earlier, situation) or [refused]
    if reading.intent == "amend.message" and any(map(only_judges, reading.slots.get("message", ()))):
        return [Candidate((), reading, refused=NOT_WHICH)]
    return []


def _not_by_its_call(reading: Reading, earlier: Done, situation: Situation) -> list[Candidate]:
    """The candidates of what changes neither a slot of the earlier call nor its lines."""
    if reading.intent in _PARTS and (kept := without_named_orders(reading, situation)):
        return [kept]
    if apart := one_of_orders(reading, earlier, situation.instruction):
        return [apart]
    both = both_kept(reading, situation)
    return both or for_other_subject(reading, situation) or other_decorators(reading, situation)


def _elsewhere(reading: Reading, situation: Situation) -> list[Candidate]:
    """The candidates of a reading that is taken for another place of the edit, where there are any."""
    place = as_place(reading, situation)
    if place is None and reading.intent == "amend.only_here" and touches_nothing(reading, situation):
        place = replace(reading, intent="amend.place")
    found = [replace(one, reading=reading) for one in _amended(place, situation)] if place is not None else []
    return found if any(item.calls for item in found) else []


def _by_call(reading: Reading, earlier: Done, situation: Situation) -> list[Candidate]:
    """The candidates by the earlier call."""
    called = _behind_others(by_call, reading, earlier, situation)
    replaced = followup_table()["replaced"]
    if reading.intent in (*replaced, "amend.also", "amend.place"):
        called = closest_calls(called, earlier)
    if changes_of_edit(situation) and not earlier.calls and reading.intent in replaced:
        called = [replace(one, doubts=(*one.doubts, _MORE)) for one in called]
    return called


def _further(reading: Reading, situation: Situation) -> list[Candidate]:
    """The candidates of what goes on from the edit, where nothing of it is changed."""
    return (
        further_orders(reading, situation)
        or also_named(reading, situation)
        or as_further_thing(reading, situation)
        or moved_guards(reading, situation)
    )


def _without_parts(
    reading: Reading, called: list[Candidate], lines: list[Candidate], situation: Situation
) -> tuple[list[Candidate], list[Candidate]]:
    """The candidates by call and by lines where the edit is to stay without some of its parts."""
    called = [one for one in called if not is_idle(one, situation)]
    lines = [] if _is_refused(lines, situation) else lines
    placed = any(reading.slots.values())
    clear = len([one for one in called if one.calls]) == 1 and placed
    parts = [] if lines and placed else without_named(reading, situation)
    if not clear and (lines := without_targets(reading, situation) or parts or lines):
        called = []  # the same again, otherwise, is not what is without a part
    return called, lines


def _weighed(
    reading: Reading,
    called: list[Candidate],
    lines: list[Candidate],
    situation: Situation,
    earlier: Done,
) -> tuple[list[Candidate], list[Candidate]]:
    """The candidates by call and by lines, each as likely as it is beside the others."""
    if lines and reading.intent in followup_table()["replaced"]:
        called = [
            replace(one, weight=_BEHIND**2 * one.weight) if gives_back(one, situation) else one
            for one in called
        ]
    if reading.intent == "amend.value" and any(one.weight >= MEMBER for one in lines):
        called = []  # it is a member of what was written
    if any(one.calls for one in called) and lines:
        kept = reading.intent == "amend.exception" and not _is_refused(lines, situation)
        kept = kept and not _texts(called, situation) & _texts(lines, situation)
        known = (bool(earlier.calls) and not kept) or situation.partial
        weights = (1.0, _BEHIND) if known else (_BEHIND**2, 1.0)
        called = [replace(one, weight=one.weight * weights[0]) for one in called]
        lines = [replace(line, weight=line.weight * weights[1]) for line in lines]
    if lines and not any(one.calls for one in lines):
        called = [one for one in called if one.refused != NO_SUCH]  # what the lines say of it is truer
    return called, lines


def _texts(candidates: list[Candidate], situation: Situation) -> set[tuple[tuple[str, str | None], ...]]:
    """The files that come of candidates."""
    out = set()
    for one in candidates:
        repo = (situation.before if one.from_before else None) or situation.repo
        plan = plan_of(one.calls, repo) if one.calls else None
        if isinstance(plan, Plan):
            out.add(tuple(sorted(plan.texts(repo).items())))
    return out


def _is_refused(called: list[Candidate], situation: Situation) -> bool:
    """Whether the calls that are known to be meant do harm: then their lines are not written by others."""
    repo = situation.before or situation.repo
    plans = [plan_of(one.calls, repo if one.from_before else situation.repo) for one in called if one.calls]
    return bool(plans) and all(isinstance(plan, Refused) and plan.why != "nothing" for plan in plans)


def _behind_others(
    way: Callable[[Reading, Done, Situation], list[Candidate]],
    reading: Reading,
    earlier: Done,
    situation: Situation,
) -> list[Candidate]:
    """The candidates for the repository with what the orders did that came before the amended one."""
    before = situation.before
    if not earlier.others or before is None:
        return way(reading, earlier, situation)
    plan = plan_of(earlier.others, before)
    if isinstance(plan, Refused):
        return way(reading, earlier, situation)
    told = replace(situation, before=before.with_changes(plan.texts(before)))
    return [
        replace(item, calls=(*earlier.others, *item.calls)) if item.from_before and item.calls else item
        for item in way(reading, earlier, told)
    ]
