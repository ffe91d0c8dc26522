"""Turns the backend's text, cut anywhere, into what a client reads: as it is, as `search_replace`, or as a
patch tool call. A file is what the client sent; the disk is never read.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from spark_tui.backends.base import FilePart, lines_of
from spark_tui.edits.formats.lines import VERDICT
from spark_tui.edits.parser import answer_parser
from spark_tui.events import Event, HunkClosed, HunkFailed, Prose
from spark_tui.serve.prompts.client_tools import NONE, ClientTools, named_path
from spark_tui.serve.rendering.edit_writers import SearchReplaceWriter, apply_patch, replaced_span

_EXIT_CODE = re.compile(r"exit[ _]code\W{1,4}(-?\d+)", re.IGNORECASE)
_FAILURE = re.compile(r"\b(error|failed|invalid|could not|verification)\b", re.IGNORECASE)
CANNOT = "I cannot do this.\n"
NO_FILE = (
    "The prompt shows no file to edit. Put the file into a code fence with its path on the line before it, or"
    " attach it.\n"
)
NO_EDIT = "No edit is needed.\n"
_BEGIN, _END = "*** Begin Patch", "*** End Patch"


@dataclass(frozen=True, slots=True)
class OutputText:
    """Text for the message, for the input of the patch tool, or the arguments of a call of tool `name`."""

    to: Literal["message", "patch", "call"]
    text: str
    name: str = ""


class OutputFormat(Protocol):
    """`feed` takes the next text of the backend; `finish` says what was held back."""

    def feed(self, text: str) -> Iterator[OutputText]: ...
    def finish(self) -> Iterator[OutputText]: ...


def choose_format(format_name: str, files: Sequence[FilePart], tools: ClientTools = NONE) -> OutputFormat:
    """`lines` is spoken by nobody else, so it is always translated; other formats only for a tool."""
    lines = format_name == "lines"
    if lines and tools.edit is not None:
        return CallTranslator(format_name, files, tools)
    if tools.free_patch and format_name == "apply_patch":
        return PatchSplitter()
    if tools.free_patch or (lines and tools.patch is not None):
        return PatchTranslator(format_name, files, tools)
    return SearchReplaceTranslator(format_name, files) if lines else Verbatim()


class Verbatim:
    """The client reads the backend's format."""

    def feed(self, text: str) -> Iterator[OutputText]:
        yield OutputText("message", text)

    def finish(self) -> Iterator[OutputText]:
        yield from ()


class FixedOutput(Verbatim):
    """A sentence of the server's own, or a call to see a file; no model is asked."""

    def __init__(self, text: str, call: str = "") -> None:
        """`call` names the tool of which the text is the arguments."""
        self._output = OutputText("call" if call else "message", text, call)

    def finish(self) -> Iterator[OutputText]:
        yield self._output


def with_tools(
    answer: OutputFormat, tools: ClientTools, instruction: str, result: str | None, unread: str
) -> OutputFormat:
    """The answer to a client that has tools. After an edit it is its outcome; where no file is shown,
    it is the call that reads the one that the instruction names, or why that was not read."""
    if isinstance(answer, CallTranslator) and result is not None:
        return tool_outcome(result)
    if not isinstance(answer, FixedOutput):
        return answer
    if unread:
        return FixedOutput(f"The file could not be read: {unread.strip()[:500]}\n")
    path = named_path(instruction)
    call = tools.call_read(path) if path else None
    return answer if call is None else FixedOutput(call.arguments, call.name)


_MOST_LINES = 1_000_000
"""A client may say that its text begins at any line."""


def tool_outcome(result: str) -> FixedOutput:
    """What is said after a call of the patch tool: its outcome. No model is asked to comment on it."""
    code = _EXIT_CODE.search(result)
    # File names may hold any word, so words count only where no exit code is given.
    failed = code[1] != "0" if code else bool(_FAILURE.search(result))
    return FixedOutput(
        f"The edit did not apply: {result.strip()[:500]}\n" if failed else "The edit was applied.\n"
    )


def has_edit(format_name: str, files: Sequence[FilePart], text: str) -> bool:
    """Whether a complete answer about these files, or windows of them, has an edit that can be placed."""
    shown: dict[str, list[str]] = {}
    for part in sorted(files, key=lambda part: part.first_line):
        lines = shown.setdefault(part.path, [])
        lines += [""] * (min(part.first_line - 1, _MOST_LINES) - len(lines))
        lines[part.first_line - 1 :] = lines_of(part.text)
    parser = answer_parser(format_name, shown.get, shown=tuple(shown))
    deque((*parser.feed(text), *parser.finish()), maxlen=0)
    return bool(parser.hunks)


class Translator:
    """What all translators share: a parser over the client's own files."""

    def __init__(self, format_name: str, files: Sequence[FilePart]) -> None:
        self.files = {part.path: list(lines_of(part.text)) for part in files}
        self._parser = answer_parser(format_name, self.files.get, shown=tuple(self.files))
        self._said = False
        self._exact: tuple[HunkClosed | Prose, ...] | None = None
        self._otherwise = ""

    def take(self, hunks: Iterable[HunkClosed] | None, said: str = "") -> None:
        """An edit that is known without the model, and what is said with it: nothing will be fed. Without
        hunks: what is said if the model has no edit."""
        words = f"{said}\n" if said else ""
        if hunks is None:
            self._otherwise = words
        else:
            self._exact = (*hunks, *([Prose(words)] if words else []))

    def feed(self, text: str) -> Iterator[OutputText]:
        yield from self._render(self._parser.feed(text))

    def finish(self) -> Iterator[OutputText]:
        yield from self._render(self._parser.finish() if self._exact is None else self._exact)
        yield from self._end()
        if not self._said:
            nothing = self._exact is not None or self._parser.verdict == "no-edit"
            yield OutputText("message", self._otherwise or (NO_EDIT if nothing else CANNOT))

    def _render(self, events: Iterable[Event]) -> Iterator[OutputText]:
        for event in events:
            outputs: OutputText | None = None
            if isinstance(event, Prose) and not VERDICT.fullmatch(event.text.strip()):
                outputs = OutputText("message", event.text)
            elif isinstance(event, HunkFailed):
                outputs = OutputText("message", f"{event.sentence}\n")
            elif isinstance(event, HunkClosed):
                outputs = self._hunk(event)
            if outputs is not None and outputs.text:
                self._said = True
                yield outputs

    def _hunk(self, hunk: HunkClosed) -> OutputText | None:
        raise NotImplementedError

    def _end(self) -> Iterator[OutputText]:
        yield from ()


class SearchReplaceTranslator(Translator):
    """Each hunk becomes a block as soon as it closes."""

    def __init__(self, format_name: str, files: Sequence[FilePart]) -> None:
        super().__init__(format_name, files)
        self._writer = SearchReplaceWriter(self.files)

    def _hunk(self, hunk: HunkClosed) -> OutputText | None:
        return OutputText("message", self._writer.block(hunk))


class PatchTranslator(Translator):
    """All hunks become one patch at the end: a patch names each file once, in the order of its lines. It is
    the input of the free-form tool, or the argument of a function of the client."""

    def __init__(self, format_name: str, files: Sequence[FilePart], tools: ClientTools) -> None:
        super().__init__(format_name, files)
        self._tools = tools
        self._hunks: list[HunkClosed] = []

    def _hunk(self, hunk: HunkClosed) -> OutputText | None:
        self._hunks.append(hunk)
        return None

    def _end(self) -> Iterator[OutputText]:
        patch = apply_patch(self._hunks, self.files)
        if not patch:
            return
        self._said = True
        call = None if self._tools.free_patch else self._tools.call_patch(patch)
        yield OutputText("patch", patch) if call is None else OutputText("call", call.arguments, call.name)


class CallTranslator(Translator):
    """Each file's hunks become one call of the client's own tool; what it has no tool for is said as a
    block."""

    def __init__(self, format_name: str, files: Sequence[FilePart], tools: ClientTools) -> None:
        super().__init__(format_name, files)
        self._tools = tools
        self._hunks: dict[str, list[HunkClosed]] = {}
        self._blocks = SearchReplaceWriter(self.files)

    def _hunk(self, hunk: HunkClosed) -> OutputText | None:
        if hunk.kind == "add":
            call = self._tools.call_edit(hunk.path, "", "".join(f"{line}\n" for line in hunk.new_lines))
            if call is not None:
                return OutputText("call", call.arguments, call.name)
        if hunk.kind != "edit":
            return OutputText("message", self._blocks.block(hunk) or f"{hunk.kind} {hunk.path}\n")
        if hunk.old_lines != hunk.new_lines:
            self._hunks.setdefault(hunk.path, []).append(hunk)
        return None

    def _end(self) -> Iterator[OutputText]:
        for path, hunks in self._hunks.items():
            call = self._tools.call_edit(path, *replaced_span(hunks, self.files[path]))
            if call is not None:
                self._said = True
                yield OutputText("call", call.arguments, call.name)


class PatchSplitter:
    """The backend writes `apply_patch` itself: the patch goes to the tool as it streams, the rest to the
    message."""

    def __init__(self) -> None:
        self._line = ""
        self._inside = False
        self._over = False

    def feed(self, text: str) -> Iterator[OutputText]:
        self._line += text
        *lines, self._line = self._line.split("\n")
        for line in lines:
            yield from self._take(line, "\n")

    def finish(self) -> Iterator[OutputText]:
        if self._line:
            yield from self._take(self._line, "")
            self._line = ""

    def _take(self, line: str, end: str) -> Iterator[OutputText]:
        if not self._inside and not self._over and line.strip() == _BEGIN:
            self._inside = True
        if self._inside:
            last = line.strip() == _END
            yield OutputText("patch", line + ("" if last else end))
            if last:
                self._inside, self._over = False, True
        else:
            yield OutputText("message", line + end)
