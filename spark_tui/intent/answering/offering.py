"""What to offer if no edit is certain enough: the different results of all readings, most likely first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from spark_tui.codemods.plan import Plan
from spark_tui.intent.answering.answer import way_of
from spark_tui.intent.answering.at_all_places import with_all_places
from spark_tui.intent.answering.lines_as_code import open_lines
from spark_tui.intent.answering.reading_orders import read_orders
from spark_tui.intent.answering.sentence_starts import with_small_starts
from spark_tui.intent.answering.shown_lines import with_numbers
from spark_tui.intent.answering.try_readings import NO_EDIT, tried
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.followups.settled_orders import settled
from spark_tui.intent.orders.several import undone
from spark_tui.intent.planning.answers import Way, marked_with
from spark_tui.intent.planning.certainty import RankedEdit, certainty, evidence
from spark_tui.intent.planning.executing import by_confidence, checked_plan, decision_settings
from spark_tui.intent.planning.what_is_used import bad_name
from spark_tui.intent.planning.words_unheard import is_idle, touched
from spark_tui.intent.reading.shared_places import names_a_thing
from spark_tui.intent.words.readings import Order, Reads, SymbolRoles
from spark_tui.intent.words.tokens import cleaned, tokenize
from spark_tui.pysource.garbage_collection import no_collection

_HOPELESS = 0.005
"""Of the probability of the first reading: below that a reading is not what is meant."""


def offered(
    instruction: str, reader: Reads, situation: Situation, symbols: SymbolRoles, doubt: float = 1.0
) -> tuple[Way, ...]:
    """The edits to choose from, of an instruction that was not answered with one. None where no edit is asked
    for, and where the best is too unlikely. `doubt` is how likely it is that there is anything to do."""
    plain = with_numbers(with_small_starts(cleaned(instruction), symbols), open_lines(situation))
    numbers = decision_settings()
    earlier = situation.earlier.intent if situation.earlier is not None else ""
    with no_collection():
        now = replace(situation, instruction=plain)
        orders = read_orders(plain, reader, symbols, earlier, open_lines(now))
        read = [settled(order, now) for order in orders]
        doable = [item for at, item in enumerate(read) if _is_doable(item) and not _hangs(at, read)]
        found = sorted(
            (item for order in doable for item in _ranked(order, now)), key=_certainty, reverse=True
        )
        if not found or doubt * _certainty(found[0]) < float(numbers["offered"]):
            return ()
        # Two orders may be read as the same edit.
        results = {tuple(sorted(item.executed.texts.items())): item for item in reversed(found)}
        found = [item for item in results.values() if _certainty(item) >= float(numbers["offered"])]
        found = [item for item in found if not _is_about_others(item)]
        found.sort(key=_certainty, reverse=True)
        checked = [_checked(item) for item in found[: int(numbers["most_offers"])]]
        ways = [_way(item, read) for item in checked if not _breaks(item.executed.plan)]
        return with_all_places(ways, now)


def _is_doable(order: Order) -> bool:
    return bool(order.readings) and order.readings[0].intent not in NO_EDIT


def _hangs(at: int, orders: Sequence[Order]) -> bool:
    """Whether an order names nothing, and is about what the one in front cannot do: *add f, with a docstring
    …*."""
    return at > 0 and not names_a_thing(orders[at]) and not _is_doable(orders[at - 1])


def _way(found: RankedEdit, orders: Sequence[Order]) -> Way:
    """An edit, marked with the orders that it leaves undone."""
    way, text = way_of(found), found.situation.instruction
    for order in orders:
        if order.start != found.start:
            way = marked_with(undone(text[order.start : order.end]), way)
    return way


def _ranked(order: Order, now: Situation) -> list[RankedEdit]:
    """The different results of all readings of an order."""
    least = _HOPELESS * order.readings[0].probability
    order = replace(order, readings=tuple(one for one in order.readings if one.probability >= least))
    result = tried(order, now, every=True)
    outcome = result.outcome
    if bad_name(outcome, order.readings):
        return []
    whole = sum(item.mass for item in outcome.executed) + outcome.nothing + result.rest + result.aside
    shares = by_confidence(outcome, whole)
    top, second = ([share for share, _ in shares] + [0.0, 0.0])[:2]
    return [
        RankedEdit(one, share, top if at else second, outcome, order.readings, now, order.start, order.end)
        for at, (share, one) in enumerate(shares)
    ]


def _is_about_others(found: RankedEdit) -> bool:
    """Whether the order names something of the open file, and the edit has to do with nothing of it."""
    situation, executed = found.situation, found.executed
    index, path = situation.repo.index, situation.path
    if path not in index.paths:
        return False
    scopes = index.scopes(path)
    known = {*scopes.variables_by_name, *(one.name for one in scopes.attributes)}
    tokens = (one for one in tokenize(situation.instruction).items if found.start <= one.start < found.end)
    said = {one.text for one in tokens if one.text in known and not is_idle(one.text.lower())}
    spans = executed.candidate.reading.spans
    held = {word for span in spans for word in re.findall(r"\w+", span.text)}
    used = touched(index, executed.plan, executed.calls)
    return bool(said) and not any(name in held or name.lower() in used for name in said)


def _certainty(found: RankedEdit) -> float:
    return certainty(evidence(found), found.executed.candidate.reading.intent)


def _breaks(plan: Plan) -> bool:
    return any(finding.sure for finding in plan.findings)


def _checked(found: RankedEdit) -> RankedEdit:
    situation = found.situation
    from_before = found.executed.candidate.from_before
    repo = (situation.before if from_before else None) or situation.repo
    return replace(found, executed=checked_plan(found.executed, repo))
