"""Cases: an instruction with the text before and after its edit, and the hunks between two texts."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from spark_tui.engine.text.token_layout import PastExchange, WindowHunk
from spark_tui.pysource.syntax.parsing import compiles
from spark_tui.train.source_windows import parse

MOST_HUNKS, MOST_NEW_LINES, LONGEST_LINE = 12, 24, 200
"""An edit with more is not for a small model."""


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
    history: tuple[PastExchange, ...] = ()
    steered: tuple[tuple[WindowHunk, ...], str] | None = None
    """Hunks already written in this turn, and the message that was inserted after them."""
    begun: tuple[WindowHunk, float] | None = None
    """The hunk that was being written when the message came, and the share of its tokens that was written."""
    answered: str = ""
    """`no-edit` or `cannot`, if the turn had answered so before the message."""


def hunks_between(before: str, after: str) -> list[WindowHunk]:
    """The minimal line hunks from one text to the other, both ending in a newline."""
    old, new = before.split("\n")[:-1], after.split("\n")[:-1]
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return [
        WindowHunk(a, b, tuple(new[c:d])) for code, a, b, c, d in matcher.get_opcodes() if code != "equal"
    ]


def answer_hunks(case: Case) -> list[WindowHunk]:
    """The hunks of the answer. After a steer they also restore the lines of written hunks that the edit does
    not replace."""
    found = hunks_between(case.before, case.after)
    if case.steered is None:
        return found
    lines = case.before.split("\n")
    stays = [old for old in case.steered[0] if not any(old.touches(new) for new in found)]
    back = [WindowHunk(old.first, old.last, tuple(lines[old.first : old.last])) for old in stays]
    return sorted([*found, *back], key=lambda hunk: (hunk.first, hunk.last))


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


_compiles = lru_cache(maxsize=64)(compiles)


@lru_cache(maxsize=64)
def reads(text: str) -> bool:
    """Whether the text parses; cached, since many edits begin with the same text."""
    return parse(text) is not None


def sound(before: str, after: str, *, broken_before: bool = False) -> bool:
    """Whether something changes, the result is as good as the text before (which may be broken on purpose),
    and the edit is small."""
    if before == after or not after.endswith("\n") or not before.endswith("\n"):
        return False
    if not reads(after) or reads(before) == broken_before or _compiles(before) > _compiles(after):
        return False
    if not after.isascii() or max(map(len, after.split("\n"))) > LONGEST_LINE:
        return False
    hunks = hunks_between(before, after)
    return len(hunks) <= MOST_HUNKS and sum(len(hunk.new) for hunk in hunks) <= MOST_NEW_LINES
