"""Several orders in one instruction: each is done on what the one before left, and shown as one edit."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import replace

from spark_tui.codemods.checks.harm import checked
from spark_tui.codemods.joined import from_texts
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import Operation
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.orders.new_options import with_new_option
from spark_tui.intent.orders.orders_done import (
    Run,
    at_home,
    does_more,
    hangs_on_lost,
    is_gone,
    is_inside,
    is_kept,
    is_lost,
    is_no_place,
    is_one_of_many,
    names_a_place,
    needs_place,
    with_renamed_exceptions,
)
from spark_tui.intent.orders.repeated_orders import by_the_next, clash, with_own_words
from spark_tui.intent.planning.answers import UNSURE, Answer, Way, marked_with
from spark_tui.intent.planning.certainty import certainty_table as certainty_table
from spark_tui.intent.planning.executing import decision_settings
from spark_tui.intent.reading.shared_places import (
    find_missing_slot,
    names_a_thing,
    names_where,
    place_of_others,
    refers_to_other,
    with_names_as_code,
    with_new_names,
    with_place,
    with_the_same,
    with_what_it_means,
)
from spark_tui.intent.words.doubts import Doubt, DoubtKind
from spark_tui.intent.words.phrases import joining
from spark_tui.intent.words.readings import Order
from spark_tui.intent.words.reasons import is_reason

AnswerOne = Callable[[Order, Situation], Answer]
_MOST_WORDS = 80
_SURE = 0.8
"""The certainty of an edit from which the place of another order is not tried."""
_LIKELY = 0.5
"""The certainty of an edit at the place that an order in front names from which no other place is tried."""
_LEAST = 0.1
"""The certainty from which the edit of one of several orders is made."""
_LEAST_OF_ALL = 0.2
"""The certainty that one of the edits has to have."""


_TURNS = {
    **dict.fromkeys(("amend.raise_instead", "amend.return_instead"), 0),
    **dict.fromkeys(("amend.before", "amend.after", "amend.first", "amend.last"), 2),
}
"""Which amendments are done before others, and which after them."""


def answer_several(orders: Sequence[Order], situation: Situation, answer_one: AnswerOne) -> Answer:
    """The edit of the orders that can be done, marked with those that were left; where none can, the answer
    to the first."""
    if (better := by_the_next(orders, situation, answer_one)) is not None:
        left = undone(situation.instruction[orders[0].start : orders[0].end])
        return Answer("edit", (marked_with(left, better),))
    # What amends is for the repository before the earlier answer: it comes before what is new.
    turns = sorted(range(len(orders)), key=lambda item: _turn(orders[item]))
    run, others, failed = _in_turn(turns, orders, situation, answer_one)
    numbered = any(reading.slots.get("line") for order in orders for reading in order.readings[:1])
    if run.ways and failed and situation.earlier is None and not numbered:
        # What one order has changed may be what this one names, or what it needs.
        rest = [turn for turn in turns if turn not in failed]
        for again, most in (([*failed, *rest], 0), ([*rest, *failed], len(run.left) - 1)):
            made = _in_turn(again, orders, situation, answer_one) if again != turns else None
            if made is not None and does_more(made[0], run, most, _LEAST_OF_ALL):
                run, others, _ = made
                break
    if (loose := clash(run.ways)) is not None:
        # What only resembles a name is not what another order names.
        at = run.turns[loose]
        run, others, _ = _in_turn(
            [*(turn for turn in turns if turn != at), at], orders, situation, answer_one, at
        )
    sentences = decision_settings()["sentences"]
    if any(way.confidence >= _LEAST_OF_ALL for way in run.ways):
        same = sentences["refused"].format(reason="together these orders leave everything as it is")
        return found if _changes(found := _edit(run), situation) else Answer("cannot", reason=same)
    if run.ways:
        return Answer("write", best=run.ways[0])
    undo = next((other for other in others if other.kind == "undo"), None)
    declined = undo or next((one for _, one in run.left), None)
    if undo is None and declined is not None and run.idle and not declined.reason:
        told = (*run.idle, *(undone(words) for words, _ in run.left))
        shown = (f"{one[:1].upper()}{one[1:].rstrip('.')}." for one in told)
        declined = replace(declined, reason=" ".join(shown))
    return declined or (
        others[0]
        if others and others[0].kind == "chat"
        else Answer("nothing", reason=sentences["nothing"].format(reason="all is as asked for"))
    )


def _changes(found: Answer, situation: Situation) -> bool:
    """Whether orders that amend an edit make another one together than it is."""
    way = found.ways[0]
    if not way.from_before or situation.before is None:
        return True
    texts = way.plan.texts(situation.before)
    made = {path: texts.get(path, situation.before.index.text(path)) for path in (*situation.changed, *texts)}
    return any(situation.repo.index.text(path) != text for path, text in made.items())


def _in_turn(
    turns: Sequence[int],
    orders: Sequence[Order],
    situation: Situation,
    answer_one: AnswerOne,
    loose: int | None = None,
) -> tuple[Run, list[Answer], list[int]]:
    """What comes of orders that are done one after the other, the answers of those that are no edit, and
    which could not be done. The `loose` one sets nothing that another sets."""
    run = Run(replace(situation, several=True), situation.repo)

    def answer_own(order: Order, now: Situation) -> Answer:
        return answer_one(*with_own_words(order, now))

    others: list[Answer] = []
    failed: list[int] = []
    meant = list(orders)
    for at in turns:
        order = orders[at]
        if at == loose:
            run.now = replace(run.now, taken=tuple(call for way in run.ways for call in way.calls))
        found, meant[at] = _best(order, [*meant[:at][::-1], *meant[at + 1 :]], run, answer_own)
        if hangs_on_lost(order, at, failed, found) and not names_a_place(meant[at]):
            found = Answer("write", reason=found.reason)
        if _take(_decided(found), at, meant, run, situation.instruction[order.start : order.end], others):
            failed.append(at)
    return run, others, failed


def _take(found: Answer, at: int, meant: list[Order], run: Run, words: str, others: list[Answer]) -> bool:
    """Do what was found for the order at a number, or note why not; whether it is left."""
    if found.kind == "edit":
        run.do(found.ways[0])
        run.turns.append(at)
        meant[at] = at_home(meant[at], found.ways[0], run)
        return False
    if found.kind == "undo":
        run.go_back()
    others.append(found)
    if found.kind == "nothing":
        shown = _shortened(_plain(words))
        idle = decision_settings()["sentences"]["idle"].format(words=shown, reason=found.idle)
        run.idle.append(idle if found.idle else found.reason)
    elif found.kind not in ("chat", "undo") and not is_gone(meant[at], run) and not is_reason(words):
        run.left.append((words, found))
        return True
    return False


def answer_each(orders: Sequence[Order], situation: Situation, answer_one: AnswerOne) -> Answer:
    """The edit of orders of which each says all on its own."""
    run, others, meant = Run(replace(situation, several=True), situation.repo), list[Answer](), list(orders)
    for at, order in enumerate(orders):
        words = situation.instruction[order.start : order.end]
        _take(_decided(answer_one(*with_own_words(order, run.now))), at, meant, run, words, others)
    return _edit(run) if run.ways else next((found for _, found in run.left), others[0])


def _best(order: Order, others: Sequence[Order], run: Run, answer_one: AnswerOne) -> tuple[Answer, Order]:
    """The answer to an order, or to the order with what it leaves to another one if that is surer; and the
    order that was answered."""
    now = run.now
    order = with_renamed_exceptions(order, run)
    words = now.instruction[order.start : order.end]
    before = [item for item in others if item.start < order.start]
    if before:
        meant, unclear = with_what_it_means(with_names_as_code(order, _names_in_view(now)), before)
        if unclear:
            reason = f"it is not clear what {unclear!r} is"
            return Answer(
                "write", reason=decision_settings()["sentences"]["refused"].format(reason=reason)
            ), order
        meant = with_new_option(with_the_same(meant, before, words), before, now)
        # What `it` is in a slot is no place besides.
        words, order = ("" if meant != order else words), meant
    if before and not names_a_thing(order):
        now = run.beside_the_last()
    placed = with_place(order, others, words) if not _amends(order) else None
    if placed is not None and is_no_place(order, placed, run):
        placed = None
    there = (answer_one(placed, now), placed) if placed is not None else None
    place = place_of_others(order, others) if placed is not None else ""
    # A place that is named in front holds for what follows; what an order in front is done to is none.
    holds = bool(place_of_others(order, [item for item in before if names_where(item)])) and there is not None
    if holds and there is not None and _surest(there[0]) >= (True, _LIKELY) and is_kept(there[0]):
        return there
    found = answer_one(order, now)
    sure = _surest(found) >= (True, _SURE) and not refers_to_other(words)
    sure = sure and not needs_place(order) and not find_missing_slot(order) and not is_one_of_many(found)
    if _amends(order) or (sure and not (holds and not names_a_thing(order))):
        return found, order
    itself = (
        names_a_thing(order)
        and not find_missing_slot(order)
        and not refers_to_other(words)
        and _surest(found) >= (True, _LIKELY)
    )
    if itself and not is_one_of_many(found) and not any(map(names_where, others)):
        return found, order
    best = found, order
    if there is not None and is_lost(place, run):
        # What is to be done at a place that is not there is done nowhere else.
        refused = decision_settings()["sentences"]["refused"].format(
            reason=f"there is no {plain_name(place)}"
        )
        return Answer("write", reason=refused), there[1]
    if there is not None and there[0].kind != "edit" and is_inside(order, place, run):
        return there
    if there is not None:
        # What is about *it* is done with nothing else, which the order does not name.
        only = (
            (refers_to_other(words) or there[0].kind == "nothing")
            and not names_a_place(order)
            and names_a_place(there[1])
        )
        lost = find_missing_slot(order)
        only = only or bool(lost and there[1].readings[0].slots.get(lost))
        if holds and not names_a_thing(order):
            only, there = True, (there[0] if is_kept(there[0]) else Answer("write"), there[1])
        best = there if only else max(there, best, key=lambda item: _surest(item[0]))
    renamed = with_new_names(best[1], run.renamed)
    if best[0].kind != "edit" and renamed is not None:
        best = max((answer_one(renamed, now), renamed), best, key=lambda item: _surest(item[0]))
    return best


def _names_in_view(situation: Situation) -> Container[str]:
    index, path = situation.repo.index, situation.path
    return index.scopes(path).variables_by_name if path in index.paths else ()


def _surest(found: Answer) -> tuple[bool, float]:
    return found.kind == "edit", found.ways[0].confidence if found.ways else 0.0


def _decided(found: Answer) -> Answer:
    """An answer with the likeliest of its edits: between several orders there is no choice, and an unlikely
    edit, marked, serves better than none."""
    best = found.ways[0] if found.kind == "choices" and found.ways else found.best
    if best is None or found.kind not in ("choices", "write") or best.confidence < _LEAST:
        return found
    marked = tuple(dict.fromkeys((*best.marked, UNSURE)))
    return Answer("edit", (replace(best, marked=marked, evidence={}),))


def _amends(order: Order) -> bool:
    return bool(order.readings) and order.readings[0].intent.startswith("amend.")


def _turn(order: Order) -> int:
    """When an order is done: another statement is written before another message of it, and moved last."""
    kind = order.readings[0].intent if _amends(order) else ""
    return _TURNS.get(kind, 1) if kind else 3


def _edit(run: Run) -> Answer:
    way = run.ways[0] if len(run.ways) == 1 and not run.from_before else _merged(run)
    if run.idle:
        way = replace(way, marked=tuple(dict.fromkeys((*way.marked, *run.idle))), evidence={})
    if not run.left:
        return Answer("edit", (way,))
    why = tuple(undone(words) for words, _ in run.left)
    reason = next((found.reason for _, found in run.left if found.reason), why[0])
    marked = tuple(dict.fromkeys((*way.marked, *why)))
    return Answer("edit", (replace(way, marked=marked, evidence={}),), reason)


def undone(words: str) -> Doubt:
    """The mark that the order of some words is not done."""
    plain = _plain(words)
    sentence = decision_settings()["sentences"]["left"].format(words=_shortened(plain))
    return Doubt(sentence, DoubtKind.UNDONE, words=plain)


def _plain(words: str) -> str:
    """The words without those that join them to what stands before or behind."""
    joined = " ".join(words.split()).strip(" ,;.&")
    return re.sub(rf"(?i)^(?:{joining()}\s+)+(?=\S)|(?<=\S)(?:,?\s+{joining()})+$", "", joined)


def _shortened(words: str) -> str:
    return words if len(words) <= _MOST_WORDS else f"{words[: _MOST_WORDS - 1]}…"


def _merged(run: Run) -> Way:
    """What was done one after the other, as one."""
    ways = run.ways
    calls = tuple(call for way in ways for call in way.calls)
    plan: Plan = from_texts(run.texts, run.base, run.unfollowed)
    sure = 1.0
    for item in ways:
        sure *= item.confidence
    marked = tuple(dict.fromkeys(mark for way in ways for mark in way.marked))
    if set(marked) <= {UNSURE}:
        # What was read as several orders is seldom half of what was said: less is enough.
        marked = () if sure >= float(certainty_table()["unmarked_together"]) else (UNSURE,)
    before: tuple[Operation, ...] = tuple(call for way in ways[:-1] for call in way.calls)
    last = ways[-1].done
    done = replace(last, others=(*before, *last.others)) if last is not None else None
    title = "; ".join(way.title for way in ways)
    return Way(calls, checked(plan, run.base), sure, marked, title, done, run.from_before)
