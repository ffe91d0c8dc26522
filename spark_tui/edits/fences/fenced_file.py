"""Code in a fence that names a file which exists: the whole file, or a part of it.

Where it begins as the file does, it streams into the file as the `whole` format does. What it is, is decided
where the fence ends.
"""

from __future__ import annotations

from collections.abc import Iterator

from spark_tui.edits.code_words import is_elision, leaves_out
from spark_tui.edits.fences.fence_reader import FenceReader
from spark_tui.edits.formats.whole import WholeBlock
from spark_tui.edits.hunk_emitter import HunkEmitter
from spark_tui.edits.snippets.code_placer import UNPLACED, Fence
from spark_tui.edits.snippets.run_ends import Misplaced
from spark_tui.events import Event, HunkClosed, Prose

_SURE = 2
"""The number of first lines that must match the file before the text is streamed as the whole file."""


class FencedFileBlock(WholeBlock):
    """One fence, after its opening line up to its closing one."""

    def __init__(
        self, emitter: HunkEmitter, path: str, fence: str, fences: FenceReader, info: str, cue: str
    ) -> None:
        self.fences = fences
        self.placer = fences.placer
        self.info = info
        self.cue = cue
        self.body: list[str] = []
        self.pieces: list[str] = []
        self.shown_to = 0
        """Lines of the body that were passed on as prose."""
        self.plain = False
        """The text is shown as prose until it is placed."""
        super().__init__(emitter, path, fence)

    def start(self) -> Iterator[Event]:
        if self.refusal is not None or self.emitter.kinds(self.path):
            yield from super().start()
        self.plain = bool(self.emitter.edits_of(self.path))

    def begin_text(self) -> Iterator[Event]:
        self.pieces = []
        if self.failed or self.plain:
            return
        if self.draft is None and (self.lines < _SURE and self.emitter.asked != "whole"):
            self.plain = True
            yield from self._show()
            return
        yield from super().begin_text()

    def text(self, piece: str) -> Iterator[Event]:
        self.pieces.append(piece)
        if self.plain:
            yield Prose(piece)
        elif not self.failed:
            yield from super().text(piece)

    def end_text(self) -> Iterator[Event]:
        line = "".join(self.pieces)
        self.pieces = []
        self.body.append(line)
        self.shown_to = len(self.body)
        if self.plain:
            yield Prose("\n")
        elif is_elision(line):
            yield from self._withdraw()

    def line(self, line: str) -> Iterator[Event]:
        repeated = self.lines
        yield from super().line(line)
        if self.lines > repeated:
            self.body.append(line)

    @property
    def _waits(self) -> bool:
        return super()._waits and not self.plain

    def _show(self) -> Iterator[Event]:
        """Pass on what was held back."""
        if self.shown_to < len(self.body):
            yield Prose("".join(line + "\n" for line in self.body[self.shown_to :]))
            self.shown_to = len(self.body)

    def _withdraw(self) -> Iterator[Event]:
        """The text is not the whole file: what streamed as if it were changes nothing."""
        draft, self.draft, self.plain = self.draft, None, True
        if draft is not None:
            yield HunkClosed(draft.id, draft.path, draft.place + 1, (), ())

    def _close(self) -> Iterator[Event]:
        self.done = True
        if self.failed:
            return
        if self.fences.is_diff(self.info, self.body):
            yield from self._withdraw()
            yield from self.fences.take(Fence(self.info, tuple(self.body), self.cue, self.path))
            return
        try:
            new = self.placer.decide(self.path, self.body, self.cue)
        except Misplaced as why:
            yield from self._withdraw()
            yield self.placer.miss(self.path, why)
            return
        self.placer.note(self.path)
        if self.draft is not None and new == self.body:
            yield from self.emitter.close(self.draft, new[self.draft.place :])
            return
        yield from self._withdraw()
        yield from self.placer.write(self.path, new)


class NewFileBlock(WholeBlock):
    """A fence that names a file which does not exist: all of it is there, or nothing is made of it."""

    def end_text(self) -> Iterator[Event]:
        draft = self.draft
        if draft is not None and leaves_out(draft.new[-1:]):
            self.draft, self.failed = None, True
            message = f"{UNPLACED}: no such file, and part of it was left out"
            yield self.emitter.fail(self.path, message, hunk_id=draft.id)
