"""Turn refactorings that an instruction names into answers of the built-in family, without the model.

The result is the one edit that is clearly requested, or several candidates. The edits come from `refactor`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from spark_tui.engine import token_layout
from spark_tui.engine.token_layout import WindowHunk
from spark_tui.refactor.known import PLAIN, Known, known

LOOSE_CREDIT = 12.0
"""What speaks for an edit that may be meant, in units of log-probability, beside the model's own answers."""
_KEPT = 32


@dataclass(frozen=True, slots=True)
class ProgramEdits:
    """Of one order about one text. `plain`: the whole answer, empty where no edit is plainly asked for;
    `others`: edits that may be meant."""

    plain: tuple[int, ...] = ()
    others: tuple[tuple[int, ...], ...] = ()


def program_edits(
    lines: tuple[str, ...],
    headers: tuple[str, ...],
    order: str,
    encode: token_layout.Encode,
    selection: tuple[int, int] | None = None,
    cursor: int | None = None,
    first_line: int = 1,
) -> ProgramEdits:
    found = _known(lines, headers, order, selection, cursor, first_line)
    answers = [
        answer_ids([WindowHunk(hunk.first, hunk.last, hunk.new) for hunk in one.hunks], encode)
        for one in found
    ]
    if found and found[0].plain == PLAIN:
        return ProgramEdits(plain=answers[0])
    return ProgramEdits(others=tuple(answers))


def answer_ids(hunks: Sequence[WindowHunk], encode: token_layout.Encode) -> tuple[int, ...]:
    return (*chain(*(token_layout.encode_hunk(encode, hunk) for hunk in hunks)), token_layout.EOS)


@lru_cache(maxsize=_KEPT)
def _known(
    lines: tuple[str, ...],
    headers: tuple[str, ...],
    order: str,
    selection: tuple[int, int] | None,
    cursor: int | None,
    first_line: int,
) -> list[Known]:
    """Asked for again where an answer is resumed, or looked at while the person types."""
    return known(lines, order, headers=headers, selection=selection, cursor=cursor, first_line=first_line)
