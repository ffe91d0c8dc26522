"""Splits a hunk into smaller ones that together are the same change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from spark_tui.edits.diff import Block, diff
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.line_pairs import similar_pairs

NewId = Callable[[], int]


def minimal(hunk: Hunk, new_id: NewId) -> tuple[Hunk, ...]:
    """The same change as hunks that rewrite no unchanged line; the first keeps the id. Empty if nothing
    changes. A stated final newline keeps the last line in its hunk, because that line's bytes change."""
    if hunk.kind != "edit":
        return (hunk,)
    if hunk.changes_nothing:
        return ()
    old, new = hunk.old_lines, hunk.new_lines
    blocks = diff(old, new)
    reaches_end = bool(blocks) and blocks[-1][1] == len(old) and blocks[-1][3] == len(new)
    if hunk.final_newline is not None and not reaches_end:
        blocks.append((max(len(old) - 1, 0), len(old), max(len(new) - 1, 0), len(new)))
    elif hunk.final_newline is False and blocks[-1][0] and new and blocks[-1][2] == len(new):
        # The last lines only go: the one that is last then loses its newline.
        a0, a1, b0, b1 = blocks[-1]
        blocks[-1] = (a0 - 1, a1, b0 - 1, b1)
    if not blocks:
        return (hunk,) if hunk.mode else ()
    ids = [hunk.id, *(new_id() for _ in blocks[1:])]
    return _parts(hunk, blocks, ids)


def were_made(start: int, old: Sequence[str], new: Sequence[str], earlier: Sequence[Hunk]) -> bool:
    """Whether the earlier hunks do what putting `new` for the lines from `start` (1-based) on would do."""
    blocks = diff(old, new)
    parts = {(start + a0, tuple(old[a0:a1]), tuple(new[b0:b1])) for a0, a1, b0, b1 in blocks}
    return bool(parts) and parts <= {(hunk.old_start, hunk.old_lines, hunk.new_lines) for hunk in earlier}


@lru_cache(maxsize=64)
def splits(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Whether `split` makes a change of these lines smaller."""
    return len(_cuts(old, new)) > 1


def split(hunk: Hunk, new_id: NewId) -> tuple[Hunk, ...]:
    """Smaller hunks that together are this one: by line pairs, or by paragraphs of a pure insertion.

    A hunk that cannot be made smaller comes back alone, with its id.
    """
    if hunk.kind != "edit":
        return (hunk,)
    cuts = _cuts(hunk.old_lines, hunk.new_lines)
    if len(cuts) < 2:
        return (hunk,)
    return _parts(hunk, cuts, [new_id() for _ in cuts])


def _parts(hunk: Hunk, blocks: Sequence[Block], ids: Sequence[int]) -> tuple[Hunk, ...]:
    """One hunk for each block of its lines. What belongs to the whole goes to the first or the last one."""
    parts = [
        replace(
            hunk,
            id=part_id,
            old_start=hunk.old_start + a0,
            old_lines=hunk.old_lines[a0:a1],
            new_lines=hunk.new_lines[b0:b1],
            final_newline=None,
            mode="",
        )
        for part_id, (a0, a1, b0, b1) in zip(ids, blocks, strict=True)
    ]
    parts[0] = replace(parts[0], mode=hunk.mode)
    parts[-1] = replace(parts[-1], final_newline=hunk.final_newline)
    return tuple(parts)


def _cuts(old: Sequence[str], new: Sequence[str]) -> list[Block]:
    blocks = diff(old, new)
    if len(blocks) > 1:
        return blocks
    if not new:
        return [(i, i + 1, 0, 0) for i in range(len(old))]
    if not old:
        starts = [0] + [i for i in range(1, len(new)) if new[i].strip() and not new[i - 1].strip()]
        if len(starts) == 1:
            starts = list(range(len(new)))
        return [(0, 0, s, e) for s, e in zip(starts, [*starts[1:], len(new)], strict=True)]
    pairs = similar_pairs(old, new)
    cuts = []
    for at, (i, j) in enumerate(pairs):
        a0, b0 = (0, 0) if at == 0 else (i, j)
        a1, b1 = pairs[at + 1] if at + 1 < len(pairs) else (len(old), len(new))
        cuts.append((a0, a1, b0, b1))
    return cuts


def without_unreached(hunk: Hunk) -> Hunk:
    """Without the last old lines, if nothing new replaces them yet."""
    blocks = diff(hunk.old_lines, hunk.new_lines)
    if not blocks or blocks[-1][1] != len(hunk.old_lines):
        return hunk
    a0, a1, b0, b1 = blocks[-1]
    return replace(hunk, old_lines=hunk.old_lines[: min(a0 + (b1 - b0), a1)])
