"""A hunk as the screen shows it, the marks and words for its states, and which of its lines are left out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Literal

from spark_tui import events
from spark_tui.edits.diff import diff
from spark_tui.edits.hunk import Hunk, rows, select
from spark_tui.shared_ends import same_at_start
from spark_tui.tools.bounded_text import count_of

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
_SHOWN: dict[HunkState, tuple[str, str]] = {
    "streaming": ("◌", "streaming"),
    "closed": ("●", "undecided"),
    "partial": ("◐", "partial"),
    "failed": ("!", "not placed"),
    "left": ("≈", "to check, not changed"),
    "accepted": ("✓", "accepted"),
    "edited": ("✎", "accepted with your edit"),
    "rejected": ("✗", "rejected"),
    "dropped": ("✗", "dropped"),
    "written": ("■", "written"),
    "undone": ("↶", "written, then undone"),
    "conflict": ("≠", "in conflict"),
    "unsaved": ("✎", "typed by you, not saved"),
}
MARKS = {state: mark for state, (mark, _) in _SHOWN.items()}
WORDS = {state: words for state, (_, words) in _SHOWN.items()}
STATE_OF: dict[str, HunkState] = {
    "open": "closed",
    "kept": "closed",
    "partial": "partial",
    "accepted": "accepted",
    "edited": "edited",
    "rejected": "rejected",
    "dropped": "dropped",
    "applied": "written",
    "undone": "undone",
}
"""The states of a hunk by the words of decisions and of the review."""
DOUBT_MARK = "?"
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
    removed: int = 0
    """How many lines of the file it replaces."""
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
    stale: bool = False
    """Whether the file has changed on disk in its lines, so that a write would refuse it."""
    moved: bool = False
    """Whether it was moved to where its lines are on disk while it streamed."""
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
    def label(self) -> str:
        """What people call it; the numbers of parts are the review's own, and large."""
        return self.name or str(self.id)

    @property
    def mark(self) -> str:
        """One cell: the state, or that it is in conflict, or the doubt mark while it is undecided."""
        if self.stale and self.state in PENDING:
            return MARKS["conflict"]
        if (self.breaks or self.doubt is not None) and self.state == "closed":
            return DOUBT_MARK
        return MARKS[self.state]

    @property
    def mark_style(self) -> str:
        """The style of its mark on the ground of the code."""
        if self.state in (*WITHOUT_LINES, "partial") or self.mark != MARKS[self.state]:
            return "doubt"
        if self.state in OPEN:
            return "open"
        return "refused" if self.state in REFUSED else "taken"

    def new_line(self, index: int) -> str:
        """A line of the new side; while it streams, the last one is unfinished."""
        return self.new[index] if index < len(self.new) else self.tail

    @property
    def why_doubted(self) -> str:
        """Why it may be wrong, in one sentence; empty where nothing speaks against it."""
        if self.stale:
            return "the file changed on disk in these lines: reject the hunk, or send the instruction again"
        if not self.breaks:
            return self.doubt_reason
        more = len(self.breaks) - 1
        return self.breaks[0].reason + (f" (and {more} more)" if more else "")

    @property
    def added(self) -> int:
        return len(self.new) + bool(self.tail)

    @property
    def repeated(self) -> int:
        """Leading lines that a partial hunk repeats: no change, unless it does nothing else."""
        same = same_at_start(self.old, self.new) if self.state == "partial" else 0
        return 0 if same == self.added == self.removed else same

    @property
    def size(self) -> tuple[int, int]:
        """How many lines it adds and removes, as they are shown."""
        return self.added - self.repeated, self.removed - self.repeated

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
            self.start, self.removed, self.new, self.tail = self._streamed
            self.state, self._streamed = "streaming", None

    @property
    def so_far(self) -> Hunk:
        """Where it is while it streams."""
        return replace(self.source, old_start=self.start, old_lines=("",) * self.removed)

    def close(self, event: events.HunkClosed) -> None:
        """The minimal, final sides replace what was streamed."""
        self._streamed = (self.start, self.removed, self.new, self.tail) if event.partial else None
        self.source = Hunk.of(event)
        self.start, self.removed = event.old_start, len(event.old_lines)
        self.new, self.tail = list(event.new_lines), ""
        self.state = "partial" if event.partial else "closed"

    @property
    def outcome(self) -> str:
        """The effect of accepting it in its current state: `keeps 1 line, deletes 3 lines: item =
        self.inventory.get(sku) …`"""
        blocks = diff(self.old, self.new)
        removed = [line.strip() for a0, a1, _, _ in blocks for line in self.old[a0:a1]]
        kept = f"keeps {count_of(sum(b1 - b0 for _, _, b0, b1 in blocks), 'line')}"
        if not removed:
            return f"{kept}, deletes none"
        named = next((line for line in removed if line), "an empty line")
        more = " …" if len(removed) > 1 else ""
        return f"{kept}, deletes {count_of(len(removed), 'line')}: {named}{more}"

    @property
    def changes_nothing(self) -> bool:
        shown = self.state not in ("streaming", *WITHOUT_LINES) and self.kind == "edit"
        return shown and not self.old and not self.new


def hunk_names(hunks: Collection[HunkView]) -> str:
    """`hunk 1`, `hunks 2, 3`."""
    return f"hunk{'s' if len(hunks) != 1 else ''} " + ", ".join(hunk.label for hunk in hunks)


def left_out(marked: int) -> str:
    """The message about marked hunks that were not accepted with all others."""
    return f"{count_of(marked, 'marked hunk')} {'were' if marked > 1 else 'was'} not accepted ({DOUBT_MARK})"


Line = tuple[str, int]
"""`("-", line of the file)` or `("+", line of the new side)`, both 1-based."""


@dataclass(slots=True)
class LineSelection:
    """Which lines of one hunk are left out."""

    hunk_id: int
    out: set[Line] = field(default_factory=set)

    def toggle(self, line: Line) -> None:
        self.out ^= {line}


def new_side(hunk: Hunk, choice: LineSelection) -> list[str]:
    """An old line that is left out stays, a new one that is left out does not come."""
    changes = ((at, row) for at, row in enumerate(rows(hunk)) if row.sign != " ")
    picked = [at for at, row in changes if (row.sign, row.line) not in choice.out]
    chosen = select(hunk, picked)
    head = hunk.old_lines[: chosen.old_start - hunk.old_start]
    tail = hunk.old_lines[chosen.old_end - hunk.old_start :]
    return [*head, *chosen.new_lines, *tail]
