"""The `apply_patch` format: a patch between two markers, without line numbers."""

from __future__ import annotations

from collections.abc import Iterator

from spark_tui.edits.formats.base import called
from spark_tui.edits.formats.chunk import Chunk
from spark_tui.edits.formats.patch_block import PatchBlock
from spark_tui.edits.formats.repeated_chunk import FileVersion
from spark_tui.edits.hunk_emitter import HunkEmitter
from spark_tui.edits.paths import clean, file_meant
from spark_tui.edits.places.locate import LEVELS, LineFinder
from spark_tui.errors import SparkError
from spark_tui.events import NO_SUCH_FILE, Event

BEGIN = "*** Begin Patch"
END = "*** End Patch"
UPDATE, ADD, DELETE = "*** Update File: ", "*** Add File: ", "*** Delete File: "
OPERATIONS = (UPDATE, ADD, DELETE)
_MOVE = "*** Move to: "
_END_OF_FILE = "*** End of File"


class ApplyPatchBlock(PatchBlock):
    """From after the opening marker (or from the first operation, where it is missing) to `*** End Patch`."""

    def __init__(self, emitter: HunkEmitter) -> None:
        super().__init__(emitter)
        self.path = ""
        self.folder = ""
        """What its path lacks in the text; so does the one that the file moves to."""
        self.anchors: list[str] = []
        self.low = 0
        """Chunks of a file are in order: the next one is looked for after the last, then after its last
        change."""
        self.overlap = 0
        self.skipping = True

    @property
    def target(self) -> str:
        return self.path

    def look(self, head: str) -> int | None:
        if not head.startswith("+"):
            return None
        if self.adding is not None:
            return 1
        return 1 if self.chunk is not None or not self.skipping else None

    def begin_text(self) -> Iterator[Event]:
        if self.adding is not None:
            yield from self.adding.next_line()
        elif not self.skipping:
            yield from self._chunk().begin_new()

    def _chunk(self) -> Chunk:
        if self.chunk is None:
            assert self.reading is not None
            self.chunk = self.reading.chunk(
                self.emitter, self.path, anchors=tuple(self.anchors), low=self.low, overlap=self.overlap
            )
            self.anchors = []
        return self.chunk

    def line(self, line: str) -> Iterator[Event]:
        if line.startswith("***") or (line[:1].isspace() and self._is_marker(line.strip())):
            yield from self._marker(line.lstrip())
        elif self.skipping:
            if line.strip() and not self.path:
                yield self.malformed(f"a line outside any file section: {line[:80]!r}")
                self.path = "?"
        elif self.adding is not None:
            yield from self.drop(f"a line of a new file must start with '+': {line[:80]!r}")
        elif line.startswith("@@"):
            yield from self._end_chunk()
            if anchor := line[2:].strip():
                self.anchors.append(anchor)
        elif not line.strip(" ") and not line.startswith(" "):
            self._chunk().blank()
        elif line.startswith(("-", " ")):
            yield from self._chunk().old(line[1:], stays=not line.startswith("-"))
        else:
            yield from self.drop(f"a line must start with ' ', '+' or '-': {line[:80]!r}")

    def _is_marker(self, bare: str) -> bool:
        """Whether a line with blanks before it is a marker. A context line of the file may look the same."""
        if bare not in (BEGIN, END, _END_OF_FILE) and not bare.startswith((*OPERATIONS, _MOVE)):
            return False
        return self.reading is None or not self.reading.file.positions(bare, len(LEVELS) - 1)

    def breaks_off(self, line: str) -> bool:
        bare = line.strip()
        return bare.startswith("*") and bare != END and (not line[:1].isspace() or self._is_marker(bare))

    def _marker(self, text: str) -> Iterator[Event]:
        line = text.rstrip()
        if line == _END_OF_FILE:
            if self.chunk is not None:
                self.chunk.at_end = True
                yield from self._end_chunk()
            return
        if line.startswith(_MOVE.rstrip()) and self.reading is not None and self.chunk is None:
            target = clean(line[len(_MOVE) :])
            yield from self._move(target if target.startswith(self.folder) else self.folder + target)
            return
        yield from self._end_operation()
        if line == END:
            # An empty patch is understood as well: it changes nothing.
            self.emitter.edits += 1
            self.done = True
        elif line.startswith(OPERATIONS):
            word = next(word for word in OPERATIONS if line.startswith(word))
            yield from self._begin_operation(word, self._path(word, text[len(word) :]))
        elif line != BEGIN:
            yield self.malformed(f"unknown patch marker: {line[:80]!r}")
            self.skipping = True

    def _path(self, word: str, text: str) -> str:
        """The name begins after one blank and may begin with more; only where it is the name of a file,
        unless the file is new."""
        names = [clean(name) for name in (text, text.rstrip(), text.strip())]
        fallback = file_meant(names[1] if word == ADD else names[2], self.emitter.exists)
        path = next((name for name in names if name and self.emitter.exists(name)), fallback)
        found = called(self.emitter, path) if word == UPDATE else path
        self.folder = found.removesuffix(path)
        return found

    def _begin_operation(self, word: str, path: str) -> Iterator[Event]:
        self.path, self.reading, self.low, self.overlap, self.skipping = path, None, 0, 0, True
        self.anchors = []
        if not path:
            yield self.malformed("a file operation names no file")
            return
        link = self.emitter.link(path) is not None
        try:
            # A deleted link may point to nothing, or to a file that may not be read.
            file = LineFinder(()) if link and word == DELETE else self.emitter.file(path)
        except SparkError as error:
            yield self.emitter.refuse(path, error)
            return
        if word == ADD and self.emitter.kinds(path) == {"delete"}:
            # Deleted and added again: the two hunks together replace the file.
            yield from self._add(path, None)
        elif conflict := self.emitter.conflict(path, whole=word != UPDATE):
            yield self.emitter.fail(path, conflict)
        elif word == ADD:
            yield from self._add(path, file)
        elif file is None:
            yield self.emitter.fail(path, NO_SUCH_FILE)
        elif word == DELETE:
            yield from self.emitter.delete(path, file.lines)
        else:
            self.reading, self.skipping = FileVersion.of(self.emitter, path, file), False

    def _add(self, path: str, file: LineFinder | None) -> Iterator[Event]:
        self.adding = yield from self.emitter.add(path, file)
        self.skipping = self.adding is None

    def _move(self, target: str) -> Iterator[Event]:
        if not target:
            yield self.malformed("a move names no file")
            self.skipping = True
            return
        if target == self.path:
            return
        moved = yield from self.emitter.move(self.path, target)
        self.skipping = not moved

    def _end_chunk(self) -> Iterator[Event]:
        chunk, self.chunk = self.chunk, None
        if chunk is not None:
            yield from chunk.close()
            self.low, self.overlap = max(self.low, chunk.end), max(self.overlap, chunk.changed_to)
            self.anchors = []

    def _end_operation(self) -> Iterator[Event]:
        yield from self._end_chunk()
        if self.adding is not None:
            draft, self.adding = self.adding, None
            yield from self.emitter.close(draft)

    def finish(self) -> Iterator[Event]:
        self.done = True
        if self.complete and (self.adding or self.chunk or self.emitter.edits or self.emitter.failures):
            yield from self._end_operation()
            return
        yield from self.drop("the text ends inside a patch (no '*** End Patch')")
