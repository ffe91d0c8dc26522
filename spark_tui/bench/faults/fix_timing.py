"""From a problem to its reviewed fix in a repository of 100,000 lines, as the workbench asks for it.

The faults of the trials are written one by one into a tree of all the packages. A session that has read the
tree before gets the instruction that `f` sends; the time ends with the last hunk, planned and checked, or
with the list of choices. The reading of the changed file is part of it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event as StopFlag

from spark_tui.bench.enter import Answered, answered, opened_session
from spark_tui.bench.exact_edits import plan_timing
from spark_tui.bench.faults.trials import Trial
from spark_tui.bench.packages.copies import Package, write_bytes
from spark_tui.context.shown_context import ContextRequest
from spark_tui.problems.describe import fix_request
from spark_tui.problems.problem import Problem
from spark_tui.workspace.git import git


def fix_times(trials: Sequence[Trial], packages: Sequence[Package]) -> tuple[int, list[Answered]]:
    """The lines of the tree, and each answer with its time. Trials of packages that the tree has no room for
    are left out."""
    with tempfile.TemporaryDirectory(prefix="spark-bench-") as scratch:
        root = Path(scratch) / "tree"
        lines = plan_timing.gather(packages, root, plan_timing.LINES)
        git(root, "init", "-q")
        roots = {package.name: package.root for package in packages}
        with opened_session(root, Path(scratch) / "home") as session:
            session.reader.load(StopFlag())
            found = []
            for trial in trials:
                home = root / "part0" / trial.package
                path = home / trial.fault.path
                if not path.exists():
                    continue
                path.unlink()  # a link to the file of the package
                write_bytes(path, trial.fault.after)
                # The check ran in the folder of the package.
                request = fix_request("check", [_within(trial.problem, roots[trial.package])], root, home)
                found.append(answered(session, ContextRequest(request)))
                write_bytes(path, trial.fault.before)
    return lines, found


def _within(problem: Problem, root: Path) -> Problem:
    """The problem with paths below the folder of its package, where the tool named whole ones."""

    def below(path: str) -> str:
        return path.removeprefix(f"{root}/").removeprefix(f"{root.resolve()}/")

    frames = tuple(replace(frame, path=below(frame.path)) for frame in problem.frames)
    return replace(problem, path=below(problem.path), frames=frames)
