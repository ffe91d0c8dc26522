"""A job's check: the user's command, run in the worktree with a time limit, what it reported with the edits
that were kept, and what an edit changes in it."""

from __future__ import annotations

import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path

from spark_tui.problems.compare import compare
from spark_tui.problems.describe import describe_problems
from spark_tui.problems.locate import locate
from spark_tui.problems.problem import Problem
from spark_tui.problems.runner import CommandResult, kill_process_group, run_command
from spark_tui.workspace.processes import environment

_TOLD_CHARS = 2_000
"""How much of the problems, or of an output without any, the model is told."""
_MARKED = """
began=
if read -r words < /proc/$$/stat; then
    words=${words##*)}  # not below: old shells take a bracket there for the end
    began=$(set -f; set -- $words; echo ${20})
else
    began=$(ps -o lstart= -p $$)
fi 2>/dev/null
echo "$$ $began" > "$1"
exec /bin/sh -c "$2"
"""
"""Writes down which process it is, and becomes the check: the worker may be killed at any time."""


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


def run_check(
    command: str, tree: Path, directory: Path, seconds: float, stop: threading.Event, pid_file: Path
) -> CommandResult:
    """Run the command in `directory`, a folder of `tree`. While it runs, `pid_file` names its process group,
    so that it can be ended after the worker was killed."""
    words = ["/bin/sh", "-c", _MARKED, "sh", str(pid_file), command]
    try:
        return run_command(words, directory, stop=stop, seconds=seconds, environment=environment(tree))
    finally:
        pid_file.unlink(missing_ok=True)


def kill_leftover_check(pid_file: Path) -> None:
    """Kill the check of a worker that was killed, if it still runs. A reused process id is told by its start
    time."""
    try:
        pid, _, began = pid_file.read_text().partition(" ")
    except OSError:
        return
    if began.strip() and began_at(int(pid)) == began.strip():
        kill_process_group(int(pid))
    pid_file.unlink(missing_ok=True)


def began_at(pid: int) -> str:
    """The start time of a process, as the system gives it; empty where there is none."""
    try:
        # The 20th field after the name, which may hold anything.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        pass
    if Path("/proc/self/stat").exists():
        return ""
    done = subprocess.run(
        ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return done.stdout.strip()
