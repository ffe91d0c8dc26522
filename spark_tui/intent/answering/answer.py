"""From an instruction to an answer: read, resolve, execute, check, rank, and decide.

An answer is exactly one of: an edit, a choice of two or three, the sentence that there is nothing to do or
that it cannot be done, or that the instruction is for the language model or no order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spark_tui.intent.answering.at_all_places import with_all_places
from spark_tui.intent.answering.config_answers import is_beside_code
from spark_tui.intent.answering.declined import OTHER, declined, other
from spark_tui.intent.answering.defining_file import in_defining_file
from spark_tui.intent.answering.deprecations import deprecation_answer
from spark_tui.intent.answering.described_bugs import or_repaired
from spark_tui.intent.answering.field_properties import or_field_property
from spark_tui.intent.answering.half_read import with_both_sides
from spark_tui.intent.answering.import_rows import import_rows_answer
from spark_tui.intent.answering.lines_as_code import open_lines
from spark_tui.intent.answering.list_parts import answer_as_list, lists_apart
from spark_tui.intent.answering.listed_items import with_config_files
from spark_tui.intent.answering.message_ends import without_end
from spark_tui.intent.answering.missing_parameters import missing_parameter_answer, with_passed_argument
from spark_tui.intent.answering.new_classes import new_class_answer
from spark_tui.intent.answering.no_order import MOST_CHARACTERS, about_no_edit, no_order, or_name
from spark_tui.intent.answering.problem_answer import answer_problem
from spark_tui.intent.answering.reading_orders import plain_text, read_orders
from spark_tui.intent.answering.shown_assignments import shown_assignment_answer
from spark_tui.intent.answering.text_file_orders import as_substitutions
from spark_tui.intent.answering.tried_fixes import or_tried, reported_fix, tried_fix
from spark_tui.intent.answering.try_readings import Tried, does_again, done_behind, tried
from spark_tui.intent.answering.undefined_orders import only_defined
from spark_tui.intent.builders.conditions.further_types import with_further_type
from spark_tui.intent.builders.conditions.further_values import with_further_value
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.facts.overridden_defaults import doubts_of_overridden
from spark_tui.intent.facts.raised_classes import doubts_of_raised
from spark_tui.intent.fixes.seen_error import classify_error
from spark_tui.intent.fixes.syntax import as_one_repair, asks_for_repair
from spark_tui.intent.followups.parts.fewer_places import left_alone
from spark_tui.intent.followups.parts.named_orders import as_named_orders
from spark_tui.intent.followups.repeats.not_renamed import not_renamed
from spark_tui.intent.followups.settled_orders import settled
from spark_tui.intent.orders.repeated_orders import without_repeats
from spark_tui.intent.orders.several import answer_each, answer_several, undone
from spark_tui.intent.planning.annotated_results import doubts_of_written
from spark_tui.intent.planning.answers import FOLLOW_UP, UNSURE, Answer, Way, marked_with
from spark_tui.intent.planning.certainty import RankedEdit, certainty, certainty_table, evidence
from spark_tui.intent.planning.executing import (
    by_confidence,
    checked_plan,
    decision_settings,
    harms,
    reasons_to_mark,
)
from spark_tui.intent.planning.other_places import doubts_of_places
from spark_tui.intent.planning.titles import title_of_calls
from spark_tui.intent.planning.what_is_used import (
    bad_name,
    by_what_is_used,
    is_done,
    likelihood_used,
    takes_back,
)
from spark_tui.intent.planning.words_left import words_left
from spark_tui.intent.planning.wrong_claims import without_wrong_claims
from spark_tui.intent.words.doubts import Doubt, DoubtKind, is_of, unused
from spark_tui.intent.words.readings import Order, Reading, Reads, SymbolRoles
from spark_tui.intent.words.tokens import cleaned
from spark_tui.problems.describe import read_fix_request
from spark_tui.pysource.garbage_collection import no_collection
from spark_tui.pysource.repository import Repository

_NO_GUESSES = frozenset((DoubtKind.READ_AS, DoubtKind.COMPLETED, DoubtKind.UNUSED, DoubtKind.UNDONE))
_GUESSED = frozenset(DoubtKind) - _NO_GUESSES
"""No certainty makes them good."""
_WITHOUT_NETWORK = (
    deprecation_answer,
    shown_assignment_answer,
    import_rows_answer,
    missing_parameter_answer,
)
_MOST_ORDERS = 6
_CLEAR, _PASTED = 0.4, 0.8
"""How likely an error, and that it is to be fixed, must be."""
_PLACED = 0.7
"""How sure an edit must be to have marks at some places only."""
_DONE = 5.0
"""How many times likelier than an edit elsewhere it must be that all is done already."""


def answer_fix(instruction: str, situation: Situation) -> Answer | None:
    """The answer to a request to fix a problem; None for any other instruction."""
    plain = cleaned(instruction)
    problem = read_fix_request(plain) if len(plain) <= MOST_CHARACTERS else None
    if problem is None:
        return None
    now = replace(situation, instruction=plain)
    with no_collection():
        found = answer_problem(problem, now)
        return (tried_fix(found, now) if problem.test else None) or found


def answer(
    instruction: str, reader: Reads, situation: Situation, symbols: SymbolRoles, least: float = 0.0
) -> Answer:
    """Read an instruction and do it, unless its likeliest reading is below `least`."""
    fix = answer_fix(instruction, situation)
    if fix is not None:
        return fix
    plain = plain_text(instruction, situation, symbols)
    if whole := without_end(plain, lambda text: answer(text, reader, situation, symbols, least)):
        return whole
    now = replace(situation, instruction=plain)
    early = reported_fix(now) or new_class_answer(now) or no_order(plain, situation)
    if early is not None:
        return early
    earlier = situation.earlier.intent if situation.earlier is not None else ""
    with no_collection():
        if not earlier and (apart := lists_apart(plain, situation.repo, reader, symbols)) is not None:
            return answer_each(apart[1], replace(situation, instruction=apart[0]), _answer_one)
        orders = read_orders(plain, reader, symbols, earlier, open_lines(now))
        orders = as_substitutions(as_named_orders(as_one_repair(orders, now), now), now)
        if (none := about_no_edit(plain, orders, reader, symbols, situation)) is not None:
            return or_tried(none, now)
        if least and len(orders) == 1 and all(one.probability < least for one in orders[0].readings):
            return Answer("write")
        listed = None if earlier else answer_as_list(orders, now, answer_orders)
        found = listed or answer_orders(orders, now)
        found = with_both_sides(found, orders, now, reader, symbols, answer_orders)
        found = only_defined(found, orders, now, answer_orders)
        found = or_repaired(or_field_property(found, now), now, orders)
        found = tried_fix(found, now, orders) or or_name(found, now)
        return in_defining_file(found, now, lambda at: answer(instruction, reader, at, symbols, least))


def answer_orders(orders: Sequence[Order], situation: Situation) -> Answer:
    """Do what was read: several orders one after the other, each on what the one before left."""
    sentences = decision_settings()["sentences"]
    orders = without_repeats(orders, situation.instruction)
    if not orders or not any(order.readings for order in orders):
        return Answer("cannot", reason=sentences["unread"])
    if len(orders) == 1:
        return _answer_one(orders[0], situation)
    found = answer_several(orders[:_MOST_ORDERS], situation, _answer_one)
    rest = orders[_MOST_ORDERS:]
    if rest:
        left = undone(situation.instruction[rest[0].start : rest[-1].end])
        found = replace(found, ways=tuple(marked_with(left, way) for way in found.ways))
    return found


def _answer_one(order: Order, situation: Situation) -> Answer:
    order = settled(order, situation)
    if not order.readings:
        return Answer("cannot", reason=decision_settings()["sentences"]["unread"])
    return with_config_files(order, situation, _answer_code)


def _answer_code(order: Order, situation: Situation) -> Answer:
    for answered in _WITHOUT_NETWORK:
        if plain := answered(order, situation):
            return plain
    order = with_further_type(with_passed_argument(order, situation), situation)
    found = _answer_read(order, situation)
    further = order if found.kind in ("edit", "nothing") else with_further_value(order, situation)
    return found if further is order else _answer_read(further, situation)


def _answer_read(order: Order, situation: Situation) -> Answer:
    first = order.readings[0]
    if first.intent not in ("fix_error", "question", "chat", "amend.undo") and asks_for_repair(situation):
        first = Reading("fix_error", 1.0)
        order = replace(order, readings=(first,))
    if first.intent in OTHER and first.probability >= float(decision_settings()["other"]):
        return other(first)
    if why := left_alone(order, situation):
        return Answer("nothing", reason=why)
    seen = next((one for one in order.readings if one.intent == "fix_error"), None)
    told = "result" in first.slots  # no error alone
    if seen and not told and first.probability < _CLEAR and classify_error(situation.instruction)[0]:
        order = order.preferring(replace(seen, probability=_PASTED))
    return decide(tried(order, situation), situation, order)


def decide(result: Tried, situation: Situation, order: Order) -> Answer:
    """An edit, a choice, or a sentence, by how sure each is."""
    numbers = decision_settings()
    readings = order.readings
    outcome = without_wrong_claims(result.outcome, situation, order)
    outcome = by_what_is_used(outcome, situation, order)
    lost = sum(mass for mass, found, _ in outcome.refused if found.why != "nothing")
    lost += sum(mass for mass, _, _ in outcome.unbuilt)
    whole = sum(item.mass for item in outcome.executed) + outcome.nothing + result.rest + result.aside
    whole += float(numbers["refused"]) * lost
    ranked = by_confidence(outcome, whole)
    top = ranked[0][0] if ranked else 0.0
    second = ranked[1][0] if len(ranked) > 1 else 0.0

    def found(at: int) -> RankedEdit:
        other = second if at == 0 else top
        return RankedEdit(
            ranked[at][1], ranked[at][0], other, outcome, readings, situation, order.start, order.end
        )

    def repo(at: int) -> Repository:
        return (ranked[at][1].candidate.from_before and situation.before) or situation.repo

    first = situation.earlier is None
    limits = numbers["first"] if first else numbers["behind"]
    likeliest = ranked[0][1].mass if ranked else 0.0
    if (unnamed := bad_name(outcome, readings)) and likeliest < unnamed[0]:
        return Answer("cannot", reason=numbers["sentences"]["impossible"].format(reason=unnamed[1]))
    best = way_of(found(0), single=True) if ranked else None
    likely = first and best is not None and best.confidence >= float(limits["despite"])
    likely = likely and _DONE * ranked[0][1].mass >= outcome.nothing
    done = first and best is not None and is_done(ranked[0][1], outcome)
    likely = likely and not done and not takes_back(ranked[0][1], outcome)
    if not likely and outcome.nothing > 0 and outcome.nothing >= float(numbers["nothing"]) * whole:
        reason = next(found.reason for _, found, _ in outcome.refused if found.why == "nothing")
        sentence = numbers["sentences"]["nothing"].format(reason=reason)
        return Answer("nothing", reason=sentence, idle=reason.rstrip("."))
    if result.aside > max(top, 0.0) and readings[0].intent in OTHER:
        return other(readings[0])
    if best is None or done or (first and likelihood_used(outcome) > likeliest):
        return declined(outcome, readings)
    # The certainty is fitted on first instructions: after an edit the shares decide.
    sure, apart = (best.confidence, (top - second) / top) if first else (top, top - second)
    beside = first and best.marked and is_beside_code(ranked, situation)
    if not beside and sure >= float(limits["marked"]) and apart >= float(limits["clear"]):
        return Answer("edit", (best,))
    if not beside and first and sure >= float(limits["ahead"]) and top - second >= float(limits["far"]) * top:
        return Answer("edit", (best,))
    offered = [at for at, each in enumerate(ranked[:3]) if each[0] >= float(numbers["choice"])]
    safe = [at for at in offered if not harms(ranked[at][1])]
    if safe == [0] < offered and sure >= float(numbers["choice"]):
        return Answer("edit", (best,))
    if len(offered) > 1 and sure >= float(numbers["choice"]):
        others = (replace(found(at), executed=checked_plan(ranked[at][1], repo(at))) for at in offered[1:])
        rest = (way_of(found(at)) for at in range(len(ranked)) if at not in offered)
        return Answer("choices", with_all_places((best, *map(way_of, others)), situation, rest), best=best)
    if sure >= float(limits["single"]):
        return Answer("edit", (best,))
    return replace(declined(outcome, readings), best=best)


def way_of(found: RankedEdit, single: bool = False) -> Way:
    """An edit with its marks. `single`: it is the answer, and may be without any."""
    one, situation = found.executed, found.situation
    why = reasons_to_mark(one)
    guessed = any(is_of(mark, *_GUESSED) for mark in why)
    # After an edit nothing is that sure: a plain sentence counts.
    guessed |= situation.earlier is not None and not all(isinstance(mark, Doubt) for mark in why)
    known = evidence(found)
    sure = certainty(known, one.candidate.reading.intent)
    # Of what comes after an edit only a clear amendment of it is not looked at.
    first, behind = single and situation.earlier is None, decision_settings()["behind"]
    amends = single and not first and found.readings[0].intent.startswith("amend.")
    amends = amends and not does_again(found.readings[0], situation)
    left = words_left(found) if first or amends else ""
    still = not_renamed(one, situation)
    read = amends or one.candidate.reading.probability >= float(certainty_table()["unmarked_reading"])
    possible = (first or amends) and read and one.plan.unmarked and not guessed and not left and not still
    clear = found.share >= float(behind["unmarked"]) and sure >= float(behind["sure"])
    unmarked = possible and (sure >= float(certainty_table()["unmarked"]) if first else clear)
    base = situation.before or situation.repo if one.candidate.from_before else situation.repo
    doubts = doubts_of_written(one.plan, base) if possible else ()
    if possible and first:
        doubts += (*doubts_of_places(found), *doubts_of_raised(one.plan, base))
        doubts += doubts_of_overridden(one.calls, one.plan, base)
    replaces = one.candidate.from_before and not one.candidate.reading.intent.startswith("amend.")
    if doubts:
        why, possible, unmarked = (*why, *doubts), False, False
    if still:
        sentence = decision_settings()["sentences"]["not_renamed"].format(names=still)
        why = (*why, Doubt(sentence, DoubtKind.UNDONE))
    if left:
        why = (*why, unused(left))
    elif not unmarked and (
        not why or replaces or (sure < _PLACED and not (one.candidate.doubts or doubts or still))
    ):
        # What is found at a place marks no more than that place, and not what is taken back.
        why = (*why, UNSURE if situation.earlier is None else FOLLOW_UP)
    return Way(
        one.calls,
        one.plan,
        sure,
        () if unmarked else why,
        title_of_calls(one.calls, base, situation.repo),
        done_behind(found, situation),
        one.candidate.from_before,
        known,
        possible,
    )
