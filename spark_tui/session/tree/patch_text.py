"""Edits in a complete text of any format, placed in a tree; for `spark patch` and for programs that send
a patch."""

from __future__ import annotations

import itertools
import stat
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from spark_tui.edits.finished_patch import begins_with_message, diff_of, without_signature
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.parser import FORMATS, Parser
from spark_tui.errors import ExitCode, NothingToDo, SparkError, UsageError
from spark_tui.events import Event, HunkFailed, Prose
from spark_tui.pysource.modules import is_python
from spark_tui.pysource.syntax.parsing import compile_error
from spark_tui.session.tree.decided_text import wanted_files
from spark_tui.workspace.files import FileText, Tree


class PatchRefused(SparkError):
    """The text as a whole is not applied; the exit code is that of the first edit that failed."""

    def __init__(self, failures: Sequence[HunkFailed]) -> None:
        first = failures[0]
        where = f"{first.path}:{first.line}" if first.line and first.path else first.path
        more = f" (and {len(failures) - 1} more)" if len(failures) > 1 else ""
        super().__init__(first.message + more, where=where, hint=_difference(first))
        self.exit_code = ExitCode(first.code)


class PatchText:
    """The edits of a text that arrives in pieces. `judge` decides whether all of them can be applied."""

    def __init__(
        self, texts: Iterator[str], tree: Tree, *, format: str = "auto", overwrite: bool = False
    ) -> None:
        format, pieces, behind = _without_messages(format, texts)
        self._parser = Parser(format, tree.read_lines, read_link=tree.read_link, overwrite=overwrite)
        self._seen = 0
        self._prose = [behind]
        for text in pieces:
            self._seen += len(text.strip())
            self._read(self._parser.feed(text))
        self._read(self._parser.finish())

    def _read(self, given: Iterable[Event]) -> None:
        for event in given:
            if isinstance(event, Prose):
                self._prose.append(event.text)

    @property
    def hunks(self) -> Sequence[Hunk]:
        return self._parser.hunks

    @property
    def failures(self) -> Sequence[HunkFailed]:
        return self._parser.failures

    @property
    def prose(self) -> str:
        """The text before, between and after the edits."""
        return without_signature("".join(self._prose))

    def judge(self) -> None:
        """Raises PatchRefused if an edit has no place, NothingToDo if the files are like that already,
        and UsageError for a text without an edit."""
        parser = self._parser
        if parser.failures:
            first = [parser.cut_off] if parser.cut_off is not None else []
            raise PatchRefused(
                [*first, *(failure for failure in parser.failures if failure is not parser.cut_off)]
            )
        if parser.hunks:
            return
        if parser.edits or parser.verdict or not self._seen:
            hint = "Every file already has these edits." if self._seen else "The text is empty."
            raise NothingToDo("nothing to change", hint=hint)
        named = ", ".join(name for name in FORMATS if name != "auto")
        raise UsageError("no edit found in this text", hint=f"If it has one, name its format: {named}.")


def newly_broken(hunks: Sequence[Hunk], tree: Tree) -> list[str]:
    """The Python files that do not compile with these hunks, and did or were not there without them."""
    found = []
    was = {hunk.new_path: hunk.path for hunk in hunks if hunk.kind == "move" and is_python(hunk.path)}
    for want in wanted_files(hunks, tree):
        if not is_python(want.path) or stat.S_ISLNK(want.mode or 0):
            continue
        before = tree.file(was[want.path]) if want.path in was else None
        old = want.base if before is None else before.data
        error = _syntax_error(want.path, want.target)
        if error is not None and _syntax_error(want.path, old) is None:
            found.append(f"{want.path}:{error.lineno or 1}: breaks: the file does not compile: {error.msg}")
    return found


def _syntax_error(path: str, data: bytes | None) -> SyntaxError | None:
    return None if data is None else compile_error(FileText(path, data).decode(data))


def hunk_values(hunk: Hunk) -> dict[str, Any]:
    """A hunk as plain values, for JSON."""
    names = ("id", "path", "kind", "new_path", "old_start", "old_lines", "new_lines", "mode")
    values = {name: getattr(hunk, name) for name in names}
    return {**values, "old_lines": list(hunk.old_lines), "new_lines": list(hunk.new_lines)}


def failure_values(failure: HunkFailed) -> dict[str, Any]:
    """An edit without a place as plain values, for JSON."""
    place = {
        "path": failure.path,
        "message": failure.message,
        "exit_code": failure.code,
        "line": failure.line,
    }
    near = {"expected": failure.expected, "found": failure.found, "candidates": list(failure.candidates)}
    return {**place, **near}


def _difference(failure: HunkFailed) -> str:
    parts = []
    if failure.expected and not (failure.line or failure.found):
        parts.append(f"Not found: {failure.expected[:120]!r}.")
    elif failure.expected or failure.found:
        parts.append(f"expected {failure.expected[:120]!r}, found {failure.found[:120]!r}.")
    if failure.similar_lines:
        parts.append(f"Similar lines: {failure.similar_lines}.")
    return " ".join([*parts, "Nothing was written."])


def _without_messages(format: str, texts: Iterator[str]) -> tuple[str, Iterable[str], str]:
    """The format, the text to read, and the text after it. A mailed patch is reduced to its diff: an edit
    quoted in the commit message is not meant for this tree."""
    first = next(texts, "")
    if format in ("auto", "udiff") and begins_with_message(first):
        whole = "".join([first, *texts])
        diff, behind = diff_of(whole) or ("", "")
        return ("udiff", [diff], behind) if diff else (format, [whole], "")
    return format, itertools.chain([first], texts), ""
