"""Names of a class or function that its body reads where it means others: `list` below `def list`."""

from __future__ import annotations

import builtins
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.names.scopes import Occurrence, Role, Scope, Scopes
from spark_tui.pysource.repository import Repository

_BUILTINS = frozenset(dir(builtins))


def local_names(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a body reads a name of its own in place of one from outside: in a class after it is set, in
    a function before."""
    for path in paths:
        if not (before.has(path) and after.has(path)):
            continue
        then, now = before.index.scopes(path), after.index.scopes(path)
        known = _scopes(then)
        for qualname, scope in _scopes(now).items():
            old = known.get(qualname)
            if old is None or old.kind is not scope.kind:
                continue
            for name in sorted(scope.bound - (old.bound - _BUILTINS if scope.is_class else old.bound)):
                reads = _own_reads(now, scope, name)
                if reads and _is_other(then, old, name, len(reads)):
                    where = f"that of {qualname}" if scope.is_class else f"not set yet in {qualname}"
                    line = now.source.line_number(max(reads[0].span[0], 0))
                    reason = f"{name} is {where} there, not the one from outside"
                    yield Finding(path, line, "local names", reason, sure=False)


def _scopes(scopes: Scopes) -> dict[str, Scope]:
    """The scopes of the classes and functions by their dotted names, the last of those that share one."""
    return {scopes.source.qualname(one): scopes.scope_of[one] for one in scopes.source.definitions}


def _own_reads(scopes: Scopes, scope: Scope, name: str) -> list[Occurrence]:
    """Where the body of a class reads a name of its own, or a function one that it has not set yet."""
    variable = scopes.variable(name, scope)
    if variable is None:
        return []
    first = min((one.order for one in variable.bindings), default=0)
    own = [one for one in variable.loads if one.scope is scope]
    return own if scope.is_class else [one for one in own if one.order < first]


def _is_other(scopes: Scopes, scope: Scope, name: str, count: int) -> bool:
    """Whether a body read the name from outside before, or as one of its own less often."""
    if name in scope.bound:
        return len(_own_reads(scopes, scope, name)) < count
    reads = (one for one in scopes.by_name.get(name, ()) if one.role is Role.LOAD)
    return any(one.scope is scope for one in reads)
