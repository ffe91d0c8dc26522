"""Arguments of a kind that the annotation of their parameter excludes, whether the call or the annotation is
new: None or a member of an enum where a text is wanted."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from spark_tui.codemods.checks.calls import KEEP_SIGNATURE, called_anew
from spark_tui.codemods.checks.value_kinds import ValueKind, kind_of_hint, value_kind
from spark_tui.codemods.checks.value_uses import changed_lines
from spark_tui.codemods.plan import Finding
from spark_tui.codemods.uses.callsites import call_sites
from spark_tui.pysource.calls.signatures import Signature, defaults, fit
from spark_tui.pysource.inference.values import ClassValue, InstanceValue
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, parameters

_ITEMS = (ValueKind.LIST, ValueKind.TUPLE, ValueKind.SET, ValueKind.VIEW, ValueKind.ITERATOR)
_GROUPS = (
    *((ValueKind.TEXT,), (ValueKind.NUMBER, ValueKind.TRUTH), (ValueKind.DICT,), (ValueKind.FILE,), _ITEMS),
    *((ValueKind.NONE,), (ValueKind.FUNCTION,), (ValueKind.OBJECT,)),
)
"""Kinds that may stand for each other, as far as these checks know."""
_PLAIN_BASES = frozenset(("Enum", "Flag", "ABC", "object"))
"""Bases of the library whose objects are neither texts nor numbers nor collections."""


def typed_arguments(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a change gives a function a value that it is annotated not to take."""
    for path in paths:
        if before.has(path) and after.has(path) and after.index.source(path).tree is not None:
            yield from _of_new_calls(before, after, path)
            yield from _of_new_hints(before, after, path)


def _of_new_calls(before: Repository, after: Repository, path: str) -> Iterator[Finding]:
    lines = changed_lines(before, after, path)
    for call, _, called, bound in called_anew(before, after, path):
        if _stands_on(call, lines):
            yield from _misfits(after, path, call, called, bound, lines=lines)


def _stands_on(node: ast.expr, lines: Collection[int]) -> bool:
    return any(line in lines for line in range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _of_new_hints(before: Repository, after: Repository, path: str) -> Iterator[Finding]:
    """What calls of functions give whose annotations a change wrote, other than in another form."""
    source, lines = after.index.source(path), {*changed_lines(before, after, path)}
    written = [
        one for one in source.functions if not lines.isdisjoint(range(one.lineno, one.body[0].lineno + 1))
    ]
    for function in written if any(_checked_parameters(one) for one in written) else ():
        known = _hints(before.index.source(path), source.qualname(function))
        names = {
            one.arg for one in _checked_parameters(function) if (one.arg, _types(one.annotation)) not in known
        }
        for site in call_sites(after, [(path, function)]).sites if names else ():
            if not site.partial:
                yield from _misfits(after, site.path, site.call, function, site.bound, names)


def _checked_parameters(function: Function) -> list[ast.arg]:
    """The parameters whose annotation says which kind of value they take."""
    if not all(name in KEEP_SIGNATURE for name in decorator_names(function)):
        return []
    return [one for one in parameters(function) if one.annotation and kind_of_hint(one.annotation)]


def _hints(source: Source, qualname: str) -> set[tuple[str, frozenset[str]]]:
    """The parameters of the functions of a name with the types that they are annotated with."""
    functions = (one for one in source.functions if source.qualname(one) == qualname)
    return {(one.arg, _types(one.annotation)) for function in functions for one in parameters(function)}


def _types(hint: ast.expr | None) -> frozenset[str]:
    """The types of an annotation: `Optional[List]` has those of `list | None`."""
    shown = ast.unparse(hint).lower() if hint is not None else ""
    words = {"none" if word == "optional" else word for word in re.findall(r"\w+", shown)}
    return frozenset(words - {"union", "typing"})


def _misfits(
    repo: Repository,
    path: str,
    call: ast.Call,
    function: Function,
    bound: bool,
    only: Collection[str] = (),
    lines: Collection[int] = (),
) -> Iterator[Finding]:
    """The arguments that do not fit, on some lines or of `only` some parameters."""
    wanted_kinds = {one.arg: kind_of_hint(one.annotation) for one in _checked_parameters(function)}
    if not wanted_kinds:
        return
    signature, given_none = Signature.of(function), defaults(function)
    result = fit(signature.bound() if bound else signature, call)
    for name, value in result.arguments.items() if not result.problem else ():
        wanted = wanted_kinds.get(name) if not only or name in only else None
        if wanted is None or (lines and not _stands_on(value, lines)):
            continue
        given, default = _kind(repo, path, value), given_none.get(name)
        may_be_none = isinstance(default, ast.Constant) and default.value is None
        if given is None or (given is ValueKind.NONE and may_be_none):
            continue
        if not any(wanted in group and given in group for group in _GROUPS):
            reason = f"gives {function.name} {ast.unparse(value)} as {name}, which is to be {wanted.value}"
            yield Finding(path, call.lineno, "typed arguments", reason, sure=False)


def _kind(repo: Repository, path: str, value: ast.expr) -> ValueKind | None:
    scope = repo.index.scopes(path).around(value)
    known = value_kind(repo, path, value, scope)
    if known is not None or not isinstance(value, ast.Name | ast.Attribute | ast.Call):
        return known
    values = repo.infer.values(path, value, scope)
    owners = [one.of for one in values if isinstance(one, InstanceValue)]
    bases = {
        last_name(base)
        for owner in owners
        for line in repo.classes.ancestors(owner)
        for base in line.node.bases
        if not any(
            isinstance(known, ClassValue)
            for known in repo.infer.values(line.path, base, repo.index.scopes(line.path).around(base))
        )
    }
    is_plain = bool(owners) and len(owners) == len(values) and bases <= _PLAIN_BASES
    return ValueKind.OBJECT if is_plain else None
