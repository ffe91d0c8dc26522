"""From an instruction to an answer: read, resolve, execute, check, rank, and decide.

An answer is exactly one of: an edit, a choice of two or three, the sentence that there is nothing to do or
that it cannot be done, or the word that the instruction is for the language model or no order at all.
"""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from spark_tui.codemods.checks import checked
from spark_tui.codemods.plan import Plan, Refused
from spark_tui.codemods.registry import Operation
from spark_tui.intent.areas import paths_named
from spark_tui.intent.certainty import Found, certainty, evidence
from spark_tui.intent.certainty import table as certainty_table
from spark_tui.intent.executing import Outcome, confidence, execute, marks, plan_of, settings
from spark_tui.intent.followups import amended
from spark_tui.intent.left_out import Place, places
from spark_tui.intent.names import names_of
from spark_tui.intent.readings import Order, Reading, SymbolRoles
from spark_tui.intent.resolve import candidates
from spark_tui.intent.situation import Candidate, Done, Situation, detached
from spark_tui.intent.titles import title
from spark_tui.pysource.repository import Repository

Kind = Literal["edit", "choices", "nothing", "cannot", "write", "question", "chat"]
_OTHER: dict[str, Kind] = {"write": "write", "question": "question", "chat": "chat", "impossible": "cannot"}
_MOST_CHARACTERS = 4_000
_MOST_ORDERS = 4


class Reads(Protocol):
    """A reader of instructions."""

    def read(self, instruction: str, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]: ...


@dataclass(frozen=True)
class Way:
    """One way to do what was asked: the calls, what they would change, and why to be careful."""

    calls: tuple[Operation, ...]
    plan: Plan
    confidence: float
    marked: tuple[str, ...]
    """Why a person should look at it; empty for an edit without a mark."""
    title: str
    done: Done | None = None
    """What a follow-up needs to know of it."""
    from_before: bool = False
    """Whether the plan is for the repository before the earlier answer, which it replaces."""
    evidence: Mapping[str, float] = field(default_factory=dict)
    """What the confidence was computed from."""
    may_be_unmarked: bool = False
    """Whether nothing but the confidence speaks for a mark."""


@dataclass(frozen=True)
class Answer:
    """What is done about an instruction. `ways`: one for an edit, two or three for choices."""

    kind: Kind
    ways: tuple[Way, ...] = ()
    reason: str = ""
    """For nothing and cannot: a sentence for the person; for write: what to say if the model has no edit."""


def answer(instruction: str, reader: Reads, situation: Situation, symbols: SymbolRoles) -> Answer:
    """Read an instruction and do it."""
    plain = cleaned(instruction)
    early = _no_order(plain, situation)
    if early is not None:
        return early
    earlier = situation.earlier.intent if situation.earlier is not None else ""
    with _no_collection():
        return answer_orders(reader.read(plain, symbols, earlier), replace(situation, instruction=plain))


@contextmanager
def _no_collection() -> Iterator[None]:
    """Pause the garbage collector: the trees of a large repository make each of its runs take long."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def cleaned(instruction: str) -> str:
    """The instruction without control characters."""
    return re.sub(r"[^\S\n\t ]|[\x00-\x08\x0b-\x1f\x7f]", " ", instruction).strip()


def _no_order(text: str, situation: Situation) -> Answer | None:
    """The answer to what cannot be an order: nothing, far too much, or only a path."""
    sentences = settings()["sentences"]
    if not re.search(r"\w", text):
        return Answer("cannot", reason=sentences["unread"])
    if len(text) > _MOST_CHARACTERS:
        return Answer("cannot", reason=sentences["long"])
    if re.fullmatch(r"[\w./\\-]+\.\w{1,5}", text) and paths_named(situation.repo, text):
        return Answer("cannot", reason=sentences["file_only"].format(path=text))
    return None


def answer_orders(orders: Sequence[Order], situation: Situation) -> Answer:
    """Do what was read: several orders one after the other, each on what the one before left."""
    sentences = settings()["sentences"]
    if not orders or not any(one.readings for one in orders):
        return Answer("cannot", reason=sentences["unread"])
    if len(orders) == 1:
        return _answer_one(orders[0], situation)
    return _several(orders[:_MOST_ORDERS], situation)


def _several(orders: Sequence[Order], situation: Situation) -> Answer:
    """Several orders as one edit; where one of them has no edit, the answer is to that."""
    now = situation
    done: list[Way] = []
    for order in orders:
        found = _answer_one(order, now)
        if found.kind == "nothing" and (done or order is not orders[-1]):
            continue
        if found.kind == "choices" and found.ways:
            found = Answer(
                "edit", (replace(found.ways[0], marked=(*found.ways[0].marked, "it may be meant otherwise")),)
            )
        if found.kind != "edit":
            return found if not done else _partly(done, situation, found)
        done.append(found.ways[0])
        now = replace(now, repo=now.repo.with_changes(found.ways[0].plan.texts(now.repo)))
    if not done:
        return Answer(
            "nothing", reason=settings()["sentences"]["nothing"].format(reason="all is as asked for")
        )
    return Answer("edit", (merged(done, situation.repo),))


def _partly(done: list[Way], situation: Situation, rest: Answer) -> Answer:
    """The edit of the orders that could be done, marked with why the others could not."""
    way = merged(done, situation.repo)
    reason = rest.reason or "a part of the instruction needs a model"
    return Answer("edit", (replace(way, marked=(*way.marked, reason)),))


def merged(ways: Sequence[Way], repo: Repository) -> Way:
    """Several ways, made one after the other, as one."""
    if len(ways) == 1:
        return ways[0]
    calls = tuple(call for one in ways for call in one.calls)
    plan = plan_of(calls, repo)
    plan = Plan() if isinstance(plan, Refused) else checked(plan, repo)
    sure = 1.0
    for one in ways:
        sure *= one.confidence
    marked = tuple(dict.fromkeys(mark for one in ways for mark in one.marked))
    return Way(calls, plan, sure, marked, "; ".join(one.title for one in ways), ways[-1].done)


def _answer_one(order: Order, situation: Situation) -> Answer:
    readings = order.readings[: int(settings()["most_readings"])]
    if not readings:
        return Answer("cannot", reason=settings()["sentences"]["unread"])
    first = readings[0]
    if first.intent in _OTHER and first.probability >= float(settings()["other"]):
        return other(first)
    names = names_of(situation.repo, situation.path)
    weighed: list[tuple[float, Candidate]] = []
    aside = 0.0
    rest = float(settings()["unread"]) * max(0.0, 1.0 - sum(one.probability for one in readings))
    until = time.perf_counter() + float(settings()["seconds"])
    least = float(settings()["least_reading"])
    for one in readings:
        if one.intent in _OTHER:
            aside += one.probability
            continue
        built = any(each.calls for _, each in weighed)
        if built and (one.probability < least * first.probability or time.perf_counter() > until):
            rest += float(settings()["unread"]) * one.probability
            continue
        found = (
            amended(one, situation) if one.intent.startswith("amend.") else candidates(one, situation, names)
        )
        weighed += [(one.probability * each.weight, each) for each in found]
        if any(each.calls for each in found):
            open_share = max(0.0, 1.0 - sum(each.weight for each in found if each.calls))
            rest += float(settings()["unresolved"]) * one.probability * open_share
    turned_down = situation.earlier.turned_down if situation.earlier is not None else ()
    weighed = [each for each in weighed if not turned_down or str(each[1].calls) not in turned_down]
    before = situation.before or situation.repo
    now = [each for each in weighed if not each[1].from_before]
    then = [each for each in weighed if each[1].from_before]

    def left_out(one: Candidate) -> list[Place]:
        return places(one.reading.left_out, situation, names)

    outcome = execute(now, situation.repo, left_out)
    if then:
        earlier = execute(then, before, left_out)
        outcome = Outcome(
            tuple(sorted((*outcome.executed, *earlier.executed), key=lambda each: -each.mass)),
            (*outcome.refused, *earlier.refused),
            (*outcome.unbuilt, *earlier.unbuilt),
        )
    return decide(outcome, aside, rest, situation, order)


def other(reading: Reading) -> Answer:
    """The answer to what is no edit that is known."""
    kind = _OTHER[reading.intent]
    sentences = settings()["sentences"]
    return Answer(kind, reason=sentences["cannot"] if kind == "cannot" else "")


def decide(outcome: Outcome, aside: float, rest: float, situation: Situation, order: Order) -> Answer:
    """An edit, a choice, or a sentence, by how sure the results are.

    `aside` is the probability of readings that are no edits, `rest` that of what was not resolved."""
    numbers = settings()
    readings = order.readings
    lost = sum(mass for mass, found, _ in outcome.refused if found.why != "nothing")
    lost += sum(mass for mass, _, _ in outcome.unbuilt)
    whole = sum(one.mass for one in outcome.executed) + outcome.nothing + rest + aside
    whole += float(numbers["refused"]) * lost
    ranked = sorted(((confidence(one, whole), one) for one in outcome.executed), key=lambda each: -each[0])
    top = ranked[0][0] if ranked else 0.0
    if outcome.nothing > 0 and outcome.nothing / max(whole, 1e-9) >= float(numbers["nothing"]):
        reason = next(found.reason for _, found, _ in outcome.refused if found.why == "nothing")
        return Answer("nothing", reason=numbers["sentences"]["nothing"].format(reason=reason))
    if aside > max(top, 0.0) and readings[0].intent in _OTHER:
        return other(readings[0])
    second = ranked[1][0] if len(ranked) > 1 else 0.0

    def found(at: int) -> Found:
        other = second if at == 0 else top
        return Found(
            ranked[at][1], ranked[at][0], other, outcome, readings, situation, order.start, order.end
        )

    if ranked and top >= float(numbers["marked"]) and top - second >= float(numbers["clear"]):
        return Answer("edit", (_way(found(0), single=True),))
    offered = [at for at, each in enumerate(ranked[:3]) if each[0] >= float(numbers["choice"])]
    if len(offered) > 1:
        return Answer("choices", tuple(_way(found(at)) for at in offered))
    if offered and top >= 2 * float(numbers["choice"]):
        return Answer("edit", (_way(found(0), single=True),))
    return _declined(outcome, readings)


def _way(found: Found, single: bool = False) -> Way:
    one, situation = found.executed, found.situation
    why = marks(one)
    guessed = [each for each in why if "made up" in each or "was taken for" in each or "not said" in each]
    known = evidence(found)
    sure = certainty(known)
    possible = single and one.plan.unmarked and not guessed
    unmarked = possible and sure >= float(certainty_table()["unmarked"])
    if not unmarked and not why:
        why = ("it may be meant otherwise",)
    reading = one.candidate.reading
    slots = detached(reading.slots, situation.instruction)
    done = Done(reading.intent, slots, one.calls, reading.left_out, reading.everywhere)
    base = situation.before or situation.repo if one.candidate.from_before else situation.repo
    return Way(
        one.calls,
        one.plan,
        sure,
        () if unmarked else why,
        title(one.calls, base),
        done,
        one.candidate.from_before,
        known,
        possible,
    )


def _declined(outcome: Outcome, readings: Sequence[Reading]) -> Answer:
    """Why nothing is offered: the reason of the likeliest reading."""
    sentences = settings()["sentences"]
    if readings and readings[0].intent in _OTHER:
        return other(readings[0])
    reasons = [(mass, found.reason) for mass, found, _ in outcome.refused]
    reasons += [(mass, why) for mass, why, _ in outcome.unbuilt]
    if reasons and max(reasons)[1]:
        reason = max(reasons)[1].rstrip(".")
        return Answer("write", reason=sentences["refused"].format(reason=reason))
    return Answer("write", reason=sentences["cannot"])
