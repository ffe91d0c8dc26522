"""Makes messages that arrive while an edit is being written: another value, another way, less, more, another
place, something else, or nothing. Each comes with the edit that was asked for first and the text that is
wanted in the end."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from spark_tui.engine.token_layout import WindowHunk
from spark_tui.train.kinds import KINDS, Draw, Kind, Made
from spark_tui.train.line_rewrites import rewritten_line
from spark_tui.train.paraphrase import TYPO, misspell, order, word
from spark_tui.train.place_phrases import fname
from spark_tui.train.source_windows import Function, SourceWindow, parse
from spark_tui.train.steer_places import other_place
from spark_tui.train.steer_values import other_value
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import HELD_OUT, Slot, WordsSlot
from spark_tui.train.worded_edits import NUMBERED, Case, apply_hunks, attempt, edit, hunks_between, known

_TABLES = table("tables/steer_forms")

say = table("wording/steer_scope")
steers = table("wording/steers")

OPENED = 0.5
"""Share of messages that begin with a *no*, *wait* or the like."""


TERSE = 0.6
"""Share of messages without extra words: people who interrupt are in a hurry."""


class SampleSource(Protocol):
    """The source of kinds and windows."""

    draw: Draw
    windows: Sequence[SourceWindow]

    def window_for(self, kind: Kind) -> SourceWindow | None: ...
    def some_kind(self) -> Kind: ...


@dataclass(frozen=True, slots=True)
class SteerCase:
    """The first instruction with its hunks, the message that follows, and the text that it leads to."""

    path: str
    before: str
    first: str
    hunks: tuple[WindowHunk, ...]
    after: str
    said: str


def message(
    table: Sequence[str], slots: dict[str, Slot], draw: Draw, window: SourceWindow | None = None
) -> str:
    """One of the templates, sometimes after an opener. Names in `window` get the other ways to refer to
    them."""
    names = known(window, window.text) if window is not None else None
    templates, filled = (*table, HELD_OUT), names.slots(slots) if names is not None else slots
    if draw.chance(TERSE):
        pieces, _ = order(templates, filled, draw.rng)
        text = "".join(
            part for part, _ in (misspell(pieces, draw.rng) if draw.chance(TYPO) else pieces)
        ).strip()
    else:
        text = word(templates, filled, draw.rng)
    return draw.choice(steers["openers"]) + text if draw.chance(OPENED) else text


# -- forms
# -------------------------------------------------------------------------------------------------------


def first_edit(room: SampleSource, window: SourceWindow | None = None) -> Case | None:
    """An edit as it is asked first."""
    for _ in range(4):
        kind = room.some_kind()
        shown = window or room.window_for(kind)
        case = edit(kind, shown, room.draw) if shown is not None else None
        if case is None or case.error or case.here is not None or parse(case.before) is None:
            continue
        if window is None or case.before == window.text:
            return case
    return None


def _talk(case: Case, after: str, said: str) -> SteerCase:
    hunks = tuple(hunks_between(case.before, case.after))
    return SteerCase(case.path, case.before, case.instruction, hunks, after, said)


def value(room: SampleSource) -> SteerCase | None:
    """Another value of what the first edit added: a name, a number, a text, a type, an error."""
    case = first_edit(room)
    if case is None:
        return None
    found = other_value(case, hunks_between(case.before, case.after), room.draw)
    if found is None:
        return None
    after, table, slots = found
    return _talk(case, after, message(table, slots, room.draw))


def line(room: SampleSource) -> SteerCase | None:
    """One line of the first edit written another way."""
    for _ in range(3):
        case = first_edit(room)
        if case is None:
            continue
        hunks = hunks_between(case.before, case.after)
        places = [
            (number, at)
            for number, hunk in enumerate(hunks)
            for at, text in enumerate(hunk.new)
            if text.strip() and text not in case.before.split("\n")
        ]
        for number, at in room.draw.shuffled(places):
            hunk = hunks[number]
            others = [hunks[n].new[k] for n, k in places if (n, k) != (number, at)]
            made = rewritten_line(hunk.new[at], case.after, room.draw, others)
            if made is None:
                continue
            new = replace(hunk, new=(*hunk.new[:at], *made.new, *hunk.new[at + 1 :]))
            after = apply_hunks(case.before, [*hunks[:number], new, *hunks[number + 1 :]])
            if after != case.before:
                return _talk(case, after, message(made.phrases, dict(made.slots), room.draw))
    return None


def deleted(room: SampleSource) -> SteerCase | None:
    """Lines that were to be deleted are commented out instead."""
    kind = KINDS[room.draw.choice(("delete_statement", "delete_statement", "remove_prints", "dead_code"))]
    window = room.window_for(kind)
    case = edit(kind, window, room.draw) if window is not None else None
    if case is None or case.here is not None:
        return None
    hunks = hunks_between(case.before, case.after)
    lines = case.before.split("\n")
    if any(hunk.new or hunk.last - hunk.first > 2 for hunk in hunks):
        return None
    kept = [
        replace(h, new=tuple(re.sub(r"^(\s*)(\S)", r"\1# \2", lines[n]) for n in range(h.first, h.last)))
        for h in hunks
    ]
    return _talk(case, apply_hunks(case.before, kept), message(steers["comment_out"], {}, room.draw))


_PUT_IN: tuple[str, ...] = _TABLES["put_in"]


def moved(room: SampleSource) -> SteerCase | None:
    """Inserted lines go to another place of their function."""
    kind = KINDS[room.draw.choice(_PUT_IN)]
    shown = room.window_for(kind)
    case = edit(kind, shown, room.draw) if shown is not None else None
    if case is None or case.here is not None or parse(case.before) is None:
        return None
    hunks = hunks_between(case.before, case.after)
    found = (
        other_place(SourceWindow(case.path, case.before), hunks[0], room.draw) if len(hunks) == 1 else None
    )
    if found is None:
        return None
    hunk, where = found
    return _talk(case, apply_hunks(case.before, [hunk]), message(say["moved"], {"where": where}, room.draw))


def plain(kind: Kind, made: Made, window: SourceWindow, draw: Draw) -> str:
    """The bare order, for a message that has its own words around it."""
    names = known(window, made.before)
    slots = names.slots(made.slots) if names is not None else made.slots
    pieces, _ = order(made.phrases or kind.phrases, slots, draw.rng, may_front=False)
    return "".join(text for text, _ in pieces).strip()


def _two(
    room: SampleSource,
) -> tuple[SourceWindow, tuple[Kind, Made], tuple[Kind, Made], tuple[WindowHunk, ...]] | None:
    """Two edits of a window, the second made of the result of the first; also the hunks of the second alone,
    if they can be told apart."""
    draw, kind = room.draw, room.some_kind()
    window = room.window_for(kind)
    one = attempt(kind, window, draw) if window is not None else None
    if (
        window is None
        or one is None
        or one.error
        or one.here
        or one.before != window.text
        or one.broken_before
    ):
        return None
    alone = hunks_between(one.before, one.after)
    for _ in range(6):
        second = room.some_kind()
        two = attempt(second, SourceWindow(window.path, one.after), draw)
        if two is None or two.error or two.here or two.before != one.after or two.broken_before:
            continue
        both = hunks_between(one.before, two.after)
        rest = tuple(hunk for hunk in both if hunk not in alone)
        if rest and all(hunk in both for hunk in alone):
            return window, (kind, one), (second, two), rest
    return None


def narrowed(room: SampleSource) -> SteerCase | None:
    """Less than was asked: one of two edits, or one function of two."""
    if room.draw.chance(0.6):
        return _one_function(room)
    found = _two(room)
    if found is None:
        return None
    window, (kind, one), (second, two), rest = found
    a, b = plain(kind, one, window, room.draw), plain(second, two, window, room.draw)
    if any(NUMBERED.search(text) or "\n" in text for text in (a, b)):
        return None
    first = word(
        ("{a} and {b}", "{a}, {b}", "{a}. {b}", "{a}, then {b}", "{a} and also {b}", HELD_OUT),
        {"a": WordsSlot(a), "b": WordsSlot(b)},
        room.draw.rng,
    )
    keep = room.draw.chance(0.5)
    after = one.after if keep else apply_hunks(one.before, rest)
    if room.draw.chance(0.3):
        said = message(say["just"], {"do": WordsSlot(a if keep else b)}, room.draw)
    else:
        said = message(say["only_first"] if keep else say["only_second"], {}, room.draw)
    hunks = tuple(hunks_between(one.before, two.after))
    return SteerCase(window.path, window.text, first, hunks, after, said)


_SPREAD: tuple[str, ...] = _TABLES["spread"]
"""Kinds that make sense in one function and in another."""


def function_at(window: SourceWindow, row: int) -> Function | None:
    """The function that contains a line (from 0), including its decorators."""
    found = (f for f in window.functions if window.first_line(f) - 1 <= row <= window.last_line(f))
    return next(found, None)


def twice(room: SampleSource) -> tuple[SourceWindow, Made, Made, Slot, Slot, str] | None:
    """The same edit in two functions: the first alone, both, the functions, and the order for the first."""
    draw = room.draw
    for _ in range(4):
        kind = KINDS[draw.choice(_SPREAD)]
        window = room.window_for(kind)
        if window is None or not 2 <= len(window.functions) <= 8:
            continue
        one = attempt(kind, window, draw)
        if one is None or one.error or one.here or one.before != window.text or one.broken_before:
            continue
        inside = {function_at(window, hunk.first) for hunk in hunks_between(one.before, one.after)}
        owner = inside.pop() if len(inside) == 1 else None
        if owner is None:
            continue
        fixed = {key: slot for key, slot in one.slots.items() if key not in _OWN}
        for _ in range(12):
            two = attempt(kind, SourceWindow(window.path, one.after), draw)
            if two is None or two.error or two.before != one.after or two.phrases != one.phrases:
                continue
            if {key: slot for key, slot in two.slots.items() if key not in _OWN} != fixed:
                continue
            later = SourceWindow(window.path, one.after)
            rows = {function_at(later, hunk.first) for hunk in hunks_between(two.before, two.after)}
            other = rows.pop() if len(rows) == 1 else None
            if other is not None and other.name != owner.name:
                return window, one, two, fname(owner), fname(other), plain(kind, one, window, draw)
    return None


_OWN = ("f", "where", "at")
"""Slots that name the place."""


def _one_function(room: SampleSource) -> SteerCase | None:
    found = twice(room)
    if found is None:
        return None
    window, one, two, f, g, text = found
    draw = room.draw
    if NUMBERED.search(text) or "\n" in text:
        return None
    joints = (
        "{a}, and the same in {g}",
        "{a}, also in {g}",
        "{a} and in {g}",
        "{a} and do the same in {g}",
        "{a}. same for {g}",
        HELD_OUT,
    )
    first = word(joints, {"a": WordsSlot(text), "g": g}, draw.rng)
    both, alone = hunks_between(one.before, two.after), hunks_between(one.before, one.after)
    keep = draw.chance(0.6)
    rest = [hunk for hunk in both if hunk not in alone]
    if not rest or len(rest) + len(alone) != len(both):
        return None
    after = one.after if keep else apply_hunks(one.before, rest)
    slots = {"f": f, "g": g} if keep else {"f": g, "g": f}
    said = message(say["narrow"], slots, draw, window)
    return SteerCase(window.path, window.text, first, tuple(both), after, said)


def widened(room: SampleSource) -> SteerCase | None:
    """More than was asked: another function, or another edit."""
    draw = room.draw
    if draw.chance(0.5):
        found = twice(room)
        if found is None:
            return None
        window, one, two, f, g, text = found
        said = message(say["widen"], {"f": f, "g": g}, draw, window)
        first = word(("{a}", HELD_OUT), {"a": WordsSlot(text)}, draw.rng)
        return SteerCase(
            window.path, window.text, first, tuple(hunks_between(one.before, one.after)), two.after, said
        )
    pair = _two(room)
    if pair is None:
        return None
    window, (kind, one), (second, two), _ = pair
    text, more = (
        plain(kind, one, window, draw),
        plain(second, two, SourceWindow(window.path, one.after), draw),
    )
    if NUMBERED.search(more) or "\n" in more:
        return None
    first = word(("{a}", HELD_OUT), {"a": WordsSlot(text)}, draw.rng)
    said = message(say["and_do"], {"do": WordsSlot(more)}, draw)
    return SteerCase(
        window.path, window.text, first, tuple(hunks_between(one.before, one.after)), two.after, said
    )


def elsewhere(room: SampleSource) -> SteerCase | None:
    """The same edit in another function."""
    found = twice(room)
    if found is None:
        return None
    window, one, two, f, g, text = found
    rest = [h for h in hunks_between(one.before, two.after) if h not in hunks_between(one.before, one.after)]
    if not rest:
        return None
    said = message(say["elsewhere"], {"f": f, "g": g}, room.draw, window)
    first = word(("{a}", HELD_OUT), {"a": WordsSlot(text)}, room.draw.rng)
    hunks = tuple(hunks_between(one.before, one.after))
    return SteerCase(window.path, window.text, first, hunks, apply_hunks(window.text, rest), said)


def instead(room: SampleSource) -> SteerCase | None:
    """Another edit instead of the first, in the same function if there is one."""
    case = first_edit(room)
    if case is None:
        return None
    window, draw = SourceWindow(case.path, case.before), room.draw
    own = {function_at(window, hunk.first) for hunk in hunks_between(case.before, case.after)}
    for turn in range(8):
        kind = room.some_kind()
        made = attempt(kind, window, draw)
        if made is None or made.error or made.here or made.before != case.before or made.after == case.after:
            continue
        there = {function_at(window, hunk.first) for hunk in hunks_between(made.before, made.after)}
        if there == own or turn > 4:
            return _talk(
                case,
                made.after,
                message(say["instead"], {"do": WordsSlot(plain(kind, made, window, draw))}, draw),
            )
    return None


def withdrawn(room: SampleSource) -> SteerCase | None:
    """No edit after all."""
    case = first_edit(room)
    return _talk(case, case.before, message(say["withdraw"], {}, room.draw)) if case is not None else None


Form = Callable[[SampleSource], SteerCase | None]
FORMS: dict[Form, float] = {
    value: 0.26,
    line: 0.3,
    deleted: 0.015,
    moved: 0.06,
    narrowed: 0.08,
    widened: 0.11,
    elsewhere: 0.06,
    instead: 0.1,
    withdrawn: 0.025,
}
