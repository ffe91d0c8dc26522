"""Runs a check repeatedly and reports what failed, what is new since the last run, and what changed in
the tree."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from spark_tui.problems.compare import Comparison, compare
from spark_tui.problems.locate import Located, locate
from spark_tui.problems.problem import Problem
from spark_tui.problems.runner import CommandResult, run_command
from spark_tui.workspace.file_listing import FileTimes, changed_files, file_times


@dataclass(frozen=True, slots=True)
class CheckRun:
    result: CommandResult
    problems: tuple[Located, ...]
    comparison: Comparison | None
    """None at the first run, and after one that did not end by itself."""
    changed: tuple[str, ...]
    """Files of the tree that changed while it ran."""

    @property
    def passes(self) -> bool:
        """The command succeeded and reported no error."""
        return self.result.passes and not any(
            problem.problem.severity == "error" for problem in self.problems
        )

    @property
    def words(self) -> str:
        """`failed with exit code 1, 3 problems (1 of 4 failing tests fixed), 0.8 s`."""
        if self.result.code is None and not self.result.seconds:
            return self.result.words
        many = len(self.problems)
        ending = "exit code 0" if self.result.passes and not self.passes else self.result.words
        parts = [ending, f"{many} problem{'' if many == 1 else 's'}" if many else "no problems"]
        if self.comparison is not None and self.comparison.words:
            parts[-1] += f" ({self.comparison.words})"
        parts.append(f"{self.result.seconds:.1f} s")
        return ", ".join(parts)


class CheckLoop:
    """The runs of one command in one tree."""

    def __init__(
        self, command: str | Sequence[str], root: Path, directory: Path, *, seconds: float = 0.0
    ) -> None:
        self.command, self.root, self.directory, self.seconds = command, root, directory, seconds
        self.last: CheckRun | None = None
        self._compared: CommandResult | None = None
        """The last run that ended by itself."""
        self._times: FileTimes | None = None
        self._again = False
        """Files changed while it ran, which may have been the person, so it should run once more."""
        self._ignored: set[str] = set()
        """Files that the command writes itself."""

    def run(
        self,
        stop: threading.Event,
        *,
        show: Callable[[bytes], None] | None = None,
        found: Callable[[Located], None] | None = None,
        look: bool = False,
    ) -> CheckRun:
        """Run the command. `show` gets its output and `found` each problem as it is found. With `look`,
        the files that change during the run are noted for `saved`."""
        before = file_times(self.root) if look else {}
        located: list[Located] = []

        def took(problem: Problem) -> None:
            one = locate(problem, self.root, self.directory)
            located.append(one)
            if found is not None:
                found(one)

        result = run_command(
            self.command, self.directory, stop=stop, seconds=self.seconds, show=show, found=took
        )
        changed = self._look(before) if look else ()
        comparison = None
        if result.code is not None:
            if self._compared is not None:
                comparison = compare(self._compared.problems, result.problems)
            self._compared = result
        self.last = CheckRun(result, tuple(located), comparison, changed)
        return self.last

    def _look(self, before: FileTimes) -> tuple[str, ...]:
        """Files that changed during the run. It is repeated once for them; if files change again, it is the
        command that writes them."""
        after = file_times(self.root)
        changed = changed_files(before, after)
        self._times = after
        if self._again:
            self._again = False
            self._ignored.update(changed)
        elif asking := [path for path in changed if path not in self._ignored]:
            self._again = True
            known = {path: before[path] for path in asking if path in before}
            self._times = {path: state for path, state in after.items() if path not in asking} | known
        return tuple(changed)

    def saved(self) -> list[str]:
        """Files that changed since the last run, without those that the command itself writes."""
        now = file_times(self.root)
        if self._times is None:
            self._times = now
        return [path for path in changed_files(self._times, now) if path not in self._ignored]
