"""Turn model output into hunk events while it arrives.

The text may be split anywhere. The parser does not read the disk: it gets a function that reads a file's
lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Unpack

from spark_tui.edits.emitter_options import EmitterOptions, ReadLines
from spark_tui.edits.fences import FenceReader
from spark_tui.edits.formats.base import Block
from spark_tui.edits.formats.block_openers import (
    ApplyPatchOpener,
    BlockOpener,
    LinesOpener,
    SearchReplaceOpener,
    UdiffOpener,
    replay_line,
)
from spark_tui.edits.formats.whole import WholeBlock
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.hunk_emitter import HunkEmitter
from spark_tui.edits.prose import ProseReader
from spark_tui.edits.snippets.code_placer import CodePlacer
from spark_tui.edits.structured.blocks import JsonOpener, TagOpener
from spark_tui.edits.structured.edit_writer import DataEditWriter
from spark_tui.errors import ExitCode, UsageError
from spark_tui.events import Doubt, Event, HunkClosed, HunkFailed, Prose, Reasoning

JOINED = "the answer broke off in this edit, and the model went on with it"
_LONG_HEAD = 1024
_IN_REASONING = "it stands in reasoning that the answer never ended"
_OPENERS: dict[str, tuple[tuple[BlockOpener, ...], str]] = {
    "auto": (
        (ApplyPatchOpener(), SearchReplaceOpener(), UdiffOpener(eager=False), LinesOpener(eager=False)),
        "unless",
    ),
    "lines": ((LinesOpener(eager=True),), "never"),
    "apply_patch": ((ApplyPatchOpener(),), "never"),
    "search_replace": ((SearchReplaceOpener(),), "never"),
    "udiff": ((UdiffOpener(eager=True),), "never"),
    "whole": ((), "always"),
}
"""The blocks that may begin in a stream of this format, and when a fenced file is one."""
FORMATS = tuple(_OPENERS)


_MOST_DRAFTS = 20


@dataclass(eq=False, slots=True)
class _Piece:
    """Some lines of reasoning with an edit: the files that it changes, and those in which it fails."""

    text: str = ""
    made: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)

    @property
    def files(self) -> set[str]:
        return self.made | self.failed


class Parser:
    """One stream of one format (`auto`: of any, block by block).

    `feed` and `finish` yield events; the hunks do not depend on how the text is split. `interrupt` yields the
    open hunk in its current state, marked partial, and changes nothing: after more `feed`, the parser
    continues where it was. Ids continue from `last_id`, so that the hunks of several streams can share one
    review.
    """

    def __init__(self, format: str, read_lines: ReadLines, **options: Unpack[EmitterOptions]) -> None:
        if format not in FORMATS:
            hint = "Choose one of: " + ", ".join(FORMATS) + "."
            raise UsageError(f"unknown edit format {format!r}", hint=hint)
        self._again: Callable[[], Parser] = lambda: Parser(format, read_lines, **options)
        openers, whole = _OPENERS[format]
        self.emitter = HunkEmitter(read_lines, **options)
        fences: FenceReader | None = None
        if format == "auto":
            placer = CodePlacer(self.emitter)
            writer = DataEditWriter(placer)
            fences = FenceReader(placer, writer)
            openers = (*openers, JsonOpener(writer), TagOpener(writer))
        self._prose = ProseReader(self.emitter, openers, whole, fences)
        self._block: Block = self._prose
        self._head = ""
        self._more: list[str] = []
        """The rest of this line after `_head`."""
        self._length = 0
        self._ask_at = 0
        """How long the line must be for the block to be asked again what it is."""
        self._decided = False
        self._skipping = False
        """The rest of an overlong line is passed over."""
        self._return = self._begun = False
        self._in_line = False
        self._to_cut = 0
        """How much of the indentation of the fence around this line still has."""
        self._indented = False
        """Whether a line of that fence had it."""
        self.complete = False
        """Whether a text that ends is known to be whole, as an answer that its server ended: a hunk may then
        have fewer lines than its header says, and a patch may lack its closing line."""
        self._joined: str | None = None
        """The file of the edit in which the text broke off and was gone on with; empty while it is not known,
        None once that edit is over."""
        self.cut_off: HunkFailed | None = None
        """Set by `finish` where the text ends inside an edit: it is malformed as a whole, whatever else is
        wrong."""

    @property
    def hunks(self) -> Sequence[Hunk]:
        """Every hunk that is closed and changes something, in the order of their closing."""
        return self.emitter.hunks

    @property
    def failures(self) -> Sequence[HunkFailed]:
        return self.emitter.failures

    @property
    def edits(self) -> int:
        """How many edits were understood, also those that change nothing."""
        return self.emitter.edits

    @property
    def verdict(self) -> str:
        """`no-edit` or `cannot` if the text contains that verdict, else empty."""
        return self.emitter.verdict

    @property
    def _in_edit(self) -> bool:
        """Whether the text so far ends inside of a block or a fence."""
        return self._block is not self._prose or self._prose.in_fence

    def go_on(self) -> None:
        """A model that may begin again, or say something first, goes on where the text broke off: the edit
        there is doubted."""
        self._joined = "" if self._in_edit else None

    def feed(self, text: str) -> Iterator[Event]:
        """Take the next piece of text. Line endings of the text may be LF or CRLF."""
        return self._feed(text) if self._joined is None else self._doubted(self._feed(text))

    def _doubted(self, stream: Iterator[Event]) -> Iterator[Event]:
        """As long as it is in the edit that was gone on with, and in the same file, its hunks are doubted."""
        for event in stream:
            if isinstance(event, HunkFailed):
                self._joined = None
            elif isinstance(event, HunkClosed) and event.changes and self._joined in ("", event.path):
                self._joined = event.path
                yield Doubt(event.hunk_id, 0.0, JOINED)
            yield event

    def _feed(self, text: str) -> Iterator[Event]:
        if text and not self._begun:
            self._begun, text = True, text.removeprefix("\ufeff")
        if self._return:
            text, self._return = "\r" + text, False
        if text.endswith("\r"):
            # Only the next character tells whether this ends the line.
            text, self._return = text[:-1], True
        if "\r" in text:
            text = text.replace("\r\n", "\n")
        start = 0
        while True:
            if self._block is self._prose and not self._in_line:
                plain = self._prose.plain_until(text, start)
                if plain > start:
                    yield self._prose.passed(text[start:plain])
                start = plain
            end = text.find("\n", start)
            piece = text[start:] if end < 0 else text[start:end]
            if self._to_cut:
                piece = self._cut(piece)
            if piece:
                yield from self._grow(piece)
            if end < 0:
                return
            yield from self._end_line()
            start = end + 1

    def finish(self) -> Iterator[Event]:
        """The stream is complete. A block that is still open is judged by its format."""
        for event in self._doubted(self._finish()):
            if self.cut_off is None and isinstance(event, HunkFailed) and event.code == ExitCode.MALFORMED:
                self.cut_off = event
            yield event

    def _finish(self) -> Iterator[Event]:
        yield from self._end()
        if thought := self._prose.unclosed():
            # The tag was never closed: its edits are read, and what was shown is not said again.
            for event in (*self.feed(self._without_drafts(thought)), *self._end()):
                if isinstance(event, HunkClosed) and event.changes:
                    yield Doubt(event.hunk_id, 0.0, _IN_REASONING)
                if not isinstance(event, (Prose, Reasoning)):
                    yield event

    def _without_drafts(self, thought: str) -> str:
        """Reasoning without the edits of a file that a later one of it takes back: that one fits only
        without them."""
        pieces = self._pieces(thought)
        for _ in range(_MOST_DRAFTS):
            failed = (at for at in reversed(range(len(pieces))) if pieces[at].failed)
            earlier = ([x for x in pieces[:at] if x.made and x.files == pieces[at].failed] for at in failed)
            drafts = next(filter(None, earlier), [])
            kept = [one for one in pieces if one not in drafts]
            now = self._pieces("".join(one.text for one in kept)) if drafts else pieces
            if sum(bool(one.failed) for one in now) >= sum(bool(one.failed) for one in pieces):
                break
            pieces = now
        return "".join(one.text for one in pieces)

    def _pieces(self, text: str) -> list[_Piece]:
        """The text in pieces of one edit each."""
        parser, out = self._again(), [_Piece()]
        parser._prose.unclosed()
        for line in (*text.splitlines(keepends=True), None):
            for event in parser.finish() if line is None else parser.feed(line):
                if isinstance(event, HunkFailed):
                    out[-1].failed.add(event.path)
                elif isinstance(event, HunkClosed) and event.changes:
                    out[-1].made.add(event.path)
            out[-1].text += line or ""
            if (out[-1].made or out[-1].failed) and not parser._in_edit:
                out.append(_Piece())
        return out

    def _end(self) -> Iterator[Event]:
        self._return = False
        if self._more:
            yield from self._decide()
        if self._in_line and not self._decided and not self._skipping and self._block.breaks_off(self._head):
            yield self.emitter.cut_off(f"the text ends inside a header: {self._head[:80]!r}")
        elif self._in_line:
            yield from self._end_line()
        while self._block is not self._prose:
            block = self._block
            block.complete = self.complete
            yield from block.finish()
            self._block = self._prose
            if block.unread:
                yield from self._feed("\n".join((*block.unread, "")))
        yield from self._prose.finish()

    def interrupt(self) -> Iterator[Event]:
        """The stream was stopped: the open hunk as far as it has come."""
        yield from self._block.interrupt()

    def _grow(self, piece: str) -> Iterator[Event]:
        self._in_line = True
        while piece:
            if self._skipping:
                return
            if self._decided:
                yield from self._block.text(piece)
                return
            room = self.emitter.max_chars - self._length
            self._more.append(piece[:room])
            self._length += len(self._more[-1])
            piece = piece[room:]
            if self._length >= self._ask_at:
                yield from self._decide()
            if not self._decided and self._length >= self.emitter.max_chars:
                yield from self._overlong()

    def _decide(self) -> Iterator[Event]:
        """Check whether the start of this line is enough to classify it."""
        self._head += "".join(self._more)
        self._more.clear()
        self._ask_at = self._length + (self._length // 4 if self._length >= _LONG_HEAD else 1)
        yield from self._block.certain(self._head)
        if self._block is self._prose and self._prose.next_block is not None:
            yield from self._enter()
            yield from self._block.certain(self._head)
        column = self._block.look(self._head)
        if column is not None:
            self._decided = True
            yield from self._block.begin_text()
            if rest := self._head[column:]:
                yield from self._block.text(rest)

    def _end_line(self) -> Iterator[Event]:
        if self._more:
            yield from self._decide()
        line, decided, skipped = self._head, self._decided, self._skipping
        self._head, self._decided, self._skipping, self._in_line = "", False, False, False
        self._length = self._ask_at = 0
        if skipped:
            return
        if decided:
            yield from self._block.end_text()
        else:
            yield from self._block.line(line)
        yield from self._settle(line)
        if not self._in_edit:
            self._prose.indent, self._indented, self._joined = 0, False, None
        self._to_cut = self._prose.indent

    def _cut(self, piece: str) -> str:
        """The piece without the indentation of the fence around, unless the first line of it has less."""
        bare = piece.lstrip(" ")
        cut = min(self._to_cut, len(piece) - len(bare))
        self._to_cut -= cut
        if not self._to_cut:
            self._indented = True
        elif bare:
            less, self._to_cut = self._prose.indent - self._to_cut, 0
            if not self._indented:
                self._prose.indent = 0
                return " " * less + bare
        return piece[cut:]

    def _settle(self, line: str) -> Iterator[Event]:
        """Follow blocks that ended or began with this line."""
        while True:
            block = self._block
            if block is self._prose:
                if self._prose.next_block is None:
                    return
                yield from self._enter()
            elif block.done:
                self._block = self._prose
                for returned in (*block.unread, line) if block.returns_line else ():
                    yield from self._prose.line(returned)
            else:
                return

    def _enter(self) -> Iterator[Event]:
        """Hand over to the block that begins, with the lines that were held for it."""
        block, replay = self._prose.next_block, self._prose.replay
        assert block is not None
        self._prose.next_block, self._prose.replay = None, ()
        self._block = block
        if isinstance(block, WholeBlock):
            yield from block.start()
        for line in replay:
            yield from replay_line(block, line)

    def _overlong(self) -> Iterator[Event]:
        """A line that never ends and may not be passed on: give the block up rather than the memory."""
        if self._block is not self._prose:
            yield self.emitter.fail("", "a line is too long", code=ExitCode.REFUSED)
            self._block = self._prose
        self._head, self._skipping = "", True
        self._more.clear()


def answer_parser(wanted: str, read_lines: ReadLines, **options: Unpack[EmitterOptions]) -> Parser:
    """The parser of a model's answer. It reads any format, whichever was requested. The exception is `lines`,
    which only the built-in model writes and which is read alone, because no other text looks like it."""
    if wanted == "lines":
        return Parser("lines", read_lines, **options)
    options["asked"] = wanted
    return Parser("auto", read_lines, **options)
