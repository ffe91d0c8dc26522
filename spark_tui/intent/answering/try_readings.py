"""Resolves the readings of an instruction into calls and plans them."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from spark_tui.codemods.families.values.replacement import SetValue
from spark_tui.codemods.plan import Refused
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import SymbolKind
from spark_tui.codemods.uses.symbols import Target, find_symbol
from spark_tui.intent.answering.misread_removals import is_misread, reverses
from spark_tui.intent.answering.new_code import asks_for_code, only_definitions
from spark_tui.intent.builders.texts.texts_for_values import as_said_value
from spark_tui.intent.context.bounds import files_named, in_file, is_inside, keep_within_files
from spark_tui.intent.context.crashes import dropping_crashes
from spark_tui.intent.context.described_names import with_heading_name, with_only_name
from spark_tui.intent.context.exceptions_said import with_exceptions, without_compared
from spark_tui.intent.context.leaving_out import leave_out, without_left_out
from spark_tui.intent.context.left_out_by_number import places_by_number
from spark_tui.intent.context.lookup import Names, names_of
from spark_tui.intent.context.places_left_out import Place, places_left_out
from spark_tui.intent.context.situation import Candidate, Done, Situation, detached
from spark_tui.intent.context.written_lines import changes_of_edit, select_written_lines
from spark_tui.intent.followups.amending import amended
from spark_tui.intent.followups.amendments.by_call import GOES_ON
from spark_tui.intent.followups.amendments.values_beside import by_value_alone
from spark_tui.intent.followups.orders.as_parameter import as_parameter
from spark_tui.intent.followups.orders.in_place_of_edit import in_place_of_edit
from spark_tui.intent.followups.orders.near_edit import near_edit, with_written_subject
from spark_tui.intent.followups.orders.on_deleted import on_deleted
from spark_tui.intent.followups.orders.on_written import complete_from_edit
from spark_tui.intent.followups.orders.told_branches import tell_in_branch
from spark_tui.intent.followups.orders.told_subject import with_named_parameter, with_told_subject
from spark_tui.intent.followups.written.nodes import on_written, shown_nodes
from spark_tui.intent.orders.repeated_orders import untaken
from spark_tui.intent.planning.annotated_results import as_converted
from spark_tui.intent.planning.certainty import RankedEdit
from spark_tui.intent.planning.executing import Executed, Outcome, decision_settings, execute
from spark_tui.intent.planning.named_line import at_line, at_text, is_at, is_elsewhere, only_line
from spark_tui.intent.planning.resolve import find_candidates, find_candidates_of_one
from spark_tui.intent.planning.said_decorators import as_decorator
from spark_tui.intent.planning.turned_forms import as_described, as_turned
from spark_tui.intent.planning.undefined_names import with_typed_names
from spark_tui.intent.texts.signs_said import with_code_said, with_signs_named
from spark_tui.intent.words.readings import Order, Reading
from spark_tui.pysource.repository import Repository

_SHOWN, _HARDLY = 0.6, 0.2
"""How likely code that is shown stands for code like it in the edit, where what can be done of the readings
has no more than the second number."""
_SAID_AGAIN = 0.5
_MOST_REFUSED = 3
"""Readings that are tried with one of several things that they name, where all plans are refused."""
_AS_IS = Refused("it is already like that", why="nothing")
NO_EDIT = frozenset(("write", "question", "chat", "impossible", "amend.undo"))
"""Intents that no call answers."""


@dataclass(frozen=True)
class Tried:
    """What came of the readings of an order."""

    outcome: Outcome
    aside: float
    """The probability of readings that are not edits."""
    rest: float
    """The probability of what was not resolved."""


def tried(order: Order, situation: Situation, every: bool = False, checks: bool = True) -> Tried:
    """Build and plan the readings of an order: those that are likely enough, or `every` one. Without `checks`
    it is not known what harm the plans do."""
    order = replace(order, readings=tuple(_as_meant(reading, situation) for reading in order.readings))
    files, names = files_named(order, situation), names_of(situation.repo, situation.path)
    weighed, aside, rest = _weighed(order, situation, names, files, every)
    if situation.earlier is not None:
        weighed = near_edit(weighed, situation)
    turned_down = situation.earlier.turned_down if situation.earlier is not None else ()
    weighed = [item for item in weighed if not turned_down or str(item[1].calls) not in turned_down]
    now = _where_said([item for item in weighed if not item[1].from_before], order, situation, files)
    then = [item for item in weighed if item[1].from_before]

    def run(candidates: list[tuple[float, Candidate]], repo: Repository) -> Outcome:
        def left_out(candidate: Candidate) -> list[Place]:
            named = places_left_out(candidate.reading, situation, names)
            return [*named, *places_by_number(candidate, situation)]

        return execute(candidates, repo, left_out, every, checks)

    outcome = with_typed_names(run(now, situation.repo), situation)
    outcome = only_definitions(outcome) if asks_for_code(situation.instruction) else outcome
    doable = sum(item.mass for item in outcome.executed) + sum(mass for mass, each in then if each.calls)
    if situation.earlier is not None and doable < _HARDLY:
        shown = shown_nodes(situation) or by_value_alone(order.readings[0], situation)
        then += [(_SHOWN * candidate.weight, candidate) for candidate in shown]
    amends = any(each.calls for _, each in then)
    if now and not amends and not outcome.executed and not outcome.nothing:
        again = run(_with_one_of_several(order, situation, names, every), situation.repo)
        outcome = replace(outcome, executed=again.executed)
    if then:
        before = situation.before or situation.repo
        outcome = _together(outcome, run(then, before), situation, before)
    meant = [one for one in outcome.executed if not reverses(one.candidate.reading, order.readings[0])]
    return Tried(replace(outcome, executed=tuple(meant)), aside, rest)


def _as_meant(reading: Reading, situation: Situation) -> Reading:
    """A reading with what its words stand for."""
    text = situation.instruction
    named = with_only_name(with_heading_name(reading, situation), situation)
    meant = as_turned(as_decorator(named, situation), text)
    meant = with_exceptions(without_compared(as_converted(meant, text), text), text)
    return with_signs_named(with_code_said(as_said_value(meant, situation), situation), situation)


def _tried_readings(order: Order, every: bool) -> tuple[Reading, ...]:
    return order.readings if every else order.readings[: int(decision_settings()["most_readings"])]


def _weighed(
    order: Order, situation: Situation, names: Names, files: frozenset[str], every: bool
) -> tuple[list[tuple[float, Candidate]], float, float]:
    """The candidates of the readings with their probabilities; the probability of readings that are no edits,
    and of what was not resolved."""
    settings = decision_settings()
    unread, readings = float(settings["unread"]), _tried_readings(order, every)
    near = select_written_lines(situation) if situation.earlier is not None else situation
    weighed: list[tuple[float, Candidate]] = []
    aside, rest = 0.0, unread * max(0.0, 1.0 - sum(reading.probability for reading in readings))
    until = time.perf_counter() + float(settings["seconds"])
    least = 0.0 if every else float(settings["least_reading"]) * readings[0].probability
    for one in readings:
        if one.intent in NO_EDIT:
            aside += one.probability
            continue
        built = any(each.calls for _, each in weighed)
        late = built and (one.probability < least or time.perf_counter() > until)
        if late or is_misread(one, readings[0], situation, order):
            rest += unread * one.probability
            continue
        found = _candidates_of(as_described(one, situation, names), situation, near, names, files)
        weighed += [(one.probability * item.weight, item) for item in found]
        if any(item.calls for item in found):
            open_share = max(0.0, 1.0 - sum(item.weight for item in found if item.calls))
            rest += float(settings["unresolved"]) * one.probability * open_share
    return weighed, aside, rest


def _where_said(
    candidates: list[tuple[float, Candidate]], order: Order, situation: Situation, files: frozenset[str]
) -> list[tuple[float, Candidate]]:
    """The candidates in the files and on the line that are named, where some are, for what is not taken."""
    if any(each.calls and is_inside(each, files) for _, each in candidates):
        candidates = [item for item in candidates if not item[1].calls or is_inside(item[1], files)]
    line = only_line(situation)
    if line and any(is_at(each, situation, line) for _, each in candidates):
        candidates = [item for item in candidates if not is_elsewhere(item[1], situation, line)]
    candidates = untaken(candidates, situation.taken)
    if order.readings[0].intent != "set_default":
        return candidates
    return [item for item in candidates if not any(_is_of_local(call, situation) for call in item[1].calls)]


def _with_one_of_several(
    order: Order, situation: Situation, names: Names, every: bool
) -> list[tuple[float, Candidate]]:
    """The candidates with one of several things that the likeliest readings name."""
    near = select_written_lines(situation) if situation.earlier is not None else situation
    likely = [one for one in _tried_readings(order, every)[:_MOST_REFUSED] if one.intent not in NO_EDIT]
    return [
        (reading.probability * candidate.weight, candidate)
        for reading in likely
        for candidate in (
            *find_candidates_of_one(reading, near, names),
            *(one for told in at_text(reading, near) for one in find_candidates(*told, names)),
        )
    ]


def _together(outcome: Outcome, earlier: Outcome, situation: Situation, before: Repository) -> Outcome:
    """What came of the files as they are and of those before the last edit."""
    results, idle = _merged((*outcome.executed, *earlier.executed), situation, before)
    again = ((item.mass, _AS_IS, item.candidate) for item in idle)
    refused = sorted((*outcome.refused, *earlier.refused, *again), key=lambda item: -item[0])
    return Outcome(results, tuple(refused), (*outcome.unbuilt, *earlier.unbuilt))


@dropping_crashes
def _candidates_of(
    one: Reading, situation: Situation, near: Situation, names: Names, files: frozenset[str]
) -> list[Candidate]:
    """The ways to do what a reading says, here or as an amendment of the earlier answer."""
    if one.intent.startswith("amend."):
        found = amended(one, situation)
        if not any(item.calls for item in found):
            found = in_place_of_edit(one, found, situation)
    else:
        one = with_named_parameter(one, situation)
        found = [
            candidate
            for full in complete_from_edit(with_told_subject(one, situation), situation)
            for candidate in find_candidates(full, near, names)
        ]
        found = as_parameter(one, on_written(one, situation, found), situation)
        found = tell_in_branch(one, found, situation)
        placed = in_file(one, files)
        if placed is not None and not any(item.calls and is_inside(item, files) for item in found):
            found += find_candidates(placed, near, names)
        found = keep_within_files(found, files, bool(one.slots.get("file")))
        if line := only_line(situation):
            found = at_line(found, situation, line)
        if situation.earlier is not None:
            found = with_written_subject(one, in_place_of_edit(one, found, situation), situation)
            found = on_deleted(one, situation, found)
        if one.left_out:
            found = without_left_out(found, names)
            found = [leave_out(item, situation, names) if item.calls else item for item in found]
    return found


def _is_of_local(call: Operation, situation: Situation) -> bool:
    """Whether a call sets a local variable, which has no default."""
    if not isinstance(call, SetValue):
        return False
    found = find_symbol(situation.repo, call.target)
    return isinstance(found, Target) and found.kind is SymbolKind.LOCAL


def _merged(
    executed: tuple[Executed, ...], situation: Situation, before: Repository
) -> tuple[tuple[Executed, ...], list[Executed]]:
    """The results, most likely first, and those that change nothing: if one of these is nearly as likely,
    the instruction repeats what is there. An edit before and an edit after the last one may have the
    same result."""
    out: dict[tuple[tuple[str, str | None], ...], Executed] = {}
    idle: list[Executed] = []
    for item in sorted(executed, key=lambda each: -each.mass):
        repo = before if item.candidate.from_before else situation.repo
        paths = {*situation.changed, situation.path, *item.texts}
        left: dict[str, str | None] = {
            path: item.texts[path] if path in item.texts else repo.index.text(path) for path in paths
        }
        if item.candidate.from_before and all(
            situation.repo.index.text(path) == text for path, text in left.items()
        ):
            idle.append(item)
            continue
        same = tuple(sorted(left.items()))
        known = out.get(same)
        out[same] = item if known is None else replace(known, mass=known.mass + item.mass)
    results = sorted(out.values(), key=lambda each: -each.mass)
    if idle and results and idle[0].mass >= _SAID_AGAIN * results[0].mass:
        results = []
    return tuple(results), idle


def done(executed: Executed, instruction: str) -> Done:
    """What a follow-up needs to know of a result."""
    reading = executed.candidate.reading
    slots = detached(reading.slots, instruction)
    return Done(reading.intent, slots, executed.calls, reading.left_out, reading.everywhere)


def does_again(reading: Reading, situation: Situation) -> bool:
    """Whether something is to be done once more that was not done yet: then it is not clear what."""
    return reading.intent in ("amend.also", "amend.everywhere") and not changes_of_edit(situation)


def done_behind(found: RankedEdit, situation: Situation) -> Done:
    """What was done; the last edit elsewhere is no other edit."""
    made, earlier = done(found.executed, situation.instruction), situation.earlier
    also = found.readings[0].intent == "amend.also" and not found.executed.candidate.from_before
    again = also and earlier is not None and made.intent == earlier.intent
    return replace(made, intent=GOES_ON) if again else made
