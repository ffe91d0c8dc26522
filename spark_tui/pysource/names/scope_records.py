"""What the binder records about a file: its scopes, and every place where a name, an attribute or a keyword
stands."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from spark_tui.pysource.names import places
from spark_tui.pysource.source import Source, Span


class ScopeKind(Enum):
    MODULE = "module"
    CLASS = "class"
    FUNCTION = "function"
    LAMBDA = "lambda"
    COMPREHENSION = "comprehension"
    TYPE_PARAMETERS = "type parameters"


class Role(Enum):
    """What a name does where it stands."""

    LOAD = "load"
    DELETE = "delete"
    DECLARE = "declare"  # in `global` and `nonlocal`
    EXPORT = "export"  # a string in `__all__`
    ASSIGN = "assign"
    ANNOTATE = "annotate"  # `x: int` without a value
    PARAMETER = "parameter"
    FUNCTION = "function"
    CLASS = "class"
    IMPORT = "import"
    EXCEPT = "except"
    TYPE_PARAMETER = "type parameter"

    @cached_property
    def binds(self) -> bool:
        return self not in (Role.LOAD, Role.DELETE, Role.DECLARE, Role.EXPORT)


@dataclass(eq=False)
class Scope:
    """A scope of names. `bound` has the names that are bound in it, redirected ones excluded. It does not
    know the scopes inside: a file goes when nobody holds it, without a collection of garbage."""

    kind: ScopeKind
    node: ast.AST
    outer: Scope | None
    bound: set[str] = field(default_factory=set)
    redirected: dict[str, str] = field(default_factory=dict)
    """Names that `global` or `nonlocal` declares here."""
    star_import: bool = False

    @property
    def is_class(self) -> bool:
        return self.kind is ScopeKind.CLASS

    @property
    def module(self) -> Scope:
        return self if self.outer is None else self.outer.module

    def outwards(self) -> Iterator[Scope]:
        """This scope and those around it."""
        yield self
        if self.outer is not None:
            yield from self.outer.outwards()

    def chain(self) -> Iterator[Scope]:
        """This scope and the enclosing ones in which a name is looked up from here."""
        yield self
        below = self
        while below.outer is not None:
            at = below.outer
            # The type parameters of a method see the class; functions and comprehensions in it do not.
            if not at.is_class or below.kind is ScopeKind.TYPE_PARAMETERS:
                yield at
            below = at


@dataclass(eq=False, slots=True)
class Occurrence:
    """A name where it stands. Its `place` is that of its node in a file, or one that is known: few are asked
    for."""

    name: str
    place: Source | Span
    scope: Scope
    role: Role
    node: ast.AST
    in_string: bool = False
    order: int = 0
    """The position in the order of evaluation within the file."""

    @property
    def span(self) -> Span:
        """The name alone; (-1, -1) where its place cannot be known."""
        place = self.place
        return place if isinstance(place, tuple) else places.name_of(place, self.node)


@dataclass(eq=False, slots=True)
class AttributeUse:
    """A name after a dot."""

    name: str
    source: Source
    node: ast.Attribute
    scope: Scope

    @property
    def span(self) -> Span:
        return places.attribute_name(self.source, self.node)


@dataclass(eq=False, slots=True)
class KeywordUse:
    """The name of a keyword argument, or of an attribute in a class pattern."""

    name: str
    place: Source | Span
    node: ast.keyword | ast.MatchClass
    call: ast.AST
    scope: Scope

    @property
    def span(self) -> Span:
        place = self.place
        return place if isinstance(place, tuple) else places.name_of(place, self.node)


class Bindings:
    """Filled by the binder, in the order of evaluation. A file that does not parse leaves it empty."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.occurrences: list[Occurrence] = []
        self.attributes: list[AttributeUse] = []
        self.keywords: list[KeywordUse] = []
        self.scope_of: dict[ast.AST, Scope] = {}
        """The scope that a node opens."""
        self.scope_at: dict[ast.AST, Scope] = {}
        """The scope in which a call, attribute or statement is evaluated."""
        self.aliases: dict[ast.alias, ast.Import | ast.ImportFrom] = {}
        self.module = Scope(ScopeKind.MODULE, source.tree or ast.Module([], []), None)
