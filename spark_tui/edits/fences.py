"""Fences: of one that no format took JSON edits, a diff without a header, or code; of one that names a file
which exists the whole file, or a part of it.

Where it begins as the file does, it streams into the file as the `whole` format does. What it is, is decided
where the fence ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spark_tui.edits.code_words import is_elision, is_language, is_prose, leaves_out, says
from spark_tui.edits.formats.base import files_called
from spark_tui.edits.formats.block_openers import replay_line
from spark_tui.edits.formats.udiff import UdiffBlock
from spark_tui.edits.formats.udiff_header import numbers_of
from spark_tui.edits.formats.whole import WholeBlock
from spark_tui.edits.hunk_emitter import HunkEmitter
from spark_tui.edits.paths import paths_mentioned
from spark_tui.edits.snippets.code_placer import UNPLACED, CodePlacer, Fence
from spark_tui.edits.snippets.outline import without_blank_ends
from spark_tui.edits.snippets.run_ends import Misplaced
from spark_tui.edits.structured.edit_writer import DataEditWriter
from spark_tui.edits.structured.structured_edits import edits_in
from spark_tui.errors import SparkError
from spark_tui.events import Event, HunkClosed, Prose

_TALK_FILES = (".sh", ".bash", ".zsh", ".md", ".markdown", ".txt", ".csv", ".log", ".ps1", ".http")
_MARKS = ("+", "-", " ", "@@", "\\")


class FenceReader:
    """Decides what a fence is by its language and what is in it."""

    def __init__(self, placer: CodePlacer, writer: DataEditWriter) -> None:
        self.placer = placer
        self.writer = writer
        self.emitter = placer.emitter

    def is_code(self, path: str, info: str, cue: str) -> bool:
        """Whether a fence that names this file may be read as lines of it, while it arrives."""
        old = says("before", cue) and self.created(cue, info) != path
        if self.placer.waits or old or is_language("diff", info):
            return False
        if is_language("talk", info) and not path.endswith(_TALK_FILES):
            return False
        if files_called(self.emitter, path) and not is_prose(path):
            return False  # which file it is, all of its lines tell
        return not says("example", cue) or self.emitter.exists(path)

    def created(self, cue: str, info: str) -> str:
        """The document that is made in the fence below this line: it may have fences of its own."""
        named = paths_mentioned(cue) if says("new_file", cue) else []
        fits = not info or is_language("document", info)
        made = fits and len(named) == 1 and is_prose(named[0]) and not self.emitter.exists(named[0])
        return named[0] if made and not says("example", cue) else ""

    def begins_with(self, path: str, line: str) -> bool:
        """Whether this is the file's own first line."""
        try:
            return list(self.emitter.lines_of(path)[:1]) == [line]
        except SparkError:
            return False

    def take(self, fence: Fence) -> Iterator[Event]:
        bare = next((line.strip() for line in fence.lines if line.strip()), "")
        is_json = is_language("json", fence.info) or (not fence.info and bare.startswith(("{", "[")))
        if is_json and not says("example", fence.cue):
            edits = edits_in("\n".join(fence.lines), fence.path)
            if edits:
                yield from self.writer.write(edits)
                return
        if is_language("diff", fence.info) or self.is_diff(fence.info, fence.lines):
            yield from self._diff(fence)
        else:
            yield from self.placer.take(fence)

    @staticmethod
    def is_diff(info: str, lines: Sequence[str]) -> bool:
        """Whether a fence without a language is a diff: lines that go and lines that come."""
        signs = {line[:1] for line in lines if line.strip()}
        return not info and {"+", "-"} <= signs <= {"+", "-", " ", "@", "\\"}

    def _diff(self, fence: Fence) -> Iterator[Event]:
        rows = _rows(fence.lines)
        if not any(row[:1] in ("+", "-") for row in rows):
            return
        path = fence.path or self._path(fence, rows)
        if not path:
            if not says("example", fence.cue) and self.placer.files_of(fence):
                yield self.emitter.fail("", f"{UNPLACED}: its old lines are in no file, or in several")
            return
        self.placer.note(path)
        block = UdiffBlock(self.emitter, path)
        for row in rows:
            yield from replay_line(block, row)
        block.complete = True
        yield from block.finish()

    def _path(self, fence: Fence, rows: Sequence[str]) -> str:
        """The file that the sentence before the diff names, else the one that has its old lines."""
        mentioned = paths_mentioned(fence.cue, self.emitter.exists)
        if len(mentioned) == 1:
            return mentioned[0]
        chunk: list[str] = []
        for row in rows[1:]:
            if row.startswith("@@"):
                break
            if row[:1] in (" ", "-") or not row:
                chunk.append(row[1:])
        return self.placer.holding(without_blank_ends(chunk), self.placer.files_of(fence))


def _rows(lines: Sequence[str]) -> list[str]:
    """The lines of a diff that begins with a hunk's head. A context line that lost its blank gets it back;
    something left out begins another hunk."""
    out: list[str] = []
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    for line in lines[first:]:
        if line.startswith("@@"):
            out.append(line if numbers_of(line) is not None else "@@")
        elif is_elision(line.lstrip("+- ")) and not line.startswith("+"):
            out.append("@@")
        else:
            out.append(line if not line or line.startswith(_MARKS) else " " + line)
    if not out or not out[0].startswith("@@"):
        out.insert(0, "@@")
    return [row for at, row in enumerate(out) if row != "@@" or (out[at + 1 : at + 2] or ["@@"])[0] != "@@"]


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

    def _repeat(self, line: str) -> None:
        super()._repeat(line)
        self.body.append(line)

    @property
    def _taken(self) -> list[str]:
        return self.body

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
