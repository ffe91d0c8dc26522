"""Compares problems before and after an edit: which are new, which are fixed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from spark_tui.problems.problem import Problem

_CHANGING = re.compile(r"0x[0-9a-fA-F]+|\b\d+(?:\.\d+)?m?s\b")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Problems of two runs of one command."""

    new: tuple[Problem, ...]
    fixed: tuple[Problem, ...]
    remaining: tuple[Problem, ...]

    @property
    def words(self) -> str:
        """`1 of 3 problems fixed`, `2 new problems`, or both; empty where nothing changed."""
        known = [*self.fixed, *self.remaining]
        words = []
        if self.fixed and len(known) == 1 and known[0].test:
            words.append("the failing test fixed")
        elif self.fixed:
            kind = "failing test" if all(problem.test for problem in known) else "problem"
            plural = "s" if len(known) > 1 else ""
            words.append(f"{len(self.fixed)} of {len(known)} {kind}{plural} fixed")
        if self.new:
            words.append(f"{len(self.new)} new problem{'s' if len(self.new) > 1 else ''}")
        return ", ".join(words)


def compare(before: Sequence[Problem], after: Sequence[Problem]) -> Comparison:
    """Warnings count like errors. A problem that only moved to another line is the same."""
    left = Counter(map(identity, before))
    new, remaining = _parted(after, left)
    _, fixed = _parted(before[::-1], left)
    return Comparison(tuple(new), tuple(fixed[::-1]), tuple(remaining))


def _parted(problems: Sequence[Problem], known: Counter[tuple[str, ...]]) -> tuple[list[Problem], ...]:
    """The problems that are not known, and those that are, which are taken out of `known`."""
    others: list[Problem] = []
    there: list[Problem] = []
    for problem in problems:
        key = identity(problem)
        (there if known[key] else others).append(problem)
        known[key] = max(known[key] - 1, 0)
    return others, there


def identity(problem: Problem) -> tuple[str, ...]:
    """What stays when lines move. A failing test is the same whatever it now says."""
    if problem.test:
        return (problem.test,)
    message = _CHANGING.sub("", problem.message.partition("\n")[0])
    return (problem.path.replace("\\", "/").removeprefix("./"), problem.code, message)
