"""Makes cases of messages that arrive while an edit is being written.

Whatever was already written (the whole answer, a part of it, a hunk that had begun, nothing, *no-edit*, or a
wrong edit), the answer leads to the text that is wanted.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from spark_tui.engine.token_layout import WindowHunk
from spark_tui.train.kinds import Draw, Kind
from spark_tui.train.paraphrase import word
from spark_tui.train.source_windows import SourceWindow
from spark_tui.train.steer_cases import FORMS, SampleSource, SteerCase, message, plain
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import HELD_OUT, WordsSlot
from spark_tui.train.worded_edits import Case, PastExchange, apply_hunks, attempt, hunks_between

say = table("wording/steer_scope")

REJECTED = 0.1
"""Share of messages that come after the edit was rejected, as a turn of their own."""
WHOLE, BEGUN, NOTHING, REFUSED = 0.44, 0.32, 0.04, 0.08
"""Shares of how much was written; in the rest, something wrong was written."""
TRIES = 40
TRIES_BESIDE = 12
BESIDE, BESIDE_IN_LONG, LONG_LINES = 2, 4, 25
"""The most further messages about a short file and about a long one, and the lines from which a file is
long."""
_LARGE = 14
"""The most new lines of an edit that a message interrupts."""


def steered(room: SampleSource, tries: int = TRIES) -> Case | None:
    """A message of any form, after some of the edit was written."""
    forms, weights = list(FORMS), list(FORMS.values())
    form = room.draw.rng.choices(forms, weights)[0]
    for _ in range(tries):
        talk = form(room)
        if talk is not None and sound(talk):
            return spoken(talk, room)
    return None


def spoken(talk: SteerCase, room: SampleSource) -> Case:
    """The talk as a case, with as much of the first answer as had been written."""
    draw = room.draw
    answer = "no-edit" if talk.after == talk.before else "edit"
    case = Case("steer", talk.path, talk.before, talk.after, talk.first, answer)
    if draw.chance(REJECTED) and answer == "edit":
        past = PastExchange(talk.first, kept=False, hunks=talk.hunks)
        return replace(case, instruction=talk.said, history=(past,))
    roll = draw.rng.random()
    if roll < WHOLE or answer == "no-edit":
        return replace(case, steered=(talk.hunks, talk.said))
    if roll < WHOLE + BEGUN:
        number = draw.rng.randrange(len(talk.hunks))
        share = draw.rng.uniform(0.05, 0.97)
        return replace(case, steered=(talk.hunks[:number], talk.said), begun=(talk.hunks[number], share))
    if roll < WHOLE + BEGUN + NOTHING:
        return replace(case, steered=((), talk.said))
    if roll < WHOLE + BEGUN + NOTHING + REFUSED:
        return replace(case, steered=((), talk.said), answered=draw.choice(("no-edit", "no-edit", "cannot")))
    wrong = mistake(talk, room)
    if wrong and draw.chance(0.4):
        number = draw.rng.randrange(len(wrong))
        return replace(
            case, steered=(wrong[:number], talk.said), begun=(wrong[number], draw.rng.uniform(0.1, 0.95))
        )
    return replace(case, steered=(wrong or talk.hunks, talk.said))


def mistake(talk: SteerCase, room: SampleSource) -> tuple[WindowHunk, ...]:
    """Another edit of the text, which was not asked for."""
    window = SourceWindow(talk.path, talk.before)
    for _ in range(12):
        made = attempt(room.some_kind(), window, room.draw)
        if made is None or made.before != talk.before or made.after in (talk.after, talk.before):
            continue
        found = hunks_between(made.before, made.after)
        if len(found) < 4 and sum(len(hunk.new) for hunk in found) < _LARGE:
            return tuple(found)
    return ()


def sound(talk: SteerCase) -> bool:
    if not talk.hunks or sum(len(hunk.new) for hunk in talk.hunks) > _LARGE or talk.after == _done(talk):
        return False
    return talk.after.isascii() and compiles(talk.after) >= compiles(talk.before)


def _done(talk: SteerCase) -> str:
    return apply_hunks(talk.before, talk.hunks)


@dataclass(slots=True)
class OneFile:
    """A room with one window."""

    draw: Draw
    windows: Sequence[SourceWindow]
    kinds: Callable[[], Kind]

    def some_kind(self) -> Kind:
        return self.kinds()

    def window_for(self, kind: Kind) -> SourceWindow | None:
        window = self.windows[0]
        return window if kind.needs is None or kind.needs.search(window.text) else None


def beside(case: Case, room: SampleSource) -> list[Case]:
    """More messages about other edits of the same text, since reading a text takes many tokens."""
    shown = OneFile(room.draw, (SourceWindow(case.path, case.before),), room.some_kind)
    most = BESIDE if case.before.count("\n") < LONG_LINES else BESIDE_IN_LONG
    found = (steered(shown, TRIES_BESIDE) for _ in range(most))
    return [other for other in found if other is not None and other.steered and other.before == case.before]


def compiles(text: str) -> bool:
    """Whether the text compiles, which is more than that it parses: a `continue` outside of a loop does
    not."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "window", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def insisted(room: SampleSource) -> Case | None:
    """The same order in other words, after a wrong edit."""
    draw, kind = room.draw, room.some_kind()
    window = room.window_for(kind)
    made = attempt(kind, window, draw) if window is not None else None
    if (
        window is None
        or made is None
        or made.error
        or made.here
        or made.broken_before
        or made.before != window.text
    ):
        return None
    first, again = (plain(kind, made, window, draw) for _ in range(2))
    hunks = tuple(hunks_between(made.before, made.after))
    talk = SteerCase(
        window.path,
        window.text,
        word(("{a}", HELD_OUT), {"a": WordsSlot(first)}, draw.rng),
        hunks,
        made.after,
        "",
    )
    wrong = mistake(talk, room)
    if not wrong or sum(len(hunk.new) for hunk in hunks) > _LARGE:
        return None
    said = message(say["insist"], {"do": WordsSlot(again)}, draw)
    return Case("steer", talk.path, talk.before, talk.after, talk.first, steered=(wrong, said))
