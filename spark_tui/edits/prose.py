"""Everything around the edits: explanations, thinking, fences, and the lines that name a file.

Lines that may belong to a block (a path, a fence, a header) are held until the next one decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.edits.fences import FencedFileBlock, FenceReader, NewFileBlock
from spark_tui.edits.formats.base import Block
from spark_tui.edits.formats.block_openers import BlockOpener, ProseState
from spark_tui.edits.formats.whole import WholeBlock
from spark_tui.edits.hunk_emitter import HunkEmitter
from spark_tui.edits.paths import label_path, path_in, path_in_fence
from spark_tui.edits.snippets.code_placer import Fence
from spark_tui.edits.structured.blocks import JsonOpener, TagOpener
from spark_tui.events import Event, Prose, Reasoning

_FENCE = re.compile(r" *(`{3,}|~{3,})([^`]*)")
_THINK = re.compile(r"\s*<(think|thinking|reasoning)>", re.IGNORECASE)
_THINK_TAGS = ("<think>", "<thinking>", "<reasoning>", "</think>")
_THINK_ENDS = {
    tag: re.compile(f"</{tag}>", re.IGNORECASE | re.ASCII) for tag in ("think", "thinking", "reasoning")
}
_SPECIAL = re.compile(r"[^\S\n]*(?:[`~<>{\[]|\*\*\*|---|\+\+\+|@@|diff )")
"""The beginning of a line that may open a block, a fence or thinking, or lead up to a block."""
_NEXT_SPECIAL = re.compile(r"\n" + _SPECIAL.pattern)
_LONGEST_HELD = 400
_MOST_HELD = 40
_DECORATION = re.compile(r"^\s*(?:#{1,6} *|[-*]+ *|//+ *|`)")


class ProseReader(Block):
    """The text between blocks. `next_block` is set when another takes over; `replay` are the lines it sees
    first."""

    def __init__(
        self,
        emitter: HunkEmitter,
        openers: tuple[BlockOpener, ...],
        whole: str,
        fences: FenceReader | None = None,
    ) -> None:
        super().__init__(emitter)
        self._data = tuple(opener for opener in openers if isinstance(opener, (JsonOpener, TagOpener)))
        self.fences = fences
        """Reads fences that no format takes; None where only one format is read."""
        self.openers = openers
        self.whole = whole
        """Whether a fenced file is an edit: "never", "always", or "unless" its first lines open something
        else."""
        self.next_block: Block | None = None
        self.replay: tuple[str, ...] = ()
        self._held: list[str] = []
        self._inside = 0
        """How many held lines stand before the content of a fence that may be a whole file; 0: none may."""
        self._whole_path = ""
        self._state = ProseState()
        self._fence = ""
        self._fence_text = ""
        self.indent = 0
        """Of the fence or the block that is open, as of one in a list: its lines have as much in front."""
        self._fence_spent = False
        """A block began inside this fence, so its closing line is no prose."""
        self._thinking = ""
        self._thoughts: list[str] | None = []
        """Since the opening tag. None: tags are text, as all reasoning is read once more."""
        self._line = ""
        self._cue = ""
        """The last line of prose before the fence."""
        self._fence_path = self._fence_info = ""
        self._said: list[str] = []
        """What was passed on since the fence opened."""

    def passed(self, text: str) -> Event:
        """Whole lines of prose that no format needs to see."""
        if self._thinking:
            return self._thought(text)
        self._mention(text)
        return self._say(text)

    def _say(self, text: str) -> Prose:
        if self._fence and not self._fence_spent and self.fences is not None:
            self._said.append(text)
        return Prose(text)

    def _thought(self, text: str) -> Event:
        """What the model thinks before it answers is shown folded."""
        if self._thoughts is not None:
            self._thoughts.append(text)
        return Prose(text) if self.fences is None else Reasoning(text)

    def unclosed(self) -> str:
        """The text behind a tag that was never closed. From now on tags are read as plain text."""
        found = "".join(self._thoughts or ()) if self._thinking and self.fences is not None else ""
        self._thinking, self._thoughts = "", None
        return found

    def _mention(self, text: str) -> None:
        """Whole lines of prose may name files."""
        if self.fences is not None and not self._fence and not self._thinking:
            self.fences.placer.mention(text)

    def plain_until(self, text: str, start: int) -> int:
        """Where the whole lines from `start` on end that are prose and nothing else. The last line before
        anything that may begin a block is not among them: it may name that block's file."""
        if self._held or self.indent:
            return start
        if self._thinking:
            found = _THINK_ENDS[self._thinking].search(text, start)
            return max(text.rfind("\n", start, found.start() if found else len(text)) + 1, start)
        if _SPECIAL.match(text, start):
            return start
        found = _NEXT_SPECIAL.search(text, start)
        end = found.start() + 1 if found else max(text.rfind("\n", start) + 1, start)
        filled = start + len(text[start:end].rstrip())
        return end if filled == start else max(text.rfind("\n", start, filled) + 1, start)

    def certain(self, head: str) -> Iterator[Event]:
        if self._inside and self.look(head) is not None:
            self._open_whole()
        yield from ()

    def look(self, head: str) -> int | None:
        if self._thinking:
            # The closing tag may stand anywhere in a line.
            return None
        if len(head) > _LONGEST_HELD:
            return None if self._holds_data(head) else 0
        bare = head.lstrip().lower()
        if not bare or bare[0] in "`~" or any(bare.startswith(t) or t.startswith(bare) for t in _THINK_TAGS):
            return None
        if any(opener.maybe(head, self._state) for opener in self.openers):
            return None
        return None if _may_name_a_file(head) else 0

    def _holds_data(self, head: str) -> bool:
        """Whether an edit as data may take this line alone, however long."""
        return not self._fence and any(item.maybe(head, self._state) for item in self._data)

    def begin_text(self) -> Iterator[Event]:
        yield from self._flush()
        self._line = ""

    def text(self, piece: str) -> Iterator[Event]:
        if len(self._line) <= _LONGEST_HELD:
            self._line += piece
        yield self._say(piece)

    def end_text(self) -> Iterator[Event]:
        yield self._say("\n")
        # A path with spaces in it was passed on as prose, and still names the file of the block after it.
        self._state = self._after(line=self._line)
        self._mention(self._line)

    def _after(self, *, line: str = "", named: str = "") -> ProseState:
        return ProseState(named=named, line=line, info=self._state.info if self._fence else "")

    def line(self, line: str) -> Iterator[Event]:
        if self._thinking:
            yield from self._think(line)
        elif self._thoughts is not None and not self._fence and (think := _THINK.match(line)):
            yield from self._flush()
            self._thinking, self._thoughts = think.group(1).lower(), []
            yield from self._think(line if self.fences is None else line[think.end() :])
        elif self.fences is not None and not self._fence and line.strip().lower().startswith("</think>"):
            # The prompt of some models has the opening tag: all before was thought.
            yield from self._flush()
            yield from self.emitter.forget()
            self._thinking = "think"
            yield from self._think(line)
        elif not self._opened(line):
            if fence := _FENCE.fullmatch(line):
                yield from self._fence_line(line, fence.group(1), fence.group(2).strip())
            elif not line.strip():
                yield from self._blank(line)
            else:
                yield from self._candidate(line)

    def _think(self, line: str) -> Iterator[Event]:
        end = f"</{self._thinking}>"
        at = line.lower().find(end)
        if at < 0:
            yield self._thought(line + "\n")
            return
        self._thinking = ""
        yield self._thought(line[: at + len(end) if self.fences is None else at] + "\n")
        self._state = ProseState()
        if rest := line[at + len(end) :].strip():
            yield from self.line(rest)

    def _opened(self, line: str) -> bool:
        for opener in self.openers:
            opened = opener.open(line, replace(self._state, fenced=bool(self._fence)), self.emitter)
            if opened is not None:
                self.indent = self.indent or _indent(line)
                self._take_over(*opened)
                return True
        return False

    def _take_over(self, block: Block, replay: tuple[str, ...]) -> None:
        self.next_block, self.replay = block, replay
        self._fence_spent = self._fence_spent or (bool(self._fence) and self._fence_text in self._held)
        self._held.clear()
        self._inside = 0
        self._state = ProseState()

    def _open_whole(self, *lines: str) -> None:
        path, fence = self._whole_path, self._fence_text
        if self.fences is None:
            block = WholeBlock(self.emitter, path, fence)
        elif self.emitter.exists(path):
            block = FencedFileBlock(self.emitter, path, fence, self.fences, self._fence_info, self._cue)
        else:
            block = NewFileBlock(self.emitter, path, fence)
            self.fences.placer.note(path)
        self._take_over(block, (*self._held[self._inside :], *lines))
        # The block reads its own closing fence.
        self._fence, self._fence_spent = "", False

    def _fence_line(self, line: str, mark: str, info: str) -> Iterator[Event]:
        if self._fence:
            closes = mark[0] == self._fence[0] and len(mark) >= len(self._fence) and not info
            closes = closes and _indent(line) < 4
            if self._inside:
                self._open_whole(line)
                return
            yield from self._flush()
            if not closes:
                yield self._say(line + "\n")
                return
            if not self._fence_spent:
                yield Prose(line + "\n")
                yield from self._read_fence()
            self._fence, self._fence_spent, self._cue = "", False, ""
            self._state = ProseState()
            return
        path = path_in_fence(info, self.emitter.exists) or self._state.path(self.emitter.exists)
        path = path or (self.fences.created(self._state.line, info) if self.fences else "")
        if self._state.line or self._state.named:
            self._cue = self._state.line or self._cue
        self._fence, self._fence_text, self._fence_spent = mark, line, False
        self.indent = _indent(line)
        self._fence_info, self._fence_path, self._said = info, path, []
        self._state = ProseState(named=path, info=info)
        self._held.append(line)
        if path and self._may_be_file(path):
            self._inside, self._whole_path = len(self._held), path
            if self.whole == "always":
                self._open_whole()

    @property
    def in_fence(self) -> bool:
        return bool(self._fence)

    def _may_be_file(self, path: str) -> bool:
        """Whether the fence that names this file has lines of it, and not a diff, a command, or the old half
        of a pair."""
        if self.whole != "unless" or self.fences is None:
            return self.whole != "never"
        return self.fences.is_code(path, self._fence_info, self._cue)

    def _read_fence(self) -> Iterator[Event]:
        """A fence closed that no block took."""
        if self.fences is None:
            return
        lines = "".join(self._said).split("\n")[:-1]
        begin = lines.index(self._fence_text) + 1 if self._fence_text in lines else 0
        fence = Fence(self._fence_info, tuple(lines[begin:]), self._cue, self._fence_path)
        yield from self.fences.take(fence)

    def _blank(self, line: str) -> Iterator[Event]:
        if self._held and len(self._held) < _MOST_HELD:
            self._held.append(line)
        else:
            yield from self._flush()
            yield self._say(line + "\n")

    def _candidate(self, line: str) -> Iterator[Event]:
        """A line that opens no block: it may lead up to one, or name its file."""
        leads = any(opener.leads(line) for opener in self.openers)
        # After a fence the name decides what the fence is; elsewhere the disk is asked when a block needs
        # the name.
        asks = self._inside or (self._held and self._ends_with_fence()) or "\\" in line
        exists = self.emitter.exists if asks else _nothing
        path = "" if leads else path_in(line, exists)
        if self._inside:
            if any(held.strip() for held in self._held[self._inside :]) or not (leads or path):
                self._open_whole(line)
                return
        elif not (self._held and ((leads and not self._state.lead) or self._ends_with_fence())):
            # Only the newest name counts, unless it stands inside the fence that it names the file of.
            yield from self._flush()
        self._mention(line)
        if not leads and not path:
            yield from self._flush()
            yield self._say(line + "\n")
            self._state = self._after(line=line)
            return
        begins = self._held and self._ends_with_fence() and not self._inside
        self._state = replace(self._state, lead=line) if leads else self._after(named=path)
        self._held.append(line)
        labelled = begins and path and label_path(line, self.emitter.exists) == path
        if labelled and self.fences is not None and self._may_be_file(path):
            # The comment that a file begins with names it; it is a line of the file only if the file has it.
            own = self.fences.begins_with(path, line)
            self._inside, self._whole_path = len(self._held) - own, path

    def _ends_with_fence(self) -> bool:
        return bool(self._fence) and self._held[-1] == self._fence_text

    def _flush(self) -> Iterator[Event]:
        held, self._held, self._inside = self._held, [], 0
        if held:
            yield self._say("\n".join(held) + "\n")

    def breaks_off(self, line: str) -> bool:
        if not self.emitter.edits or not line.strip() or self._thinking:
            return False
        fence = bool(self._state.named) and not self._fence and not line.strip("`~")
        formats = (opener for opener in self.openers if opener not in self._data)
        return fence or any(opener.maybe(line, self._state) for opener in formats)

    def finish(self) -> Iterator[Event]:
        named, held = self._state.named, tuple(self._held)
        leads = bool(self._state.lead or self._inside)
        yield from self._flush()
        if self.emitter.edits and held and (leads or _is_heading(held, named)):
            yield self.emitter.cut_off("the text ends inside the header of an edit", named)

    def interrupt(self) -> Iterator[Event]:
        yield from ()


def _is_heading(held: Sequence[str], named: str) -> bool:
    """Whether the held lines name the file of the block after them; a list item is not a heading."""
    return bool(named) and not held[0].lstrip().startswith(("- ", "* ", "+ ", *"0123456789"))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _nothing(path: str) -> bool:  # noqa: ARG001
    return False


def _may_name_a_file(head: str) -> bool:
    """Whether a growing line may still be a path on its own: one word, perhaps after a heading or
    in quotes.
    """
    bare = _DECORATION.sub("", head, count=1)
    return not any(ch.isspace() for ch in bare.strip())
