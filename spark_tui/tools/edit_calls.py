"""The tools that propose hunks, which stream while the arguments of the call arrive.

Each takes the string members of its arguments piece by piece. Nothing is written: hunks are reviewed as those
of any answer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from spark_tui.edits.code_words import is_prose, meant
from spark_tui.edits.drop_noop_lines import drop_noop_lines
from spark_tui.edits.emitter_options import ReadLines
from spark_tui.edits.hunk_draft import HunkDraft
from spark_tui.edits.hunk_emitter import HunkEmitter
from spark_tui.edits.paths import clean
from spark_tui.edits.places.line_numbers import NumberedLines, find_numbered, numbered, without_numbers
from spark_tui.edits.places.locate import LineMatch, NoMatch, ambiguous
from spark_tui.errors import ExitCode
from spark_tui.events import NO_SUCH_FILE, Event, HunkFailed
from spark_tui.tools.argument_reader import MemberText
from spark_tui.tools.escaped_text import unescaped, unescaped_like


class EditCall(ABC):
    """One call. `order` are the members in the order in which they are used: one that comes early waits."""

    order: tuple[str, ...] = ()

    def __init__(self, read_lines: ReadLines, last_id: int) -> None:
        self.read_lines = self.read_base = read_lines
        """`read_base`: the files without the hunks of this turn."""
        self.named: Callable[[str], str] = clean
        """The path that a call means."""
        self.last_id = last_id
        self._early: dict[str, list[MemberText]] = {}
        self._at = 0

    def _base(self, path: str) -> Sequence[str] | None:
        return self.read_base(path)

    def take(self, piece: MemberText) -> Iterator[Event]:
        name = meant(piece.name, self.order)
        if name not in self.order:
            return
        piece = replace(piece, name=name)
        if name != self._wanted:
            self._early.setdefault(name, []).append(piece)
            return
        yield from self._use(piece)
        while self._wanted in self._early:
            for item in self._early.pop(self._wanted):
                yield from self._use(item)

    @property
    def _wanted(self) -> str:
        return self.order[self._at] if self._at < len(self.order) else ""

    def _use(self, piece: MemberText) -> Iterator[Event]:
        yield from self.text(piece.name, piece.text)
        if piece.ended:
            self._at += 1
            yield from self.ended(piece.name)

    @abstractmethod
    def new_id(self) -> int:
        """An id for one more hunk of this call."""

    @abstractmethod
    def text(self, name: str, text: str) -> Iterator[Event]:
        """Characters of a member whose turn it is."""

    @abstractmethod
    def ended(self, name: str) -> Iterator[Event]:
        """A member is whole."""

    @abstractmethod
    def finish(self) -> Iterator[Event]:
        """The arguments are complete and valid."""

    @abstractmethod
    def interrupt(self) -> Iterator[Event]:
        """The arguments broke off: the open hunk as far as it has come, marked partial."""

    @abstractmethod
    def fail(self, message: str) -> Iterator[Event]:
        """The arguments are malformed: what was open is no edit."""


class _DraftCall(EditCall):
    """A call whose text goes into one draft, line by line."""

    overwrite = False

    def __init__(self, read_lines: ReadLines, last_id: int) -> None:
        super().__init__(read_lines, last_id)
        self.emitter = HunkEmitter(
            read_lines, overwrite=self.overwrite, last_id=last_id, read_base=self._base
        )
        self.path = ""
        self.draft: HunkDraft | None = None
        self._begun = False
        self._held = ""
        """A line break that may be the last one, or half of one."""
        self._members: dict[str, list[str]] = {}

    def new_id(self) -> int:
        return self.emitter.new_id()

    def collect(self, name: str, text: str) -> None:
        self._members.setdefault(name, []).append(text)

    def member(self, name: str) -> str:
        return "".join(self._members.get(name, ()))

    def write(self, text: str) -> Iterator[Event]:
        """More of the new side. The line break at its end is held: the last one ends the last line."""
        text = self._held + text
        body = text.rstrip("\r\n")
        tail = text[len(body) :]
        cut = len(body) + max(len(tail) - (2 if tail.endswith("\r\n") else 1), 0) if tail else len(text)
        text, self._held = text[:cut], text[cut:]
        if not text or self.draft is None:
            return
        for number, line in enumerate(text.replace("\r\n", "\n").split("\n")):
            draft = self.draft
            if not self._begun or number:
                self._begun = True
                yield from draft.next_line()
            if line:
                self.draft = yield from self.emitter.extend(draft, line)
                if self.draft is None:
                    return

    def close(self) -> Iterator[Event]:
        """The new side is whole."""
        if self.draft is not None and self._held and not self._begun:
            # One line break alone is an empty line.
            yield from self.draft.next_line()
        if self.draft is not None:
            yield from self.emitter.close(self.draft, self.lines(self.draft))

    def lines(self, draft: HunkDraft) -> Sequence[str]:
        """The new side, as it was meant."""
        return draft.new

    def finish(self) -> Iterator[Event]:
        yield from self.close()

    def interrupt(self) -> Iterator[Event]:
        if self.draft is not None:
            yield self.emitter.partial(self.draft)

    def fail(self, message: str) -> Iterator[Event]:
        hunk_id, self.draft = self.draft.id if self.draft is not None else 0, None
        if hunk_id or not self.emitter.failures:
            yield self.emitter.fail(self.path, message, code=ExitCode.MALFORMED, hunk_id=hunk_id)


class QuotedEdit(_DraftCall):
    """`edit(path, old, new)`: `old` stands in the file once, as whole lines or inside of them."""

    order = ("path", "old", "new")

    def __init__(self, read_lines: ReadLines, last_id: int) -> None:
        super().__init__(read_lines, last_id)
        self.place: LineMatch | None = None
        self.numbered: NumberedLines | None = None
        """The quoted lines, if line numbers were quoted with them."""
        self.missed: NoMatch | None = None
        """The quoted lines have no place. The new ones say whether that is because the edit is made."""
        self.quoted: list[str] = []
        self.escaped = False
        """Whether both sides have their line breaks as `\\n`."""
        self.before = self.after = ""
        """What stands on the first and the last line besides the quoted text."""

    def text(self, name: str, text: str) -> Iterator[Event]:
        if (
            name != "new"
            or self.missed
            or self.numbered
            or self.escaped
            or (self.place is not None and self.place.rebase is not None)
        ):
            self.collect(name, text)
        else:
            yield from self.write(text)

    def ended(self, name: str) -> Iterator[Event]:
        if name == "path":
            self.path = self.named(self.member("path"))
        elif name == "old":
            yield from self._locate(self.member("old").replace("\r\n", "\n"))

    def _locate(self, old: str) -> Iterator[Event]:
        file = self.emitter.editable(self.path)
        if isinstance(file, HunkFailed):
            yield file
            return
        if file is None and old:
            yield self.emitter.fail(self.path, NO_SUCH_FILE, expected=old.split("\n")[0])
            return
        if file is None:
            self.draft = yield from self.emitter.add(self.path, None)
            return
        if not old and file.lines:
            message = "`old` is empty: quote the text that `new` replaces"
            yield self.emitter.fail(self.path, message, code=ExitCode.MALFORMED)
            return
        found = self._exactly(file.lines, old) if old else HunkDraft(self.emitter.new_id(), self.path, 0, ())
        if found is None and isinstance(plain := self._exactly(file.lines, unescaped(old)), HunkDraft):
            self.escaped, found = True, plain
        if found is None:
            self.quoted = old.removesuffix("\n").split("\n")
            match: LineMatch | NoMatch = file.find(self.quoted)
            if not isinstance(match, LineMatch) and (lines := numbered(self.quoted)):
                known = find_numbered(file, lines)
                if isinstance(known, NoMatch):
                    match = known
                else:
                    self.numbered, match = known
                    self.quoted = list(self.numbered.lines)
            if not isinstance(match, LineMatch):
                self.missed = match
                return
            self.place = match
            old_lines = tuple(file.lines[match.start : match.start + match.count])
            found = HunkDraft(self.emitter.new_id(), self.path, match.start, old_lines)
        elif isinstance(found, HunkFailed):
            yield found
            return
        self.draft = found
        yield self.emitter.open(found)
        if self.before:
            yield from self.write(self.before)

    def _exactly(self, lines: Sequence[str], old: str) -> HunkDraft | HunkFailed | None:
        """The draft of the one place where the text stands to the letter; None where there is none."""
        whole = "\n".join(lines) + "\n"
        at = whole.find(old)
        if at < 0:
            return None
        if whole.find(old, at + 1) >= 0:
            starts: list[int] = []
            while at >= 0 and len(starts) < 10:
                starts.append(whole.count("\n", 0, at))
                at = whole.find(old, at + 1)
            return self.emitter.miss(self.path, ambiguous(starts))
        start = whole.rfind("\n", 0, at) + 1
        end = at + len(old) - (1 if old.endswith("\n") else 0)
        stop = whole.find("\n", end)
        self.before, self.after = whole[start:at], whole[end:stop]
        first = whole.count("\n", 0, start)
        return HunkDraft(self.emitter.new_id(), self.path, first, tuple(whole[start:stop].split("\n")))

    def finish(self) -> Iterator[Event]:
        draft = self.draft
        if self.missed is not None:
            yield from self._without_place(self.missed)
        if draft is None:
            return
        if self.place is not None:
            yield from self._close_moved(draft, self.place)
            return
        if self.escaped:
            new = unescaped_like(self.member("old"), self.member("new"))
            if new is None:
                message = "the text is escaped in part: send it as it stands in the file"
                yield self.emitter.fail(self.path, message, code=ExitCode.MALFORMED, hunk_id=draft.id)
                return
            yield from self.write(new)
        if self.after:
            # Inside of a line the text counts to the letter, its last line break too.
            yield from self.write(self.after)
        if self.emitter.base.made_since(self.path, draft.old, draft.new) is True:
            yield from self.emitter.close(draft, draft.old)
        else:
            yield from self.close()

    def _without_place(self, missed: NoMatch) -> Iterator[Event]:
        """An edit that was made before, as text or by a call that quoted other lines, changes nothing."""
        new = self.member("new").replace("\r\n", "\n").removesuffix("\n").split("\n")
        if not missed.several and self.emitter.base.made_since(self.path, self.quoted, new) is True:
            yield from self.emitter.close_parts(HunkDraft(self.emitter.new_id(), self.path, 0, ()), ())
        else:
            yield self.emitter.miss(self.path, missed)

    def _close_moved(self, draft: HunkDraft, place: LineMatch) -> Iterator[Event]:
        """The quoted lines differ from the file's in their blanks: the new ones follow the file."""
        quoted, text = self.quoted, self.member("new").replace("\r\n", "\n").removesuffix("\n")
        if self.numbered is not None:
            bare = without_numbers(text.split("\n") if text else (), self.numbered)
            if bare is None:
                message = "`new` seems to begin with line numbers, as `old` does: write both without them"
                yield self.emitter.fail(self.path, message, hunk_id=draft.id)
                return
            new = list(bare)
        elif place.rebase is None:
            new = list(draft.new)
        else:
            moved = [place.rebase(line) if line else line for line in text.split("\n")] if text else []
            again = [place.rebase(line) if line else line for line in self.quoted]
            if any(line is None for line in (*moved, *again)):
                message = "the new lines cannot be re-indented to match the file"
                yield self.emitter.fail(self.path, message, hunk_id=draft.id)
                return
            new, quoted = [line or "" for line in moved], [line or "" for line in again]
        yield from self.emitter.close(draft, drop_noop_lines(quoted, draft.old, new))


class WriteFile(_DraftCall):
    """`write_file(path, text)`: a new file, or an old one as a whole."""

    order = ("path", "text")
    overwrite = True

    def text(self, name: str, text: str) -> Iterator[Event]:
        if name == "path":
            self.collect(name, text)
        else:
            yield from self.write(text)

    def lines(self, draft: HunkDraft) -> Sequence[str]:
        """Without a fence around all of it, and with the line breaks of an old file that are escaped here."""
        new, old = draft.new, {line for line in draft.old if line.strip()}
        fenced = len(new) > 2 and new[0].startswith("```") and new[-1].strip() == "```"
        if fenced and not is_prose(self.path) and new[0] not in old:
            return new[1:-1]
        if len(new) == 1 and len(draft.old) > 1:
            plain = unescaped(new[0]).removesuffix("\n").split("\n")
            return plain if 2 * len(old & {*plain}) >= len(old) else new
        return new

    def ended(self, name: str) -> Iterator[Event]:
        if name != "path":
            return
        self.path = self.named(self.member("path"))
        file = self.emitter.editable(self.path)
        if isinstance(file, HunkFailed):
            yield file
        else:
            self.draft = yield from self.emitter.add(self.path, file)
