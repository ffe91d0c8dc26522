"""Several orders in one instruction: each is done on what the one before left, and shown as one edit."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from spark_tui.codemods.checks import checked
from spark_tui.codemods.families.rename import Rename
from spark_tui.codemods.joined import as_before, from_texts
from spark_tui.codemods.plan import Plan, Unfollowed
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import CALLABLE
from spark_tui.intent.areas import paths_named
from spark_tui.intent.certainty import table as certainty_table
from spark_tui.intent.executing import by_lines, settings
from spark_tui.intent.intent_table import intents
from spark_tui.intent.names import names_of, plain_name
from spark_tui.intent.phrases import joining
from spark_tui.intent.readings import CODE, Order, Span
from spark_tui.intent.shared_places import (
    PLACES,
    leans,
    names_a_thing,
    place_of_others,
    subject,
    with_new_names,
    with_place,
    with_the_same,
    with_what_it_means,
)
from spark_tui.intent.situation import Situation
from spark_tui.intent.tokens import tokenize
from spark_tui.intent.ways import UNSURE, Answer, Way
from spark_tui.intent.word_counts import is_code
from spark_tui.pysource.repository import Repository

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
"""Which amendments are done before others, and which behind them."""


@dataclass
class _Run:
    """The orders that were done so far. `now` is the situation behind them, `base` the repository that their
    edit is for."""

    now: Situation
    base: Repository
    ways: list[Way] = field(default_factory=list)
    left: list[tuple[str, Answer]] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)
    """Why nothing was to do for some."""
    from_before: bool = False
    texts: dict[str, str | None] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    unfollowed: list[Unfollowed] = field(default_factory=list)

    def go_back(self) -> None:
        """On from the repository before the earlier answer."""
        if not self.from_before and self.now.before is not None:
            self.base, self.from_before = self.now.before, True
            self.now = replace(self.now, repo=self.base.with_changes(self.texts))

    def beside_the_last(self) -> Situation:
        """The situation where a person has the cursor at the last edit, if it is nowhere."""
        now, last = self.now, self.ways[-1].plan if self.ways else None
        edit = next((one for one in last.edits if one.path == now.path), None) if last is not None else None
        if edit is None or now.cursor is not None or now.selection is not None or now.earlier is not None:
            return now
        return replace(now, cursor=(now.repo.index.text(edit.path) or "").count("\n", 0, edit.start) + 1)

    def do(self, way: Way) -> None:
        before = self.now.repo
        if way.from_before and self.now.before is not None:
            self.go_back()
            before = self.now.before
            earlier = self.now.earlier
            if earlier is not None:
                # What amends it further has to keep this, so it goes by the lines.
                self.now = replace(self.now, earlier=replace(earlier, calls=()))
        self.texts |= way.plan.texts(before)
        self.unfollowed += [as_before(one, self.base, before) for one in way.plan.unfollowed]
        self.now = replace(self.now, repo=self.base.with_changes(self.texts))
        renames = (one for one in way.calls if isinstance(one, Rename))
        self.renamed |= {one.target.name.rpartition(".")[2]: one.new for one in renames}
        self.ways.append(way)


def answer_several(orders: Sequence[Order], situation: Situation, answer_one: AnswerOne) -> Answer:
    """The edit of the orders that can be done, marked with those that were left; where none can, the answer
    to the first."""
    run = _Run(situation, situation.repo)
    others: list[Answer] = []
    meant = list(orders)
    # What amends is for the repository before the earlier answer: it comes before what is new.
    for at in sorted(range(len(orders)), key=lambda one: _turn(orders[one])):
        order = orders[at]
        found, meant[at] = _best(order, [*meant[:at][::-1], *meant[at + 1 :]], run, answer_one)
        found = _decided(found)
        if found.kind == "edit":
            run.do(found.ways[0])
            meant[at] = _at_home(meant[at], found.ways[0], run)
        elif found.kind == "undo":
            run.go_back()
            others.append(found)
        else:
            others.append(found)
            words = situation.instruction[order.start : order.end]
            if found.kind == "nothing":
                why = found.reason.partition(": ")[2].rstrip(".")
                idle = settings()["sentences"]["idle"].format(words=_shown(words), reason=why)
                run.idle.append(idle if why else found.reason)
            elif found.kind != "chat" and not _is_gone(meant[at], run):
                run.left.append((words, found))
    if any(way.confidence >= _LEAST_OF_ALL for way in run.ways):
        return _edit(run)
    if run.ways:
        return Answer("write", best=run.ways[0])
    undo = next((one for one in others if one.kind == "undo"), None)
    declined = undo or next((one for _, one in run.left), None)
    said = settings()["sentences"]["nothing"].format(reason="all is as asked for")
    return declined or (others[0] if others and others[0].kind == "chat" else Answer("nothing", reason=said))


def _best(order: Order, others: Sequence[Order], run: _Run, answer_one: AnswerOne) -> tuple[Answer, Order]:
    """The answer to an order, or to the order with what it leaves to another one if that is surer; and the
    order that was answered."""
    now = run.now
    words = now.instruction[order.start : order.end]
    before = [one for one in others if one.start < order.start]
    if before:
        meant, unclear = with_what_it_means(order, before)
        if unclear:
            reason = f"it is not clear what {unclear!r} is"
            return Answer("write", reason=settings()["sentences"]["refused"].format(reason=reason)), order
        meant = with_the_same(meant, before, words)
        # What `it` is in a slot is no place besides.
        words, order = ("" if meant != order else words), meant
    if before and not names_a_thing(order):
        now = run.beside_the_last()
    placed = with_place(order, others, words) if not _amends(order) else None
    there = (answer_one(placed, now), placed) if placed is not None else None
    place = place_of_others(order, others) if placed is not None else ""
    # A place that is named in front holds for what follows.
    holds = bool(place_of_others(order, before)) and there is not None
    if holds and there is not None and _surest(there[0]) >= (True, _LIKELY) and _is_kept(there[0]):
        return there
    found = answer_one(order, now)
    sure = _surest(found) >= (True, _SURE) and not leans(words)
    sure = sure and not _needs_place(order) and not _is_one_of_many(found)
    if _amends(order) or (sure and not (holds and not names_a_thing(order))):
        return found, order
    best = found, order
    if there is not None and _is_lost(place, run):
        # What is to be done at a place that is not there is done nowhere else.
        refused = settings()["sentences"]["refused"].format(reason=f"there is no {plain_name(place)}")
        return Answer("write", reason=refused), there[1]
    if there is not None and there[0].kind != "edit" and _is_inside(order, place, run):
        return there
    if there is not None:
        # What is about *it* is done with nothing else, which the order does not name.
        only = (
            (leans(words) or there[0].kind == "nothing")
            and not _names_a_place(order)
            and _names_a_place(there[1])
        )
        if holds and not names_a_thing(order):
            only, there = True, (there[0] if _is_kept(there[0]) else Answer("write"), there[1])
        best = there if only else max(there, best, key=lambda one: _surest(one[0]))
    renamed = with_new_names(best[1], run.renamed)
    if best[0].kind != "edit" and renamed is not None:
        best = max((answer_one(renamed, now), renamed), best, key=lambda one: _surest(one[0]))
    return best


def _at_home(order: Order, way: Way, run: _Run) -> Order:
    """The order of a rename with the function whose parameter or local it was, if it names none."""
    target = next((one.target for one in way.calls if isinstance(one, Rename)), None)
    owner = target.name.rpartition(".")[0] if target is not None else ""
    reading = order.readings[0]
    if not owner or reading.intent != "rename" or any(reading.slots.get(one) for one in PLACES):
        return order
    found = names_of(run.now.repo, run.now.path).find(owner, CALLABLE)
    if not any(one.target.qualname == owner for one in found):
        return order
    slots = {**reading.slots, "function": (Span(CODE, CODE, owner, True),)}
    return replace(order, readings=(replace(reading, slots=slots), *order.readings[1:]))


def _needs_place(order: Order) -> bool:
    """Whether an order does not name the class that it has to."""
    reading = order.readings[0] if order.readings else None
    entry = intents().get(reading.intent) if reading is not None else None
    return (
        reading is not None
        and entry is not None
        and "class" in entry.required
        and "class" not in reading.slots
    )


def _is_one_of_many(found: Answer) -> bool:
    """Whether what an edit is made to is one of several that are called so."""
    return any(fit in mark for mark in found.ways[0].marked for fit in ("places fit", "symbols are called"))


def _is_kept(found: Answer) -> bool:
    """Whether an edit is made at the place that its order has."""
    done = found.ways[0].done if found.ways else None
    return done is None or any(done.slots.get(one) for one in PLACES)


def _names_a_place(order: Order) -> bool:
    slots = order.readings[0].slots if order.readings else {}
    return any(slots.get(one) for one in (*PLACES, "symbol", "parameter", "variable"))


def _is_inside(order: Order, place: str, run: _Run) -> bool:
    """Whether a place has the parameter or variable that an order names."""
    slots, home = order.readings[0].slots, plain_name(place).rpartition(".")[2]
    named = (*slots.get("parameter", ()), *slots.get("variable", ()))
    found = (one for span in named for one in names_of(run.now.repo, run.now.path).find(span.text))
    return bool(home) and any(home in one.target.qualname.split(".")[:-1] for one in found)


def _is_lost(place: str, run: _Run) -> bool:
    """Whether a place has the name of something in code, and nothing in the repository is called so."""
    name = plain_name(place).rpartition(".")[2]
    if not any(map(is_code, tokenize(name).items)) or name in run.renamed:
        return False
    repo = run.now.repo
    return not paths_named(repo, place) and not names_of(repo, run.now.path).find(place)


def _is_gone(order: Order, run: _Run) -> bool:
    """Whether what an order removes was removed by an order before it: `inline LIMIT, then delete it`."""
    name = plain_name(subject(order)).rpartition(".")[2]
    if not name or name in run.renamed or not order.readings[0].intent.startswith(("delete", "remove")):
        return False
    then, now = names_of(run.base, run.now.path), names_of(run.now.repo, run.now.path)
    return bool(then.find(name)) and not now.find(name)


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


def _edit(run: _Run) -> Answer:
    way = run.ways[0] if len(run.ways) == 1 and not run.from_before else _merged(run)
    if run.idle:
        way = replace(way, marked=tuple(dict.fromkeys((*way.marked, *run.idle))), evidence={})
    if not run.left:
        return Answer("edit", (way,))
    why = tuple(undone(words) for words, _ in run.left)
    reason = next((found.reason for _, found in run.left if found.reason), why[0])
    marked = tuple(dict.fromkeys((*way.marked, *why)))
    return Answer("edit", (replace(way, marked=marked, evidence={}),), reason)


def undone(words: str) -> str:
    """The mark that the order of some words is not done."""
    return str(settings()["sentences"]["left"].format(words=_shown(words)))


def _shown(words: str) -> str:
    plain = re.sub(rf"(?i)^(?:{joining()}\s+)+(?=\S)", "", " ".join(words.split()).strip(" ,;.&"))
    return plain if len(plain) <= _MOST_WORDS else f"{plain[: _MOST_WORDS - 1]}…"


def _merged(run: _Run) -> Way:
    """What was done one after the other, as one."""
    ways = run.ways
    calls = tuple(call for one in ways for call in one.calls)
    plan: Plan = by_lines(from_texts(run.texts, run.base, run.unfollowed), run.base)
    sure = 1.0
    for one in ways:
        sure *= one.confidence
    marked = tuple(dict.fromkeys(mark for one in ways for mark in one.marked))
    if not marked and sure < float(certainty_table()["unmarked"]):
        marked = (UNSURE,)  # each may be sure enough, but not all of them
    before: tuple[Operation, ...] = tuple(call for one in ways[:-1] for call in one.calls)
    last = ways[-1].done
    done = replace(last, others=(*before, *last.others)) if last is not None else None
    title = "; ".join(one.title for one in ways)
    return Way(calls, checked(plan, run.base), sure, marked, title, done, run.from_before)
