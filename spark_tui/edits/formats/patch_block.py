"""What the two patch formats have in common: chunks of known files, and new files as a whole."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from spark_tui.edits.formats.base import Block
from spark_tui.edits.formats.chunk import Chunk
from spark_tui.edits.formats.repeated_chunk import FileVersion
from spark_tui.edits.hunk_draft import HunkDraft
from spark_tui.edits.hunk_emitter import HunkEmitter
from spark_tui.errors import ExitCode
from spark_tui.events import Event


class PatchBlock(Block):
    """At any time a new file is being written, or a chunk is being read, or neither."""

    def __init__(self, emitter: HunkEmitter) -> None:
        super().__init__(emitter)
        self.reading: FileVersion | None = None
        self.adding: HunkDraft | None = None
        self.chunk: Chunk | None = None
        self.skipping = False
        """Whether lines are skipped, because their operation failed or there is none."""

    @property
    @abstractmethod
    def target(self) -> str:
        """The file that is being changed; empty while none is named."""

    def text(self, piece: str) -> Iterator[Event]:
        if self.adding is not None:
            self.adding = yield from self.emitter.extend(self.adding, piece, "the file is too large")
            self.skipping = self.adding is None
        elif self.chunk is not None:
            yield from self.chunk.new_text(piece)

    def interrupt(self) -> Iterator[Event]:
        if self.adding is not None:
            yield self.emitter.partial(self.adding)
        elif self.chunk is not None:
            yield from self.chunk.interrupt()

    def drop(self, message: str) -> Iterator[Event]:
        """Give up the open chunk or new file, and skip what follows."""
        chunk, adding = self.chunk, self.adding
        self.chunk, self.adding, self.skipping = None, None, True
        if chunk is not None:
            yield from chunk.abandon(message)
        if chunk is None or not chunk.shown:
            yield self.malformed(message, adding.id if adding is not None else 0)

    def malformed(self, message: str, hunk_id: int = 0) -> Event:
        return self.emitter.fail(self.target, message, code=ExitCode.MALFORMED, hunk_id=hunk_id)
