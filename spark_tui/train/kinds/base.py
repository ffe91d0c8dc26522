"""The definition of a kind of edit, and the registry of all kinds.

A kind is a generator that makes the text before and after an edit from a window, with the slots of its
instruction.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from spark_tui.train.place_phrases import fname, inside_function, line_of
from spark_tui.train.source_windows import Function, SourceWindow, is_name
from spark_tui.train.template_grammar import Slot

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
    block: bool = False
    """Whether lines change places or indentation: all are written again, from the first difference to the
    last."""


@dataclass(frozen=True, slots=True)
class Pools:
    """Identifiers and strings of the training split, from which new ones are drawn."""

    variables: tuple[str, ...]
    functions: tuple[str, ...]
    classes: tuple[str, ...]
    attributes: tuple[str, ...]
    strings: tuple[str, ...]


_FALLBACK = Pools(
    ("value", "item", "result", "count", "path", "name", "total", "entry", "buffer", "limit"),
    ("load", "save", "compute_total", "parse_line", "handle", "build_index"),
    ("Reader", "Writer", "ItemStore", "Config"),
    ("size", "items", "name", "cache", "owner"),
    ("ready", "not found", "invalid value", "done"),
)
_PREFIXES = (
    "new",
    "raw",
    "old",
    "max",
    "current",
    "my",
    "base",
    "last",
    "user",
    "is",
    "num",
    "input",
    "parsed",
)
_SUFFIXES = (
    "list",
    "value",
    "name",
    "count",
    "map",
    "data",
    "id",
    "text",
    "path",
    "items",
    "index",
    "info",
    "obj",
    "x",
)


class Draw:
    """The only source of randomness in a generator, with the pools of names."""

    def __init__(self, rng: Random, pools: Pools = _FALLBACK) -> None:
        self.rng = rng
        self.pools = pools

    def choice(self, items: Sequence[T]) -> T:
        return self.rng.choice(items)

    def slot(self, *options: Slot) -> Slot:
        """One of several ways to show the same value."""
        return self.rng.choice(options)

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def shuffled(self, items: Sequence[T]) -> list[T]:
        return self.rng.sample(list(items), len(items))

    def name(self, taken: set[str], pool: Sequence[str] | None = None) -> str:
        """A snake_case name that the window does not use."""
        for _ in range(50):
            found = self.choice(pool or self.pools.variables)
            roll = self.rng.random()
            if roll < 0.15:
                found = f"{self.choice(_PREFIXES)}_{found}"
            elif roll < 0.35:
                found = f"{found}_{self.choice(_SUFFIXES)}"
            if is_name(found) and found not in taken and len(found) < 30:
                return found
        return f"renamed_{self.rng.randrange(1000)}"

    def variant(self, old: str, taken: set[str], pool: Sequence[str] | None = None) -> str:
        """A new name for `old`, often made from it."""
        parts = [part for part in old.strip("_").split("_") if part]
        made: list[str] = []
        if parts:
            made += [f"{old}_{self.choice(_SUFFIXES)}", f"{self.choice(_PREFIXES)}_{old.lstrip('_')}"]
        if len(parts) > 1:
            made += [
                "_".join(parts[:-1]),
                "_".join(parts[1:]),
                "_".join([*parts[:-1], self.choice(_SUFFIXES)]),
            ]
        if old.startswith("_"):
            made.append(old.lstrip("_"))
        elif len(old) > 1:
            made.append(f"_{old}")
        found = self.choice(made) if made and self.chance(0.4) else self.name(taken, pool)
        return found if is_name(found) and found not in taken and found != old else self.name(taken, pool)

    def class_name(self, taken: set[str]) -> str:
        for _ in range(50):
            found = self.choice(self.pools.classes)
            if self.chance(0.3):
                found += self.choice(("Base", "Error", "Impl", "View", "Item", "Store", "V2", "Config"))
            if is_name(found) and found not in taken and len(found) < 30:
                return found
        return f"Renamed{self.rng.randrange(1000)}"


__all__ = ["KINDS", "Draw", "Kind", "Made", "Pools", "at_line", "fname", "inside", "kind"]
Generator = Callable[[SourceWindow, Draw], Made | None]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of edit. `needs` is a pattern that a window must match before the generator is asked; `exact`
    says that comments or layout matter, so that equal syntax trees are not enough. `weight` is the share in
    the mixture: it is higher for common orders and for kinds that are learned slowly (renames, inlining,
    inverted or early-returning branches, f-strings), and lower for kinds that are right nine times of ten."""

    name: str
    make: Generator
    phrases: tuple[str, ...]
    needs: re.Pattern[str] | None
    weight: float
    exact: bool


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


def inside(window: SourceWindow, function: Function | None, draw: Draw) -> Slot:
    """` in foo` in some wording; sometimes nothing where the window has only one function."""
    return inside_function(window, function, draw.rng)


def at_line(window: SourceWindow, line: int, draw: Draw) -> Slot:
    """A line by number, or by its text where that text is unique."""
    return line_of(window, line, draw.rng)
