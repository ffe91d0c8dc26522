"""Problems in words for a model: the message, the place and the calls that lead there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spark_tui.problems.locate import locate
from spark_tui.problems.problem import Problem

_MOST_PROBLEMS = 8
_MOST_LINES = 12
_MOST_FRAMES = 6


def describe_problem(problem: Problem, root: Path, directory: Path) -> str:
    """Several lines: where it is, what it says, and the frames in the tree."""
    at = locate(problem, root, directory)
    first, *rest = problem.message.splitlines()[:_MOST_LINES]
    code = f" [{problem.code}]" if problem.code and problem.code not in first else ""
    said = [": ".join(filter(None, [at.place, problem.test, f"{first}{code}"]))]
    said += [f"    {line}" for line in rest]
    frames = [locate(Problem("", "", one.path, one.line), root, directory) for one in problem.frames]
    inside = [
        (where, one)
        for where, one in zip(frames, problem.frames, strict=True)
        if where.where == "here" and where.place != f"{at.path}:{at.line}"
    ]
    said += [
        f"    called from {where.place}{f' in {one.function}' if one.function else ''}"
        for where, one in reversed(inside[-_MOST_FRAMES:])
    ]
    said += [f"    {note}" for note in problem.notes[:3]]
    for cause in problem.causes:
        said.append(f"    caused by {locate(cause, root, directory).place}: {cause.title}")
    return "\n".join(said)


def describe_problems(problems: Sequence[Problem], root: Path, directory: Path) -> str:
    """The first of them, and how many there are more."""
    said = [describe_problem(one, root, directory) for one in problems[:_MOST_PROBLEMS]]
    if len(problems) > _MOST_PROBLEMS:
        said.append(f"… and {len(problems) - _MOST_PROBLEMS} more")
    return "\n".join(said)
