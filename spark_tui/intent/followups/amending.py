"""Instructions that amend the answer before: another value, another place, also there, not there."""

from __future__ import annotations

import re
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
from spark_tui.intent.followups.amendments.likelier_readings import likelier_readings
from spark_tui.intent.followups.amendments.lines import takes_back
from spark_tui.intent.followups.amendments.misplaced_values import (
    with_misplaced_value,
    with_named_value,
    with_value_in_message,
)
from spark_tui.intent.followups.amendments.named_elsewhere import named_elsewhere
from spark_tui.intent.followups.amendments.other_decorators import other_decorators, with_other_decorator
from spark_tui.intent.followups.amendments.otherwise_there import with_otherwise_there
from spark_tui.intent.followups.amendments.places import as_place, in_its_class, with_other_function
from spark_tui.intent.followups.amendments.respelled import respelled, with_own_error
from spark_tui.intent.followups.amendments.signs_in_text import with_signs_said
from spark_tui.intent.followups.amendments.told_conditions import with_told_condition
from spark_tui.intent.followups.amendments.values_beside import value_beside, with_value_beside
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.orders.as_parameter import with_parameter
from spark_tui.intent.followups.orders.moved_guards import moved_guards
from spark_tui.intent.followups.orders.moved_things import with_named_thing
from spark_tui.intent.followups.orders.on_written import one_of_orders
from spark_tui.intent.followups.parts.fewer_places import (
    leaves_nothing,
    removed_words,
    touches_nothing,
    with_places_said,
)
from spark_tui.intent.followups.parts.named import (
    are_of_parts,
    drops_added,
    naming_words,
    of_aspect,
    without_named,
    without_targets,
)
from spark_tui.intent.followups.repeats.both_kept import both_kept
from spark_tui.intent.followups.repeats.other_subject import for_other_subject, with_other_subject
from spark_tui.intent.followups.repeats.repeated_lines import repeat_lines
from spark_tui.intent.followups.repeats.said_again import also_named, with_also_there, with_repeated
from spark_tui.intent.followups.written.exits import says_more
from spark_tui.intent.followups.written.other_forms import asked_form
from spark_tui.intent.planning.executing import plan_of
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import Doubt, DoubtKind
from spark_tui.intent.words.readings import OTHER_PLACES, PLACES, Order, Reading

_PARTS = ("amend.except", "amend.only_here")
_ASKED = 0.5
"""How likely a question has to be, against the amendment, to be one."""
_MORE = Doubt("what else the last edit wrote is not kept", DoubtKind.NOT_KEPT)
_GIVES_NAMES = ("amend.name", "amend.value", "amend.type", "amend.message")
_ELSEWHERE = ("amend.also", "amend.place", "amend.everywhere")
_ALL = 0.8
"""How likely it is all of an edit that is to go, where it is not said what."""
_CLEAR, _OTHER = 0.4, 0.7
"""How likely it is taken back at least, where something is named, and where that is no part of it."""
_BEHIND = 0.3
"""How much a way to amend counts where the other one is known to be what was done."""


def amended(reading: Reading, situation: Situation) -> list[Candidate]:
    """The candidates of a reading that amends the earlier answer, with what is given as it is meant."""
    reading, doubts = respelled(reading, situation)
    found = with_own_error(_amended, reading, situation)
    return [replace(one, doubts=(*one.doubts, *doubts)) for one in found] if doubts else found


def _amended(reading: Reading, situation: Situation) -> list[Candidate]:
    """The candidates by the call of the earlier answer, and by the lines that it wrote. They are for the
    repository before it, except for further places."""
    earlier = situation.earlier
    if earlier is None:
        return [Candidate((), reading, refused="there is no answer yet that this could change")]
    if elsewhere := named_elsewhere(reading, situation):
        return [Candidate((), reading, refused=f"the last edit has nothing to do with {elsewhere}")]
    if reading.intent == "amend.message" and any(map(only_judges, reading.slots.get("message", ()))):
        return [Candidate((), reading, refused=NOT_WHICH)]
    if apart := one_of_orders(reading, earlier, situation.instruction):
        return [apart]
    both = both_kept(reading, situation)
    if others := both or for_other_subject(reading, situation) or other_decorators(reading, situation):
        return others
    reading = with_written_type(in_its_class(reading, situation), situation)
    place = as_place(reading, situation)
    if place is None and reading.intent == "amend.only_here" and touches_nothing(reading, situation):
        place = replace(reading, intent="amend.place")
    if place is not None:
        found = [replace(one, reading=reading) for one in _amended(place, situation)]
        if any(item.calls for item in found):
            return found
    called = _behind_others(by_call, reading, earlier, situation)
    if reading.intent in (*followup_table()["replaced"], "amend.also", "amend.place"):
        called = closest_calls(called, earlier)
    if changes_of_edit(situation) and not earlier.calls and reading.intent in followup_table()["replaced"]:
        called = [replace(one, doubts=(*one.doubts, _MORE)) for one in called]
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
        lines = (
            further_orders(reading, situation)
            or also_named(reading, situation)
            or as_further_thing(reading, situation)
            or moved_guards(reading, situation)
            or lines
        )
    if reading.intent in _PARTS:
        called = [one for one in called if not is_idle(one, situation)]
        lines = [] if _is_refused(lines, situation) else lines
        placed = any(reading.slots.values())
        clear = len([one for one in called if one.calls]) == 1 and placed
        parts = [] if lines and placed else without_named(reading, situation)
        if not clear and (lines := without_targets(reading, situation) or parts or lines):
            called = []  # the same again, otherwise, is not what is without a part
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
    found = without_functions_as_values(reading, [*called, *lines], situation)
    return sorted(found, key=lambda item: -item.weight)


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


def _as_question(order: Order, situation: Situation) -> Order:
    """The order as a question, where it ends like one and is read as that half as likely as for a name or
    value that it says."""
    text = situation.instruction[order.start : order.end].rstrip()
    likely = {one.intent: one.probability for one in order.readings}
    best = max(likely.values(), default=0.0)
    talk = sum(likely.get(item, 0.0) for item in ("question", "chat"))
    if not text.endswith(("?", "？")) or talk < _ASKED * best or order.readings[0].intent not in _GIVES_NAMES:
        return order
    first = Reading("question", best + talk, {})
    return replace(order, readings=(first, *(one for one in order.readings if one.intent != "question")))


def _of_parts(order: Order, situation: Situation) -> Order:
    """The order as one for the edit without some parts of it, or with nothing but those, where it says so and
    all of its words are of them."""
    text = situation.instruction[order.start : order.end]
    stays = followup_table()["stays"]
    first = order.readings[0]
    if asked_form(text) or (first.intent in _PARTS and any(first.slots.get(slot) for slot in PLACES)):
        return order
    without = re.match(rf"\W*(?:{'|'.join(stays['without'])})(?=\s)", text, re.IGNORECASE)
    drops = drops_added(text, situation)
    if drops == "all":
        return order.preferring(Reading("amend.undo", _ALL, {}))
    goes = without is not None or drops == "part"
    alone = re.search(rf"(?<!\w)(?:{'|'.join(stays['alone'])})(?!\w)", text, re.IGNORECASE)
    gone = (*stays["unneeded"], *phrases.words("as_before"))
    unneeded = re.search(rf"(?<!\w)(?:{'|'.join(gone)})(?!\w)", text, re.IGNORECASE)
    removed = {word for change in changes_of_edit(situation) for word in removed_words(change)}
    keeps = phrases.any_stands_in(phrases.words("keeping"), text.lower())
    keeps = keeps and not removed.isdisjoint(naming_words(text))
    if not (goes or alone or unneeded or keeps) or (
        alone and not unneeded and phrases.any_stands_in(phrases.words("keeping"), text)
    ):
        return order
    intent = "amend.only_here" if alone and not goes and not unneeded else "amend.except"
    part = Reading(intent, _ALL, {})
    if not (goes or keeps) and not are_of_parts(text.replace((unneeded or alone or [""])[0], " "), situation):
        return order
    rest = (
        replace(one, probability=_BEHIND * one.probability)
        for one in order.readings
        if one.intent not in (*_PARTS, "amend.undo")
    )
    return replace(order, readings=(part, *rest)) if without_named(part, situation) else order


def settled(order: Order, situation: Situation) -> Order:
    """The order with what takes the whole last answer back read as that."""
    if situation.earlier is None:
        return order
    if not order.readings:
        return order
    if (kept := of_aspect(order, situation)) is not None:
        return kept
    order = with_value_in_message(with_misplaced_value(order, situation), situation)
    order = with_other_decorator(with_signs_said(order, situation), situation)
    order = with_named_thing(order, situation)
    order = with_named_value(order, situation)
    order = with_told_condition(with_parameter(order, situation), situation)
    order = with_otherwise_there(with_repeated(order, situation), situation)
    order = with_other_subject(
        _as_question(with_other_function(with_also_there(order, situation), situation), situation), situation
    )
    sums: dict[int, Reading] = {}
    for at, said in enumerate(likelier_readings(order.readings, situation)):
        one = with_places_said(said, situation)
        given = (
            value_beside(one, situation) if one.intent == "amend.undo" and one.probability < _ALL else None
        )
        one = given or one
        undo = one.intent == "amend.undo" or takes_back(one, situation)
        leaves = one.intent == "amend.except" and not undo and not situation.partial
        if leaves and (undo := leaves_nothing(one, situation)):
            named = any(one.slots.get(slot) for slot in (*PLACES, *OTHER_PLACES))
            one = one if named else replace(one, probability=one.probability * _ALL)
        if undo and without_named(one, situation):
            undo, one = False, replace(one, intent="amend.except", slots={})
        known = next((item for item in sums if sums[item].intent == "amend.undo"), None) if undo else None
        if known is not None:
            sums[known] = replace(sums[known], probability=sums[known].probability + one.probability)
        else:
            sums[at] = replace(one, intent="amend.undo", slots={}) if undo else one
    readings = sorted(sums.values(), key=lambda item: -item.probability)
    first, text = readings[0], situation.instruction[order.start : order.end]
    unsure = first.intent == "amend.undo" and first.probability < _OTHER and readings[1:]
    if unsure and naming_words(text) and (first.probability < _CLEAR or not are_of_parts(text, situation)):
        readings = readings[1:]  # what is said is about something else than all of the edit
    return _of_parts(replace(order, readings=tuple(readings)), situation)
