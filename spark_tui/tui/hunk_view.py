"""One hunk as the screen knows it, and the marks that say how it stands without colour.

    path cart.py, start 21, old ("    item = …",), new ("    if qty < 1:", "        raise …", "    item = …")

Comes in: events of one hunk. Goes out: a small mutable record. Must not know: widgets, other hunks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from spark_tui import events
from spark_tui.edits.diff import diff

HunkState = Literal[
    "streaming",
    "closed",
    "partial",
    "failed",
    "accepted",
    "rejected",
    "edited",
    "dropped",
    "written",
    "undone",
    "conflict",
    "unsaved",
]
MARKS: dict[HunkState, str] = {
    "streaming": "◌",
    "closed": "●",
    "partial": "◐",
    "failed": "!",
    "accepted": "✓",
    "edited": "✎",
    "rejected": "✗",
    "dropped": "✗",
    "written": "■",
    "undone": "↶",
    "conflict": "≠",
    "unsaved": "✎",
}
DOUBT_MARK = "?"
WORDS: dict[HunkState, str] = {
    "streaming": "streaming",
    "closed": "undecided",
    "partial": "partial",
    "failed": "not placed",
    "accepted": "accepted",
    "edited": "accepted with your edit",
    "rejected": "rejected",
    "dropped": "dropped",
    "written": "written",
    "undone": "written, then undone",
    "conflict": "in conflict",
    "unsaved": "typed by you, not saved",
}
OPEN: frozenset[HunkState] = frozenset({"streaming", "closed", "partial", "conflict"})
TAKEN: frozenset[HunkState] = frozenset({"accepted", "edited", "written"})
REFUSED: frozenset[HunkState] = frozenset({"rejected", "dropped", "undone"})


@dataclass(slots=True)
class HunkView:
    """`start` is 1-based in the file as read. `tail` is the unfinished last line while it streams."""

    id: int
    path: str
    start: int
    old_count: int
    kind: events.HunkKind = "edit"
    new_path: str = ""
    state: HunkState = "streaming"
    new: list[str] = field(default_factory=list)
    tail: str = ""
    old: tuple[str, ...] = ()
    doubt: float | None = None
    doubt_reason: str = ""
    note: str = ""
    turn: int = 0
    name: str = ""
    """What a part is called: `2.1` is the first part of hunk 2."""
    partial: bool = False
    """Whether it was cut off; it is partial again once a decision about it is taken back."""
    given: list[str] | None = None
    """The new side as it came, where the person wrote another."""
    _cut: tuple[int, int, list[str], str] | None = None
    """The streamed sides of a partial hunk, on which a resumed stream goes on."""

    @property
    def label(self) -> str:
        """What people call it; the numbers of parts are the review's own, and large."""
        return self.name or str(self.id)

    @property
    def mark(self) -> str:
        """One cell: the state, or that it is doubtful while nobody has decided."""
        if self.doubt is not None and self.state == "closed":
            return DOUBT_MARK
        return MARKS[self.state]

    @property
    def added(self) -> int:
        return len(self.new) + bool(self.tail)

    @property
    def removed(self) -> int:
        return self.old_count

    @property
    def decided(self) -> bool:
        return self.state not in OPEN

    def feed(self, text: str) -> None:
        """More of the new side. Only "\\n" ends a line."""
        head, *rest = (self.tail + text).split("\n")
        if rest:
            self.new.append(head)
            self.new.extend(rest[:-1])
            self.tail = rest[-1]
        else:
            self.tail = head

    def go_on(self) -> None:
        """A stream that was cut off inside this hunk is resumed."""
        if self.state == "partial" and self._cut is not None:
            self.start, self.old_count, self.new, self.tail = self._cut
            self.state, self._cut = "streaming", None

    def close(self, event: events.HunkClosed) -> None:
        """The minimal, final sides replace what was streamed."""
        self._cut = (self.start, self.old_count, self.new, self.tail) if event.partial else None
        self.start, self.old_count = event.old_start, len(event.old_lines)
        self.old, self.new, self.tail = event.old_lines, list(event.new_lines), ""
        self.kind, self.new_path = event.kind, event.new_path
        self.partial = event.partial
        self.state = "partial" if event.partial else "closed"

    @property
    def outcome(self) -> str:
        """What accepting it as it stands would do: `keeps 1 line, deletes 3 lines: item =
        self.inventory.get(sku) …`"""
        blocks = diff(self.old, self.new)
        gone = [line.strip() for a0, a1, _, _ in blocks for line in self.old[a0:a1]]
        kept = f"keeps {_lines(sum(b1 - b0 for _, _, b0, b1 in blocks))}"
        if not gone:
            return f"{kept}, deletes none"
        named = next((line for line in gone if line), "an empty line")
        return f"{kept}, deletes {_lines(len(gone))}: {named}" + (" …" if len(gone) > 1 else "")

    @property
    def changes_nothing(self) -> bool:
        return (
            self.state not in ("streaming", "failed")
            and not self.old
            and not self.new
            and self.kind == "edit"
        )


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"
