"""The definition of a kind of edit that a generator writes, and the registry of them.

A generator makes the text before and after an edit from a window, with the slots of its instruction.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from spark_tui.train.source_windows import SourceWindow, is_name
from spark_tui.train.templates.grammar import Slot
from spark_tui.train.templates.place_phrases import fname
from spark_tui.train.templates.tables import table

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Made:
    """An edit. `phrases` overrides the kind's templates; `broken_before` allows a `before` that does not
    parse."""

    before: str
    after: str
    slots: dict[str, Slot] = field(default_factory=dict)
    phrases: tuple[str, ...] = ()
    error: str = ""
    here: tuple[int, int] | None = None
    """The selected lines of the window (half-open, from 0), if the instruction says `this`."""
    broken_before: bool = False


_NAMES = ("value", "item", "result", "count", "path", "name", "total", "entry", "buffer", "limit")
_PREFIXES: tuple[str, ...] = table("tables/edits")["name_prefixes"]
_SUFFIXES: tuple[str, ...] = table("tables/edits")["name_suffixes"]


class Draw:
    """The only source of randomness in a generator, with names from which new ones are made."""

    def __init__(self, rng: Random, names: Sequence[str] = _NAMES) -> None:
        self.rng = rng
        self.names = names

    def choice(self, items: Sequence[T]) -> T:
        return self.rng.choice(items)

    def slot(self, *options: Slot) -> Slot:
        """One of several ways to show the same value."""
        return self.rng.choice(options)

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def shuffled(self, items: Sequence[T]) -> list[T]:
        return self.rng.sample(list(items), len(items))

    def name(self, taken: set[str]) -> str:
        """A snake_case name that the window does not use."""
        for _ in range(50):
            found = self.choice(self.names)
            roll = self.rng.random()
            if roll < 0.15:
                found = f"{self.choice(_PREFIXES)}_{found}"
            elif roll < 0.35:
                found = f"{found}_{self.choice(_SUFFIXES)}"
            if is_name(found) and found not in taken and len(found) < 30:
                return found
        return f"renamed_{self.rng.randrange(1000)}"


Generator = Callable[[SourceWindow, Draw], Made | None]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of edit. `needs` is a pattern that a window must match before the generator is asked; `exact`
    says that comments or layout matter, so that equal syntax trees are not enough. `weight` is the share in
    the mixture."""

    name: str
    make: Generator
    phrases: tuple[str, ...]
    needs: re.Pattern[str] | None
    weight: float
    exact: bool


__all__ = ["KINDS", "Draw", "Kind", "Made", "fname", "kind"]
KINDS: dict[str, Kind] = {}


def kind(
    name: str, *phrases: str, needs: str = "", weight: float = 1.0, exact: bool = False
) -> Callable[[Generator], Generator]:
    """Registers a generator under `name`."""

    def register(make: Generator) -> Generator:
        if name in KINDS:
            raise ValueError(f"two kinds are called {name}")
        KINDS[name] = Kind(name, make, phrases, re.compile(needs) if needs else None, weight, exact)
        return make

    return register


def traceback(path: str, line: int, shown: str, message: str, function: str = "") -> str:
    """The end of a traceback: the place, its line as it stands there, and the error."""
    place = f", in {function}" if function else ""
    return f'File "{path}", line {line}{place}\n    {shown.strip()}\n{message}'
