"""What an expression evaluates to: a module, class, instance or function of the repository, or something
else.

Inference is by assignment, annotation, construction and inheritance, and never guesses: if it cannot tell,
the answer contains `UNKNOWN`.
"""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from spark_tui.pysource.source import Function


@dataclass(frozen=True, slots=True)
class ModuleValue:
    """A module; `path` is empty for a package without an `__init__.py`."""

    name: str
    path: str


@dataclass(frozen=True, slots=True, eq=False)
class ClassValue:
    """A class: two of one node, which is in one file, are equal."""

    path: str
    node: ast.ClassDef

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClassValue) and self.node is other.node

    def __hash__(self) -> int:
        return hash(self.node)


@dataclass(frozen=True, slots=True)
class InstanceValue:
    """An object of a class. `open`: or of one below it, as `self` and what is annotated are."""

    of: ClassValue
    open: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class SuperValue:
    """`super()` in a method of a class."""

    of: ClassValue


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A function. `bound`: its first parameter is filled already. `owner`: the class that was asked for
    it."""

    path: str
    node: Function
    owner: ClassValue | None = None
    bound: bool = False


@dataclass(frozen=True, slots=True)
class Container:
    """A collection: what iterating yields, and what a subscript yields."""

    iterated: tuple[Value, ...]
    item: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Special:
    """Something that is no definition of the repository."""

    name: str


Value = ModuleValue | ClassValue | InstanceValue | SuperValue | FunctionValue | Container | Special
Values = tuple[Value, ...]

UNKNOWN = Special("unknown")
FOREIGN = Special("foreign")
"""Known to come from outside of the repository, or to be a literal."""
NONE = Special("None")
UNSURE = 1
"""The bit of what hangs on what was asked before it: it was cut off, or asked for itself."""


def joined(parts: Iterable[Values]) -> Values:
    found = [item for part in parts for item in part]
    return tuple(found) if len(found) < 2 else tuple(dict.fromkeys(found))


def is_unknown(values: Values) -> bool:
    """Whether an object that has members may be of any class: what is only None here is set elsewhere."""
    return UNKNOWN in values or all(value is NONE for value in values)


def instances(values: Values, *, opened: bool = False) -> Values:
    """What calling classes gives; `opened`: or classes below them."""
    return tuple(InstanceValue(value, opened) if isinstance(value, ClassValue) else value for value in values)


def class_behind(value: Value) -> ClassValue | None:
    """The class of an object or of `super()`, or the class itself."""
    of = value.of if isinstance(value, InstanceValue | SuperValue) else value
    return of if isinstance(of, ClassValue) else None


def is_common_member(name: str) -> bool:
    """Whether objects that are no part of any repository have such a member: `get`, `append`, `write`."""
    return any(hasattr(item, name) for item in _COMMON)


_COMMON = (str, bytes, list, dict, set, tuple, int, float, BaseException, io.StringIO, re.Pattern, Path)
