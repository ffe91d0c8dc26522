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
        numbers = [str(number) for number in (self.line, self.column if self.line else 0) if number]
        return ":".join([self.path, *numbers]) if self.path else ""

    @property
    def title(self) -> str:
        """One line: the message's first, with its code, and the test where there is one."""
        text = self.message.partition("\n")[0]
        if self.code and self.code not in text:
            text = f"{text} [{self.code}]"
        return f"{self.test}: {text}" if self.test else text


def as_dict(problem: Problem) -> dict[str, Any]:
    """For JSON; empty fields are left out."""
    row: dict[str, Any] = {"tool": problem.tool, "severity": problem.severity, "message": problem.message}
    for name in ("path", "line", "column", "end_line", "end_column", "code", "test"):
        if value := getattr(problem, name):
            row[name] = value
    if problem.frames:
        row["frames"] = [
            {
                "path": frame.path,
                "line": frame.line,
                **({"function": frame.function} if frame.function else {}),
            }
            for frame in problem.frames
        ]
    if problem.notes:
        row["notes"] = list(problem.notes)
    if problem.causes:
        row["causes"] = [as_dict(cause) for cause in problem.causes]
    return row
