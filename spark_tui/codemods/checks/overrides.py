"""Methods that override one of a base and no longer take every call of that one."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from spark_tui.codemods.checks.calls import KEEP_SIGNATURE, functions_in_change
from spark_tui.codemods.plan import Finding
from spark_tui.pysource.calls.signatures import Signature
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.type_hints import decorator_names
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function
from spark_tui.pysource.words import word_set

_OWN_BY_CLASS = word_set("__init__ __new__ __init_subclass__ __post_init__ __class_getitem__ __set_name__")
"""Methods that are called on a class that is known, not through its base."""

_Place = tuple[str, str]
"""A file and the qualified name of a class in it."""


def overrides(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says which method overrides one whose calls it does not take, where a change made it so."""
    looked_at = set[tuple[_Place, _Place, str]]()
    for path in paths:
        if not (before.has(path) and after.has(path)):
            continue
        old, new = _methods(before, path), _methods(after, path)
        changed = functions_in_change(before.index.source(path), after.index.source(path))
        for (owner, name), function in new.items():
            known = old.get((owner, name))
            stays = known is not None and f"{owner}.{name}" not in changed
            if stays or (known is not None and Signature.of(known) == Signature.of(function)):
                continue
            for base, child in _pairs(after, path, owner, name):
                pair = _place(after, base), _place(after, child), name
                if pair not in looked_at:
                    looked_at.add(pair)
                    yield from _refused(before, after, *pair)


def _methods(repo: Repository, path: str) -> dict[tuple[str, str], Function]:
    """The methods of a file by class and name."""
    return {
        (qualname, stmt.name): stmt
        for qualname, nodes in repo.index.source(path).classes.items()
        for stmt in nodes[-1].body
        if isinstance(stmt, Function) and not _is_private(stmt.name) and stmt.name not in _OWN_BY_CLASS
    }


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


def _pairs(repo: Repository, path: str, owner: str, name: str) -> Iterator[tuple[ClassValue, ClassValue]]:
    """The nearest base whose method is overridden here, and the classes that override this one."""
    value = repo.classes.find(path, owner)[-1]
    for base in repo.classes.ancestors(value)[1:]:
        if _method(repo, base, name) is not None:
            yield base, value
            break
    for child in repo.classes.descendants(value)[1:]:
        if _method(repo, child, name) is not None:
            yield value, child


def _method(repo: Repository, owner: ClassValue, name: str) -> Function | None:
    found = repo.classes.own_members(owner).get(name, [])
    return found[-1] if found and isinstance(found[-1], Function) else None


def _place(repo: Repository, value: ClassValue) -> _Place:
    return value.path, repo.index.source(value.path).qualname(value.node)


def _refused(
    before: Repository, after: Repository, base: _Place, child: _Place, name: str
) -> Iterator[Finding]:
    reason = _narrower(after, base, child, name)
    if reason and not _narrower(before, base, child, name):
        method = _method(after, after.classes.find(*child)[-1], name)
        line = method.lineno if method is not None else 1
        text = f"{child[1]}.{name} overrides {base[1]}.{name}, but {reason}"
        yield Finding(child[0], line, "overrides", text, sure=False)


def _narrower(repo: Repository, base: _Place, child: _Place, name: str) -> str:
    """What calls that fit the method of the base lack in the other one; empty if nothing is known."""
    found = []
    for path, owner in (base, child):
        value = repo.classes.find(path, owner) if repo.has(path) else []
        method = _method(repo, value[-1], name) if value else None
        if method is None or not KEEP_SIGNATURE.issuperset(decorator_names(method)):
            return ""
        signature = Signature.of(method)
        found.append(signature if "staticmethod" in decorator_names(method) else signature.bound())
    return narrower(*found)


def narrower(wide: Signature, narrow: Signature) -> str:
    """What calls that fit a wide signature lack in another one; empty if nothing is known."""
    names = {*narrow.positional, *narrow.keyword_only}
    ordered = [*narrow.positional_only, *narrow.positional]
    passed = [*wide.positional_only, *wide.positional]
    if len(passed) > len(ordered) and not narrow.rest:
        return f"has no parameter '{passed[len(ordered)]}'"
    lost = [one for one in wide.keyword_only if one not in names]
    if lost and not narrow.keywords:
        return f"has no parameter '{lost[0]}'"
    always = {*ordered[: sum(one in wide.required for one in passed)], *(wide.required - {*passed})}
    needed = sorted(narrow.required - always)
    if needed:
        return f"needs '{needed[0]}'"
    pairs = zip(wide.positional, ordered[len(wide.positional_only) :], strict=False)
    other = next((f"calls '{one}' '{own}'" for one, own in pairs if one not in names), "")
    return "" if narrow.keywords else other
