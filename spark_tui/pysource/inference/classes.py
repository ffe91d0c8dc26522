"""Classes of a repository: bases, descendants, members, and the family that shares a member."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from spark_tui.pysource.files.index import Index
from spark_tui.pysource.inference.inferring import Inferring
from spark_tui.pysource.inference.values import (
    FOREIGN,
    UNKNOWN,
    UNSURE,
    ClassValue,
    FunctionValue,
    InstanceValue,
    SuperValue,
    Value,
    Values,
    instances,
    joined,
)
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.summary import is_own_attribute
from spark_tui.pysource.syntax.parsing import walk
from spark_tui.pysource.words import word_set

_PROPERTIES = word_set("property cached_property setter getter")
Member = tuple[ClassValue, ast.AST]
"""A class and the node that defines a member in it: a function, class, or the target of an assignment."""


PLAIN_BASES = ("object", "Generic", "Protocol", "ABC")
"""Bases that have no members of their own to speak of."""


class Classes:
    """Questions about the classes of one state of the repository."""

    def __init__(self, index: Index, infer: Inferring) -> None:
        self.index = index
        self.infer = infer
        self._bases: dict[ClassValue, tuple[tuple[ClassValue, ...], bool, int]] = {}
        """With the files in which they were found (`Inference.touched`), as all that is kept here."""
        self._finding_bases = 0
        """Of so many classes the bases are being found: meanwhile their ancestors are not known."""
        self._ancestors: dict[ClassValue, tuple[tuple[ClassValue, ...], int]] = {}
        self._children: dict[ClassValue, tuple[tuple[ClassValue, ...], int]] = {}

    def bases(self, value: ClassValue) -> tuple[tuple[ClassValue, ...], bool]:
        """The bases in the repository, and whether there are other ones than `object`."""
        known = self._bases.get(value)
        if known is None:
            self._bases[value] = ((), True, UNSURE)
            self._finding_bases += 1
            outer, self.infer.touched = self.infer.touched, self.infer.bit(value.path)
            found: list[ClassValue] = []
            foreign = False
            scopes = self.index.scopes(value.path)
            scope = scopes.scope_at.get(value.node, scopes.module)
            for base in value.node.bases:
                node = base.value if isinstance(base, ast.Subscript) else base
                if last_name(node) in PLAIN_BASES:
                    continue
                values = self.infer.values(value.path, node, scope)
                found += [item for item in values if isinstance(item, ClassValue)]
                foreign = foreign or not all(isinstance(item, ClassValue) for item in values)
            known = self._bases[value] = (tuple(found), foreign, self.infer.touched)
            self.infer.touched |= outer
            self._finding_bases -= 1
        self.infer.touched |= known[2]
        return known[:2]

    def ancestors(self, value: ClassValue) -> list[ClassValue]:
        """The class and its bases in the repository, in about the order of lookup."""
        known = self._ancestors.get(value)
        if known is not None:
            self.infer.touched |= known[1]
            return list(known[0])
        outer, self.infer.touched = self.infer.touched, 0
        out: list[ClassValue] = []
        todo = [value]
        while todo:
            one = todo.pop(0)
            if one not in out:
                out.append(one)
                todo = [*self.bases(one)[0], *todo]
        if not self._finding_bases:
            self._ancestors[value] = tuple(out), self.infer.touched
        self.infer.touched |= outer
        return out

    def has_foreign_base(self, value: ClassValue) -> bool:
        return any(self.bases(ancestor)[1] for ancestor in self.ancestors(value))

    def children(self, value: ClassValue) -> list[ClassValue]:
        """The classes that inherit directly."""
        known = self._children.get(value)
        if known is None:
            outer, self.infer.touched = self.infer.touched, 0
            based = self.index.classes_based_on(value.node.name)
            found = (one for path, qualname in based for one in self.find(path, qualname))
            out = tuple(dict.fromkeys(one for one in found if value in self.bases(one)[0]))
            known = out, self.infer.touched
            if not self._finding_bases:
                self._children[value] = known
            self.infer.touched |= outer
        self.infer.touched |= known[1]
        return list(known[0])

    def descendants(self, value: ClassValue) -> list[ClassValue]:
        """The class and everything that inherits from it in the repository."""
        out: list[ClassValue] = []
        todo = [value]
        while todo:
            one = todo.pop(0)
            if one not in out:
                out.append(one)
                todo += self.children(one)
        return out

    def find(self, path: str, qualname: str) -> list[ClassValue]:
        return [ClassValue(path, item) for item in self.index.source(path).classes.get(qualname, ())]

    # -- members

    def own_members(self, value: ClassValue) -> dict[str, list[ast.AST]]:
        """Names that a class itself defines: methods, classes, attributes of the class and of `self`."""
        scopes = self.index.scopes(value.path)
        if value.node not in scopes.members:
            found: dict[str, list[ast.AST]] = defaultdict(list)
            scope = scopes.scope_of.get(value.node)
            for name in scope.bound if scope is not None else ():
                variable = scopes.variable(name, scope) if scope is not None else None
                found[name] += [binding.node for binding in variable.bindings] if variable else []
            for function in _methods(value.node):
                if _is_static(function) or not scopes.sets_attributes(function):
                    continue
                receiver = parameters(function)[0].arg if parameters(function) else ""
                for node in walk(function):
                    if is_own_attribute(node, receiver):
                        found[mangled(value.node, node.attr)].append(node)
            scopes.members[value.node] = dict(found)
        return scopes.members[value.node]

    def lookup(self, value: ClassValue, name: str) -> Member | None:
        """The definition of a member in the class or its bases."""
        for ancestor in self.ancestors(value):
            nodes = self.own_members(ancestor).get(name)
            if nodes:
                return ancestor, nodes[0]
        return None

    def family(self, value: ClassValue, name: str) -> list[ClassValue]:
        """All classes whose objects share the member: connected by inheritance with one that defines it."""
        out: dict[ClassValue, None] = {}
        todo = [value]
        while todo:
            one = todo.pop()
            if one in out:
                continue
            out[one] = None
            defining = [ancestor for ancestor in self.ancestors(one) if name in self.own_members(ancestor)]
            todo += defining
            if defining:
                todo += self.children(one)
        return list(out)

    def member_values(self, value: InstanceValue | ClassValue | SuperValue, name: str) -> Values:
        """What `value.name` is."""
        owner = value if isinstance(value, ClassValue) else value.of
        line = self.ancestors(owner)[1:] if isinstance(value, SuperValue) else self.ancestors(owner)
        for ancestor in line:
            nodes = self.own_members(ancestor).get(name)
            if nodes:
                found = joined(self._member_value(ancestor, owner, node, value) for node in nodes)
                return found or (UNKNOWN,)
        return (UNKNOWN,)

    def overriding(self, objects: Values, name: str, *, awaited: bool | None = None) -> Values:
        """The other classes and objects that classes below those of some objects have under a name, or give
        where it is called, which is `awaited` or not."""
        out: list[Values] = []
        for one in self._redefining(objects, name):
            found = self.member_values(InstanceValue(one), name)
            if awaited is not None:
                methods = (value for value in found if isinstance(value, FunctionValue))
                found = joined(self.infer.returned(value, awaited=awaited) for value in methods)
            out.append(tuple(value for value in found if isinstance(value, InstanceValue | ClassValue)))
        return joined(out)

    def _redefining(self, objects: Values, name: str) -> Iterator[ClassValue]:
        """The classes below those of some objects that have a name themselves."""
        of = [value.of for value in objects if isinstance(value, InstanceValue) and value.open]
        of = [one for one in of if not name.startswith("__") and self.index.classes_based_on(one.node.name)]
        known = self.index.symbols(name) if of else ()
        if len(known) > 1:
            below = dict.fromkeys(child for one in of for child in self.descendants(one)[1:])
            paths = {path for path, _ in known} if below else ()
            yield from (one for one in below if one.path in paths and name in self.own_members(one))

    def made(self, value: ClassValue) -> Values:
        """What a call of a class gives: its object, or what its `__new__` or its metaclass makes in place of
        one."""
        out: list[Values] = [(InstanceValue(value),)]
        for maker in (self.lookup(value, "__new__"), self._metaclass_call(value)):
            if maker is not None and isinstance(maker[1], Function):
                given = self.infer.returned(FunctionValue(maker[0].path, maker[1], maker[0], bound=True))
                own = self.ancestors(value)
                out.append(
                    tuple(one for one in given if isinstance(one, InstanceValue) and one.of not in own)
                )
        return joined(out)

    def _metaclass_call(self, value: ClassValue) -> Member | None:
        for one in self.ancestors(value):
            scopes = self.index.scopes(one.path)
            for keyword in one.node.keywords:
                scope = scopes.scope_at.get(one.node, scopes.module)
                kinds = (
                    self.infer.values(one.path, keyword.value, scope) if keyword.arg == "metaclass" else ()
                )
                for kind in kinds:
                    if isinstance(kind, ClassValue):
                        return self.lookup(kind, "__call__")
        return None

    def _got(self, value: Value) -> Values:
        """What is found of a value that a class holds: a descriptor gives something else."""
        get = self.lookup(value.of, "__get__") if isinstance(value, InstanceValue) else None
        if get is None or not isinstance(get[1], Function):
            return (value,)
        return self.infer.returned(FunctionValue(get[0].path, get[1], get[0], bound=True))

    def _member_value(self, at: ClassValue, owner: ClassValue, node: ast.AST, through: object) -> Values:
        scopes = self.index.scopes(at.path)
        if isinstance(node, Function):
            words = {last_name(decorator) for decorator in node.decorator_list}
            of_object = not isinstance(through, ClassValue)
            made = FunctionValue(at.path, node, owner, bound=of_object)
            if words & _PROPERTIES:
                return self.infer.returned(made) if of_object else (FOREIGN,)
            if "staticmethod" in words:
                return (FunctionValue(at.path, node, owner, bound=False),)
            if "classmethod" in words:
                return (FunctionValue(at.path, node, owner, bound=True),)
            return (made,) if "overload" not in words else ()
        if isinstance(node, ast.ClassDef):
            return (ClassValue(at.path, node),)
        statement = scopes.setting(node)
        if isinstance(statement, ast.AnnAssign):
            scope = scopes.scope_at.get(statement, scopes.module)
            return self.infer.annotation(at.path, statement.annotation, scope)
        if isinstance(statement, ast.Assign):
            found = self.infer.values(at.path, statement.value, scopes.scope_at.get(statement, scopes.module))
            found = joined(map(self._got, found)) if isinstance(node, ast.Name) else found
            return instances((at,)) if _is_enum(at.node) and found == (FOREIGN,) else found
        return (UNKNOWN,)


def _methods(node: ast.ClassDef) -> Iterator[Function]:
    todo: list[ast.AST] = list(node.body)
    while todo:
        one = todo.pop(0)
        if isinstance(one, Function):
            yield one
        elif isinstance(one, ast.If | ast.Try):
            todo = [*ast.iter_child_nodes(one), *todo]


def _is_static(node: Function) -> bool:
    return any(last_name(decorator) == "staticmethod" for decorator in node.decorator_list)


def _is_enum(node: ast.ClassDef) -> bool:
    return any(last_name(base) in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag") for base in node.bases)


def mangled(owner: ast.ClassDef, name: str) -> str:
    """A private name of a class as Python stores it."""
    if name.startswith("__") and not name.endswith("__") and owner.name.lstrip("_"):
        return f"_{owner.name.lstrip('_')}{name}"
    return name
