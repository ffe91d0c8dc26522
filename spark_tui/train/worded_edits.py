"""Makes cases out of kinds of edit: an instruction with the text before and after it.

Also makes pairs of edits and checks that every case is sound.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from spark_tui.engine.token_layout import WindowHunk
from spark_tui.train.kinds import KINDS, Draw, Kind, Made
from spark_tui.train.paraphrase import order, paraphrase_order, word
from spark_tui.train.place_phrases import hint
from spark_tui.train.referring_phrases import WindowNames
from spark_tui.train.source_windows import SourceWindow, parse
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import PlaceSlot, Slot, SubTemplate, WordsSlot, expand


@dataclass(frozen=True, slots=True)
class PastExchange:
    """An earlier exchange of a case."""

    instruction: str
    kept: bool
    hunks: tuple[WindowHunk, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """What the model is shown and the right answer. `answer` is `edit`, `no-edit` or `cannot`."""

    kind: str
    path: str
    before: str
    after: str
    instruction: str
    answer: str = "edit"
    error: str = ""
    here: tuple[int, int] | None = None
    history: tuple[PastExchange, ...] = ()
    steered: tuple[tuple[WindowHunk, ...], str] | None = None
    """Hunks already written in this turn, and the message that was inserted after them."""
    begun: tuple[WindowHunk, float] | None = None
    """The hunk that was being written when the message came, and the share of its tokens that was written."""
    answered: str = ""
    """`no-edit` or `cannot`, if the turn had answered so before the message."""
    slots: dict[str, Slot] = field(default_factory=dict)
    block: bool = False
    """Whether the answer is written as one hunk."""


def hunks_between(before: str, after: str, *, block: bool = False) -> list[WindowHunk]:
    """The minimal line hunks from one text to the other, both ending in a newline. With `block` there is one
    hunk: if lines change places, a minimal difference is arbitrary and hides the result."""
    old, new = before.split("\n")[:-1], after.split("\n")[:-1]
    if block:
        return _one_hunk(old, new)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return [
        WindowHunk(a, b, tuple(new[c:d])) for code, a, b, c, d in matcher.get_opcodes() if code != "equal"
    ]


def answer_hunks(case: Case) -> list[WindowHunk]:
    """The hunks of the answer. After a steer they also restore the lines of written hunks that the edit does
    not replace."""
    found = hunks_between(case.before, case.after, block=case.block)
    if case.steered is None:
        return found
    lines = case.before.split("\n")
    stays = [old for old in case.steered[0] if not any(old.touches(new) for new in found)]
    back = [WindowHunk(old.first, old.last, tuple(lines[old.first : old.last])) for old in stays]
    return sorted([*found, *back], key=lambda hunk: (hunk.first, hunk.last))


def _one_hunk(old: list[str], new: list[str]) -> list[WindowHunk]:
    first = next(
        (k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    most = min(len(old), len(new)) - first
    same = next((k for k in range(most) if old[-1 - k] != new[-1 - k]), most)
    return [WindowHunk(first, len(old) - same, tuple(new[first : len(new) - same]))] if old != new else []


def apply_hunks(before: str, hunks: Sequence[WindowHunk]) -> str:
    """The text with the hunks applied. Raises ValueError if they overlap, are out of order or leave the
    file."""
    lines = before.split("\n")[:-1]
    out: list[str] = []
    done = 0
    for hunk in hunks:
        if not done <= hunk.first <= hunk.last <= len(lines):
            raise ValueError("hunks overlap or leave the file")
        out += [*lines[done : hunk.first], *hunk.new]
        done = hunk.last
    return "".join(line + "\n" for line in [*out, *lines[done:]])


@lru_cache(maxsize=64)
def reads(text: str) -> bool:
    """Whether the text parses; cached, since many edits begin with the same text."""
    return parse(text) is not None


def sound(made: Made) -> bool:
    """Whether something changes, the result parses (the text before may be broken on purpose), and the edit
    is small."""
    if made.before == made.after or not made.after.endswith("\n") or not made.before.endswith("\n"):
        return False
    if not reads(made.after) or reads(made.before) == made.broken_before:
        return False
    if not made.after.isascii() or max(map(len, made.after.split("\n"))) > 200:
        return False
    hunks = hunks_between(made.before, made.after)
    return len(hunks) <= 12 and sum(len(hunk.new) for hunk in hunks) <= 24


def attempt(kind: Kind, window: SourceWindow, draw: Draw) -> Made | None:
    """The edit that a kind makes of this window, or None if it finds nothing to do."""
    if not window.tree.body:
        return None
    if kind.needs is not None and not kind.needs.search(window.text):
        return None
    made = kind.make(window, draw)
    return made if made is not None and sound(made) else None


PLACED = 0.12
"""Share of edits whose place is said in addition to the instruction."""


def known(window: SourceWindow, text: str) -> WindowNames | None:
    """The names of a text, usually the window's own; None if it does not parse."""
    return _own(window) if text == window.text else _known(window.path, text)


@lru_cache(maxsize=64)
def _own(window: SourceWindow) -> WindowNames:
    return WindowNames(window)


@lru_cache(maxsize=64)
def _known(path: str, text: str) -> WindowNames | None:
    """Cached, since many questions are asked of one text."""
    tree = parse(text)
    return WindowNames(SourceWindow(path, text, tree)) if tree is not None else None


def edit(kind: Kind, window: SourceWindow, draw: Draw, *, unseen: bool = False) -> Case | None:
    """A case of one kind. `unseen` words it in held-out templates."""
    made = attempt(kind, window, draw)
    if made is None:
        return None
    names = known(window, made.before)
    slots = names.slots(made.slots) if names is not None else made.slots
    place = None
    if names is not None and not made.error and made.here is None and draw.chance(PLACED):
        told = " ".join(text_of(slot) for slot in made.slots.values())
        place = hint(names.window, hunks_between(made.before, made.after), told, draw.rng)
    if place is not None and names is not None:
        place = replace(place, slots=names.slots(place.slots))
    text = word(made.phrases or kind.phrases, slots, draw.rng, unseen=unseen, place=place)
    if made.error and draw.chance(0.6):
        text = text.rstrip(".") + draw.choice([":\n", "\n", "\n\n", ": "]) + made.error
        made = replace(made, error="")
    return Case(
        kind.name,
        window.path,
        made.before,
        made.after,
        text,
        error=made.error,
        here=made.here,
        slots=made.slots,
        block=made.block,
    )


def text_of(slot: Slot) -> str:
    """The text of a slot, including that of its own template."""
    if isinstance(slot, SubTemplate):
        return " ".join([slot.template, *map(text_of, slot.slots.values())])
    if isinstance(slot, PlaceSlot):
        return " ".join([slot.behind, *map(text_of, slot.slots.values())])
    return slot.text


_JOINTS = (
    "{a} and {b}",
    "{a} and {b}",
    "{a}, then {b}",
    "{a}. {b}",
    "{a}; {b}",
    "{a}. Also {b}",
    "first {a}, then {b}",
    "{a} and also {b}",
    "{a}. Then {b}",
    "{a}, and {b}",
    "{a}, also {b}",
    "two things: {a}, {b}",
)
_MORE_JOINTS: tuple[str, ...] = table("tables/edits")["more_joints"]
NUMBERED = re.compile(r"\b(?:lines?|ln)\b|\bL\.?\d|\bbetween \d|\bthis\b|\bhere\b", re.IGNORECASE)


def pair(first: Kind, second: Kind, window: SourceWindow, draw: Draw, *, unseen: bool = False) -> Case | None:
    """Two edits in one instruction. Neither names a line number, since the first may move the lines of the
    second."""
    one = attempt(first, window, draw)
    if one is None or one.error or parse(one.after) is None or parse(one.before) is None:
        return None
    two = attempt(second, SourceWindow(window.path, one.after), draw)
    if two is None or two.error or two.before != one.after:
        return None
    names = known(window, one.before)
    if names is None:
        return None
    texts = []
    for kind, made in ((first, one), (second, two)):
        pieces, _ = order(
            made.phrases or kind.phrases, names.slots(made.slots), draw.rng, unseen=unseen, may_front=False
        )
        texts.append("".join(text for text, _ in pieces).strip())
    if any(NUMBERED.search(text) or "\n" in text for text in texts) or parse(two.after) is None:
        return None
    if len(hunks_between(one.before, two.after)) < 2 and not draw.chance(0.5):
        return None
    if "old" in one.slots and {*map(text_of, one.slots.values())} & {*map(text_of, two.slots.values())}:
        return None
    if not sound(Made(one.before, two.after)):
        return None
    joint = draw.choice(_MORE_JOINTS) if draw.chance(0.6) and not unseen else draw.choice(_JOINTS)
    pieces = expand(joint, {"a": WordsSlot(texts[0]), "b": WordsSlot(texts[1])}, draw.rng)
    text = paraphrase_order([(t, False) for t, _ in pieces], draw.rng, unseen=unseen)
    return Case("composition", window.path, one.before, two.after, text)


def all_kinds() -> list[Kind]:
    return [kind for kind in KINDS.values() if kind.weight > 0]
