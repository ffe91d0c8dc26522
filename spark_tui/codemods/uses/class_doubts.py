"""Doubts about classes that change: subclasses, and code that asks an object something new."""

from __future__ import annotations

import abc
import ast
import builtins
import collections.abc
import enum
import typing
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Unfollowed
from spark_tui.pysource.inference.values import UNKNOWN, ClassValue, InstanceValue, class_behind
from spark_tui.pysource.names.type_hints import called_name, decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import find_nodes, walk
from spark_tui.pysource.words import word_set

_WITHOUT_START = (abc, builtins, collections.abc, enum, typing)
"""Where classes are whose objects need no `__init__` of theirs."""
_PICKLERS = word_set("pickle cPickle dill cloudpickle joblib shelve jsonpickle")


def field_doubts(
    repo: Repository, source: Source, node: ast.ClassDef, *, required: bool
) -> Iterator[Unfollowed]:
    """What a new field shifts: the fields of dataclasses below, the places of a tuple with names; and the
    calls that have no value for a required one."""
    own = ClassValue(source.path, node)
    made_of_fields = "__init__" not in repo.classes.own_members(own)
    for path in sorted(repo.index.files_with(node.name)) if required and made_of_fields else ():
        scopes = repo.index.scopes(path)
        for call in scopes.calls:
            if own in repo.infer.values(path, call.func, scopes.scope_at[call]):
                yield Unfollowed(path, call.lineno, "this call has no value for the new field")
    for class_value in repo.classes.descendants(own):
        fields = any(isinstance(stmt, ast.AnnAssign) for stmt in class_value.node.body)
        if class_value.node is not node and fields and "dataclass" in decorator_names(class_value.node):
            reason = f"the fields of {class_value.node.name} come after the new one"
            yield Unfollowed(class_value.path, class_value.node.lineno, reason)
    if any(last_name(base) == "NamedTuple" for base in node.bases):
        yield Unfollowed(source.path, node.lineno, "code that unpacks the tuple gets one more value")


def abstract_doubts(repo: Repository, source: Source, method: Function) -> Iterator[Unfollowed]:
    """The calls that make a class whose method becomes abstract, or one below without its own."""
    owner = source.class_of(method)
    if owner is None:
        return
    own = ClassValue(source.path, owner)
    if not any(map(_is_enforced, (own, *repo.classes.ancestors(own)))):
        return
    without = [own]
    for one in repo.classes.descendants(own):
        line = (one, *repo.classes.ancestors(one))
        if not any(x != own and method.name in repo.classes.own_members(x) for x in line):
            without.append(one)
    for value in without:
        for path in sorted(repo.index.files_with(value.node.name)):
            scopes = repo.index.scopes(path)
            for call in scopes.calls:
                if value in repo.infer.values(path, call.func, scopes.scope_at[call]):
                    reason = f"{value.node.name} cannot be made while its {method.name} is abstract"
                    yield Unfollowed(path, call.lineno, reason)


def _is_enforced(value: ClassValue) -> bool:
    """Whether nothing is made of a class while a method of it is abstract."""
    meta = (item.value for item in value.node.keywords if item.arg == "metaclass")
    return any(last_name(one) in ("ABC", "Protocol", "ABCMeta") for one in (*value.node.bases, *meta))


def equality_doubts(repo: Repository, source: Source, node: ast.ClassDef) -> Iterator[Unfollowed]:
    """A doubt where a class sets its attributes itself: a dataclass compares those that it declares."""
    own = repo.classes.own_members(ClassValue(source.path, node))
    if "__init__" in own and "__eq__" not in own:
        reason = "its objects are compared by the fields that it declares, and not hashable"
        yield Unfollowed(source.path, node.lineno, reason)


def truth_doubts(repo: Repository, source: Source, node: ast.ClassDef) -> Iterator[Unfollowed]:
    """Where an object of a class, which was always true, is asked whether it is: it may be empty now."""
    own = ClassValue(source.path, node)
    family = [own, *repo.classes.descendants(own)]
    for path in sorted({source.path, *repo.index.importers(source.path)}):
        scopes = repo.index.scopes(path)
        for inner in walk(scopes.source.tree):
            for asked in _asked(inner):
                if not isinstance(asked, ast.Name | ast.Attribute | ast.Call):
                    continue
                values = repo.infer.values(path, asked, scopes.around(asked))
                like = last_name(asked).replace("_", "").lower() == node.name.lower()
                if any(isinstance(value, InstanceValue) and value.of in family for value in values) or (
                    like and UNKNOWN in values
                ):
                    reason = f"{ast.unparse(asked)} was always true here; it may be empty now"
                    yield Unfollowed(path, asked.lineno, reason)


def _asked(node: ast.AST) -> list[ast.expr]:
    """What a statement or expression asks for its truth."""
    if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
        return [node.test]
    if isinstance(node, ast.comprehension):
        return node.ifs
    if isinstance(node, ast.Call) and last_name(node.func) in ("bool", "any", "all", "filter"):
        return [one for arg in node.args for one in (arg, *getattr(arg, "elts", ()))]
    if isinstance(node, ast.BoolOp):
        return node.values
    return [node.operand] if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else []


_IMPLICIT = (
    "__init_subclass__",
    "__eq__",
    "__hash__",
    "__len__",
    "__bool__",
    "__setattr__",
    "__getattribute__",
)
"""What Python calls by itself, where nothing names it."""


def base_doubts(repo: Repository, source: Source, node: ast.ClassDef, base: ast.expr) -> Iterator[Unfollowed]:
    """What a base asks of a class: that its abstract methods are there; and what it changes unasked."""
    values = repo.infer.values(source.path, base, repo.index.scopes(source.path).module)
    name = last_name(base)
    kinds = (getattr(library, name, None) for library in (builtins, collections))
    if any(isinstance(kind, type) and hasattr(kind, "__len__") for kind in kinds):
        yield from truth_doubts(repo, source, node)
    kept = {
        ast.unparse(item)
        for call in find_nodes(node, ast.Call)
        if called_name(call) == "add"
        for item in call.args
    }
    if name in ("list", "dict", "set", "bytearray") and "self" in kept:
        yield Unfollowed(source.path, node.lineno, f"objects of {name} have no hash, and cannot be added")
    if name == "KeyError" and "__str__" not in repo.classes.own_members(ClassValue(source.path, node)):
        yield Unfollowed(source.path, node.lineno, "a KeyError shows its message in quotes")
    own_start = next((one for one in node.body if isinstance(one, Function) and one.name == "__init__"), None)
    if own_start is not None and not any(
        last_name(x.func) == "__init__" for x in find_nodes(own_start, ast.Call)
    ):
        known = [
            above
            for value in values
            if isinstance(value, ClassValue)
            for above in repo.classes.ancestors(value)
        ]
        if any("__init__" in repo.classes.own_members(one) for one in known) or not (
            known or any(hasattr(library, name) for library in _WITHOUT_START)
        ):
            yield Unfollowed(source.path, node.lineno, f"its __init__ does not call that of {name}")
    inherited = _of_bases(repo, source, node)
    for value in values:
        if not isinstance(value, ClassValue):
            continue
        has = {
            name
            for ancestor in repo.classes.ancestors(ClassValue(source.path, node))
            for name in repo.classes.own_members(ancestor)
        }
        for item in repo.classes.ancestors(value):
            own = {one for one in repo.classes.own_members(item) if not one.startswith("__")}
            if hidden := sorted(
                own & inherited.keys() - {one for one in own if inherited.get(one) is item.node}
            ):
                reason = f"{item.node.name} has another {hidden[0]} than it had so far"
                yield Unfollowed(source.path, node.lineno, reason)
            brings = [name for name in _IMPLICIT if name in {*repo.classes.own_members(item)} - has]
            metas = [keyword for keyword in item.node.keywords if keyword.arg == "metaclass"]
            if any(ast.unparse(one.value) not in ("ABCMeta", "abc.ABCMeta") for one in metas):
                brings.append("a metaclass")
            if brings:
                reason = f"{item.node.name} has {brings[0]}, which changes what its objects do"
                yield Unfollowed(source.path, node.lineno, reason)
            for method in item.node.body:
                abstract = isinstance(method, Function) and "abstractmethod" in decorator_names(method)
                if isinstance(method, Function) and abstract and method.name not in has:
                    reason = f"it has no {method.name}, which the base asks for"
                    yield Unfollowed(source.path, node.lineno, reason)


def _of_bases(repo: Repository, source: Source, node: ast.ClassDef) -> dict[str, ast.ClassDef]:
    """The members that a class has from its bases and not of its own, with the classes that define them."""
    found: dict[str, ast.ClassDef] = {}
    own = {*repo.classes.own_members(ClassValue(source.path, node))}
    for one in repo.classes.ancestors(ClassValue(source.path, node)):
        if one.node is not node:
            found |= {name: one.node for name in repo.classes.own_members(one) if name not in {*found, *own}}
    return found


def listed_doubts(repo: Repository, source: Source, node: ast.ClassDef) -> Iterator[Unfollowed]:
    """Where the classes below a base are collected: one of them may be used without being named."""
    for base in repo.classes.ancestors(ClassValue(source.path, node)):
        if base.node is node:
            continue
        if "__init_subclass__" in repo.classes.own_members(base):
            reason = f"{base.node.name} sees each class that is made of it"
            yield Unfollowed(base.path, base.node.lineno, reason)
        for path in sorted(repo.index.files_with("__subclasses__")):
            for use in repo.index.scopes(path).attributes_by_name.get("__subclasses__", ()):
                values = repo.infer.values(path, use.node.value, use.scope)
                if UNKNOWN in values or base in values:
                    yield Unfollowed(path, use.node.lineno, f"{ast.unparse(use.node)} may list it")
        if any(keyword.arg == "metaclass" for keyword in base.node.keywords):
            yield Unfollowed(base.path, base.node.lineno, f"the metaclass of {base.node.name} may keep it")


def pickle_doubts(repo: Repository, path: str, node: ast.ClassDef) -> Iterator[Unfollowed]:
    """A doubt where objects of a class may be stored under its name and module."""
    for near in sorted({path, *repo.index.importers(path)}.intersection(repo.index.files_with(*_PICKLERS))):
        for imported in repo.index.imports(near):
            if imported.module.partition(".")[0] in _PICKLERS:
                reason = f"what is stored of {node.name} names its module and the class as they were"
                yield Unfollowed(near, imported.line, reason)


def used_by_objects(repo: Repository, family: Collection[ClassValue], name: str) -> Iterator[Unfollowed]:
    """Where an object of some classes has a name that none of them defines: it is set from outside, or made
    by `__getattr__`."""
    for path in sorted(repo.index.files_with_member(name)):
        for use in repo.index.scopes(path).attributes_by_name.get(name, ()):
            values = repo.infer.values(path, use.node.value, use.scope)
            if any(class_behind(value) in family for value in values):
                reason = f"{ast.unparse(use.node)} means something else already"
                yield Unfollowed(path, use.node.lineno, reason)


def derives(repo: Repository, source: Source, inner: ast.expr, base: ast.expr) -> bool:
    """Whether a class derives from another one; False where that is not known."""
    scope = repo.index.scopes(source.path).module

    def classes(node: ast.expr) -> list[ClassValue]:
        values = repo.infer.values(source.path, node, scope)
        if not values and (home := _defined(repo, node)):
            return [home]
        return [value for value in values if isinstance(value, ClassValue)]

    kinds, wanted = classes(inner), classes(base)
    if wanted:
        return any(value in repo.classes.ancestors(kind) for kind in kinds for value in wanted)
    above = getattr(builtins, ast.unparse(base), None)
    names = [item for kind in kinds for up in repo.classes.ancestors(kind) for item in up.node.bases]
    found = [getattr(builtins, ast.unparse(name), None) for name in names or [inner]]
    known = [item for item in found if isinstance(item, type)]
    return isinstance(above, type) and any(issubclass(item, above) for item in known)


def _defined(repo: Repository, node: ast.expr) -> ClassValue | None:
    """The one class of the repository that a name is the name of, where it is not imported yet."""
    homes = [path for path, each in repo.index.symbols(ast.unparse(node)) if each.kind == "class"]
    found = repo.classes.find(homes[0], ast.unparse(node)) if len(homes) == 1 else []
    return found[0] if len(found) == 1 else None
