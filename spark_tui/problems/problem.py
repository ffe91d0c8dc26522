"""A problem that a command reported: its place, its words, and the frames that lead to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

RULE = r"[A-Z]{1,6}\d{3,4}|[a-z][a-z\d]*(?:-[a-z\d]+)+"
"""The code or, in previews of ruff since 0.17, the name of a linter's rule, as a pattern."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One call on the way to an error, or one file on the way to an include."""

    path: str
    line: int
    function: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Lines and columns count from 1; 0 means that the tool did not say. An end column is exclusive."""

    tool: str
    message: str
    path: str = ""
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    severity: str = "error"
    code: str = ""
    test: str = ""
    """The name of the failing test."""
    frames: tuple[Frame, ...] = ()
    """The outermost call first."""
    notes: tuple[str, ...] = ()
    causes: tuple[Problem, ...] = ()
    """The exceptions that led to this one, the first cause first."""

    @property
    def place(self) -> str:
        """`path:line:column`, as far as they are known."""
        return place_words(self.path, self.line, self.column) if self.path else ""

    @property
    def title(self) -> str:
        """One line: the message's first, with its code, and the test where there is one."""
        text = self.message.partition("\n")[0]
        if self.code and self.code not in text:
            text = f"{text} [{self.code}]"
        return f"{self.test}: {text}" if self.test else text


def place_words(path: str, line: int, column: int) -> str:
    numbers = (line, column if line else 0)
    return ":".join([path, *(str(number) for number in numbers if number)])


def as_dict(problem: Problem) -> dict[str, Any]:
    """For JSON; empty fields are left out."""
    row: dict[str, Any] = {"tool": problem.tool, "severity": problem.severity, "message": problem.message}
    for name in ("path", "line", "column", "end_line", "end_column", "code", "test"):
        if value := getattr(problem, name):
            row[name] = value
    frames = []
    for frame in problem.frames:
        called = {"function": frame.function} if frame.function else {}
        frames.append({"path": frame.path, "line": frame.line, **called})
    lists = {"frames": frames, "notes": [*problem.notes], "causes": [*map(as_dict, problem.causes)]}
    return {**row, **{name: values for name, values in lists.items() if values}}
