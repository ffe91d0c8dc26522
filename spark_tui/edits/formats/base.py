"""What every edit format has in common: a block of text, received line by line and character by character.

A line is first *undecided*. `look(head)` returns whether (and from which column) its characters can be passed
on, and must return the same for every longer head; until then they are held, and the finished line goes to
`line`. So the hunks do not depend on how the text is split.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar

from spark_tui.edits.hunk_draft import HunkDraft
from spark_tui.edits.hunk_emitter import HunkEmitter
from spark_tui.edits.hunk_split import were_made
from spark_tui.edits.places.locate import LEVELS, LineMatch
from spark_tui.errors import ExitCode, SparkError
from spark_tui.events import Event


def holding(emitter: HunkEmitter, quoted: Sequence[str], paths: Sequence[str]) -> str:
    """The one file that has these lines; empty if none or several do."""
    found = []
    for path in paths if quoted else ():
        with contextlib.suppress(SparkError):
            file = emitter.file(path)
            if file is not None and isinstance(file.find(quoted), LineMatch):
                found.append(path)
    return found[0] if len(found) == 1 else ""


def files_called(emitter: HunkEmitter, named: str) -> Sequence[str]:
    """Where no file has this name, nor gets it in this answer: those that the model was shown and of whose
    path it is the end, or has folders in front of it. All of them without a name."""
    if named and not named.startswith("/") and (emitter.exists(named) or emitter.kinds(named)):
        return ()
    shown = emitter.shown
    return [x for x in shown if x.endswith(f"/{named}") or named.endswith(f"/{x}")] if named else shown


def called(emitter: HunkEmitter, path: str) -> str:
    """The path, or the one shown file of whose path it is the end. A longer one may be a file that is not."""
    meant = [x for x in files_called(emitter, path) if path and x.endswith(f"/{path}")]
    return meant[0] if len(meant) == 1 else path


def file_named(emitter: HunkEmitter, named: str, quoted: Sequence[str]) -> str:
    """The file of a block: the one of that name that has its lines."""
    filled = any(line.strip() for line in quoted)
    return (filled and holding(emitter, quoted, files_called(emitter, named))) or named


def occurs(emitter: HunkEmitter, path: str, quoted: Sequence[str]) -> bool:
    """Whether these lines occur in the file one after the other, in one place or several."""
    with contextlib.suppress(SparkError):
        file = emitter.file(path) if path and quoted else None
        return file is not None and any(file.matches(quoted, level) for level in range(len(LEVELS)))
    return False


MAY_REPEAT = "an earlier edit of the same answer does this where the same lines stand: it may be said twice"


def repeats(emitter: HunkEmitter, draft: HunkDraft, new: Sequence[str]) -> bool:
    """Whether earlier edits of the answer do the same to the same lines elsewhere."""
    made, file = emitter.edits_of(draft.path), emitter.file(draft.path)
    if not made or not draft.old or file is None:
        return False
    starts = file.matches(draft.old, 0)
    return any(were_made(at + 1, draft.old, new, made) for at in starts if at != draft.place)


class Block(ABC):
    """One block of edits in a stream, from its opening marker to its end."""

    def __init__(self, emitter: HunkEmitter) -> None:
        self.emitter = emitter
        self.done = False
        """The block is over; the next line is prose again."""
        self.returns_line = False
        """The line that ended the block is not part of it and must be looked at as prose."""
        self.unread: list[str] = []
        """After `finish`, or before the line that it returns: lines that are none of it, and to be read."""
        self.complete = False
        """Set before `finish` where the text is known to be whole: what lacks its end was not cut off."""

    def look(self, head: str) -> int | None:  # noqa: ARG002
        """Column from which the line is text to pass on, or None while that is open."""
        return None

    def certain(self, head: str) -> Iterator[Event]:  # noqa: ARG002
        """Events that an undecided head already makes certain. Asked again as the head grows."""
        yield from ()

    def begin_text(self) -> Iterator[Event]:
        """A line was decided to be text."""
        yield from ()

    def text(self, piece: str) -> Iterator[Event]:  # noqa: ARG002
        """Characters of a decided line."""
        yield from ()

    def end_text(self) -> Iterator[Event]:
        """A decided line ended."""
        yield from ()

    @abstractmethod
    def line(self, line: str) -> Iterator[Event]:
        """A line that stayed undecided until its end."""

    def breaks_off(self, line: str) -> bool:  # noqa: ARG002
        """Whether the last line of the stream, which has no newline, is an incomplete header."""
        return False

    @abstractmethod
    def finish(self) -> Iterator[Event]:
        """The stream ended inside the block."""

    @abstractmethod
    def interrupt(self) -> Iterator[Event]:
        """The open hunk so far, marked partial. Parsing can still continue."""


class DraftBlock(Block):
    """A block whose text goes into one open draft at a time."""

    cut_off: ClassVar[str] = ""
    """What is said where the text ends inside of it."""

    def __init__(self, emitter: HunkEmitter, path: str) -> None:
        super().__init__(emitter)
        self.path = path
        self.draft: HunkDraft | None = None

    def begin_text(self) -> Iterator[Event]:
        if self.draft is not None:
            yield from self.draft.next_line()

    def text(self, piece: str) -> Iterator[Event]:
        if self.draft is not None:
            self.draft = yield from self.emitter.extend(self.draft, piece)

    def finish(self) -> Iterator[Event]:
        self.done = True
        hunk_id = self.draft.id if self.draft is not None else 0
        yield self.emitter.fail(self.path, self.cut_off, code=ExitCode.MALFORMED, hunk_id=hunk_id)

    def interrupt(self) -> Iterator[Event]:
        if self.draft is not None:
            yield self.emitter.partial(self.draft)
