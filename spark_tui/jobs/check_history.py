"""What a job's check reported with the edits that were kept, and what an edit changes in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from spark_tui.problems.compare import compare
from spark_tui.problems.describe import describe_problems
from spark_tui.problems.locate import locate
from spark_tui.problems.problem import Problem
from spark_tui.problems.runner import CommandResult

_TOLD_CHARS = 2_000
"""How much of the problems, or of an output without any, the model is told."""


@dataclass(frozen=True, slots=True)
class CheckVerdict:
    """Whether an edit can stay. `note` is for the person, `message` for the model."""

    stays: bool
    note: str = ""
    message: str = ""


class CheckHistory:
    """The problems before an edit, so that only new ones count against it."""

    def __init__(self, command: str, tree: Path, directory: Path) -> None:
        self._command, self._tree, self._directory = command, tree, directory
        self._problems: tuple[Problem, ...] = ()
        self.passes: bool | None = None
        """Whether the check passes with the edits that were kept."""

    def judge(self, checked: CommandResult) -> CheckVerdict:
        """An edit stays if the check passes. If it failed before, it stays unless it brings new problems and
        mends none."""
        found = compare(self._problems, checked.problems)
        new = [item for item in found.new if item.severity == "error"]
        if checked.passes:
            mended = "the check passes now" if self.passes is False else ""
            self.keep(checked)
            return CheckVerdict(True, ", ".join(filter(None, [found.words if found.fixed else "", mended])))
        if self.passes or (self._problems and new and not found.fixed):
            return CheckVerdict(False, self._note(checked, new), self._message(checked, new))
        self.keep(checked)
        return CheckVerdict(True, found.words)

    def keep(self, checked: CommandResult) -> None:
        """What this run found is no fault of later edits."""
        self.passes, self._problems = checked.passes, checked.problems

    def _note(self, checked: CommandResult, new: list[Problem]) -> str:
        if checked.note or not new:
            return checked.note or _last_line(checked.output) or checked.words
        place = locate(new[0], self._tree, self._directory).place
        more = f" (and {len(new) - 1} more)" if len(new) > 1 else ""
        return f"{': '.join(filter(None, [place, new[0].title]))[:200]}{more}"

    def _message(self, checked: CommandResult, new: list[Problem]) -> str:
        if not new:
            return f"`{self._command}` fails now:\n{checked.output[-_TOLD_CHARS:].strip() or checked.words}"
        word = "fails now" if self.passes else "failed before, and has new problems now"
        told = describe_problems(new, self._tree, self._directory)[:_TOLD_CHARS]
        return f"`{self._command}` {word}:\n{told}"


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""
