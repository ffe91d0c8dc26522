"""Check an answer of the built-in family: it is well formed, changes something, and still compiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath

from spark_tui.backends.answers.noop_classifier import NoopClassifier
from spark_tui.engine.text import token_layout
from spark_tui.engine.text.token_layout import WindowHunk
from spark_tui.pysource.names.scopes import Occurrence, Scopes
from spark_tui.pysource.names.undefined import undefined
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.fragments import fault, parses

Decode = Callable[[list[int]], str]
_PYTHON = frozenset({".py", ".pyi", ".pyw"})
LOOPS = 3
"""A run of lines that is repeated more often than this in a row is a loop."""
_LONGEST_LOOP = 4
_SPIN = 64
"""This many repeating tokens within one line are a loop."""
_LONGEST_SPIN = 8
LOOKED_BACK = 192
"""How many of the last tokens are searched for a loop."""
_KEPT_FILES = 16
_MOST_LINES = 2_000
"""A longer file is not read as a whole."""


def read_hunks(ids: Sequence[int], decode: Decode, newline: int) -> tuple[str, list[WindowHunk]]:
    """The answer's kind (`edit`, `no-edit`, `cannot` or `broken`) and its hunks, with tags counted from 0."""
    body = list(ids)
    if body[-1:] != [token_layout.EOS]:
        return "broken", []
    body.pop()
    if body in ([token_layout.NOEDIT], [token_layout.CANNOT]):
        return ("no-edit" if body == [token_layout.NOEDIT] else "cannot"), []
    hunks: list[WindowHunk] = []
    at = 0
    while at < len(body):
        if body[at] != token_layout.HUNK or token_layout.END not in body[at:]:
            return "broken", []
        end = body.index(token_layout.END, at)
        tags, text = body[at + 1 : at + 3], body[at + 3 : end]
        if len(tags) < 2 or not all(map(token_layout.is_tag, tags)):
            return "broken", []
        if any(token < token_layout.OPERATOR_COUNT or token_layout.is_tag(token) for token in text):
            return "broken", []
        if text and text[-1] != newline:
            return "broken", []
        lines = decode(text).split("\n")[:-1] if text else []
        hunks.append(WindowHunk(token_layout.line_of(tags[0]), token_layout.line_of(tags[1]), tuple(lines)))
        at = end + 1
    return ("edit" if hunks else "broken"), hunks


def is_python(path: str, lines: Sequence[str]) -> bool:
    """By the name's ending; a name without one by the first line that says who runs it, or by whether it
    parses."""
    suffix = PurePosixPath(path.replace("\\", "/")).suffix.lower()
    if suffix:
        return suffix in _PYTHON
    if lines and lines[0].startswith("#!"):
        return "python" in lines[0]
    return parses(lines)


@lru_cache(maxsize=_KEPT_FILES)
def syntax_state(lines: tuple[str, ...]) -> tuple[bool, str]:
    """Whether lines parse, and why they do not compile (empty: they do). A window that begins inside of a
    function may hold a `continue` or a `nonlocal` that belongs to lines above it. Results are cached, because
    the same file is checked repeatedly and ahead of time.
    """
    found = fault(lines)
    return not found or parses(lines), found


def _undefined(lines: Sequence[str]) -> list[Occurrence]:
    return undefined(Scopes(Source("\n".join(lines))))


@dataclass
class AnswerCheck:
    """Checks the answers to one instruction about one file. `standing` are the hunks of this turn from before
    a steer; `steered`: it follows a message inside an answer."""

    lines: tuple[str, ...]
    instruction: str
    decode: Decode
    newline: int
    standing: tuple[WindowHunk, ...] = ()
    steered: bool = False
    around: tuple[str, ...] | None = None
    """The lines of the whole file, where they are known."""
    first: int = 0
    """Where in the whole file the lines begin."""
    _noop: NoopClassifier = field(init=False)

    def __post_init__(self) -> None:
        self._noop = NoopClassifier(self.lines, self.instruction)

    def noop_evidence(self, ids: Sequence[int]) -> float:
        """Evidence, in log-odds, that there is nothing to do where this is the best edit."""
        return self._noop.evidence(read_hunks(ids, self.decode, self.newline)[1])

    def defect(self, ids: Sequence[int]) -> str:
        """Why this answer is not to be offered; empty where it holds together."""
        kind, hunks = read_hunks(ids, self.decode, self.newline)
        if kind != "edit":
            return "the answer cannot be parsed" if kind == "broken" else ""
        after = self.applied(hunks)
        if after is None:
            return "its hunks overlap"
        if after == list(self.lines) or (self.standing and after == self.applied(())):
            return "it changes nothing"
        parsed, had = syntax_state(self.lines)
        found = fault(after) if parsed else ""
        if found and found != had:
            return f"the code would not compile: {found}"
        return self._defect_of_file(after) if not found else ""

    def _defect_of_file(self, after: Sequence[str]) -> str:
        """What the whole file would not compile for, or a name that it would use and nothing in it defines. A
        file that uses such names already is a fragment, and has them from another one."""
        around = self.around
        if around is None or len(around) > _MOST_LINES or syntax_state(around) != (True, ""):
            return ""
        last = self.first + len(self.lines)
        whole = [*around[: self.first], *after, *around[last:]]
        if found := fault(whole):
            return f"the code would not compile: {found}"
        lost = [] if _undefined(around) else _undefined(whole)
        return f"nothing defines {lost[0].name}" if lost else ""

    def applied(self, hunks: Sequence[WindowHunk]) -> list[str] | None:
        """The lines with these hunks applied, and with the earlier hunks that they do not touch; None if they
        overlap.
        """
        kept = [old for old in self.standing if not any(old.touches(new) for new in hunks)]
        out: list[str] = []
        done = 0
        for hunk in sorted([*kept, *hunks], key=lambda item: (item.first, item.last)):
            if not done <= hunk.first <= hunk.last <= len(self.lines):
                return None
            out += [*self.lines[done : hunk.first], *hunk.new]
            done = hunk.last
        return [*out, *self.lines[done:]]


def is_repeating(ids: Sequence[int], newline: int) -> bool:
    """Whether the last tokens are a loop, of lines or within one line: such a model never stops."""
    if not ids:
        return False
    return _lines_repeat(ids, newline) if ids[-1] == newline else _repeats_in_line(ids, newline)


def _repeats_in_line(ids: Sequence[int], newline: int) -> bool:
    if len(ids) < _SPIN:
        return False
    for period in range(1, _LONGEST_SPIN + 1):
        if ids[-1] == ids[-1 - period]:
            last = list(ids[-_SPIN:])
            if last[period:] == last[:-period]:
                return newline not in last
    return False


def _lines_repeat(ids: Sequence[int], newline: int) -> bool:
    lines: list[tuple[int, ...]] = []
    line: list[int] = []
    for token in reversed(ids[:-1]):
        if token == newline or token < token_layout.OPERATOR_COUNT or token_layout.is_tag(token):
            lines.append(tuple(line))
            line = []
            if token != newline or len(lines) > _LONGEST_LOOP * (LOOPS + 1):
                break
        else:
            line.append(token)
    for period in range(1, _LONGEST_LOOP + 1):
        run = lines[: period * (LOOPS + 1)]
        if len(run) == period * (LOOPS + 1) and any(run) and run == run[:period] * (LOOPS + 1):
            return True
    return False
