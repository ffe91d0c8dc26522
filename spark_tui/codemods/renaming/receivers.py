"""Whether a member is asked of an object of some classes, where inference does not say so for sure."""

from __future__ import annotations

import ast
import builtins
import collections.abc
import io
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from spark_tui.codemods.renaming.edits import Renaming
from spark_tui.pysource.inference.classes import mangled
from spark_tui.pysource.inference.values import ClassValue, Value, Values, class_behind
from spark_tui.pysource.names.scopes import Role
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository


def subclasses_meant(renaming: Renaming, values: Values, family: list[ClassValue]) -> set[ClassValue]:
    """The classes that have the member, where an object is only known to be of a base of theirs without it;
    empty if none of them is of the family."""
    classes = renaming.repo.classes
    bases = {one for item in family for one in classes.ancestors(item)}
    known = bases.intersection(map(class_behind, values))
    below = {one for item in known for one in classes.descendants(item)}
    return {one for one in below if classes.lookup(one, mangled(one.node, renaming.old)) is not None}


def has_given_base(repo: Repository, value: Value) -> bool:
    """Whether the class of an object is made of a base that a function is given: `class Made(base): …`."""
    of = class_behind(value)
    for one in repo.classes.ancestors(of) if of is not None else ():
        scopes = repo.index.scopes(one.path)
        scope = scopes.scope_at.get(one.node, scopes.module)
        for base in one.node.bases:
            if isinstance(base, ast.Name) and (at := scopes.lookup(base.id, scope)) is not None:
                variable = scopes.variable(base.id, at)
                if variable is not None and any(item.role is Role.PARAMETER for item in variable.bindings):
                    return True
    return False


def is_declared_above(renaming: Renaming, path: str, receiver: ast.expr, family: list[ClassValue]) -> bool:
    """Whether an object is declared to be of a library class above the family, which has no such member: it
    may be of the family. `lines: MutableSequence` may hold a class that derives from `list`."""
    bases = {name for item in family for one in renaming.repo.classes.ancestors(item) for name in _bases(one)}
    kinds = [kind for name in bases if isinstance(kind := getattr(builtins, name, None), type)]
    for hint in _hints(renaming.repo, path, receiver) if bases else ():
        name = last_name(hint.value if isinstance(hint, ast.Subscript) else hint)
        abstract = getattr(collections.abc, name, None)
        above = isinstance(abstract, type) and any(issubclass(kind, abstract) for kind in kinds)
        if above or (name in bases and name != "object"):
            return True
    return False


def _bases(value: ClassValue) -> set[str]:
    return {last_name(base.value if isinstance(base, ast.Subscript) else base) for base in value.node.bases}


def _hints(repo: Repository, path: str, receiver: ast.expr) -> Iterator[ast.expr]:
    """The annotations of a variable or attribute."""
    scopes, found = repo.index.scopes(path), list[tuple[str, ast.AST]]()
    if isinstance(receiver, ast.Attribute):
        for of in map(class_behind, repo.infer.values(path, receiver.value, scopes.around(receiver))):
            for one in repo.classes.ancestors(of) if of is not None else ():
                found += [(one.path, node) for node in repo.classes.own_members(one).get(receiver.attr, ())]
    elif (occurrence := scopes.by_node.get(receiver)) is not None:
        found += [(path, item.node) for item in scopes.resolve(occurrence).bindings]
    for home, node in found:
        outer = repo.index.source(home).parents.get(node)
        hints = (getattr(one, "annotation", None) for one in (node, outer))
        yield from (hint for hint in hints if isinstance(hint, ast.expr))


def may_have_more(repo: Repository, of: ClassValue) -> bool:
    """Whether objects of a class may have members that no class here defines."""
    return repo.classes.has_foreign_base(of) or repo.classes.lookup(of, "__getattr__") is not None


def is_alone(renaming: Renaming, path: str, family: list[ClassValue]) -> bool:
    """Whether a use beside the class can hardly be of something else: no other class has the name, no
    function and no builtin type."""
    known = (str, bytes, list, dict, set, tuple, int, float, io.TextIOWrapper, Path, re.Match, datetime)
    if any(hasattr(item, renaming.old) for item in known) or all(value.path != path for value in family):
        return False
    owned = {(value.path, renaming.repo.index.source(value.path).qualname(value.node)) for value in family}
    found = renaming.repo.index.symbols(renaming.old)
    return all((at, symbol.qualname.rpartition(".")[0]) in owned for at, symbol in found)


def is_other(repo: Repository, path: str, receiver: ast.expr, family: list[ClassValue]) -> bool:
    """Whether a variable is asked for something that no class of the family has: it holds another object."""
    scopes, classes = repo.index.scopes(path), repo.classes
    occurrence = scopes.by_node.get(receiver)
    if occurrence is None or any(map(classes.has_foreign_base, family)):
        return False
    related = {one for item in family for one in (*classes.ancestors(item), *classes.descendants(item))}
    own = {name for item in related for name in (*classes.own_members(item), *dir(object))}
    around = (scopes.source.parents.get(load.node) for load in scopes.resolve(occurrence).loads)
    return any(isinstance(node, ast.Attribute) and node.attr not in own for node in around)


def is_above(renaming: Renaming, class_value: ClassValue, family: list[ClassValue]) -> bool:
    """Whether `super()` in a class, or in a mixin of a descendant, can reach a class that has the member."""
    classes = renaming.repo.classes
    below = classes.descendants(class_value)
    above = {ancestor for child in below for ancestor in classes.ancestors(child)} - {class_value}
    key = mangled(class_value.node, renaming.old)
    return any(item in family and key in classes.own_members(item) for item in above)
