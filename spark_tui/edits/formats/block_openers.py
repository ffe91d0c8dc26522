"""How a block of each format begins: which lines open it, and which ones may lead up to it."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from spark_tui.edits.code_words import is_language
from spark_tui.edits.formats import apply_patch, search_replace, search_replace_markers, udiff
from spark_tui.edits.formats.base import Block
from spark_tui.edits.formats.lines import HEADER, RANGE, VERDICT, LinesBlock, path_of
from spark_tui.edits.hunk_emitter import HunkEmitter
from spark_tui.edits.paths import path_in
from spark_tui.errors import ExitCode
from spark_tui.events import Event


@dataclass(frozen=True, slots=True)
class ProseState:
    """What the prose before a line has established."""

    fenced: bool = False
    """The line is inside a fence."""

    named: str = ""
    """The file that the last line, or the fence around, names."""
    line: str = ""
    """The last line, which may name a file. Whether that file exists is checked only when a block asks."""
    info: str = ""
    """The info string of the fence around."""
    lead: str = ""
    """A held line that means something only together with the next one (`--- a/x`, `*** x`)."""

    def path(self, exists: Callable[[str], bool]) -> str:
        """The file that is named, or nothing."""
        return self.named or path_in(self.line, exists)


Opened = tuple[Block, tuple[str, ...]]


class BlockOpener(ABC):
    """One format's beginning."""

    @abstractmethod
    def maybe(self, head: str, situation: ProseState) -> bool:
        """Whether the line may open a block. Must stay false for every longer head once it is false."""

    def leads(self, line: str) -> bool:  # noqa: ARG002
        """Whether the line may lead up to one that opens a block."""
        return False

    @abstractmethod
    def open(self, line: str, situation: ProseState, emitter: HunkEmitter) -> Opened | None:
        """The block that the line opens, and the lines that it reads first."""


def _grows_to(head: str, starts: Iterable[str]) -> bool:
    return any(head.startswith(start) or start.startswith(head) for start in starts)


class LostEnd(Block):
    """The last line of a search/replace block whose first one is missing."""

    def line(self, line: str) -> Iterator[Event]:
        self.done = True
        message = f"there is no <<<<<<< SEARCH line before {line.strip()!r}"
        yield self.emitter.fail(self.emitter.last_path, message, code=ExitCode.MALFORMED)

    def finish(self) -> Iterator[Event]:
        yield from ()

    interrupt = finish


class SearchReplaceOpener(BlockOpener):
    def maybe(self, head: str, situation: ProseState) -> bool:
        marks = search_replace_markers
        return marks.could_open(head) or (not situation.fenced and marks.could_mark(head))

    def open(self, line: str, situation: ProseState, emitter: HunkEmitter) -> Opened | None:
        if situation.line and not situation.fenced and search_replace_markers.ENDING.fullmatch(line):
            return LostEnd(emitter), (line,)
        found = search_replace_markers.OPENING.fullmatch(line)
        if not found:
            return None
        named = path_in(found.group(1), emitter.exists) if found.group(1) else ""
        emitter.last_path = named or situation.path(emitter.exists) or emitter.last_path
        return search_replace.SearchReplaceBlock(emitter, emitter.last_path), ()


class LinesOpener(BlockOpener):
    """Eager where the format is asked for; where it is only one of several, `*** path` waits for its `@@`."""

    def __init__(self, eager: bool) -> None:
        self.eager = eager

    def maybe(self, head: str, situation: ProseState) -> bool:
        return _grows_to(head, ("*** ", "@@ ") if self.eager or situation.lead else ("*** ",))

    def leads(self, line: str) -> bool:
        return not self.eager and HEADER.fullmatch(line) is not None

    def open(self, line: str, situation: ProseState, emitter: HunkEmitter) -> Opened | None:
        header = HEADER.fullmatch(line)
        if self.eager and header:
            return LinesBlock(emitter, path_of(header, emitter)), ()
        if not (RANGE.fullmatch(line) or VERDICT.fullmatch(line)):
            return None
        if self.eager:
            return LinesBlock(emitter, situation.path(emitter.exists)), (line,)
        lead = HEADER.fullmatch(situation.lead)
        return (LinesBlock(emitter, path_of(lead, emitter)), (line,)) if lead else None


class ApplyPatchOpener(BlockOpener):
    def maybe(self, head: str, situation: ProseState) -> bool:  # noqa: ARG002
        return _grows_to(head.lstrip(), (apply_patch.BEGIN, *apply_patch.OPERATIONS))

    def open(self, line: str, situation: ProseState, emitter: HunkEmitter) -> Opened | None:  # noqa: ARG002
        if line.strip() == apply_patch.BEGIN:
            return apply_patch.ApplyPatchBlock(emitter), ()
        if line.lstrip().startswith(apply_patch.OPERATIONS):
            return apply_patch.ApplyPatchBlock(emitter), (line,)
        return None


class UdiffOpener(BlockOpener):
    """`diff --git`, `---` with `+++` after it, or (where asked for) an `@@` in a block whose file is
    named."""

    _HUNK = re.compile(r"@@(?: .*)?")

    def __init__(self, eager: bool) -> None:
        self.eager = eager

    def maybe(self, head: str, situation: ProseState) -> bool:
        starts = ["diff --git ", "--- "]
        if situation.lead:
            starts.append("+++ ")
        if self.eager or situation.info:
            starts.append("@@")
        return _grows_to(head, starts)

    def leads(self, line: str) -> bool:
        return line.startswith("--- ")

    def open(self, line: str, situation: ProseState, emitter: HunkEmitter) -> Opened | None:
        if line.startswith("diff --git "):
            return udiff.UdiffBlock(emitter, fenced=situation.fenced), (line,)
        if line.startswith("+++ ") and situation.lead.startswith("--- "):
            return udiff.UdiffBlock(emitter, fenced=situation.fenced), (situation.lead, line)
        if self._HUNK.fullmatch(line):
            path = situation.path(emitter.exists)
            # In a fence that names no file, the lines of the hunk are needed to find it.
            if self.eager or (path and is_language("diff", situation.info)):
                return udiff.UdiffBlock(emitter, path, fenced=situation.fenced), (line,)
        return None


def replay_patch(emitter: HunkEmitter, text: str, path: str) -> Iterator[Event]:
    """The edits of a complete text in a format of blocks; `path` is its file where it names none."""
    openers = (ApplyPatchOpener(), SearchReplaceOpener(), UdiffOpener(eager=True))
    block: Block | None = None
    state = ProseState(named=path)
    for line in text.replace("\r\n", "\n").rstrip("\n").split("\n"):
        returns_line = True
        while returns_line:
            returns_line = False
            if block is None:
                opened = next(filter(None, (opener.open(line, state, emitter) for opener in openers)), None)
                state = replace(state, lead=line if any(opener.leads(line) for opener in openers) else "")
                if opened is None:
                    break
                block, replay = opened
                for item in replay:
                    yield from replay_line(block, item)
            else:
                yield from replay_line(block, line)
            if block.done:
                returns_line, block = block.returns_line, None
    if block is not None:
        block.complete = True
        yield from block.finish()
        if block.unread:
            yield from replay_patch(emitter, "\n".join(block.unread), emitter.last_path)


def replay_line(block: Block, line: str) -> Iterator[Event]:
    """A whole line, the way the parser hands it on."""
    yield from block.certain(line)
    column = block.look(line)
    if column is None:
        yield from block.line(line)
        return
    yield from block.begin_text()
    if rest := line[column:]:
        yield from block.text(rest)
    yield from block.end_text()
