"""From an instruction to an answer: read, resolve, execute, check, rank, and decide.

An answer is exactly one of: an edit, a choice of two or three, the sentence that there is nothing to do or
that it cannot be done, or the word that the instruction is for the language model or no order at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.intent.areas import paths_named
from spark_tui.intent.certainty import Found, certainty, evidence, overlooked
from spark_tui.intent.certainty import table as certainty_table
from spark_tui.intent.executing import Outcome, checked_plan, confidence, marks, settings
from spark_tui.intent.followups import settled
from spark_tui.intent.problem_answer import answer_problem
from spark_tui.intent.readings import Order, Reading, Reads, Splits, SymbolRoles
from spark_tui.intent.relaxing import line_blanked, takes_lines
from spark_tui.intent.several import answer_several
from spark_tui.intent.shared_places import without_repeats
from spark_tui.intent.situation import Situation
from spark_tui.intent.titles import title
from spark_tui.intent.trying import Tried, done, tried
from spark_tui.intent.ways import FOLLOW_UP, UNSURE, Answer, Kind, Way
from spark_tui.problems.describe import read_fix_request
from spark_tui.pysource.garbage_collection import no_collection
from spark_tui.pysource.repository import Repository

_OTHER: dict[str, Kind] = {
    "write": "write",
    "question": "question",
    "chat": "chat",
    "impossible": "cannot",
    "amend.undo": "undo",
}
_GUESSED = ("made up", "made from", "was taken for", "not said", "places fit", "symbols are called")
"""In the reason of a mark: what no certainty makes good."""
_MOST_CHARACTERS = 4_000
_MOST_ORDERS = 4
_JOINED = re.compile(r"(?<!\w)(?:and|then|also|plus|und|dann|et|puis|y|luego)(?!\w)|[,;+&\n。，；、]")
"""Where a further order may begin."""
_UNSURE, _LIKELIER, _POOR, _CLEAR = 0.6, 0.1, 0.35, 0.5
"""Below which certainty orders are tried that begin elsewhere, how much surer their edit has to be, below
which fewer orders are tried, and how likely readings of the parts of an order are to be."""


_DONE = 5.0
"""How many times likelier it is to be that all is as asked for to count more than an edit elsewhere."""
_WHOLE = frozenset(("fix_error", *_OTHER))
"""What is read from an instruction as a whole."""


def answer_fix(instruction: str, situation: Situation) -> Answer | None:
    """The answer to an instruction that asks for the fix of a problem; None for any other."""
    plain = cleaned(instruction)
    problem = read_fix_request(plain) if len(plain) <= _MOST_CHARACTERS else None
    if problem is None:
        return None
    with no_collection():
        return answer_problem(problem, replace(situation, instruction=plain))


def answer(instruction: str, reader: Reads, situation: Situation, symbols: SymbolRoles) -> Answer:
    """Read an instruction and do it."""
    fix = answer_fix(instruction, situation)
    if fix is not None:
        return fix
    plain = cleaned(instruction)
    early = _no_order(plain, situation)
    if early is not None:
        return early
    earlier = situation.earlier.intent if situation.earlier is not None else ""
    with no_collection():
        now = replace(situation, instruction=plain)
        orders = read_orders(plain, reader, symbols, earlier)
        found = answer_orders(orders, now)
        if not isinstance(reader, Splits):
            return found
        unsure = _is_unsure(found)
        if not unsure and (len(orders) > 1 or not _JOINED.search(plain)):
            return found
        others = reader.split_otherwise(plain, symbols, earlier)
        half = [one for one in others if len(orders) == 1 and _is_half_read(orders[0], one, found)]
        tried = [(one, answer_orders(one, now), one in half) for one in (others if unsure else half)]
        return next(_split(tried, orders, found, unsure), found)


def _is_half_read(order: Order, parts: Sequence[Order], found: Answer) -> bool:
    """Whether the reading of an edit takes nothing from one of the parts that the order may have, or less
    than the parts read alone."""
    intent = found.ways[0].done.intent if found.ways and found.ways[0].done is not None else ""
    reading = next((one for one in order.readings if one.intent == intent), None)
    if reading is None or found.kind != "edit":
        return False
    shown = str(found.ways[0].calls)
    spans = [
        one for own in reading.slots.values() for one in own if len(own) == 1 or _stands_in(one.text, shown)
    ]
    spans += reading.left_out
    alone = [part.readings[0] for part in parts if part.readings]
    read = [reading, *alone]
    if _repeats(alone) or any(one.probability < _CLEAR for one in alone):
        return False
    if any(one.intent in _WHOLE for one in read):
        return False
    said = [one for each in alone for own in each.slots.values() for one in own]
    more = any(not any(one.start < each.end and each.start < one.end for each in spans) for one in said)
    return more or any(not any(part.start <= one.start < part.end for one in spans) for part in parts)


def _repeats(readings: Sequence[Reading]) -> bool:
    """Whether one of several readings says the same again and names nothing: `my prints, drop them`."""
    intents = [one.intent for one in readings]
    return any(not one.slots and intents.count(one.intent) > 1 for one in readings)


def _stands_in(name: str, shown: str) -> bool:
    """Whether a name stands in calls, and not only in the path of a file."""
    return re.search(rf"(?<![\w/]){re.escape(name)}(?![\w/]|\.py)", shown) is not None


def _is_unsure(found: Answer) -> bool:
    """Whether orders may begin elsewhere: nothing was found, or something unlikely."""
    return found.kind in ("write", "cannot", "choices") or (found.kind == "edit" and _sure(found) < _UNSURE)


def _sure(found: Answer) -> float:
    return found.ways[0].confidence if found.ways else 0.0


def _split(
    tried: Sequence[tuple[Sequence[Order], Answer, bool]],
    read: Sequence[Order],
    first: Answer,
    unsure: bool,
) -> Iterator[Answer]:
    """The answers to orders that begin elsewhere which are likelier than the first one, or do more."""
    known = bool(first.ways) and not first.reason
    whole = float(settings()["split" if unsure else "half_read"])
    for orders, found, half in tried:
        if found.kind != "edit":
            continue
        if half and (
            _sure(found) >= whole if not found.reason else found.ways[0].calls == first.ways[0].calls
        ):
            yield _unclear(found)
        fewer = known and len(orders) < len(read)  # one may be left unseen
        overlooks = found.ways[0].evidence.get("unexplained", 0.0) > 0
        if fewer and (_sure(first) > _POOR or overlooks or _is_half_read(orders[0], read, found)):
            continue
        least = _sure(first) + _LIKELIER if known else float(settings()["split"])
        # A part of what is asked for is better than nothing where it is surely meant.
        part = not first.ways and _sure(found) >= float(settings()["part"])
        if unsure and _sure(found) >= least and (not found.reason or part):
            yield _unclear(found)


def _unclear(found: Answer) -> Answer:
    doubt = settings()["sentences"]["split"]
    return replace(found, ways=tuple(marked_with(doubt, one) for one in found.ways))


def read_orders(text: str, reader: Reads, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]:
    """The orders of an instruction. Where it names one line, that is left out of what is read, and only
    what can be done to lines by their number is taken from the whole."""
    orders = reader.read(text, symbols, earlier)
    without = line_blanked(text)
    plain = reader.read(without, symbols, earlier) if without else ()
    if len(plain) != 1 or not plain[0].readings:
        return orders
    share = float(settings()["line_number"])
    by_number = [
        replace(one, probability=share * one.probability)
        for one in (orders[0].readings if len(orders) == 1 else ())
        if takes_lines(one)
    ]
    rest = 1.0 - sum(one.probability for one in by_number)
    others = [
        replace(one, probability=rest * one.probability) for one in plain[0].readings if not takes_lines(one)
    ]
    readings = sorted((*by_number, *others), key=lambda one: -one.probability)
    return (Order(0, len(text), tuple(readings)),)


def marked_with(doubt: str, way: Way) -> Way:
    """The way with one more reason to look at it."""
    return replace(way, marked=tuple(dict.fromkeys((*way.marked, doubt))), evidence={})


def cleaned(instruction: str) -> str:
    """The instruction without control characters."""
    return re.sub(r"[^\S\n\t ]|[\x00-\x08\x0b-\x1f\x7f]", " ", instruction).strip()


def _no_order(text: str, situation: Situation) -> Answer | None:
    """The answer to what cannot be an order: nothing, far too much, or only a path or a name."""
    sentences = settings()["sentences"]
    if not re.search(r"\w", text):
        return Answer("cannot", reason=sentences["unread"])
    if len(text) > _MOST_CHARACTERS:
        return Answer("cannot", reason=sentences["long"])
    if re.fullmatch(r"[\w./\\-]+\.\w{1,5}", text) and paths_named(situation.repo, text):
        return Answer("cannot", reason=sentences["file_only"].format(path=text))
    if not situation.changed and situation.repo.index.symbols(text.removesuffix("()")):
        return Answer("cannot", reason=sentences["file_only"].format(path=text))
    return None


def answer_orders(orders: Sequence[Order], situation: Situation) -> Answer:
    """Do what was read: several orders one after the other, each on what the one before left."""
    sentences, orders = settings()["sentences"], without_repeats(orders)
    if not orders or not any(one.readings for one in orders):
        return Answer("cannot", reason=sentences["unread"])
    if len(orders) == 1:
        return _answer_one(orders[0], situation)
    found = answer_several(orders[:_MOST_ORDERS], situation, _answer_one)
    for one in orders[_MOST_ORDERS:]:
        left = sentences["left"].format(words=situation.instruction[one.start : one.end].strip(" ,;.&"))
        found = replace(found, ways=tuple(marked_with(left, way) for way in found.ways))
    return found


def _answer_one(order: Order, situation: Situation) -> Answer:
    order = settled(order, situation)
    readings = order.readings
    if not readings:
        return Answer("cannot", reason=settings()["sentences"]["unread"])
    if readings[0].intent in _OTHER and readings[0].probability >= float(settings()["other"]):
        return other(readings[0])
    return decide(tried(order, situation), situation, order)


def other(reading: Reading) -> Answer:
    """The answer to what is no edit that is known."""
    return Answer(_OTHER[reading.intent])


def decide(result: Tried, situation: Situation, order: Order) -> Answer:
    """An edit, a choice, or a sentence, by how sure the results are."""
    numbers = settings()
    outcome, readings = result.outcome, order.readings
    lost = sum(mass for mass, found, _ in outcome.refused if found.why != "nothing")
    lost += sum(mass for mass, _, _ in outcome.unbuilt)
    whole = sum(one.mass for one in outcome.executed) + outcome.nothing + result.rest + result.aside
    whole += float(numbers["refused"]) * lost
    ranked = sorted(((confidence(one, whole), one) for one in outcome.executed), key=lambda each: -each[0])
    top = ranked[0][0] if ranked else 0.0
    second = ranked[1][0] if len(ranked) > 1 else 0.0

    def found(at: int) -> Found:
        other = second if at == 0 else top
        return Found(
            ranked[at][1], ranked[at][0], other, outcome, readings, situation, order.start, order.end
        )

    def repo(at: int) -> Repository:
        from_before = ranked[at][1].candidate.from_before
        return (situation.before if from_before else None) or situation.repo

    first = situation.earlier is None
    limits = numbers["first"] if first else numbers["behind"]
    best = _way(found(0), single=True) if ranked else None
    likely = first and best is not None and best.confidence >= float(limits["despite"])
    likely = likely and _DONE * ranked[0][1].mass >= outcome.nothing
    if not likely and outcome.nothing > 0 and outcome.nothing >= float(numbers["nothing"]) * whole:
        reason = next(found.reason for _, found, _ in outcome.refused if found.why == "nothing")
        return Answer("nothing", reason=numbers["sentences"]["nothing"].format(reason=reason))
    if result.aside > max(top, 0.0) and readings[0].intent in _OTHER:
        return other(readings[0])
    if best is None:
        return _declined(outcome, readings)
    # Behind an edit the certainty, which is fitted on first instructions, says nothing: the shares decide.
    sure, apart = (best.confidence, (top - second) / top) if first else (top, top - second)
    if sure >= float(limits["marked"]) and apart >= float(limits["clear"]):
        return Answer("edit", (best,))
    offered = [at for at, each in enumerate(ranked[:3]) if each[0] >= float(numbers["choice"])]
    if len(offered) > 1 and sure >= float(numbers["choice"]):
        others = (replace(found(at), executed=checked_plan(ranked[at][1], repo(at))) for at in offered[1:])
        return Answer("choices", (best, *map(_way, others)), best=best)
    if sure >= float(limits["single"]):
        return Answer("edit", (best,))
    return replace(_declined(outcome, readings), best=best)


def _way(found: Found, single: bool = False) -> Way:
    one, situation = found.executed, found.situation
    why = marks(one)
    guessed = [each for each in why if any(word in each for word in _GUESSED)]
    known = evidence(found)
    sure = certainty(known, one.candidate.reading.intent)
    # The certainty is fitted on first instructions: of what comes behind an edit only a clear amendment of it
    # is not looked at.
    first, behind = single and situation.earlier is None, settings()["behind"]
    amends = single and not first and found.readings[0].intent.startswith("amend.")
    left = overlooked(found) if first else ""
    possible = (first or amends) and one.plan.unmarked and not guessed and not left
    clear = found.share >= float(behind["unmarked"]) and sure >= float(behind["sure"])
    unmarked = possible and (sure >= float(certainty_table()["unmarked"]) if first else clear)
    if left:
        why = (*why, settings()["sentences"]["overlooked"].format(words=left))
    elif not unmarked and not why:
        why = (UNSURE if situation.earlier is None else FOLLOW_UP,)
    base = situation.before or situation.repo if one.candidate.from_before else situation.repo
    return Way(
        one.calls,
        one.plan,
        sure,
        () if unmarked else why,
        title(one.calls, base),
        done(one, situation.instruction),
        one.candidate.from_before,
        known,
        possible,
    )


def _declined(outcome: Outcome, readings: Sequence[Reading]) -> Answer:
    """Why nothing is offered: the reason of the likeliest reading."""
    if readings and readings[0].intent in _OTHER:
        return other(readings[0])
    reasons = [(mass, found.reason) for mass, found, _ in outcome.refused]
    reasons += [(mass, why) for mass, why, _ in outcome.unbuilt]
    if reasons and max(reasons)[1]:
        reason = max(reasons)[1].rstrip(".")
        return Answer("write", reason=settings()["sentences"]["refused"].format(reason=reason))
    return Answer("write")
