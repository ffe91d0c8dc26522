"""Finds the problems in a command's output as it arrives.

The output may come in any pieces. Colours, links and what a carriage return wrote over are taken out first.
"""

from __future__ import annotations

import codecs
import re
import textwrap
from collections import Counter
from dataclasses import dataclass, field

from spark_tui.problems.matcher_table import Matcher, Rule, matcher_table
from spark_tui.problems.problem import Frame, Problem

_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, cursor
    r"|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)"  # links, titles
    r"|\x1b[()][0-9A-B]|\x1b[=>78cDEHMNOZ]"
)
_LINE_ENDS, _OVERWRITTEN = re.compile(r"\r+\n"), re.compile(r"[^\n]*\r")
_AFTER_QUESTION = re.compile(r"^(\w.*[?:>)\]]) (Traceback \(most recent call last\):)$", re.MULTILINE)
"""A question that a command asks has no line end."""
_FOREIGN = re.compile(
    r"^<|(?:site|dist)-packages[\\/]|[\\/]lib[\\/]python[\d.]+[\\/]|[\\/]Lib[\\/]|^node:|^/rustc/"
)
_FOREIGN_GO = re.compile(r"[\\/]src[\\/](?:runtime|testing)[\\/]|/go[\d.]*/src/")
_MOST_LINE = 4_000
_MOST_MESSAGE = 40
"""Lines of a message that are kept."""
_MOST_FRAMES = 200
_NUMBERS = ("line", "column", "end_line", "end_column")
_SEVERITIES = {"information": "note", "I": "note", "E": "error", "F": "error"}
_SEVERITIES |= dict.fromkeys("CRW", "warning")


@dataclass(slots=True)
class _Draft:
    """A problem whose lines still come."""

    tool: str
    fields: dict[str, str] = field(default_factory=dict)
    message: list[str] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    causes: list[Problem] = field(default_factory=list)


class ProblemReader:
    """The state of reading one output. `feed` and `close` return the problems that became complete."""

    def __init__(self) -> None:
        self._table = matcher_table()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._matcher: Matcher | None = None
        self._state = "start"
        self._draft: _Draft | None = None
        self._found: list[Problem] = []
        self._tests: Counter[str] = Counter()
        """Names of failing tests that a list at the end of the output repeats."""
        self._group_place: Problem | None = None
        self._kept: dict[str, list[_Draft]] = {}
        """What tests said before it is known whether they fail."""
        self.skipped = False
        """Whether there were lines with words that are not of a problem."""

    def feed(self, piece: bytes | str) -> list[Problem]:
        """The next piece of the output."""
        text = piece if isinstance(piece, str) else self._decoder.decode(piece)
        whole, end, rest = text.rpartition("\n")
        if end:
            self._read_lines(_clean(f"\n{self._rest}{whole}\n"))
            self._rest = ""
        self._rest += rest
        if len(self._rest) > 4 * _MOST_LINE:
            # What is longer is no line of a tool; a carriage return can still begin it anew.
            self._rest = self._rest[-_MOST_LINE:]
        return self._take()

    def close(self) -> list[Problem]:
        """The end of the output."""
        self.feed(self._decoder.decode(b"", True))
        if self._rest:
            self._read_lines(_clean(f"\n{self._rest}\n"))
            self._rest = ""
        self._emit()
        self._matcher, self._state = None, "start"
        return self._take()

    def _take(self) -> list[Problem]:
        found, self._found = self._found, []
        return found

    # -- lines

    def _read_lines(self, text: str) -> None:
        """Lines, with a line feed before the first and after each. Outside of a problem only those are looked
        at that can begin one."""
        at = 0
        while True:
            if self._state == "start":
                found = self._table.begins.search(text, at)
                here = len(text) if found is None else found.start()
                self.skipped = self.skipped or (not text[at:here].isspace() and here > at)
                if found is None:
                    return
                at = here
            end = text.find("\n", at + 1)
            if end < 0:
                return
            line = text[at + 1 : min(end, at + 1 + _MOST_LINE)]
            self._read("" if line.isspace() else line.rstrip(" "))
            at = end

    def _read(self, line: str) -> None:
        if self._matcher is not None and self._state != "start":
            if self._step(self._matcher, self._state, line) or self._state in self._matcher.skip:
                return
            self._emit()
            self._state = "start"
        for matcher in self._table.matchers:
            if self._step(matcher, "start", line):
                return
        self.skipped = self.skipped or bool(line)

    def _step(self, matcher: Matcher, state: str, line: str) -> bool:
        """Whether a rule of the state took the line."""
        for rule in matcher.rules.get(state, ()):
            match = rule.pattern.match(line)
            if match is not None:
                self._matcher, self._state = matcher, rule.to
                self._obey(rule, matcher, match)
                return True
        return False

    def _obey(self, rule: Rule, matcher: Matcher, match: re.Match[str]) -> None:
        groups = {name: value for name, value in match.groupdict().items() if value is not None}
        groups.update(rule.values)
        for action in rule.actions:
            if action == "open":
                self._emit()
                self._begin(matcher.tool, groups)
            elif action == "listed":
                self._listed(matcher, groups)
            elif action == "emit":
                self._emit()
            elif action == "drop":
                self._draft = None
            elif action == "recall":
                self._recall(groups["test"])
            elif self._draft is not None:
                self._change(self._draft, action, groups)

    def _change(self, draft: _Draft, action: str, groups: dict[str, str]) -> None:
        if action == "set":
            self._set(draft, groups)
        elif action == "set code":
            self._set(draft, {name: groups[name] for name in ("code",) if name in groups})
        elif action == "message":
            draft.message.append(groups.get("message", ""))
        elif action == "note":
            draft.notes.append(groups.get("message", ""))
        elif action == "frame":
            function = groups.get("function", "") or draft.fields.pop("function", "")
            draft.frames.append(Frame(groups["path"], int(groups["line"]), function))
        elif action == "caret":
            if "indent" in groups:
                draft.fields.setdefault("column", str(len(groups["indent"]) + 1))
            _underline(draft, len(groups["caret"]))
        elif action == "keep":
            self._keep(draft)
            self._draft = None
        elif action in ("again", "keep again"):
            fields = dict(draft.fields)
            self._emit() if action == "again" else self._keep(draft)
            self._begin(draft.tool, {"test": fields.get("test", ""), **groups})
        elif action == "cause":
            cause = self._built(draft)
            test = draft.fields.get("test")
            self._draft = _Draft(draft.tool, {"test": test} if test else {})
            self._draft.causes = [*draft.causes, *([_without_causes(cause)] if cause else [])]
        elif action == "group":
            self._group_place = self._built(draft)

    def _begin(self, tool: str, groups: dict[str, str]) -> None:
        self._draft = _Draft(tool)
        self._set(self._draft, groups)

    def _set(self, draft: _Draft, groups: dict[str, str]) -> None:
        for name, value in groups.items():
            if name == "message":
                draft.message = [value]
            elif name == "column0":
                draft.fields["column"] = str(int(value) + 1)
            elif name == "last_column":
                draft.fields["end_column"] = str(int(value) + 1)
            elif name not in ("before", "caret", "gutter"):
                draft.fields[name] = value

    def _keep(self, draft: _Draft) -> None:
        if draft.message:
            self._kept.setdefault(draft.fields.get("test", ""), []).append(draft)

    def _recall(self, test: str) -> None:
        """The test failed: what it said is a problem."""
        for draft in self._kept.pop(test, ()):
            self._draft = draft
            self._emit()

    def _listed(self, matcher: Matcher, groups: dict[str, str]) -> None:
        """One line of a list. It repeats a failing test that was told before, or is a problem of its own,
        in the file of the draft."""
        if "line" in groups and self._draft is not None:
            head = self._draft
            self._begin(matcher.tool, {"path": head.fields["path"], **groups})
            self._emit()
            self._draft = head
            return
        groups["test"] = groups.get("test", "").replace("::", ".")
        test = groups["test"] or groups["path"]
        for known in (test, f"- {groups.get('message')}"):
            if self._tests[known]:
                self._tests[known] -= 1
                return
        self._begin(matcher.tool, {"message": "failed", **groups})
        self._emit()

    # -- problems

    def _emit(self) -> None:
        draft, self._draft = self._draft, None
        if draft is None:
            return
        problem = self._built(draft)
        if problem is None:
            return
        if draft.tool == "pytest":
            self._tests[problem.test or draft.fields.get("listed") or f"- {problem.message}"] += 1
        self._found.append(problem)

    def _built(self, draft: _Draft) -> Problem | None:
        own = draft.fields
        message = textwrap.dedent("\n".join(draft.message[:_MOST_MESSAGE])).strip()
        numbers = {name: int(own[name]) for name in _NUMBERS if name in own}
        path, frames = own.get("path", ""), draft.frames[-_MOST_FRAMES:]
        if self._matcher is not None and self._matcher.innermost_first:
            frames.reverse()
        at = place_of(frames) if frames else None
        if at is not None and ("line" not in own or (_FOREIGN.search(path) and not _FOREIGN.search(at.path))):
            path, numbers = at.path, {"line": at.line}
        elif not frames and not path and self._group_place is not None and draft.tool == "python":
            path, numbers = self._group_place.path, {"line": self._group_place.line}
        needs_place = self._matcher is None or self._matcher.needs_place
        if not message or (needs_place and not path):
            return None
        severity = own.get("severity", "error")
        return Problem(
            tool=draft.tool,
            message=message,
            path=path,
            **numbers,
            severity=_SEVERITIES.get(severity, severity),
            code=own.get("code", ""),
            test=own.get("test", ""),
            frames=tuple(frames),
            notes=tuple(note for note in draft.notes if note),
            causes=tuple(draft.causes),
        )


def place_of(frames: list[Frame]) -> Frame:
    """The innermost frame of the person's own code; the innermost of all where none is."""
    own = [one for one in frames if not _FOREIGN.search(one.path) and not _FOREIGN_GO.search(one.path)]
    return (own or frames)[-1]


def _without_causes(problem: Problem) -> Problem:
    return Problem(
        problem.tool, problem.message, problem.path, problem.line, code=problem.code, frames=problem.frames
    )


def _underline(draft: _Draft, width: int) -> None:
    """The range of a problem that ends where the marks under its line do."""
    if "end_column" not in draft.fields and "column" in draft.fields:
        draft.fields["end_line"] = draft.fields["line"]
        draft.fields["end_column"] = str(int(draft.fields["column"]) + width)


def _clean(text: str) -> str:
    """Lines as a person reads them."""
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    if "\r" in text:
        text = _LINE_ENDS.sub("\n", text)
        if "\r" in text:
            text = _OVERWRITTEN.sub("", text)
    if " Traceback (" in text:
        text = _AFTER_QUESTION.sub(r"\1\n\2", text)
    return text
