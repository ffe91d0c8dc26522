"""Scopes of a file, and every occurrence of a name, resolved to its variable.

Follows Python's rules: class scopes are invisible to what is nested in them, comprehensions and lambdas are
scopes, decorators, defaults and annotations belong to the enclosing scope, `global` and `nonlocal` redirect,
a walrus binds outside of comprehensions. Names in string annotations and in `__all__` are occurrences too.
"""

from __future__ import annotations

import ast
import builtins
import re
import threading
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from spark_tui.pysource.names.binder import Binder
from spark_tui.pysource.names.scope_records import (
    AttributeUse,
    Bindings,
    KeywordUse,
    Occurrence,
    Role,
    Scope,
    ScopeKind,
)
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.summary import Imported, Symbol, by_name, code_of, exports_of, imports_of, symbols_of
from spark_tui.pysource.syntax.parsing import targets

__all__ = ["AttributeUse", "KeywordUse", "Occurrence", "Role", "Scope", "ScopeKind", "Scopes", "Variable"]


_QUOTED = re.compile(r"['\"]([^\W\d][\w.]*)")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LOOPS_AND_BLOCKS = (ast.For, ast.AsyncFor, ast.With, ast.AsyncWith)
_HOLDERS = frozenset((ast.Assign, ast.AnnAssign, ast.AugAssign, *_LOOPS_AND_BLOCKS, *_COMPREHENSIONS))
"""The kinds of nodes that set something, or hold what does."""


@dataclass(eq=False)
class Variable:
    """A name of one scope, with all places that mean it. `scope` None: not bound in this file (builtin,
    star)."""

    name: str
    scope: Scope | None
    occurrences: list[Occurrence] = field(default_factory=list)

    @cached_property
    def bindings(self) -> list[Occurrence]:
        return [occurrence for occurrence in self.occurrences if occurrence.role.binds]

    @property
    def plain_name(self) -> str:
        """The name as it is written, where the class around it makes it a private one."""
        node = self.bindings[0].node if "__" in self.name and self.bindings else None
        name = getattr(node, "name", None) or getattr(node, "id", None) or getattr(node, "arg", None)
        private = isinstance(name, str) and name.startswith("__") and self.name.endswith(name)
        return str(name) if private else self.name

    @property
    def is_imported(self) -> bool:
        """Whether imports bind it under its own name, and nothing else does."""
        nodes = [one.node for one in self.bindings if one.role is Role.IMPORT]
        return len(nodes) == len(self.bindings) and all(
            getattr(node, "name", "") == self.name for node in nodes
        )

    @property
    def loads(self) -> list[Occurrence]:
        return [occurrence for occurrence in self.occurrences if occurrence.role is Role.LOAD]


class Scopes:
    """The scopes of a parsed file. A file that does not parse has a module scope and nothing in it."""

    def __init__(self, source: Source) -> None:
        found = Bindings(source)
        try:
            if source.tree is not None:
                Binder(found).run(source.tree)
        except RecursionError as error:
            source.error, source.tree = error, None  # as code that is too deep for Python's parser
            found = Bindings(source)
        self.source, self.module = source, found.module
        self.occurrences, self.attributes, self.keywords = found.occurrences, found.attributes, found.keywords
        self.scope_of, self.scope_at, self.aliases = found.scope_of, found.scope_at, found.aliases
        self.members: dict[ast.ClassDef, dict[str, list[ast.AST]]] = {}
        """What classes define themselves, kept here by `Classes.own_members`."""
        self.undefined: list[Occurrence] | None = None
        """The uses of names that are defined nowhere, kept here by `undefined.undefined`."""
        self._resolving = threading.Lock()
        """Several threads may ask for the variables: all of them get the same."""
        self._resolved: tuple[dict[tuple[int, str], Variable], dict[Occurrence, Variable]] | None = None

    @property
    def _variables(self) -> tuple[dict[tuple[int, str], Variable], dict[Occurrence, Variable]]:
        if self._resolved is None:
            with self._resolving:
                self._resolved = self._resolved or self._resolve()
        return self._resolved

    def _resolve(self) -> tuple[dict[tuple[int, str], Variable], dict[Occurrence, Variable]]:
        first: dict[tuple[Scope, str], int] = {}
        for one in self.occurrences:
            if one.role is Role.LOAD:
                continue
            # Classes and modules look outwards for what they have not bound yet, functions do not.
            at = one.scope
            if one.role.binds and (at.is_class or (at.outer is None and hasattr(builtins, one.name))):
                first.setdefault((at, one.name), one.order)
        found: dict[tuple[int, str], Variable] = {}
        of: dict[Occurrence, Variable] = {}
        looked_up: dict[tuple[Scope, str], Variable] = {}
        for one in self.occurrences:
            used = (one.scope, one.name)
            known = looked_up.get(used)
            if known is None or (used in first and one.role is Role.LOAD and one.order < first[used]):
                scope = self.lookup(one.name, one.scope)
                if scope is one.scope and one.role is Role.LOAD and one.order < first.get(used, -1):
                    # `class A: x = x` reads the outer name: the own one is not bound yet.
                    known = self._variable_of(found, self._lookup_outside(one.name, one.scope), one.name)
                else:
                    known = looked_up[used] = self._variable_of(found, scope, one.name)
            known.occurrences.append(one)
            of[one] = known
        return found, of

    @staticmethod
    def _variable_of(found: dict[tuple[int, str], Variable], scope: Scope | None, name: str) -> Variable:
        key = (id(scope), name)
        if key not in found:
            found[key] = Variable(name, scope)
        return found[key]

    @property
    def variables(self) -> list[Variable]:
        return list(self._variables[0].values())

    @cached_property
    def variables_by_name(self) -> dict[str, list[Variable]]:
        """The variables by their names, and by those that are written."""
        out: dict[str, list[Variable]] = defaultdict(list)
        for variable in self.variables:
            for name in {variable.name, variable.plain_name}:
                out[name].append(variable)
        return out

    def variable(self, name: str, scope: Scope) -> Variable | None:
        """The variable of a scope itself."""
        return (self._resolved or self._variables)[0].get((id(scope), name))

    def resolve(self, occurrence: Occurrence) -> Variable:
        return (self._resolved or self._variables)[1][occurrence]

    def lookup(self, name: str, scope: Scope) -> Scope | None:
        """The scope whose variable a name means when it is used in `scope`; None where no scope binds it."""
        redirect = scope.redirected.get(name)
        if redirect == "global":
            return scope.module
        if redirect is None and name in scope.bound:
            return scope
        return self._lookup_outside(name, scope)

    def _lookup_outside(self, name: str, scope: Scope) -> Scope | None:
        for item in islice(scope.chain(), 1, None):
            if item.redirected.get(name) == "global":
                return item.module
            if name in item.bound and name not in item.redirected:
                return item
        return None

    @cached_property
    def by_node(self) -> dict[ast.AST, Occurrence]:
        return {one.node: one for one in self.occurrences if isinstance(one.node, ast.Name)}

    def of_function(self, node: ast.AST) -> Scope:
        """The scope of the innermost function around a node, or that of the module."""
        inner = self.source.function_of(node)
        return self.scope_of[inner] if inner is not None else self.module

    def around(self, node: ast.expr) -> Scope:
        """The scope in which an expression stands."""
        name = next((self.by_node[inner] for inner in ast.walk(node) if inner in self.by_node), None)
        return name.scope if name is not None else self.of_function(node)

    @cached_property
    def by_name(self) -> dict[str, list[Occurrence]]:
        out: dict[str, list[Occurrence]] = defaultdict(list)
        for occurrence in self.occurrences:
            out[occurrence.name].append(occurrence)
        return out

    @cached_property
    def attributes_by_name(self) -> dict[str, list[AttributeUse]]:
        out: dict[str, list[AttributeUse]] = defaultdict(list)
        for attribute in self.attributes:
            out[attribute.name].append(attribute)
        return out

    @cached_property
    def calls(self) -> tuple[ast.Call, ...]:
        return tuple(node for node in self.scope_at if isinstance(node, ast.Call))

    @cached_property
    def names_tested(self) -> frozenset[str]:
        """The names of which `isinstance` is asked."""
        asked = (
            call.args[0]
            for call in self.calls
            if isinstance(call.func, ast.Name) and call.func.id == "isinstance" and call.args
        )
        return frozenset(one.id for one in asked if isinstance(one, ast.Name))

    @cached_property
    def _lines_of_stores(self) -> list[int]:
        nodes = (attribute.node for attribute in self.attributes)
        stores = (node for node in nodes if isinstance(node.ctx, ast.Store))
        return sorted(store.lineno for store in stores if isinstance(store.value, ast.Name))

    def sets_attributes(self, function: Function) -> bool:
        """Whether an attribute of a name is set on the lines of a function."""
        at = bisect_left(self._lines_of_stores, function.lineno)
        lines = self._lines_of_stores[at : at + 1]
        return bool(lines) and lines[0] <= (function.end_lineno or 0)

    @cached_property
    def called(self) -> frozenset[int]:
        """The identities of what is called, of its expressions."""
        return frozenset(id(call.func) for call in self.calls)

    @cached_property
    def calls_by_name(self) -> dict[str, list[tuple[int, ast.Call]]]:
        """The calls by the last name of what is called, each with its place among all."""
        out: dict[str, list[tuple[int, ast.Call]]] = defaultdict(list)
        for at, one in enumerate(self.calls):
            out[last_name(one.func)].append((at, one))
        return out

    @cached_property
    def imported(self) -> dict[str, list[Occurrence]]:
        """The imports of each name as its module calls it, by `from module import name`."""
        out: dict[str, list[Occurrence]] = defaultdict(list)
        for occurrence in self.occurrences:
            node = occurrence.node
            if isinstance(node, ast.alias) and isinstance(self.aliases[node], ast.ImportFrom):
                out[node.name].append(occurrence)
        return out

    @cached_property
    def imports(self) -> tuple[Imported, ...]:
        """What the file imports, as its summary has it."""
        return tuple(imports_of(self.source.tree)) if self.source.tree is not None else ()

    @cached_property
    def exports(self) -> tuple[str, ...] | None:
        """The strings of `__all__`, as its summary has them; None where there is none."""
        return exports_of(self.source.tree) if self.source.tree is not None else None

    @cached_property
    def symbols_by_name(self) -> dict[str, list[Symbol]]:
        """The symbols of the file, as its summary has them."""
        return by_name(symbols_of(self.source.tree.body)) if self.source.tree is not None else {}

    @cached_property
    def code(self) -> str:
        """The text in which words are looked for."""
        return code_of(self.source)

    @cached_property
    def _setting(self) -> dict[ast.AST, ast.AST]:
        out: dict[ast.AST, ast.AST] = {}
        for node in (*self.scope_at, *self.scope_of):
            if type(node) not in _HOLDERS:
                continue
            for one in (node, *getattr(node, "items", ()), *getattr(node, "generators", ())):
                whole: list[ast.expr | None] = [*targets(one), getattr(one, "optional_vars", None)]
                out.update((target, one) for target in whole if target is not None)
        return out

    def setting(self, target: ast.AST) -> ast.AST | None:
        """What sets a name or attribute that is a target as a whole: an assignment, a loop, an item of
        `with`."""
        found = self._setting.get(target)
        return self.source.parents.get(target) if found is None and self._names_values else found

    @cached_property
    def unpacked(self) -> dict[ast.AST, tuple[ast.AST, int, int]]:
        """The names of a row that is a target (`a, b = …`), with what sets it, their place, and their
        number."""
        rows = ((row.elts, holder) for row, holder in self._setting.items() if isinstance(row, ast.Tuple))
        whole = ((elts, holder) for elts, holder in rows if not any(isinstance(e, ast.Starred) for e in elts))
        return {one: (holder, at, len(elts)) for elts, holder in whole for at, one in enumerate(elts)}

    @cached_property
    def _names_values(self) -> bool:
        """Whether something may be set within an expression."""
        return ":=" in self.source.text

    @cached_property
    def quoted_words(self) -> frozenset[str]:
        """The words of the names and dotted names that stand directly after a quote."""
        return frozenset(word for name in _QUOTED.findall(self.source.text) for word in name.split("."))

    @cached_property
    def names_of_imports(self) -> frozenset[str]:
        """The names that an import binds somewhere in the file."""
        return frozenset(occurrence.name for occurrence in self.occurrences if occurrence.role is Role.IMPORT)

    def at(self, offset: int) -> Occurrence | None:
        """The name at a place of the text."""
        return next((one for one in self.occurrences if one.span[0] <= offset <= one.span[1]), None)
