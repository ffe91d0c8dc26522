"""Finds the files of problems in a working tree."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from spark_tui.problems.problem import Problem, place_words

Where = Literal["here", "gone", "outside", "nowhere"]
"""In a file of the tree; in one that the tree would hold but does not; in another file; without a file."""


@dataclass(frozen=True, slots=True)
class Located:
    """A problem and its place in the tree. `path` is from the root with slashes; empty where `where` is
    `outside` or `nowhere`."""

    problem: Problem
    where: Where
    path: str = ""
    line: int = 0

    @property
    def place(self) -> str:
        """As a person reads it, and can click it in most terminals."""
        if not self.path:
            return self.problem.place
        own = self.problem
        column = own.column if self.line == own.line and self.path.endswith(Path(own.path).name) else 0
        return place_words(self.path, self.line, column)


def locate(problem: Problem, root: Path, directory: Path) -> Located:
    """`directory` is where the command ran, in `root`. A problem whose own file is outside moves to the
    innermost frame in the tree."""
    own = _inside(problem.path, root, directory)
    if own is not None and (root / own).is_file():
        return Located(problem, "here", own, problem.line)
    for frame in reversed(problem.frames):
        path = _inside(frame.path, root, directory)
        if path is not None and (root / path).is_file():
            return Located(problem, "here", path, frame.line)
    if own is not None:
        return Located(problem, "gone", own, problem.line)
    return Located(problem, "outside" if problem.path else "nowhere")


def _inside(path: str, root: Path, directory: Path) -> str | None:
    """The path from the root; None where the file is not in the tree."""
    if not path or path.startswith("<") or "\0" in path:
        return None
    base, found = Path(os.path.realpath(root)), None
    for folder in (directory, root):
        full = Path(os.path.normpath(folder / path))
        # The folder of the file may be a link; the name that git knows is the one after it.
        real = Path(os.path.realpath(full.parent)) / full.name
        if real.is_relative_to(base) and len(real.parts) > len(base.parts):
            name = real.relative_to(base).as_posix()
            if full.is_file():
                return name
            found = found or name
    return found
