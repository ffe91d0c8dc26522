"""Makes cases out of kinds of edit: an instruction with the text before and after it, alone and in pairs.

Most kinds are calls, which the codemods carry out; the others are written by a generator of `kinds`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from spark_tui.train.calls import edits
from spark_tui.train.calls.edits import WordedOrder
from spark_tui.train.calls.kind_table import CallKind, call_kinds
from spark_tui.train.cases import Case, hunks_between, reads, sound
from spark_tui.train.kinds import KINDS, Kind, Made
from spark_tui.train.source_windows import SourceWindow
from spark_tui.train.templates.grammar import Piece, PlaceSlot, Slot, SubTemplate, WordsSlot, expand
from spark_tui.train.templates.paraphrase import order, paraphrase_order, with_place
from spark_tui.train.templates.place_phrases import hint
from spark_tui.train.templates.tables import table

AnyKind = CallKind | Kind
PLACED = 0.12
"""Share of edits whose place is said in addition to the instruction."""
NUMBERED = re.compile(r"\b(?:lines?|ln)\b|\bL\.?\d|\bbetween \d|\bthis\b|\bhere\b", re.IGNORECASE)
_JOINTS = (
    *("{a} and {b}", "{a} and {b}", "{a}, then {b}", "{a}. {b}", "{a}; {b}", "{a}. Also {b}"),
    *("first {a}, then {b}", "{a} and also {b}", "{a}. Then {b}", "{a}, and {b}", "{a}, also {b}"),
    "two things: {a}, {b}",
)
_MORE_JOINTS: tuple[str, ...] = table("tables/edits")["more_joints"]


@dataclass(frozen=True, slots=True)
class WordedEdit:
    """An edit with the words that ask for it, before they are varied."""

    pieces: list[Piece]
    made: Made
    said: tuple[str, ...]
    call: WordedOrder | None = None


def all_kinds() -> list[AnyKind]:
    """The kinds of both sorts."""
    return [*call_kinds().values(), *KINDS.values()]


def is_exact(name: str) -> bool:
    """Whether comments or layout matter to a kind, so that equal syntax trees are not enough."""
    return name in call_kinds() and call_kinds()[name].exact


def attempt(kind: Kind, window: SourceWindow, rng: Random) -> Made | None:
    """The edit that a generator makes of this window, or None if it finds nothing to do."""
    if not window.tree.body or (kind.needs is not None and not kind.needs.search(window.text)):
        return None
    made = kind.make(window, rng)
    fits = made is not None and sound(made.before, made.after, broken_before=made.broken_before)
    return made if fits else None


def asked(kind: AnyKind, window: SourceWindow, rng: Random, *, plant: bool = True) -> WordedEdit | None:
    """An edit of one kind. Without `plant` the window stays."""
    if isinstance(kind, CallKind):
        found = edits.edit(kind, window, rng, plant=plant)
        if found is None:
            return None
        made = Made(found.before, found.after)
        return WordedEdit(found.said.pieces(), made, found.said.slots, found.said)
    written = attempt(kind, window, rng)
    if written is None:
        return None
    phrases = written.phrases or kind.phrases
    pieces = order(phrases, written.slots, rng)
    return WordedEdit(pieces, written, tuple(map(text_of, written.slots.values())))


def edit(kind: AnyKind, window: SourceWindow, rng: Random, *, plant: bool = True) -> Case | None:
    found = asked(kind, window, rng, plant=plant)
    return case_of(kind, found, window.path, rng) if found is not None else None


def case_of(kind: AnyKind, found: WordedEdit, path: str, rng: Random) -> Case:
    """The case, with the words varied and sometimes with a place."""
    made, pieces, error = found.made, found.pieces, found.made.error
    front: list[Piece] = []
    if not error and reads(made.before) and rng.random() < PLACED:
        shown = SourceWindow(path, made.before)
        told = " ".join([*found.said, "".join(text for text, _ in pieces)])
        place = hint(shown, hunks_between(made.before, made.after), told, rng)
        pieces, front = with_place(pieces, place, rng) if place is not None else (pieces, front)
    plain = found.call is not None and found.call.voiced and not front
    text = paraphrase_order(pieces, rng, front=front, plain=plain)
    if error and rng.random() < 0.6:
        text = text.rstrip(".") + rng.choice([":\n", "\n", "\n\n", ": "]) + error
        error = ""
    return Case(kind.name, path, made.before, made.after, text, error=error)


def text_of(slot: Slot) -> str:
    """The text of a slot, including that of its own template."""
    if isinstance(slot, SubTemplate):
        return " ".join([slot.template, *map(text_of, slot.slots.values())])
    if isinstance(slot, PlaceSlot):
        return " ".join([slot.behind, *map(text_of, slot.slots.values())])
    return slot.text


def pair(first: AnyKind, second: AnyKind, window: SourceWindow, rng: Random) -> Case | None:
    """Two edits in one instruction. Neither names a line number, since the first may move the lines of the
    second."""
    one = asked(first, window, rng)
    if one is None or one.made.error or not reads(one.made.after) or not reads(one.made.before):
        return None
    two = asked(second, SourceWindow(window.path, one.made.after), rng, plant=False)
    if two is None or two.made.error or two.made.before != one.made.after:
        return None
    texts = ["".join(text for text, _ in item.pieces).strip().rstrip(".") for item in (one, two)]
    if any(NUMBERED.search(text) or "\n" in text for text in texts) or set(one.said) & set(two.said):
        return None
    before, after = one.made.before, two.made.after
    if not sound(before, after) or (len(hunks_between(before, after)) < 2 and rng.random() >= 0.5):
        return None
    joint = rng.choice(_MORE_JOINTS) if rng.random() < 0.6 else rng.choice(_JOINTS)
    pieces = expand(joint, {"a": WordsSlot(texts[0]), "b": WordsSlot(texts[1])}, rng)
    text = paraphrase_order([(t, False) for t, _ in pieces], rng)
    return Case("composition", window.path, before, after, text)
