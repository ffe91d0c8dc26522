"""Calls that do not fit: of functions whose signature changed, and calls that are themselves in changed
files."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from spark_tui.codemods.uses.callsites import CallSite, call_sites
from spark_tui.pysource.calls.signatures import Signature, builtin_signature, fit
from spark_tui.pysource.inference.values import ClassValue, FunctionValue
from spark_tui.pysource.names.type_hints import decorator_names
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function
from spark_tui.pysource.words import word_set

_KEEP_SIGNATURE = word_set("staticmethod classmethod wraps lru_cache cache override abstractmethod final")


@dataclass(frozen=True, slots=True)
class Misfit:
    """A call that does not fit its function."""

    path: str
    line: int
    called: str
    reason: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.path, self.called, self.reason


def misfits(
    before: Repository, after: Repository, now: Repository, paths: Collection[str]
) -> Iterator[Misfit]:
    """The misfits in `now`, which is `before` or `after`: of changed functions anywhere, and in the changed
    files."""
    changed = _changed_functions(before, after, now, paths)
    if changed:
        for site in call_sites(now, changed).sites:
            yield from _misfit(site)
    for path in paths:
        if not now.has(path):
            continue
        for call in now.index.scopes(path).calls:
            yield from _own_misfits(now, path, call, changed)


def _own_misfits(
    now: Repository, path: str, call: ast.Call, changed: Collection[tuple[str, Function]]
) -> Iterator[Misfit]:
    """The misfit that a call in a changed file is, unless it calls a function of `changed`."""
    scopes = now.index.scopes(path)
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name and not scopes.module.star_import and scopes.lookup(name, scopes.scope_at[call]) is None:
        signature = builtin_signature(name)
        if signature is not None and (problem := fit(signature, call).problem):
            yield _misfit_of(path, call, name, problem)
        return
    values = now.infer.values(path, call.func, scopes.scope_at[call])
    found = [called for value in values if (called := called_function(now, value)) is not None]
    if len(found) == 1 and all(one is not found[0][1] for _, one in changed):
        yield from _misfit(CallSite(path, call, *found[0][1:]))


def misfits_in_change(before: Repository, after: Repository, path: str) -> Iterator[Misfit]:
    """The misfits on the lines in which a file differs from one that did not parse: of the other calls
    nothing was known."""
    if not after.has(path):
        return
    old, new = before.index.source(path).lines, after.index.source(path).lines
    first = next((at for at, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), len(old))
    last = next(
        (at for at, pair in enumerate(zip(old[::-1], new[::-1], strict=False)) if pair[0] != pair[1]), 0
    )
    for call in after.index.scopes(path).calls:
        if call.lineno <= len(new) - last and (call.end_lineno or call.lineno) > first:
            yield from _own_misfits(after, path, call, [])


def called_function(repo: Repository, value: object) -> tuple[str, Function, bool] | None:
    """The function that a call of a value runs, its file, and whether its first parameter is filled."""
    if isinstance(value, FunctionValue):
        return value.path, value.node, value.bound
    if isinstance(value, ClassValue):
        member = repo.classes.lookup(value, "__init__")
        if member is not None and isinstance(member[1], Function) and not _metaclass(value):
            return member[0].path, member[1], True
    return None


def _metaclass(value: ClassValue) -> bool:
    return bool(value.node.keywords)


def _changed_functions(
    before: Repository, after: Repository, now: Repository, paths: Collection[str]
) -> list[tuple[str, Function]]:
    out = []
    for path in paths:
        if not (before.has(path) and after.has(path)):
            continue
        old, new = _signatures(before, path), _signatures(after, path)
        names = {name for name in old.keys() & new.keys() if old[name] != new[name]}
        source = now.index.source(path)
        out += [
            (path, definition)
            for definition in source.definitions
            if isinstance(definition, Function) and source.qualname(definition) in names
        ]
    return out


def _signatures(repo: Repository, path: str) -> dict[str, Signature]:
    source = repo.index.source(path)
    return {
        source.qualname(definition): Signature.of(definition)
        for definition in source.definitions
        if isinstance(definition, Function)
    }


def _misfit(site: CallSite) -> Iterator[Misfit]:
    function = site.function
    if function is None or site.partial or not _is_plain(function):
        return
    signature = Signature.of(function)
    result = fit(signature.bound() if site.bound else signature, site.call)
    if result.problem:
        yield _misfit_of(site.path, site.call, function.name, result.problem)


def _misfit_of(path: str, call: ast.Call, name: str, problem: str) -> Misfit:
    return Misfit(path, call.lineno, name, f"{ast.unparse(call.func)}(…) does not fit: {name} {problem}")


def _is_plain(function: Function) -> bool:
    """Whether its decorators leave the signature as it is written."""
    return all(name in _KEEP_SIGNATURE for name in decorator_names(function))
