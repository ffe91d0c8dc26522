"""Three-way merge of lines: the result of two changes of the same text, or where they conflict.

Changes of the same lines conflict, and so does an insertion that touches another change, because their order
is unknown. Adjacent replaced lines merge. Where lines repeat, a change can be told in several ways: what is
merged in one way and not, or otherwise, in another conflicts too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from spark_tui.edits.diff import Block, diff, replace_ranges
from spark_tui.shared_ends import same_at_start

L = TypeVar("L", str, bytes)
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r|\Z)")


@dataclass(frozen=True, slots=True)
class _Clash(Generic[L]):
    """Both versions of the same lines. `line` is 1-based in `ours`."""

    line: int
    ours: tuple[L, ...]
    theirs: tuple[L, ...]


Conflict = _Clash[bytes]


@dataclass(frozen=True, slots=True)
class Merged:
    """`data` is None where there are conflicts."""

    data: bytes | None
    conflicts: tuple[Conflict, ...] = ()


def merge(base: bytes, ours: bytes, theirs: bytes) -> Merged:
    """Both sides' changes on the base."""
    if ours in (base, theirs):
        return Merged(theirs)
    if theirs == base:
        return Merged(ours)
    out, conflicts = _merge(_split(base), _split(ours), _split(theirs))
    return Merged(None, tuple(conflicts)) if conflicts else Merged(b"".join(out))


def merge_lines(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> tuple[str, ...] | None:
    """The same for lines without endings; None where they disagree."""
    out, conflicts = _merge(base, ours, theirs)
    return None if conflicts else tuple(out)


def _merge(base: Sequence[L], left: Sequence[L], right: Sequence[L]) -> tuple[list[L], list[_Clash[L]]]:
    out, conflicts = _merge_by(diff, base, left, right)
    if conflicts:
        return out, conflicts
    other, conflicts = _merge_by(_diff_from_end, base, left, right)
    if not conflicts and other != out:
        first = same_at_start(out, other)
        conflicts = [_Clash(min(first, len(left)) + 1, tuple(left[first:]), tuple(right[first:]))]
    return out, conflicts


def _diff_from_end(base: Sequence[L], side: Sequence[L]) -> list[Block]:
    """The changed blocks where equal lines are kept from the end."""
    n, m = len(base), len(side)
    found = diff(base[::-1], side[::-1])
    return [(n - a1, n - a0, m - b1, m - b0) for a0, a1, b0, b1 in reversed(found)]


def _merge_by(
    compare: Callable[[Sequence[L], Sequence[L]], list[Block]],
    base: Sequence[L],
    left: Sequence[L],
    right: Sequence[L],
) -> tuple[list[L], list[_Clash[L]]]:
    changes: list[tuple[int, int, list[L]]] = []
    conflicts: list[_Clash[L]] = []
    for low, high, our_blocks, their_blocks in _regions(compare(base, left), compare(base, right)):
        our_side = _side(base, left, low, high, our_blocks)
        their_side = _side(base, right, low, high, their_blocks)
        if not their_blocks or our_side == their_side:
            changes.append((low, high, our_side))
        elif not our_blocks:
            changes.append((low, high, their_side))
        else:
            first = our_blocks[0][2] - (our_blocks[0][0] - low)
            conflicts.append(_Clash(first + 1, tuple(our_side), tuple(their_side)))
    return replace_ranges(base, changes), conflicts


def _split(data: bytes) -> list[bytes]:
    lines = _LINE.findall(data)
    lines.pop()
    return lines


_Region = tuple[int, int, list[Block], list[Block]]


def _regions(ours: Sequence[Block], theirs: Sequence[Block]) -> list[_Region]:
    """Stretches of the base in which one or both sides changed; blocks that clash share one."""
    tagged = sorted([(block, False) for block in ours] + [(block, True) for block in theirs])
    out: list[_Region] = []
    for block, is_theirs in tagged:
        low, high = block[0], block[1]
        if out and any(clash(before, low, high) for side in out[-1][2:] for before in side):
            before = out.pop()
            out.append((before[0], max(before[1], high), before[2], before[3]))
        else:
            out.append((low, high, [], []))
        (out[-1][3] if is_theirs else out[-1][2]).append(block)
    return out


def clash(block: Block, low: int, high: int) -> bool:
    """Whether a block and a change of the lines `[low, high)` cannot both be made: they share lines, or they
    touch and one of them only inserts."""
    a0, a1 = block[:2]
    if a0 < a1 and low < high:
        return a0 < high and low < a1
    return a0 <= high and low <= a1


def _side(base: Sequence[L], side: Sequence[L], low: int, high: int, blocks: Sequence[Block]) -> list[L]:
    """What one side has in place of `base[low:high]`."""
    return replace_ranges(base[low:high], ((a0 - low, a1 - low, side[b0:b1]) for a0, a1, b0, b1 in blocks))
