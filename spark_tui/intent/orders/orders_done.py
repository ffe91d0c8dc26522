"""Several orders, one after the other: what was done so far, and what that tells of the next one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from spark_tui.codemods.families.names.rename import Rename
from spark_tui.codemods.joined import as_before
from spark_tui.codemods.plan import Unfollowed
from spark_tui.codemods.slots import CALLABLE, CLASS
from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.context.lookup import names_of, plain_name
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Answer, Way
from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.reading.shared_places import names_a_thing, subject
from spark_tui.intent.reading.word_counts import is_code
from spark_tui.intent.words.doubts import SEVERAL, DoubtKind, is_of
from spark_tui.intent.words.readings import CODE, PLACES, Order, Span
from spark_tui.intent.words.tokens import tokenize
from spark_tui.pysource.repository import Repository

_DEFINED = re.compile(r"(?<!\w)(?:def|class)\s+\Z")
_SEVERAL = (*SEVERAL, DoubtKind.WHOLE_LINE)
_GUESSED_PLACE = (DoubtKind.PLACES, DoubtKind.WHOLE_LINE, DoubtKind.MEANT)


@dataclass
class Run:
    """The orders that were done so far. `now` is the situation after them, `base` the repository that their
    edit is for."""

    now: Situation
    base: Repository
    ways: list[Way] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    """Of which of the orders these are the edits."""
    left: list[tuple[str, Answer]] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)
    """Why nothing was to do for some."""
    from_before: bool = False
    texts: dict[str, str | None] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    unfollowed: list[Unfollowed] = field(default_factory=list)

    @property
    def loose(self) -> int:
        """How many of the edits are made at one of several places that fit."""
        return sum(is_one_of_many(Answer("edit", (way,))) for way in self.ways)

    def go_back(self) -> None:
        """On from the repository before the earlier answer."""
        if not self.from_before and self.now.before is not None:
            self.base, self.from_before = self.now.before, True
            self.now = replace(self.now, repo=self.base.with_changes(self.texts))

    def beside_the_last(self) -> Situation:
        """The situation where a person has the cursor at the last edit, if it is nowhere."""
        now, last = self.now, self.ways[-1].plan if self.ways else None
        edits = [item for item in last.edits if item.path == now.path] if last is not None else []
        text = now.repo.index.text(now.path) or ""
        # What is renamed is where it is defined.
        edits.sort(key=lambda item: _DEFINED.search(text[: item.start]) is None)
        edit = next(iter(edits), None)
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
        self.unfollowed += [as_before(unfollowed, self.base, before) for unfollowed in way.plan.unfollowed]
        self.now = replace(self.now, repo=self.base.with_changes(self.texts))
        renames = (call for call in way.calls if isinstance(call, Rename))
        self.renamed |= {rename.target.name.rpartition(".")[2]: rename.new for rename in renames}
        self.ways.append(way)


def hangs_on_lost(order: Order, at: int, failed: Sequence[int], found: Answer) -> bool:
    """Whether an order that names nothing is about what the one in front could not do, and
    its own words fit several places."""
    alone = bool(found.ways) and not names_a_thing(order) and at - 1 in failed
    return alone and any(is_of(mark, *_GUESSED_PLACE) for mark in found.ways[0].marked)


def needs_place(order: Order) -> bool:
    """Whether an order does not name the class that it has to."""
    reading = order.readings[0] if order.readings else None
    entry = intents().get(reading.intent) if reading is not None else None
    return (
        reading is not None
        and entry is not None
        and "class" in entry.required
        and "class" not in reading.slots
    )


def is_one_of_many(found: Answer) -> bool:
    """Whether what an edit is made to is one of several that are called so."""
    return any(is_of(mark, *_SEVERAL) for mark in found.ways[0].marked)


def is_kept(found: Answer) -> bool:
    """Whether an edit is made at the place that its order has."""
    done = found.ways[0].done if found.ways else None
    return done is None or any(done.slots.get(item) for item in PLACES)


def names_a_place(order: Order) -> bool:
    slots = order.readings[0].slots if order.readings else {}
    return any(slots.get(item) for item in (*PLACES, "symbol", "parameter", "variable"))


def is_inside(order: Order, place: str, run: Run) -> bool:
    """Whether a place has the parameter or variable that an order names."""
    slots, home = order.readings[0].slots, plain_name(place).rpartition(".")[2]
    named = (*slots.get("parameter", ()), *slots.get("variable", ()))
    found = (item for span in named for item in names_of(run.now.repo, run.now.path).find(span.text))
    return bool(home) and any(home in item.target.qualname.split(".")[:-1] for item in found)


def is_no_place(order: Order, placed: Order, run: Run) -> bool:
    """Whether what another order is about, a value or its new name, became the place of this one."""
    own, given = order.readings[0].slots, placed.readings[0].slots
    new = [given[slot][0].text for slot in ("function", "class") if given.get(slot) and not own.get(slot)]
    found = [item.target.kind for text in new for item in names_of(run.now.repo, run.now.path).find(text)]
    return bool(found) and not any(kind in CALLABLE | CLASS for kind in found)


def is_lost(place: str, run: Run) -> bool:
    """Whether a place has the name of something in code, and nothing in the repository is called so."""
    name = plain_name(place).rpartition(".")[2]
    if not any(map(is_code, tokenize(name).items)) or name in run.renamed:
        return False
    repo = run.now.repo
    return not paths_named(repo, place) and not names_of(repo, run.now.path).find(place)


def is_gone(order: Order, run: Run) -> bool:
    """Whether what an order removes was removed by an order before it: `inline LIMIT, then delete it`."""
    name = plain_name(subject(order)).rpartition(".")[2]
    if not name or name in run.renamed or not order.readings[0].intent.startswith(("delete", "remove")):
        return False
    then, now = names_of(run.base, run.now.path), names_of(run.now.repo, run.now.path)
    return bool(then.find(name)) and not now.find(name)


def does_more(again: Run, run: Run, most_left: int, least: float) -> bool:
    """Whether more of the orders are done in another turn, and not by looser readings."""
    more = len(again.ways) > len(run.ways) and len(again.left) <= most_left and again.texts != run.texts
    return more and again.loose <= run.loose and all(way.confidence >= least for way in again.ways)


def at_home(order: Order, way: Way, run: Run) -> Order:
    """The order of a rename with the function whose parameter or local it was, if it names none."""
    target = next((call.target for call in way.calls if isinstance(call, Rename)), None)
    owner = target.name.rpartition(".")[0] if target is not None else ""
    reading = order.readings[0]
    if not owner or reading.intent != "rename" or any(reading.slots.get(item) for item in PLACES):
        return order
    found = names_of(run.now.repo, run.now.path).find(owner, CALLABLE)
    if not any(item.target.qualname == owner for item in found):
        return order
    slots = {**reading.slots, "function": (Span(CODE, CODE, owner, True),)}
    return replace(order, readings=(replace(reading, slots=slots), *order.readings[1:]))


def with_renamed_exceptions(order: Order, run: Run) -> Order:
    """The order, whose exceptions stay whatever they are called now."""

    def now(span: Span) -> Span:
        return replace(span, text=run.renamed.get(span.text, span.text))

    readings = (replace(one, left_out=tuple(map(now, one.left_out))) for one in order.readings)
    return replace(order, readings=tuple(readings)) if run.renamed else order
