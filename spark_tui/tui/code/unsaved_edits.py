"""A file with unsaved typing: the text, which lines the user typed, and where the model's hunks are in it.

A hunk whose lines were typed over is in conflict (`≠`), exactly where a write would refuse it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from spark_tui.edits.merge import merge_lines
from spark_tui.edits.rebase import Rebase
from spark_tui.tui.code.hunk_view import REFUSED, WITHOUT_LINES, HunkView
from spark_tui.tui.text.buffer import TextBuffer


@dataclass(frozen=True, slots=True)
class Mark:
    """One stretch that the person changed: rows `[row, end)` of the text, in place of `removed` lines of the
    disk's."""

    row: int
    end: int
    removed: int


class UnsavedFile:
    """One file that is typed into. `base` is the disk's text; `lines` is alive and changes with every key."""

    def __init__(self, path: str, base: Sequence[str]) -> None:
        self.path = path
        self.base = tuple(base)
        self.buffer = TextBuffer(base)
        self._hunks: Sequence[HunkView] = ()
        self.read: Sequence[str] = self.base
        """The text whose lines the hunks name."""
        self._reading = 0
        self._typed: tuple[object, Rebase] | None = None
        self._placed: tuple[object, Rebase] | None = None

    @property
    def lines(self) -> list[str]:
        return self.buffer.lines

    @property
    def dirty(self) -> bool:
        return self.lines != (list(self.base) or [""])

    @property
    def marks(self) -> list[Mark]:
        """What is not saved, from top to bottom."""
        if not self.dirty:
            return []
        return [Mark(b0, b1, a1 - a0) for a0, a1, b0, b1 in self._from_disk.blocks]

    def back(self, row: int) -> int:
        """The line of the text on disk that a row is, or comes after."""
        return self._from_disk.back(row)

    @property
    def _from_disk(self) -> Rebase:
        key = (self.base, self.buffer.version)
        if self._typed is None or self._typed[0] != key:
            self._typed = (key, Rebase(self.base, self.lines))
        return self._typed[1]

    def rest_on(self, base: Sequence[str], lines: Sequence[str], known: Sequence[str]) -> None:
        """The file changed on disk; the user's text on top of it is `lines`, computed when it was `known`."""
        self.base = tuple(base)
        merged = merge_lines(known, self.lines, lines)
        if merged is None or list(merged) == self.lines:
            return
        row, moved = Rebase(self.lines, merged).place(self.buffer.row, 1)
        self.buffer.take_over(merged, (row, 0 if moved else self.buffer.column))

    # The model's hunks

    def show(self, hunks: Sequence[HunkView], read: Sequence[str]) -> None:
        """The hunks of the file, and the text whose lines they name."""
        self._reading += read is not self.read
        self._hunks, self.read = hunks, read

    @property
    def hunks(self) -> list[HunkView]:
        """Their positions in the typed text. Written hunks are text already and are not shown as hunks."""
        return [hunk for hunk in self.listed if hunk.state != "written"]

    @property
    def listed(self) -> list[HunkView]:
        """The positions of all hunks, also of those that are written."""
        written = [hunk for hunk in self._hunks if hunk.state == "written" and hunk.kind == "edit"]
        key = (self.buffer.version, self._reading, tuple((hunk.id, len(hunk.new)) for hunk in written))
        if self._placed is None or self._placed[0] != key:
            self._placed = (key, Rebase(made(self.read, written), self.lines))
        carry = self._placed[1]
        return [_placed(hunk, written, carry) for hunk in self._hunks]


def diff_of(drafts: Iterable[UnsavedFile]) -> str:
    """What a save of these would change, as a plain diff; for reading, not for applying."""
    out: list[str] = []
    for draft in drafts:
        old, new = f"a/{draft.path}", f"b/{draft.path}"
        out.append(f"diff --git {old} {new}")
        out += difflib.unified_diff(draft.base, draft.lines, old, new, lineterm="")
    return "".join(f"{line}\n" for line in out)


def made(lines: Sequence[str], written: Sequence[HunkView]) -> Sequence[str]:
    """The text with these hunks in it."""
    if not written:
        return lines
    out = list(lines)
    for hunk in sorted(written, key=lambda item: (item.start, item.id), reverse=True):
        out[hunk.start - 1 : hunk.start - 1 + hunk.removed] = hunk.new
    return out


def _placed(hunk: HunkView, written: Sequence[HunkView], carry: Rebase) -> HunkView:
    if hunk.kind != "edit":
        return hunk
    shift = sum(
        view.added - view.removed for view in written if (view.start, view.id) < (hunk.start, hunk.id)
    )
    size = hunk.added if hunk.state == "written" else hunk.removed
    line, touched = carry.place(hunk.start - 1 + shift, size)
    if touched and hunk.state not in ("written", *REFUSED, *WITHOUT_LINES):
        # Its own lines are not there any more as it knew them: none of what stands there is struck for it.
        source = replace(hunk.source, old_lines=())
        return replace(hunk, source=source, start=line + 1, removed=0, state="conflict")
    return replace(hunk, start=line + 1)


@dataclass
class FileViewport:
    """The open file. With a draft, `lines` are the draft's and contain the hunks."""

    path: str = ""
    lines: Sequence[str] = ()
    hunks: Sequence[HunkView] = field(default_factory=list)
    draft: UnsavedFile | None = None
