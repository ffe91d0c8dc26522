"""The definition of a kind of edit that a generator writes, and the registry of them.

A generator makes the text before and after an edit from a window, with the slots of its instruction.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from spark_tui.train.source_windows import SourceWindow
from spark_tui.train.templates.grammar import Slot
from spark_tui.train.templates.place_phrases import fname


@dataclass(frozen=True, slots=True)
class Made:
    """An edit. `phrases` overrides the kind's templates; `broken_before` allows a `before` that does not
    parse."""

    before: str
    after: str
    slots: dict[str, Slot] = field(default_factory=dict)
    phrases: tuple[str, ...] = ()
    error: str = ""
    broken_before: bool = False


Generator = Callable[[SourceWindow, Random], Made | None]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of edit. `needs` is a pattern that a window must match before the generator is asked; `weight`
    is the share in the mixture."""

    name: str
    make: Generator
    phrases: tuple[str, ...]
    needs: re.Pattern[str] | None
    weight: float


__all__ = ["KINDS", "Kind", "Made", "fname", "kind"]
KINDS: dict[str, Kind] = {}


def kind(name: str, *phrases: str, needs: str = "", weight: float) -> Callable[[Generator], Generator]:
    """Registers a generator under `name`."""

    def register(make: Generator) -> Generator:
        if name in KINDS:
            raise ValueError(f"two kinds are called {name}")
        KINDS[name] = Kind(name, make, phrases, re.compile(needs) if needs else None, weight)
        return make

    return register


def traceback(path: str, line: int, shown: str, message: str, function: str = "") -> str:
    """The end of a traceback: the place, its line as it stands there, and the error."""
    place = f", in {function}" if function else ""
    return f'File "{path}", line {line}{place}\n    {shown.strip()}\n{message}'
