"""The values of expressions, names and annotations."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection
from functools import reduce
from operator import or_

from spark_tui.pysource.files.index import Index
from spark_tui.pysource.inference.bindings import bound_values, owner_of
from spark_tui.pysource.inference.classes import Classes
from spark_tui.pysource.inference.known_types import (
    CONTAINERS,
    DISPLAYS,
    HANDING_OUT,
    MAPPINGS,
    PASS_THROUGH,
    WRAPPERS,
    is_dots,
    is_foreign_module,
)
from spark_tui.pysource.inference.narrowing import narrowed
from spark_tui.pysource.inference.values import (
    FOREIGN,
    NONE,
    UNKNOWN,
    UNSURE,
    ClassValue,
    Container,
    FunctionValue,
    InstanceValue,
    ModuleValue,
    SuperValue,
    Value,
    Values,
    instances,
    is_unknown,
    joined,
)
from spark_tui.pysource.names.scopes import Scope, Variable
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.syntax.parsing import parse_expression

_DEPTH = 12
_CONTEXT_MANAGERS = ("contextmanager", "asynccontextmanager")


class Inference:
    """Answers for one state of the repository, kept with the files in which they were found. `before`
    answers for a state that differs only in the texts of the files `changed`: what does not touch these is
    found there."""

    def __init__(
        self, index: Index, before: Inference | None = None, changed: frozenset[str] = frozenset()
    ) -> None:
        self.index = index
        self.classes = Classes(index, self)
        self.touched = 0
        """The files in which an answer in the making is found, as bits."""
        self._bits: dict[str, int] = before._bits if before is not None else {}
        self._before = before
        self._changed = reduce(or_, map(self.bit, changed), UNSURE)
        self._known: dict[tuple[str, ast.AST], tuple[Values, int]] = {}
        self._unsure: list[tuple[str, ast.AST]] = []
        self._names: dict[tuple[str, str], tuple[Values, int]] = {}
        self._depth = 0
        self._asked: set[int] = set()
        """Variables that are being found."""

    def bit(self, path: str) -> int:
        """A file in `touched`."""
        found = self._bits.get(path)
        if found is None:
            found = self._bits[path] = 2 << len(self._bits)
        return found

    def take_over(self, earlier: Inference, changed: Collection[str]) -> None:
        """Keep what was found in files that stayed as they were."""
        self._bits = earlier._bits
        stale = reduce(or_, map(self.bit, changed), UNSURE)
        known, earlier._known = earlier._known, {}
        for key in earlier._unsure:
            known.pop(key, None)
        self._known = {key: one for key, one in known.items() if not one[1] & stale} if changed else known

    def _found_before(self, path: str, node: ast.expr, scope: Scope) -> tuple[Values, int] | None:
        """The same of the state before, where no change touches it."""
        if self._before is None or self.bit(path) & self._changed:
            return None
        self._before.values(path, node, scope)
        known = self._before._known.get((path, node))
        if known is None or known[1] & self._changed:
            return None
        self._known[path, node] = known
        return known

    # -- expressions

    def values(self, path: str, node: ast.expr, scope: Scope) -> Values:
        """What an expression in a scope of a file may be. Never empty."""
        key = (path, node)
        known = self._known.get(key) or self._found_before(path, node, scope)
        if known is not None:
            self.touched |= known[1]
            return known[0]
        if self._depth >= _DEPTH:
            self.touched |= UNSURE
            return (UNKNOWN,)
        self._known[key] = (UNKNOWN,), UNSURE
        self._depth += 1
        outer, self.touched = self.touched, self.bit(path)
        try:
            found = self._values(path, node, scope) or (UNKNOWN,)
        except BaseException:
            self._unsure.append(key)
            raise
        finally:
            self._depth -= 1
            inner, self.touched = self.touched, self.touched | outer
        self._known[key] = found, inner
        if inner & UNSURE:
            self._unsure.append(key)
        return found

    def _values(self, path: str, node: ast.expr, scope: Scope) -> Values:
        if isinstance(node, ast.Constant):
            return (NONE,) if node.value is None else (FOREIGN,)
        if isinstance(node, ast.Name):
            return narrowed(self, path, node, scope) or self.name(path, node.id, scope, node)
        if isinstance(node, ast.Attribute):
            objects = self.values(path, node.value, scope)
            own = joined([self.member(item, node.attr) for item in objects])
            return own if is_unknown(own) else joined((own, self.classes.overriding(objects, node.attr)))
        if isinstance(node, ast.Call):
            return self._call(path, node, scope, awaited=False)
        if isinstance(node, ast.Await):
            if isinstance(node.value, ast.Call):
                return self._call(path, node.value, scope, awaited=True)
            return (UNKNOWN,)
        if isinstance(node, ast.NamedExpr):
            return self.values(path, node.value, scope)
        if isinstance(node, ast.IfExp):
            return joined((self.values(path, node.body, scope), self.values(path, node.orelse, scope)))
        if isinstance(node, ast.BoolOp):
            return joined(self.values(path, value, scope) for value in node.values)
        if isinstance(node, ast.Subscript):
            found = self.values(path, node.value, scope)
            if any(isinstance(item, ClassValue) for item in found):
                return found  # Generic[T]
            return joined(item.item if isinstance(item, Container) else (UNKNOWN,) for item in found)
        if isinstance(node, ast.List | ast.Set | ast.Tuple) and node.elts:
            inner = joined(self.values(path, element, scope) for element in node.elts)
            return (Container(inner, inner),)
        if isinstance(node, ast.BinOp):
            sides = (self.values(path, node.left, scope), self.values(path, node.right, scope))
            return (FOREIGN,) if sides == ((FOREIGN,), (FOREIGN,)) else (UNKNOWN,)
        if isinstance(node, ast.UnaryOp):
            return (FOREIGN,) if self.values(path, node.operand, scope) == (FOREIGN,) else (UNKNOWN,)
        return (FOREIGN,) if type(node) in (*DISPLAYS, ast.GeneratorExp) else (UNKNOWN,)

    def _call(self, path: str, node: ast.Call, scope: Scope, *, awaited: bool) -> Values:
        function = node.func
        if isinstance(function, ast.Name) and function.id == "super":
            owner = owner_of(path, scope)
            return (SuperValue(owner),) if owner else (UNKNOWN,)
        if last_name(function) == "cast" and len(node.args) == 2:
            return self.annotation(path, node.args[0], scope)
        if isinstance(function, ast.Name) and function.id == "type" and len(node.args) == 1:
            found = self.values(path, node.args[0], scope)
            return tuple(item.of if isinstance(item, InstanceValue) else UNKNOWN for item in found)
        given = joined([self._called(item, awaited) for item in self.values(path, function, scope)])
        if is_unknown(given) or not isinstance(function, ast.Attribute):
            return given
        objects = self.values(path, function.value, scope)
        return joined((given, self.classes.overriding(objects, function.attr, awaited=awaited)))

    def _called(self, value: Value, awaited: bool) -> Values:
        if isinstance(value, ClassValue):
            return self.classes.made(value)
        if isinstance(value, FunctionValue):
            return self.returned(value, awaited=awaited)
        return (value,) if value is FOREIGN else (UNKNOWN,)

    def returned(self, value: FunctionValue, *, awaited: bool = False) -> Values:
        """What a call of a function gives, by its annotation or else by its `return` statements."""
        node, path = value.node, value.path
        if any(last_name(decorator) in _CONTEXT_MANAGERS for decorator in node.decorator_list):
            return (UNKNOWN,)
        if isinstance(node, ast.AsyncFunctionDef) and not awaited:
            return (FOREIGN,)
        self.touched |= self.bit(path)
        scopes = self.index.scopes(path)
        outer = scopes.scope_at.get(node, scopes.module)
        if node.returns is not None:
            if last_name(node.returns) == "Self" and value.owner is not None:
                return (InstanceValue(value.owner),)
            return self.annotation(path, node.returns, outer)
        inner = scopes.scope_of.get(node)
        results = scopes.source.returned(node)
        if inner is None or results is None:
            return (UNKNOWN,)
        found = (self.values(path, one, inner) if one is not None else (NONE,) for one in results)
        return joined(found) or (NONE,)

    # -- names

    def name(self, path: str, name: str, scope: Scope, node: ast.AST | None = None) -> Values:
        """What a name stands for in a scope."""
        self.touched |= self.bit(path)
        scopes = self.index.scopes(path)
        use = scopes.by_node.get(node) if node is not None else None
        found = scopes.resolve(use).scope if use is not None else scopes.lookup(name, scope)
        if found is None:
            return self.star(path, name) or self._builtin(name)
        variable = scopes.variable(name, found)
        return self.variable(path, variable) if variable is not None else (UNKNOWN,)

    def _builtin(self, name: str) -> Values:
        if name in PASS_THROUGH or not hasattr(builtins, name):
            return (UNKNOWN,)
        return (FOREIGN,)

    def star(self, path: str, name: str) -> Values:
        """A name that `from module import *` brings."""
        self.touched |= self.bit(path)
        if not self.index.scopes(path).module.star_import:
            return ()
        for imported in self.index.summary(path).imports:
            if imported.name == "*":
                module = self.index.imported_module(path, imported)
                found = self.exported(module, name, path)
                if found:
                    return found
                if self.index.modules.find(module, path) is None:
                    return (UNKNOWN,)
        return ()

    def variable(self, path: str, variable: Variable) -> Values:
        """What the bindings of a variable give; unknown inside itself."""
        self.touched |= self.bit(path)
        if id(variable) in self._asked:
            self.touched |= UNSURE
            return (UNKNOWN,)
        self._asked.add(id(variable))
        try:
            return joined([bound_values(self, path, binding) for binding in variable.bindings]) or (UNKNOWN,)
        finally:
            self._asked.discard(id(variable))

    def exported(self, module: str, name: str, importer: str) -> Values:
        """What `from module import name` gives; empty where the module of the repository has no such name."""
        path = self.index.modules.find(module, importer)
        if path is None:
            return self._submodule(f"{module}.{name}", importer) or self.external(module)
        key = (path, name)
        known = self._names.get(key)
        if known is None:
            # Meanwhile the name of a submodule means the submodule: `from . import name` in a package.
            submodule = self._submodule(f"{module}.{name}", importer)
            self._names[key] = submodule, UNSURE
            outer, self.touched = self.touched, self.bit(path)
            scopes = self.index.scopes(path)
            variable = scopes.variable(name, scopes.module) if name in scopes.module.bound else None
            found = self.variable(path, variable) if variable is not None else self.star(path, name)
            # `from . import name` in the package asks again: it is known later.
            again = variable is not None and found == (UNKNOWN,) and id(variable) in self._asked
            known = self._names[key] = (not again and found) or submodule, self.touched
            if again:
                del self._names[key]
            self.touched |= outer
        self.touched |= known[1]
        return known[0]

    def _submodule(self, name: str, importer: str) -> Values:
        path = self.index.modules.find(name, importer)
        if path is not None or self.index.modules.is_package(name):
            return (ModuleValue(name, path or ""),)
        return ()

    def module(self, name: str, importer: str) -> Values:
        found = self._submodule(name, importer) or self.external(name)
        return (ModuleValue(name, ""),) if found == (UNKNOWN,) else found

    def external(self, module: str) -> Values:
        return (FOREIGN,) if is_foreign_module(module) else (UNKNOWN,)

    # -- members

    def member(self, value: Value, name: str) -> Values:
        """What `value.name` is."""
        if isinstance(value, ModuleValue):
            return self.exported(value.name, name, value.path) or (UNKNOWN,)
        if isinstance(value, InstanceValue) and name == "__class__":
            return (value.of,)
        if isinstance(value, InstanceValue | ClassValue | SuperValue):
            return self.classes.member_values(value, name)
        outside = (value is FOREIGN or isinstance(value, Container)) and name not in HANDING_OUT
        return (FOREIGN,) if outside else (UNKNOWN,)

    # -- annotations

    def annotation(self, path: str, node: ast.expr, scope: Scope) -> Values:
        """The values that an annotated name may have."""
        if isinstance(node, ast.Constant):
            if node.value is None:
                return (NONE,)
            if not isinstance(node.value, str):
                return (UNKNOWN,)
            inner = parse_expression(node.value)
            return (UNKNOWN,) if inner is None else self.annotation(path, inner, scope)
        if isinstance(node, ast.BinOp):
            return joined((self.annotation(path, node.left, scope), self.annotation(path, node.right, scope)))
        if isinstance(node, ast.Subscript):
            return self._generic(path, node, scope)
        word = last_name(node)
        if word == "Self":
            owner = owner_of(path, scope)
            return (InstanceValue(owner),) if owner else (UNKNOWN,)
        if word in ("Any", "object"):
            return (UNKNOWN,)
        dotted = isinstance(node, ast.Attribute)
        found = self.values(path, node, scope) if dotted else self.name(path, word, scope)
        if any(isinstance(item, FunctionValue | ModuleValue) for item in found):
            return (UNKNOWN,)
        return instances(found, opened=True)

    def _generic(self, path: str, node: ast.Subscript, scope: Scope) -> Values:
        word = last_name(node.value)
        inner = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        if word in WRAPPERS:
            parts = inner[:1] if word == "Annotated" else inner
            return joined(self.annotation(path, part, scope) for part in parts)
        if word in ("type", "Type"):
            found = self.annotation(path, inner[0], scope)
            return tuple(item.of if isinstance(item, InstanceValue) else UNKNOWN for item in found)
        if word in CONTAINERS:
            items = joined(self.annotation(path, element, scope) for element in inner if not is_dots(element))
            return (Container(items, items),)
        if word in MAPPINGS and len(inner) == 2:
            return (
                Container(self.annotation(path, inner[0], scope), self.annotation(path, inner[1], scope)),
            )
        found = self.annotation(path, node.value, scope)
        return tuple(item if isinstance(item, InstanceValue) else UNKNOWN for item in found)
