"""Uses of a member that the class of an object does not have: `self.unregister()` where there is none."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.inference.values import ClassValue, InstanceValue, SuperValue, Value
from spark_tui.pysource.names.scopes import AttributeUse
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function

_ON_ALL = frozenset((*dir(type), "__dict__", "__slots__"))
"""What every object or class has."""
_OPEN = ("__getattr__", "__getattribute__")
_SETTING = ("setattr", "__dict__", "vars")
"""Words in a class that may give its objects members by names in strings."""


def new_members(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a change uses a member that a class of the repository and its bases do not have."""
    for path in paths:
        if not after.has(path):
            continue
        had = before.index.scopes(path).attributes_by_name if before.has(path) else {}
        for name, uses in after.index.scopes(path).attributes_by_name.items():
            if len(uses) <= len(had.get(name, ())) or name in _ON_ALL:
                continue
            known = [_key(use) for use in had.get(name, ())]
            for use in uses:
                if isinstance(use.node.ctx, ast.Load) and _key(use) not in known:
                    yield from _missing(after, path, use)


def _key(use: AttributeUse) -> tuple[str, str]:
    """An attribute and the function that uses it."""
    return ast.unparse(use.node), getattr(use.scope.node, "name", "")


def _missing(after: Repository, path: str, use: AttributeUse) -> Iterator[Finding]:
    values = after.infer.values(path, use.node.value, use.scope)
    owners = [_owner(value) for value in values]
    for owner in owners[:1]:
        if owner is not None and all(one is not None and _lacks(after, one, use.name) for one in owners):
            reason = f"{owner.node.name} has no {use.name}"
            yield Finding(path, use.node.lineno, "new members", reason, sure=False)


def _owner(value: Value) -> ClassValue | None:
    """The class whose members an object has, or a class itself."""
    if isinstance(value, ClassValue):
        return value
    return value.of if isinstance(value, InstanceValue | SuperValue) else None


def _lacks(after: Repository, owner: ClassValue, name: str) -> bool:
    """Whether nothing gives the objects of a class such a member, as far as the repository tells."""
    classes = after.classes
    line = classes.ancestors(owner)
    if classes.has_foreign_base(owner) or classes.lookup(owner, name) is not None:
        return False
    if any(classes.lookup(child, name) is not None for child in classes.descendants(owner)):
        return False  # a mixin, or a base that leaves it to its subclasses
    if any(hook in classes.own_members(one) for one in line for hook in _OPEN):
        return False
    if any(_may_get_more(after, one) for one in line):
        return False
    return not any(
        isinstance(other.node.ctx, ast.Store)
        for one in line
        for other in after.index.scopes(one.path).attributes_by_name.get(name, ())
    )


def _may_get_more(after: Repository, owner: ClassValue) -> bool:
    """Whether a metaclass or a name in a string may give the objects of a class more members."""
    source = after.index.source(owner.path)
    methods = [source.segment(item) for item in owner.node.body if isinstance(item, Function)]
    made = any(last_name(keyword.value) != "ABCMeta" for keyword in owner.node.keywords)
    return made or any(word in one for one in methods for word in _SETTING)
