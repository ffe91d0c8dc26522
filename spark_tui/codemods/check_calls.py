"""Calls that do not fit: of functions whose signature changed, and calls that are themselves in changed
files."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from spark_tui.codemods.callsites import CallSite, call_sites
from spark_tui.pysource.calls import Signature, fit
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function
from spark_tui.pysource.type_hints import last_name
from spark_tui.pysource.values import ClassValue, FunctionValue
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
        if path not in now.index.modules.paths or now.index.text(path) is None:
            continue
        scopes = now.index.scopes(path)
        for node, scope in list(scopes.scope_at.items()):
            if isinstance(node, ast.Call):
                found = [
                    one
                    for one in now.infer.values(path, node.func, scope)
                    if called_function(now, one) is not None
                ]
                if len(found) == 1:
                    called = called_function(now, found[0])
                    if called is not None and all(one is not called[1] for _, one in changed):
                        yield from _misfit(CallSite(path, node, called[1], called[2]))


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
        if any(
            path not in one.index.modules.paths or one.index.text(path) is None for one in (before, after)
        ):
            continue
        old, new = _signatures(before, path), _signatures(after, path)
        names = {name for name in old.keys() & new.keys() if old[name] != new[name]}
        source = now.index.source(path)
        out += [
            (path, one)
            for one in source.definitions
            if isinstance(one, Function) and source.qualname(one) in names
        ]
    return out


def _signatures(repo: Repository, path: str) -> dict[str, Signature]:
    source = repo.index.source(path)
    return {
        source.qualname(one): Signature.of(one) for one in source.definitions if isinstance(one, Function)
    }


def _misfit(site: CallSite) -> Iterator[Misfit]:
    function = site.function
    if function is None or site.partial or not _is_plain(function):
        return
    signature = Signature.of(function)
    result = fit(signature.bound() if site.bound else signature, site.call)
    if result.problem:
        reason = f"{ast.unparse(site.call.func)}(…) does not fit: {function.name} {result.problem}"
        yield Misfit(site.path, site.call.lineno, function.name, reason)


def _is_plain(function: Function) -> bool:
    """Whether its decorators leave the signature as it is written."""
    return all(
        last_name(one.func if isinstance(one, ast.Call) else one) in _KEEP_SIGNATURE
        for one in function.decorator_list
    )
