"""A hunk: some lines of one file and their replacement. Frozen; every change makes a new one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Literal

from spark_tui.edits.diff import diff, replace_ranges
from spark_tui.events import HunkClosed, HunkKind
from spark_tui.shared_ends import same_at_end, same_at_start

Sign = Literal[" ", "-", "+"]


@dataclass(frozen=True, slots=True)
class Hunk:
    """One reviewable change.

    `Hunk(3, "shop/cart.py", 12, ("qty = 1",), ("quantity = 1", ""))` replaces line 12 by two lines. An
    insertion has no `old_lines` and stands before line `old_start`. `kind`: `add` is a new file (all its
    lines are new), `delete` a whole file, `move` only the new name (`new_path`); edits of a moved file are
    hunks of their own under its old name. `final_newline` is None where the text did not say; `mode` is git's
    where it changes, else empty.
    """

    id: int
    path: str
    old_start: int
    old_lines: tuple[str, ...]
    new_lines: tuple[str, ...]
    kind: HunkKind = "edit"
    new_path: str = ""
    final_newline: bool | None = None
    partial: bool = False
    mode: str = ""

    @property
    def old_end(self) -> int:
        """First line after the old side, 1-based."""
        return self.old_start + len(self.old_lines)

    @property
    def changes_nothing(self) -> bool:
        same = self.old_lines == self.new_lines and self.final_newline is None and not self.mode
        return same and self.kind == "edit"

    @classmethod
    def of(cls, event: HunkClosed) -> Hunk:
        return cls(*(getattr(event, field.name) for field in fields(event)))

    def closed(self) -> HunkClosed:
        """The event that carries this hunk: its fields are the same, in the same order."""
        return HunkClosed(*(getattr(self, field.name) for field in fields(self)))


@dataclass(frozen=True, slots=True)
class Row:
    """A line as it is shown. `line` is 1-based on its own side of the hunk's file (new side: of the hunk)."""

    sign: Sign
    text: str
    line: int


def trimmed(hunk: Hunk) -> Hunk:
    """The hunk without equal lines at its two ends; one hunk stays one."""
    if hunk.kind != "edit":
        return hunk
    old, new = hunk.old_lines, hunk.new_lines
    room = min(len(old), len(new)) - (1 if hunk.final_newline is not None else 0)
    head, tail = min(same_at_start(old, new), room), 0
    if hunk.final_newline is None:
        tail = same_at_end(old, new, head)
    return replace(
        hunk,
        old_start=hunk.old_start + head,
        old_lines=old[head : len(old) - tail],
        new_lines=new[head : len(new) - tail],
    )


def rows(hunk: Hunk) -> tuple[Row, ...]:
    """The lines as they are shown: of each changed block first the old side, then the new."""
    return tuple(row for row, _, _ in _walk(hunk))


def _walk(hunk: Hunk) -> Iterator[tuple[Row, int, int]]:
    """Rows with their index on the old and new side (-1: not there)."""
    old, new, at, bt = hunk.old_lines, hunk.new_lines, 0, 0
    end = (len(old), len(old), len(new), len(new))
    for a0, a1, b0, b1 in [*diff(old, new), end]:
        while at < a0:
            yield Row(" ", old[at], hunk.old_start + at), at, bt
            at, bt = at + 1, bt + 1
        for i in range(a0, a1):
            yield Row("-", old[i], hunk.old_start + i), i, -1
        for j in range(b0, b1):
            yield Row("+", new[j], j + 1), -1, j
        at, bt = a1, b1


def select(hunk: Hunk, chosen: Collection[int]) -> Hunk:
    """Only the chosen rows of `rows(hunk)`: an unchosen `-` line stays, an unchosen `+` line is left out.

    Inside a block the k-th new line belongs to the k-th old one, so that choosing one pair changes it in its
    place.
    """
    picked = set(chosen)
    old, new = hunk.old_lines, hunk.new_lines
    gone: set[int] = set()
    come: set[int] = set()
    for index, (_, i, j) in enumerate(_walk(hunk)):
        if index in picked:
            if j < 0:
                gone.add(i)
            elif i < 0:
                come.add(j)
    changes = []
    for a0, a1, b0, b1 in diff(old, new):
        out: list[str] = []
        for k in range(max(a1 - a0, b1 - b0)):
            if a0 + k < a1 and a0 + k not in gone:
                out.append(old[a0 + k])
            if b0 + k < b1 and b0 + k in come:
                out.append(new[b0 + k])
        changes.append((a0, a1, out))
    made = tuple(replace_ranges(old, changes))
    whole = made == new
    kept = replace(hunk, new_lines=made, final_newline=hunk.final_newline if whole else None)
    return trimmed(kept)


def edited(hunk: Hunk, new_lines: Sequence[str]) -> Hunk:
    """The hunk with the user's own text. It is no longer partial: the user's text is final."""
    return trimmed(replace(hunk, new_lines=tuple(new_lines), partial=False))


def overlaps(a: Hunk, b: Hunk) -> bool:
    """Whether two hunks of one reading of a file change the same lines of it. Touching is no overlap."""
    if a.path != b.path:
        return False
    if a.kind != "edit" or b.kind != "edit":
        return a.kind == b.kind or "move" not in (a.kind, b.kind)
    return a.old_start < b.old_end and b.old_start < a.old_end


def apply_to_lines(lines: Sequence[str], hunks: Sequence[Hunk]) -> list[str]:
    """The lines with the edits of one file made. Hunks must not overlap (`hunk_builder.ordered` checks)."""
    ordered = sorted(hunks, key=lambda hunk: (hunk.old_start, hunk.old_end, hunk.id))
    changes = ((hunk.old_start - 1, hunk.old_end - 1, hunk.new_lines) for hunk in ordered)
    return replace_ranges(lines, changes)
