"""Classes that can no longer be made, since a method that they do not have became abstract."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source

_ABSTRACT = "abstractmethod"
_BASES = ("ABC", "Protocol")


def abstract_methods(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says which class lacks a method that a change made abstract; of classes that others build on, these."""
    for path in paths:
        if _ABSTRACT not in (after.index.text(path) or ""):
            continue
        new = _abstract(after.index.source(path))
        old = _abstract(before.index.source(path)) if new and before.has(path) else set()
        for owner, name in sorted(new - old):
            base = after.classes.find(path, owner)[-1]
            for child in after.classes.descendants(base)[1:]:
                lines = after.classes.ancestors(child)
                found = next((one for one in lines if after.classes.own_members(one).get(name)), None)
                if found == base and not after.classes.children(child) and any(map(_is_enforced, lines)):
                    reason = f"{child.node.name} does not define {name}, which is abstract now"
                    yield Finding(child.path, child.node.lineno, "abstract methods", reason, sure=False)


def _abstract(source: Source) -> set[tuple[str, str]]:
    """The abstract methods of a file, each with its class."""
    return {
        (owner, stmt.name)
        for owner, nodes in source.classes.items()
        for stmt in nodes[-1].body
        if isinstance(stmt, Function) and _ABSTRACT in decorator_names(stmt)
    }


def _is_enforced(value: ClassValue) -> bool:
    """Whether a class is one of which nothing is made while a method is abstract."""
    node = value.node
    return any(last_name(one) in _BASES for one in node.bases) or any(
        item.arg == "metaclass" and last_name(item.value) == "ABCMeta" for item in node.keywords
    )
