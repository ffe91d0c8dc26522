"""The `whole` format: a file in full between two fences, reduced to what differs from the old one.

While the text repeats the old file no hunk is opened. At the first difference the rest of the old file is
being replaced, and the closing fence divides that into minimal hunks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spark_tui.edits.code_words import is_prose
from spark_tui.edits.formats.base import DraftBlock
from spark_tui.edits.hunk_draft import HunkDraft
from spark_tui.edits.hunk_emitter import HunkEmitter
from spark_tui.edits.paths import path_in
from spark_tui.errors import SparkError
from spark_tui.events import Doubt, Event, HunkClosed

MAY_END = "the document may end at an earlier fence, with words of the answer behind it"


class WholeBlock(DraftBlock):
    """One block, after the line with its opening fence up to its closing fence: a bare one that is as long or
    longer."""

    cut_off = "the text ends inside a file (no closing fence)"

    def __init__(self, emitter: HunkEmitter, path: str, fence: str) -> None:
        super().__init__(emitter, path)
        bare = fence.strip()
        self.fence = bare[: len(bare) - len(bare.lstrip(bare[0]))]
        self.tagged = bare != self.fence
        """Whether the opening fence has an info string."""
        self.inner: list[str] = []
        self.bare = ""
        """A bare fence in a document: it ends the block, unless text follows it at once."""
        self.label: list[str] = []
        """What stands below it, where that may name a file."""
        self.shown_from: int | None = None
        """How many new lines there were before the first such fence that opened one in the document."""
        self.shows = False
        """Whether one that such a fence opened is open."""
        self.below = False
        """Whether the next line stands right below its end."""
        self.ends_below: set[bool] = set()
        """Whether text stood there, for each: then that end may open a fence of the answer."""
        self.lines = 0
        """Finished lines that repeat the old file, while nothing is opened."""
        self.old: Sequence[str] = ()
        self.failed = False
        self._begin()

    def _begin(self) -> None:
        self.refusal: SparkError | None = None
        try:
            file = self.emitter.file(self.path)
        except SparkError as error:
            self.refusal = error
            return
        if file is None:
            self.draft = HunkDraft(self.emitter.new_id(), self.path, 0, (), "add")
        else:
            self.old = file.lines

    def start(self) -> Iterator[Event]:
        """What is certain before any text: that a new file opens, or that this one may not be touched."""
        if self.refusal is not None:
            yield self.emitter.refuse(self.path, self.refusal)
            self.failed = True
        elif self.emitter.kinds(self.path) or self.emitter.edits_of(self.path):
            yield self.emitter.fail(self.path, "an earlier edit of the same answer already changes this file")
            self.failed, self.draft = True, None
        elif self.draft is not None:
            yield self.emitter.open(self.draft)

    def look(self, head: str) -> int | None:
        if not head or self.bare or self.below or self._could_fence(head):
            return None
        return None if self._waits and self._repeats(head) else 0

    def _could_fence(self, head: str) -> bool:
        mark = self.fence[0]
        bare = head.lstrip(" ")
        if len(head) - len(bare) > 3:
            return False
        if not bare.strip(mark):
            return True
        return bare.startswith(mark * 3)

    def breaks_off(self, line: str) -> bool:
        """Whether the text ends inside the header of another file."""
        return bool(self.label) and self._could_fence(line) and len(line.strip()) < 3

    def _repeats(self, head: str) -> bool:
        return self.lines < len(self.old) and self.old[self.lines].startswith(head)

    def begin_text(self) -> Iterator[Event]:
        if self.failed:
            return
        if self.draft is None:
            place = self.lines
            self.draft = HunkDraft(self.emitter.new_id(), self.path, place, tuple(self.old[place:]))
            yield self.emitter.open(self.draft)
        yield from self.draft.next_line()

    def text(self, piece: str) -> Iterator[Event]:
        if self.draft is not None:
            self.draft = yield from self.emitter.extend(self.draft, piece, "the file is too large")
            self.failed = self.draft is None

    def line(self, line: str) -> Iterator[Event]:
        if self.below:
            self.below = False
            self.ends_below.add(bool(line.strip()) and not self._could_fence(line))
        if self.bare:
            yield from self._behind_bare(line)
        elif self._ends(line):
            if self.emitter.shows_examples and is_prose(self.path):
                self.bare = line
            else:
                yield from self._close()
        else:
            yield from self._add(line)

    def _behind_bare(self, line: str) -> Iterator[Event]:
        """The line below a bare fence, or below that one where it may name the file of another fence."""
        blank = not line.strip()
        # One line between two bare fences behind a blank line: a document whose own fence has a language
        # shows it.
        shows = self.tagged and len(self.label) == 1 and not blank and not line.strip(f" {self.fence[0]}")
        shows = shows and not self._last_line.strip()
        if not self.label if blank else self._could_fence(line) and not shows:
            self.unread, self.returns_line = self.label, True
            yield from self._close_document()
        elif blank if self.label else path_in(line, self.emitter.exists):
            self.label.append(line)
        else:
            fence, label, self.bare, self.label = self.bare, self.label, "", []
            self.inner.append(fence.strip())
            self.shows = True
            if self.shown_from is None and self._taken is not None:
                self.shown_from = len(self._taken)
            yield from self._add(fence)
            for named in label:
                yield from self._add(named)
            yield from self.line(line)

    def _add(self, line: str) -> Iterator[Event]:
        """A line of the file."""
        if self._waits and self.lines < len(self.old) and self.old[self.lines] == line:
            self._repeat(line)
            return
        yield from self.begin_text()
        if line:
            yield from self.text(line)
        yield from self.end_text()

    def _repeat(self, line: str) -> None:  # noqa: ARG002
        """A line that the old file has there, too."""
        self.lines += 1

    @property
    def _taken(self) -> list[str] | None:
        """The lines so far; None where they are not kept."""
        return self.draft.new if self.draft is not None else None

    @property
    def _last_line(self) -> str:
        taken = self._taken or self.old[: self.lines]
        return taken[-1] if taken else ""

    def finish(self) -> Iterator[Event]:
        """Where the document does not end, the first bare fence was its end."""
        if self.bare:
            self.unread = self.label
            yield from self._close_document()
        elif self.shown_from is not None and (taken := self._taken) is not None:
            self.emitter.shows_examples = False
            self.unread = taken[self.shown_from + 1 :]
            del taken[self.shown_from :]
            yield from self._close()
        else:
            yield from super().finish()

    def _close_document(self) -> Iterator[Event]:
        for event in self._close():
            if self.ends_below == {True} and isinstance(event, HunkClosed) and event.changes:
                yield Doubt(event.hunk_id, 0.0, MAY_END)
            yield event

    @property
    def _waits(self) -> bool:
        """Whether lines are passed over as long as they repeat the old file."""
        return self.draft is None and not self.failed

    def _ends(self, line: str) -> bool:
        """Whether the line closes the fence; fences inside of it are counted."""
        bare = line.strip()
        if not bare or not self._could_fence(line) or not bare.startswith(self.fence[0] * 3):
            return False
        marks = len(bare) - len(bare.lstrip(self.fence[0]))
        if marks != len(bare):
            if marks >= len(self.fence):
                self.inner.append(bare[:marks])
        elif self.inner and marks >= len(self.inner[-1]):
            self.inner.pop()
            self.below, self.shows = self.shows and not self.inner, self.shows and bool(self.inner)
        else:
            return not self.inner and marks >= len(self.fence)
        return False

    def _close(self) -> Iterator[Event]:
        self.done = True
        if self.failed:
            return
        if self.draft is None:
            rest = tuple(self.old[self.lines :])
            self.draft = HunkDraft(self.emitter.new_id(), self.path, self.lines, rest)
            yield self.emitter.open(self.draft)
        yield from self.emitter.close(self.draft)
