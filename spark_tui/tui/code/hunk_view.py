"""A hunk as the screen shows it, and the marks and words for its states."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from spark_tui import events
from spark_tui.edits.diff import diff
from spark_tui.edits.hunk import Hunk

HunkState = Literal[
    "streaming",
    "closed",
    "partial",
    "failed",
    "left",
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
    "left": "≈",
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
    "left": "to check, not changed",
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
WITHOUT_LINES: tuple[HunkState, ...] = ("failed", "left")
"""Hunks shown as a sentence instead of lines."""
TAKEN: frozenset[HunkState] = frozenset({"accepted", "edited", "written"})
PENDING = OPEN | TAKEN - {"written"}
"""Neither refused nor in the file yet."""
REFUSED: frozenset[HunkState] = frozenset({"rejected", "dropped", "undone"})


@dataclass(slots=True)
class HunkView:
    """A hunk with what the screen adds to it: its state, where it is shown, and its sides while they stream.

    `source` is the hunk as the session has it; until it has closed it holds the place alone.
    """

    source: Hunk
    old_count: int = 0
    state: HunkState = "streaming"
    start: int = -1
    """The line on which it is shown, 1-based; the one of `source` until the file changes above it."""
    new: list[str] = field(default_factory=list)
    """The new side as it is shown: the model's, or the person's."""
    tail: str = ""
    """The unfinished last line while it streams."""
    doubt: float | None = None
    doubt_reason: str = ""
    breaks: tuple[events.Doubt, ...] = ()
    """The places that it would break, as the last check found them."""
    note: str = ""
    turn: int = 0
    name: str = ""
    """What a part is called: `2.1` is the first part of hunk 2."""
    _streamed: tuple[int, int, list[str], str] | None = None
    """The sides of a partial hunk as they were streamed; a resumed stream continues them."""

    def __post_init__(self) -> None:
        if self.start < 0:
            self.start = self.source.old_start

    @property
    def id(self) -> int:
        return self.source.id

    @property
    def path(self) -> str:
        return self.source.path

    @property
    def kind(self) -> events.HunkKind:
        return self.source.kind

    @property
    def old(self) -> tuple[str, ...]:
        return self.source.old_lines

    @property
    def partial(self) -> bool:
        """Whether it was cut off; it is partial again once a decision about it is taken back."""
        return self.source.partial

    @property
    def label(self) -> str:
        """What people call it; the numbers of parts are the review's own, and large."""
        return self.name or str(self.id)

    @property
    def mark(self) -> str:
        """One cell: the state, or the doubt mark while it is undecided."""
        if (self.breaks or self.doubt is not None) and self.state == "closed":
            return DOUBT_MARK
        return MARKS[self.state]

    @property
    def why_doubted(self) -> str:
        """Why it may be wrong, in one sentence; empty where nothing speaks against it."""
        if not self.breaks:
            return self.doubt_reason
        more = len(self.breaks) - 1
        return self.breaks[0].reason + (f" (and {more} more)" if more else "")

    def take_doubt(self, doubt: events.Doubt) -> None:
        """One of the model, or one of a check, which names a place."""
        if doubt.path:
            self.breaks = (*self.breaks, doubt)
        else:
            self.doubt, self.doubt_reason = doubt.confidence, doubt.reason

    @property
    def added(self) -> int:
        return len(self.new) + bool(self.tail)

    @property
    def removed(self) -> int:
        return self.old_count

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
        if self.state == "partial" and self._streamed is not None:
            self.start, self.old_count, self.new, self.tail = self._streamed
            self.state, self._streamed = "streaming", None

    def close(self, event: events.HunkClosed) -> None:
        """The minimal, final sides replace what was streamed."""
        self._streamed = (self.start, self.old_count, self.new, self.tail) if event.partial else None
        self.source = Hunk.of(event)
        self.start, self.old_count = event.old_start, len(event.old_lines)
        self.new, self.tail = list(event.new_lines), ""
        self.state = "partial" if event.partial else "closed"

    @property
    def outcome(self) -> str:
        """The effect of accepting it in its current state: `keeps 1 line, deletes 3 lines: item =
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
            self.state not in ("streaming", *WITHOUT_LINES)
            and not self.old
            and not self.new
            and self.kind == "edit"
        )


def hunk_count(count: int, kind: str = "") -> str:
    """`1 hunk`, `2 marked hunks`."""
    return f"{count} {kind}hunk{'s' if count != 1 else ''}"


def left_out(marked: int) -> str:
    """The message about marked hunks that were not accepted with all others."""
    return f"{hunk_count(marked, 'marked ')} {'were' if marked > 1 else 'was'} not accepted ({DOUBT_MARK})"


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"
