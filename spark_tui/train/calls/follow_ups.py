"""Messages after an edit, or while it is being written: what they amend is read as the product reads it.

Whatever was already written (the whole answer, a part of it, a hunk that had begun, nothing, *no-edit*, or a
wrong edit), the answer leads to the text that is wanted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Protocol

from spark_tui.engine.text.token_layout import PastExchange, WindowHunk
from spark_tui.intent.answering.try_readings import done
from spark_tui.intent.context.situation import Situation
from spark_tui.train.calls import edits
from spark_tui.train.calls.edits import CallEdit, WordedOrder
from spark_tui.train.calls.kind_table import CallKind, kinds_of
from spark_tui.train.cases import Case, hunks_between, sound
from spark_tui.train.source_windows import SourceWindow
from spark_tui.train.templates.grammar import WordsSlot, expand, pick
from spark_tui.train.templates.paraphrase import paraphrase_order
from spark_tui.train.templates.tables import table

AMENDED, INSTEAD = 0.75, 0.12
"""Shares of messages that amend the edit, and that ask for another one instead; the rest ask for one more."""
OPENED = 0.4
"""Share of corrections that begin with a *no*, *wait* or the like."""
REJECTED = 0.2
"""Share of messages that come after the edit was rejected, as a turn of their own."""
WHOLE, BEGUN, NOTHING, REFUSED = 0.44, 0.32, 0.04, 0.08
"""Shares of how much was written; in the rest, something wrong was written."""
LARGE = 14
"""The most new lines of an edit that a message interrupts."""
TRIES = 12
MISTAKES = 6


class EditSource(Protocol):
    """Where kinds and windows come from."""

    @property
    def rng(self) -> Random: ...
    @property
    def plants(self) -> bool: ...
    def call_kind(self) -> CallKind: ...
    def window_with(self, kind: CallKind) -> SourceWindow | None: ...


@dataclass(frozen=True, slots=True)
class FollowUp:
    """An edit, the message that follows it, and the text that is wanted in the end."""

    first: CallEdit
    message: str
    after: str
    from_before: bool
    """Whether the message replaces the edit, and does not add to it."""


@cache
def amendments() -> dict[str, CallKind]:
    return dict(kinds_of("calls/follow_ups"))


def amend(first: CallEdit, path: str, rng: Random, *, only: str = "") -> FollowUp | None:
    """A message that amends an edit, of a kind that fits it."""
    fitting = [kind for kind in amendments().values() if _fits(kind, first, only)]
    if not fitting:
        return None
    kind = rng.choices(fitting, [item.weight for item in fitting])[0]
    scene = edits.scene_in(SourceWindow(path, first.after))
    drawn = kind.sentence(rng)
    if scene is None or drawn is None:
        return None
    order = edits.ask(*drawn, scene, rng, kind.sources, first.said.slots)
    if kind.intent == "amend.undo":
        return FollowUp(first, _opened(order, kind, rng), first.before, True)
    situation = Situation(
        edits.repository(path, first.after),
        path,
        earlier=done(first.result, first.said.text),
        before=edits.repository(path, first.before),
    )
    result = edits.only_result(edits.plan(order, situation), path)
    after = result.texts[path] if result is not None else None
    if result is None or after is None or after == first.after or not sound(first.before, after):
        return None
    return FollowUp(first, _opened(order, kind, rng), after, result.candidate.from_before)


def _fits(kind: CallKind, first: CallEdit, only: str) -> bool:
    if only and kind.intent != only:
        return False
    wanted = table("sentences/amended").get(kind.intent.partition(".")[2], ())
    return not wanted or bool(set(wanted) & set(first.said.reading.slots))


def _opened(order: WordedOrder, kind: CallKind, rng: Random) -> str:
    """The message, often after a *no*."""
    text = paraphrase_order(order.pieces(), rng, plain=True)
    if kind.intent != "amend.also" and rng.random() < OPENED:
        return str(rng.choice(table("wording/steers")["openers"])) + text
    return text


def another(first: CallEdit, path: str, source: EditSource) -> FollowUp | None:
    """A message that asks for another edit: instead of the first, or besides it."""
    rng, kind = source.rng, source.call_kind()
    instead = rng.random() < INSTEAD / (1 - AMENDED)
    text = first.before if instead else first.after
    second = edits.edit(kind, SourceWindow(path, text), rng, plant=False)
    if second is None or second.after in (first.before, first.after):
        return None
    words = table("wording/steer_scope")["instead" if instead else "and_do"]
    pieces = expand(pick(words, rng), {"do": WordsSlot(second.said.text)}, rng)
    return FollowUp(first, "".join(part for part, _ in pieces).strip(), second.after, instead)


def steered(source: EditSource) -> Case | None:
    """A message of any form, after some of the edit was written."""
    for _ in range(TRIES):
        first, window = first_edit(source)
        if first is None or window is None:
            continue
        if source.rng.random() < AMENDED:
            found = amend(first, window.path, source.rng)
        else:
            found = another(first, window.path, source)
        if found is not None:
            return spoken(found, window.path, source)
    return None


def first_edit(source: EditSource) -> tuple[CallEdit | None, SourceWindow | None]:
    kind = source.call_kind()
    window = source.window_with(kind)
    found = edits.edit(kind, window, source.rng, plant=source.plants) if window is not None else None
    small = found is not None and sum(len(hunk.new) for hunk in _hunks(found)) <= LARGE
    return (found if small else None), window


def _hunks(call_edit: CallEdit) -> tuple[WindowHunk, ...]:
    return tuple(hunks_between(call_edit.before, call_edit.after))


def instruction(call_edit: CallEdit, rng: Random) -> str:
    """The order as it is typed."""
    return paraphrase_order(call_edit.said.pieces(), rng, plain=call_edit.said.voiced)


def spoken(found: FollowUp, path: str, source: EditSource) -> Case:
    """The case, with as much of the first answer as had been written."""
    rng, first, hunks = source.rng, found.first, _hunks(found.first)
    answer = "no-edit" if found.after == first.before else "edit"
    asked = instruction(first, rng)
    case = Case("steer", path, first.before, found.after, asked, answer)
    if rng.random() < REJECTED and answer == "edit" and found.from_before:
        past = PastExchange(asked, kept=False, hunks=hunks)
        return replace(case, instruction=found.message, history=(past,))
    roll = rng.random()
    if roll < WHOLE or answer == "no-edit":
        return replace(case, steered=(hunks, found.message))
    if roll < WHOLE + BEGUN:
        number = rng.randrange(len(hunks))
        share = rng.uniform(0.05, 0.97)
        return replace(case, steered=(hunks[:number], found.message), begun=(hunks[number], share))
    if roll < WHOLE + BEGUN + NOTHING:
        return replace(case, steered=((), found.message))
    if roll < WHOLE + BEGUN + NOTHING + REFUSED:
        answered = rng.choice(("no-edit", "no-edit", "cannot"))
        return replace(case, steered=((), found.message), answered=answered)
    wrong = mistake(found, path, source)
    if wrong and rng.random() < 0.4:
        number = rng.randrange(len(wrong))
        begun = (wrong[number], rng.uniform(0.1, 0.95))
        return replace(case, steered=(wrong[:number], found.message), begun=begun)
    return replace(case, steered=(wrong or hunks, found.message))


def mistake(found: FollowUp, path: str, source: EditSource) -> tuple[WindowHunk, ...]:
    """Another edit of the text, which was not asked for."""
    window = SourceWindow(path, found.first.before)
    for _ in range(MISTAKES):
        made = edits.edit(source.call_kind(), window, source.rng, plant=False)
        if made is not None and made.after not in (found.after, found.first.before):
            hunks = _hunks(made)
            if len(hunks) < 4 and sum(len(hunk.new) for hunk in hunks) < LARGE:
                return hunks
    return ()


def again(source: EditSource) -> Case | None:
    """After an edit that was kept: the same in a further place, without saying what to do."""
    for _ in range(TRIES):
        first, window = first_edit(source)
        if first is None or window is None:
            continue
        found = amend(first, window.path, source.rng, only="amend.also")
        if found is not None and not found.from_before:
            past = PastExchange(instruction(first, source.rng), kept=True)
            return Case("again", window.path, first.after, found.after, found.message, history=(past,))
    return None
