"""Chooses from which certainty on an edit carries no mark, by instructions whose right result people wrote:

    python -m spark_tui.evals.mark_limit TASKS,TASKS WHEELS

asks the half for mending of folders of package tasks and writes the limit into
`intent/planning/certainty.toml`.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spark_tui.evals.package_tasks import (
    PackageTask,
    PackageTasks,
    read_package_tasks,
    same_texts,
    texts_of_diff,
)
from spark_tui.intent.answering.answer import answer
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning import certainty
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.reading.near_roles import MessageRoles
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.words.readings import Reads
from spark_tui.pysource.files.tree import DiskTree
from spark_tui.pysource.repository import Repository

Numbers = NDArray[np.float64]
WANTED = 0.97
"""The share of unmarked edits that should be right."""
_TABLE = Path(certainty.__file__).with_name("certainty.toml")


@dataclass(frozen=True, slots=True)
class JudgedEdit:
    """An edit of which nothing but its certainty decides whether it is marked, and whether it was right."""

    certainty: float
    right: bool


def outcomes(sets: Sequence[PackageTasks], wheels: Path, reader: Reads) -> Iterator[JudgedEdit]:
    """What became of the instructions that got one edit, in the packages whose wheels are there."""
    for found, right in answers(sets, wheels, reader):
        if found.kind == "edit" and found.ways[0].may_be_unmarked and found.ways[0].evidence:
            yield JudgedEdit(found.ways[0].confidence, right)


def for_mending(folders: str) -> list[PackageTasks]:
    """The half for mending of several folders of package tasks."""
    return [tasks for folder in folders.split(",") for tasks in read_package_tasks(Path(folder), "dev")]


def answers(sets: Sequence[PackageTasks], wheels: Path, reader: Reads) -> Iterator[tuple[Answer, bool]]:
    """What is answered to the instructions in these packages, and whether the likeliest edit is right."""
    with tempfile.TemporaryDirectory(prefix="spark-fit-") as scratch:
        for package_tasks in sets:
            root = Path(scratch) / package_tasks.package
            if package_tasks.unpack(wheels, root):
                repo, roles = Repository(DiskTree(root)), MessageRoles()
                for task in package_tasks.tasks:
                    known = roles.of(task.instruction, repo.index, task.path)
                    found = answer(task.instruction, reader, Situation(repo, task.path), known)
                    yield found, _is_right(found, task, root, repo)


def _is_right(found: Answer, task: PackageTask, root: Path, repo: Repository) -> bool:
    best = found.ways[0] if found.ways else found.best
    if best is None:
        return False
    wanted = (texts_of_diff(root, diff) for diff in task.edits)
    made = best.plan.texts(repo)
    return any(same_texts(root, made, item) for item in wanted)


def threshold(sure: Numbers, right: Numbers, wanted: float) -> tuple[float, float, float]:
    """The lowest limit above which so many are right, the share of all right ones that it lets through, and
    how many of those that it lets through are right."""
    order = np.argsort(-sure)
    counts = np.arange(1, len(order) + 1)
    # Half a one more that is wrong: few examples prove little.
    shares = np.cumsum(right[order]) / (counts + 0.5)
    good = np.flatnonzero(shares >= wanted)
    if not len(good):
        return 0.99, 0.0, 0.0
    last = int(good[-1])
    hits = float(right[order][: last + 1].sum())
    return float(min(sure[order][last], 0.99)), hits / max(float(right.sum()), 1.0), hits / (last + 1)


def write(values: Mapping[str, float], path: Path = _TABLE) -> None:
    """Put the numbers in the place of those of the same names."""
    text = path.read_text("utf-8")
    for name, value in values.items():
        text = re.sub(rf"(?m)^{name} = .*$", f"{name} = {value:.3f}", text)
    path.write_text(text, "utf-8")


def arguments(module: str, what: str) -> argparse.ArgumentParser:
    """What the fits on package tasks have in common."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=what, formatter_class=form)
    parser.add_argument("tasks", help="folders of package tasks, separated by commas")
    parser.add_argument("wheels", type=Path, help="folder with the wheels of the packages")
    return parser


def main() -> int:
    args = arguments("spark_tui.evals.mark_limit", __doc__).parse_args()
    found = list(outcomes(for_mending(args.tasks), args.wheels, Reader.load()))
    sure = np.array([judged_edit.certainty for judged_edit in found])
    right = np.array([edit.right for edit in found], dtype=float)
    limit, coverage, precision = threshold(sure, right, WANTED)
    write({"unmarked": limit})
    print(f"{len(found)} edits that no other doubt marks, {int(right.sum())} right")
    print(f"no mark from {limit:.3f} on: {precision:.3f} right, {coverage:.3f} of what is right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
