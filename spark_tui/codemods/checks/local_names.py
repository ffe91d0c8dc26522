"""Names of a class or function that its body reads where it means others: `list` below `def list`."""

from __future__ import annotations

import ast
import builtins
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence

from spark_tui.codemods.checks.value_uses import changed_lines
from spark_tui.codemods.plan import Finding
from spark_tui.codemods.uses.looked_up import local_lookups
from spark_tui.pysource.names.scopes import Occurrence, Role, Scope, Scopes, Variable
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function

_BUILTINS = frozenset(dir(builtins))


def local_names(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a body reads a name of its own in place of one from outside: in a class after it is set, in
    a function before."""
    for path in paths:
        if not (before.has(path) and after.has(path)):
            continue
        then, now = before.index.scopes(path), after.index.scopes(path)
        known, lines = _scopes(then), changed_lines(before, after, path)
        for qualname, scope in _scopes(now).items():
            old = known.get(qualname)
            if old is None or old.kind is not scope.kind:
                continue
            changed = set() if scope.is_class else old.bound ^ scope.bound
            for where, line, reason in local_lookups(now.source, scope.node) if changed else ():
                text = f"{reason}: {min(changed)} is new or gone"
                yield Finding(where, line, "local names", text, sure=False)
            for name in sorted(scope.bound - _settled(scope, old, lines)):
                reads = _own_reads(now, scope, name)
                if reads and _is_other(then, old, name, len(reads)):
                    line = now.source.line_number(max(reads[0].span[0], 0))
                    reason = f"{name} is not set yet there in {qualname}"
                    if scope.is_class:
                        reason = f"{name} is that of {qualname} there, not the one from outside"
                    yield Finding(path, line, "local names", reason, sure=False)


def unset_reads(scopes: Scopes, functions: Iterable[Function]) -> list[tuple[str, str]]:
    """Functions and their own names that they read where nothing before sets them, in order."""
    found = []
    for function in functions:
        scope, qualname = scopes.scope_of[function], scopes.source.qualname(function)
        reads = [one for name in scope.bound for one in _own_reads(scopes, scope, name)]
        found += [(qualname, one.name) for one in sorted(reads, key=lambda one: one.order)]
    return found


def _scopes(scopes: Scopes) -> dict[str, Scope]:
    """The scopes of the classes and functions by their dotted names, the last of those that share one."""
    return {scopes.source.qualname(one): scopes.scope_of[one] for one in scopes.source.definitions}


def _settled(scope: Scope, old: Scope, lines: Sequence[int]) -> set[str]:
    """The names whose uses cannot mean something else now: those that there were before, but not those of
    builtins in a class, nor any in a function whose lines changed."""
    if scope.is_class:
        return old.bound - _BUILTINS
    at = bisect_left(lines, getattr(scope.node, "lineno", 0))
    changed = at < len(lines) and lines[at] <= getattr(scope.node, "end_lineno", 0)
    return set() if changed else old.bound


def _own_reads(scopes: Scopes, scope: Scope, name: str) -> list[Occurrence]:
    """Where the body of a class reads a name of its own, or a function one that it has not set yet."""
    variable = scopes.variable(name, scope)
    if variable is None:
        return []
    first = min((one.order for one in variable.bindings), default=0)
    own = [one for one in variable.loads if one.scope is scope]
    if scope.is_class:
        return own
    return [one for one in own if one.order < first and not _is_set_around(scopes, variable, one)]


def _is_set_around(scopes: Scopes, variable: Variable, read: Occurrence) -> bool:
    """Whether a loop around a use sets the name, for its next round."""
    for one in scopes.source.ancestors(read.node):
        if isinstance(one, ast.For | ast.AsyncFor | ast.While):
            low, high = scopes.source.span(one)
            if any(low <= binding.span[0] < high for binding in variable.bindings):
                return True
    return False


def _is_other(scopes: Scopes, scope: Scope, name: str, count: int) -> bool:
    """Whether a body read the name from outside before, or as one of its own less often."""
    if name in scope.bound:
        return len(_own_reads(scopes, scope, name)) < count
    reads = (one for one in scopes.by_name.get(name, ()) if one.role is Role.LOAD)
    return any(one.scope is scope for one in reads)
