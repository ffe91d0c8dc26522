"""Scopes of a file, and every place where a name stands, resolved to the variable that it means.

Follows Python's rules: class scopes are invisible to what is nested in them, comprehensions and lambdas are
scopes, decorators, defaults and annotations belong to the enclosing scope, `global` and `nonlocal` redirect,
a walrus binds outside of comprehensions. Names in string annotations and in `__all__` are occurrences too.
"""

from __future__ import annotations

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

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

    @property
    def binds(self) -> bool:
        return self not in (Role.LOAD, Role.DELETE, Role.DECLARE, Role.EXPORT)


@dataclass(eq=False)
class Scope:
    """A scope of names. `bound` has the names that are bound in it, redirected ones excluded."""

    kind: ScopeKind
    node: ast.AST
    outer: Scope | None
    bound: set[str] = field(default_factory=set)
    redirected: dict[str, str] = field(default_factory=dict)
    """Names that `global` or `nonlocal` declares here."""
    inner: list[Scope] = field(default_factory=list)
    star_import: bool = False

    @property
    def is_class(self) -> bool:
        return self.kind is ScopeKind.CLASS

    @property
    def module(self) -> Scope:
        return self if self.outer is None else self.outer.module

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


@dataclass(eq=False, frozen=True, slots=True)
class Occurrence:
    """A name where it stands. `span` covers the name alone; (-1, -1) where the place cannot be known."""

    name: str
    span: Span
    scope: Scope
    role: Role
    node: ast.AST
    in_string: bool = False
    order: int = 0
    """The position in the order of evaluation within the file."""


@dataclass(eq=False)
class Variable:
    """A name of one scope, with all places that mean it. `scope` None: not bound in this file (builtin,
    star)."""

    name: str
    scope: Scope | None
    occurrences: list[Occurrence] = field(default_factory=list)

    @property
    def bindings(self) -> list[Occurrence]:
        return [one for one in self.occurrences if one.role.binds]

    @property
    def loads(self) -> list[Occurrence]:
        return [one for one in self.occurrences if one.role is Role.LOAD]


@dataclass(frozen=True, slots=True)
class AttributeUse:
    """A name behind a dot."""

    name: str
    span: Span
    node: ast.Attribute
    scope: Scope


@dataclass(frozen=True, slots=True)
class KeywordUse:
    """The name of a keyword argument, or of an attribute in a class pattern."""

    name: str
    span: Span
    node: ast.keyword | ast.MatchClass
    call: ast.AST
    scope: Scope


class Scopes:
    """The scopes of a parsed file. A file that does not parse has a module scope and nothing in it."""

    def __init__(self, source: Source) -> None:
        from spark_tui.pysource.binder import Binder

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
        if source.tree is not None:
            Binder(self).run(source.tree)

    @cached_property
    def all_scopes(self) -> tuple[Scope, ...]:
        return tuple(_deep(self.module))

    @cached_property
    def _variables(self) -> tuple[dict[tuple[int, str], Variable], dict[Occurrence, Variable]]:
        first: dict[tuple[int, str], int] = {}
        for one in self.occurrences:
            if one.role.binds:
                key = (id(one.scope), one.name)
                first[key] = min(one.order, first.get(key, one.order))
        found: dict[tuple[int, str], Variable] = {}
        of: dict[Occurrence, Variable] = {}
        for one in self.occurrences:
            scope = self.lookup(one.name, one.scope)
            # Classes and modules look outwards for what they have not bound yet, functions do not.
            outwards = one.scope.is_class or (one.scope.outer is None and hasattr(builtins, one.name))
            early = one.role is Role.LOAD and scope is one.scope and outwards
            if early and one.order < first.get((id(one.scope), one.name), -1):
                # `class A: x = x` reads the outer name: the own one is not bound yet.
                scope = self._lookup_outside(one.name, one.scope)
            variable = found.setdefault((id(scope), one.name), Variable(one.name, scope))
            variable.occurrences.append(one)
            of[one] = variable
        return found, of

    @property
    def variables(self) -> list[Variable]:
        return list(self._variables[0].values())

    def variable(self, name: str, scope: Scope) -> Variable | None:
        """The variable of a scope itself."""
        return self._variables[0].get((id(scope), name))

    def resolve(self, occurrence: Occurrence) -> Variable:
        return self._variables[1][occurrence]

    def lookup(self, name: str, scope: Scope) -> Scope | None:
        """The scope whose variable a name means when it is used in `scope`; None where no scope binds it."""
        redirect = scope.redirected.get(name)
        if redirect == "global":
            return scope.module
        if redirect is None and name in scope.bound:
            return scope
        return self._lookup_outside(name, scope)

    def _lookup_outside(self, name: str, scope: Scope) -> Scope | None:
        for one in list(scope.chain())[1:]:
            if one.redirected.get(name) == "global":
                return one.module
            if name in one.bound and name not in one.redirected:
                return one
        return None

    @cached_property
    def by_node(self) -> dict[ast.AST, Occurrence]:
        """The occurrence of each `Name` node."""
        return {one.node: one for one in self.occurrences if isinstance(one.node, ast.Name)}

    @cached_property
    def by_name(self) -> dict[str, list[Occurrence]]:
        out: dict[str, list[Occurrence]] = defaultdict(list)
        for one in self.occurrences:
            out[one.name].append(one)
        return out

    def at(self, offset: int) -> Occurrence | None:
        """The name at a place of the text."""
        return next((one for one in self.occurrences if one.span[0] <= offset <= one.span[1]), None)


def _deep(scope: Scope) -> Iterator[Scope]:
    yield scope
    for one in scope.inner:
        yield from _deep(one)
