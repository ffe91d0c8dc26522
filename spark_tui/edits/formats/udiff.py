"""Read a unified diff while it arrives, with true, wrong or missing line numbers.

The text of the lines decides where a hunk goes; numbers decide only between places that fit equally well.

unidiff was weighed for this and reads finished patches instead (`edits.finished_patch`): it needs the whole
text before it yields a hunk, and refuses a hunk whose header counts wrong, which models often write.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from spark_tui.edits.formats.base import called
from spark_tui.edits.formats.chunk import Chunk
from spark_tui.edits.formats.patch_block import PatchBlock
from spark_tui.edits.formats.repeated_chunk import FileVersion
from spark_tui.edits.formats.udiff_header import FileHeader, HunkNumbers, Left, is_extended, numbers_of
from spark_tui.edits.hunk_draft import HunkDraft
from spark_tui.edits.hunk_emitter import HunkEmitter
from spark_tui.edits.places.locate import LineFinder, differs_from_all
from spark_tui.errors import SparkError
from spark_tui.events import NO_SUCH_FILE, Event

_HEADS = ("diff --git ", "--- ", "+++ ", "@@ ")
_NO_NEWLINE = "\\"


class UdiffBlock(PatchBlock):
    """One or more files of a diff, up to the first line that is not part of it."""

    def __init__(self, emitter: HunkEmitter, path: str = "", *, fenced: bool = False) -> None:
        super().__init__(emitter)
        self.fenced = fenced
        self.header = FileHeader(old=path, new=path) if path else FileHeader()
        self.ready = False
        """The header is complete and its whole-file changes are made."""
        self.left = Left()
        self.after = 0
        self.drift: int | None = None
        self.deletes = False
        self.held: list[str] = []
        """`--- x`, and `+++ y` after it: changed lines or the head of a file, as the next line tells."""
        self.old_bare = False
        self.new_bare = False
        """The last old or new line of the chunk has no newline."""
        self.last_sign = ""

    @property
    def target(self) -> str:
        return self.header.target

    @property
    def _pending_blanks(self) -> int:
        """Empty lines: context lines that lost their leading space, if the hunk continues."""
        return self.chunk.pending_blanks if self.chunk is not None else 0

    @property
    def _expects_more(self) -> bool:
        """Whether the header promises more than these empty lines."""
        return self.left.without(self._pending_blanks).expects_more

    @property
    def _in_body(self) -> bool:
        return self.chunk is not None or self.adding is not None or (self.skipping and self.left.expects_more)

    def look(self, head: str) -> int | None:
        if not head.startswith("+") or self.held or (self.chunk is None and self.adding is None):
            return None
        return 1

    def begin_text(self) -> Iterator[Event]:
        self.last_sign = "+"
        self.left.take(self._pending_blanks, self._pending_blanks + 1)
        if self.adding is not None:
            yield from self.adding.next_line()
        elif self.chunk is not None:
            yield from self.chunk.begin_new()

    def line(self, line: str) -> Iterator[Event]:
        if self.held:
            settled = yield from self._settle_held(line)
            if settled:
                return
        if line.startswith("--- ") and self._in_body:
            self.held = [line]
        elif line.startswith("diff --git ") and not (self._in_body and self._expects_more):
            yield from self._end_file()
            self.header.take(line)
        elif line.startswith("@@"):
            yield from self._hunk(line)
        elif self._in_body:
            yield from self._body(line)
        elif self.header.open and is_extended(line):
            self.header.take(line)
        elif line.startswith("--- "):
            if self.ready:
                yield from self._end_file()
            self.header.take(line)
        elif line.startswith("+++ ") and self.header.open:
            self.header.take(line)
        elif line.strip():
            yield from self._end_file()
            self.done = self.returns_line = True

    def _settle_held(self, line: str) -> Generator[Event, None, bool]:
        """Decide what the held lines are. Returns whether this line was used, too."""
        held = self.held
        if len(held) == 1 and line.startswith("+++ "):
            if not self._expects_more:
                yield from self._next_file(*held, line)
                return True
            left = self.left.without(self._pending_blanks)
            if not (left.old == 1 and left.new == 1):
                # The header promises both lines, and more; a hunk right after them shows that it is wrong.
                self.held = [*held, line]
                return True
        elif len(held) == 2 and line.startswith("@@"):
            yield from self._next_file(*held)
            return False
        yield from self._release()
        if line.startswith("+") and self._in_body:
            yield from self._new_line(line)
            return True
        return False

    def _next_file(self, *lines: str) -> Iterator[Event]:
        self.held = []
        yield from self._end_file()
        for line in lines:
            self.header.take(line)

    def _release(self) -> Iterator[Event]:
        """Take the held lines as changed lines."""
        held, self.held = self.held, []
        for line in held:
            if line.startswith("+"):
                yield from self._new_line(line)
            else:
                yield from self._body(line)

    def _new_line(self, line: str) -> Iterator[Event]:
        yield from self.begin_text()
        if line[1:]:
            yield from self.text(line[1:])

    def _hunk(self, line: str) -> Iterator[Event]:
        yield from self._end_chunk()
        if not self.ready:
            yield from self._begin_file()
        numbers = numbers_of(line)
        if numbers is None:
            yield self.malformed(f"not a hunk header: {line[:80]!r}")
            self.skipping = True
            return
        self.left = Left(numbers.old_count, numbers.new_count)
        self.old_bare = self.new_bare = False
        self.last_sign = ""
        if self.skipping or self.adding is not None:
            return
        assert self.reading is not None
        self.chunk = self._chunk(self.reading, numbers)

    def _chunk(self, reading: FileVersion, numbers: HunkNumbers) -> Chunk:
        at, inserts_at = None, None
        if numbers.old_start is not None:
            at = max(numbers.old_start - 1, 0) + (self.drift or 0)
            if numbers.old_count == 0:
                inserts_at = numbers.old_start + (self.drift or 0)
        anchors = (numbers.section,) if numbers.old_start is None and numbers.section else ()
        return reading.chunk(
            self.emitter, self.header.target, anchors=anchors, at=at, after=self.after, inserts_at=inserts_at
        )

    def _body(self, line: str) -> Iterator[Event]:
        sign, chunk = line[:1], self.chunk
        if sign == _NO_NEWLINE:
            self.old_bare = self.old_bare or self.last_sign in ("-", " ")
            self.new_bare = self.new_bare or self.last_sign in ("+", " ")
            return
        if line.rstrip() == "--" and self.left.without(self._pending_blanks).spent:
            # The signature line of a mailed patch.
            yield from self._leave()
            return
        if not line.strip() and sign != " ":
            if chunk is not None:
                chunk.blank()
            elif self.skipping:
                self.left.take(1, 1)
            return
        if chunk is not None and chunk.pending_blanks and self.left.spent:
            yield from self._leave()
            return
        if sign not in ("-", " ", "+"):
            goes_on = self._expects_more or (self.left.old is None and not self._pending_blanks)
            if goes_on and not _may_follow(line):
                yield from self.drop(f"a line must start with ' ', '+' or '-': {line[:80]!r}")
            else:
                yield from self._leave()
            return
        self.last_sign = sign
        self.left.take(self._pending_blanks + (sign != "+"), self._pending_blanks + (sign != "-"))
        if chunk is not None:
            yield from chunk.old(line[1:], stays=sign == " ")
        elif self.adding is not None:
            yield from self.drop("a new file has no old lines")

    def _leave(self) -> Iterator[Event]:
        yield from self._end_file()
        self.done = self.returns_line = True

    def drop(self, message: str) -> Iterator[Event]:
        self.left = Left()
        yield from super().drop(message)

    def _begin_file(self) -> Iterator[Event]:
        """The header is complete: look up the file, then add, delete, move or change its mode."""
        self.ready, self.skipping, self.after, self.drift, self.deletes = True, True, 0, None, False
        header = self.header
        header.settle(self.emitter.exists)
        if header.has_body and not (header.adds or header.deletes or header.moves_to):
            header.target = called(self.emitter, header.target)
        path = header.target
        if not path:
            yield self.malformed("an edit names no file: its path goes before it")
            return
        link = self.emitter.link(path)
        if problem := header.problem(is_link=link is not None):
            yield self.emitter.fail(path, problem[0], code=problem[1])
            return
        whole_link = link is not None and (header.deletes or bool(header.moves_to))
        try:
            # Git's text of a link is where it points.
            file = LineFinder((link,)) if link is not None and whole_link else self.emitter.file(path)
        except SparkError as error:
            yield self.emitter.refuse(path, error)
            return
        if conflict := self.emitter.conflict(path, whole=header.adds or header.deletes):
            yield self.emitter.fail(path, conflict)
        elif header.adds:
            self.adding = yield from self.emitter.add(path, file)
            self.skipping = self.adding is None
        elif file is None:
            yield self.emitter.fail(path, NO_SUCH_FILE)
        else:
            self.reading, self.skipping = FileVersion.of(self.emitter, path, file), False
            self.deletes = header.deletes
            yield from self._whole_file_changes(file)

    def _whole_file_changes(self, file: LineFinder) -> Iterator[Event]:
        header, path = self.header, self.header.target
        if header.moves_to:
            moved = yield from self.emitter.move(path, header.moves_to)
            if not moved:
                self.skipping, self.reading = True, None
                return
        if header.mode and not header.deletes:
            draft = HunkDraft(self.emitter.new_id(), path, 0, ())
            yield self.emitter.open(draft)
            yield from self.emitter.close(draft, mode=header.mode)
        if header.deletes and not header.has_body:
            yield from self.emitter.delete(path, file.lines)

    def _end_chunk(self) -> Iterator[Event]:
        chunk, self.chunk = self.chunk, None
        if chunk is None:
            return
        chunk.keep_blanks(self.left.of_blanks(chunk.pending_blanks))
        if self.deletes and self.reading is not None:
            yield from self._end_deletion(chunk, self.reading.file)
            return
        # Git finds no newline at the end of a file whose lines end with CR, whatever it ends with.
        if not chunk.old_mac and self.new_bare and not (self.old_bare and chunk.ends_one_for_one):
            chunk.final_newline = False
        elif not chunk.old_mac and self.old_bare and not self.new_bare:
            chunk.final_newline = True
        yield from chunk.close()
        if chunk.groups and chunk.end:
            self.after = chunk.end
            self.drift = (self.drift or 0) + chunk.drift

    def _end_deletion(self, chunk: Chunk, file: LineFinder) -> Iterator[Event]:
        """A file is deleted only if the diff contains all of it."""
        if miss := differs_from_all(chunk.quoted, file.lines):
            yield self.emitter.miss(chunk.path, miss)
        else:
            yield from self.emitter.delete(chunk.path, file.lines)

    def _end_file(self) -> Iterator[Event]:
        yield from self._end_chunk()
        if not self.ready and self.header.whole:
            yield from self._begin_file()
        if self.adding is not None:
            draft, self.adding = self.adding, None
            final, mode = False if self.new_bare else None, self.header.new_file_mode
            yield from self.emitter.close(draft, final_newline=final, mode=mode)
        self.header, self.ready, self.skipping, self.reading = FileHeader(), False, False, None
        self.left = Left()

    def breaks_off(self, line: str) -> bool:
        if self._in_body and self._expects_more:
            return False
        if self.header.open and not self.ready:
            return bool(line.strip())
        return line.startswith(_HEADS) or any(head.startswith(line) for head in _HEADS)

    def _stops_in_header(self) -> bool:
        """Whether the text ends inside a header, or where its lines are missing."""
        if self.held:
            return not self._expects_more
        if self.chunk is not None:
            return not self.chunk.quoted and not self.chunk.groups and not self._pending_blanks
        # A diff that only names a file changes nothing; after other edits it was cut off.
        return bool(self.emitter.edits) and self.header.open and not self.ready and not self.header.whole

    def finish(self) -> Iterator[Event]:
        self.done = True
        if self._stops_in_header():
            yield self.emitter.cut_off("the text ends inside the header of a diff", self.header.target)
            return
        if self.held:
            yield from self._release()
        short = self.left.expects_more and not self.left.of_blanks(self._pending_blanks)
        if self._in_body and (short or self.fenced) and not self.complete:
            short_hunk = "hunk: it has fewer lines than its header says"
            what = "diff (no closing fence)" if self.fenced else short_hunk
            yield from self.drop(f"the text ends inside a {what}")
            return
        yield from self._end_file()


def _may_follow(line: str) -> bool:
    """Whether the line may come right after a hunk: a fence, a new file, an index line, a separator."""
    return line.lstrip().startswith(("```", "~~~", "diff ", "Index: ", "====", "*** ", "<"))
