"""Other programs that find the places of a symbol: rope and jedi. Each answers for one folder of Python
files."""

from __future__ import annotations

import signal
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from spark_tui.errors import NoBackend, install_command

Place = tuple[str, int, int]
"""A path, a line counted from 1, and a column counted from 0."""
T = TypeVar("T")


def load(root: Path, seconds: float) -> list[ReferenceTool]:
    """All tools for a folder. Each may take so many seconds for an answer."""
    return [Rope(root, seconds), Jedi(root, seconds)]


def require(*modules: str) -> None:
    """Raise NoBackend where a tool is not installed."""
    for name in modules:
        try:
            __import__(name)
        except ImportError:
            raise NoBackend(f"{name} is not installed", hint=install_command("bench")) from None


class _TookTooLong(BaseException):
    """Not an Exception: the tools go on after those."""


def limited(seconds: float, work: Callable[[], T]) -> T | None:
    """The result of some work; None where it raises or takes longer. Only in the main thread."""

    def stop(*_: object) -> None:
        raise _TookTooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        return work()
    except (Exception, _TookTooLong):  # a tool that fails on a file has no opinion
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class ReferenceTool(ABC):
    name: str

    def __init__(self, root: Path, seconds: float) -> None:
        self.root, self.seconds = root, seconds

    def references(self, place: Place) -> set[Place] | None:
        """Where the symbol at a place is named, itself included; None where the tool fails or gives up."""
        return limited(self.seconds, lambda: self._references(place))

    @abstractmethod
    def _references(self, place: Place) -> set[Place]: ...


class Rope(ReferenceTool):
    """Occurrences as rope's rename finds them, through a hierarchy of classes."""

    name = "rope"

    def __init__(self, root: Path, seconds: float) -> None:
        from rope.base.project import Project

        super().__init__(root, seconds)
        self._project: Any = Project(str(root), ropefolder=None)

    def _references(self, place: Place) -> set[Place]:
        from rope.contrib.findit import find_occurrences

        resource = self._project.get_resource(place[0])
        offset = _offset(resource.read(), place)
        found = find_occurrences(self._project, resource, offset, unsure=False, in_hierarchy=True)
        return {
            _place(occurrence.resource.path, occurrence.resource.read(), occurrence.offset)
            for occurrence in found
        }


class Jedi(ReferenceTool):
    """References as jedi finds them in a project."""

    name = "jedi"

    def __init__(self, root: Path, seconds: float) -> None:
        import jedi

        super().__init__(root, seconds)
        self._jedi: Any = jedi
        self._project = jedi.Project(str(root), smart_sys_path=False, added_sys_path=[str(root)])
        self._environment = jedi.InterpreterEnvironment()

    def _references(self, place: Place) -> set[Place]:
        path, line, column = place
        script = self._jedi.Script(
            path=str(self.root / path), project=self._project, environment=self._environment
        )
        root = self.root.resolve()
        out = set()
        for reference in script.get_references(line, column, include_builtins=False):
            if reference.module_path is not None and reference.module_path.resolve().is_relative_to(root):
                out.add(
                    (
                        reference.module_path.resolve().relative_to(root).as_posix(),
                        reference.line,
                        reference.column,
                    )
                )
        return out


def _offset(text: str, place: Place) -> int:
    lines = text.splitlines(keepends=True)
    return sum(map(len, lines[: place[1] - 1])) + place[2]


def _place(path: str, text: str, offset: int) -> Place:
    head = text[:offset]
    return path, head.count("\n") + 1, offset - (head.rfind("\n") + 1)
