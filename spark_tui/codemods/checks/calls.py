"""Calls that do not fit: of functions whose signature changed, and calls that are themselves in changed
files."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest

from spark_tui.codemods.checks.library_names import library_name
from spark_tui.codemods.checks.renamings import is_renaming
from spark_tui.codemods.checks.resolution import new_methods
from spark_tui.codemods.uses.callsites import (
    CallSite,
    call_sites,
    calls_that_may_run,
    uses_as_value,
    wanted_function,
    words_of_calls,
)
from spark_tui.pysource.calls.signatures import Signature, builtin_signature, fit
from spark_tui.pysource.inference.values import ClassValue, FunctionValue
from spark_tui.pysource.names.scopes import Scope, Scopes
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import statements_below
from spark_tui.pysource.tree_comparison import changed_members
from spark_tui.pysource.words import word_set

KEEP_SIGNATURE = word_set("staticmethod classmethod wraps lru_cache cache override abstractmethod final")


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
    if (of_library := library_name(scopes, call.func)) is not None:
        signature = builtin_signature(of_library[1], of_library[0])
        if signature is not None and (problem := fit(signature, call).problem):
            yield _misfit_of(path, call, of_library[1], problem)
        return
    values = now.infer.values(path, call.func, scopes.scope_at[call])
    found = [called for value in values if (called := called_function(now, value)) is not None]
    if len(found) == 1 and all(one is not found[0][1] for _, one in changed):
        yield from _misfit(CallSite(path, call, *found[0][1:]))


@dataclass(frozen=True, slots=True)
class OtherCalls:
    """What is sure of the calls that stood there before a change and do not name one of its new `methods`:
    none of them does not fit that did before. `mended`: some may fit that did not."""

    methods: set[str]
    mended: bool = False


def other_calls_fit(before: Repository, after: Repository, paths: Collection[str]) -> OtherCalls | None:
    """Whether a change is sure to make no misfit of a call that stood there before: no name means something
    else, and every call of a function fits its new signature if it fits the old one otherwise. It costs much
    less than to look at all calls; None says nothing."""
    methods = new_methods(before, after, paths)
    if methods is None and is_renaming(before, after, paths):
        methods = set()
    if methods is None:
        return None
    mended = False
    for path in paths:
        for name, signatures in _changed_signatures(before, after, path).items():
            mended = True
            if _breaks_a_call(after, path, name, signatures):
                return None
    return OtherCalls(methods, mended)


def misfits_of_new(
    before: Repository, after: Repository, paths: Collection[str], methods: Collection[str]
) -> Iterator[Misfit]:
    """The misfits among the calls that are new in some files or name one of some methods."""
    for path in paths:
        calls = after.index.scopes(path).calls if methods else ()
        named = [call for call in calls if last_name(call.func) in methods]
        for call in dict.fromkeys([*new_calls(before, after, path), *named]):
            yield from _own_misfits(after, path, call, [])


def misfits_in_change(before: Repository, after: Repository, path: str) -> Iterator[Misfit]:
    """The misfits on the lines in which a file differs from one that did not parse: of the other calls
    nothing was known."""
    old, new = before.index.source(path).lines, after.index.source(path).lines
    first = next((at for at, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), len(old))
    ends = enumerate(zip(old[::-1], new[::-1], strict=False))
    last = next((at for at, pair in ends if pair[0] != pair[1]), 0)
    for call in after.index.scopes(path).calls:
        if call.lineno <= len(new) - last and (call.end_lineno or call.lineno) > first:
            yield from _own_misfits(after, path, call, [])


def _breaks_a_call(after: Repository, path: str, name: str, signatures: tuple[Signature, Signature]) -> bool:
    """Whether a call of a function does not fit its new signature, and fits its old one otherwise."""
    source = after.index.source(path)
    functions = [(path, one) for one in source.functions if source.qualname(one) == name]
    words = {word for _, function in functions for word in words_of_calls(after, path, function)}
    wanted = {id(function) for _, function in functions}
    pairs = (signatures, (signatures[0].bound(), signatures[1].bound()))
    may_tell_apart = _telling_apart(*signatures)
    known: dict[tuple[bool | str | None, ...], bool] = {}  # by all that `fit` looks at
    passed_on = next(uses_as_value(after, words, wanted), None) is not None
    for where, call in calls_that_may_run(after, functions, words, passed_on=passed_on):
        if not may_tell_apart(call):
            continue
        shape = (
            *(type(arg) is ast.Starred for arg in call.args),
            *(keyword.arg for keyword in call.keywords),
        )
        if shape not in known:
            known[shape] = any(
                (problem := fit(new, call).problem) and fit(old, call).problem != problem
                for old, new in pairs
            )
        if known[shape]:
            values = after.infer.values(where, call.func, after.index.scopes(where).scope_at[call])
            if any(wanted_function(after, value, wanted) for value in values):
                return True
    return False


def _telling_apart(old: Signature, new: Signature) -> Callable[[ast.Call], bool]:
    """Tells whether a call has anything to do with what two signatures, bound or not, differ in."""
    ways = [(item.positional_only, item.rest, item.keywords, item.required) for item in (old, new)]
    pairs = enumerate(zip_longest(old.positional, new.positional))
    first = next((at for at, (one, other) in pairs if one != other), None)
    names = {*old.positional, *old.keyword_only} ^ {*new.positional, *new.keyword_only}

    def may(call: ast.Call) -> bool:
        if first is not None and len(call.args) >= first - 1:
            return True
        return bool(call.keywords) and any(keyword.arg in names for keyword in call.keywords)

    return may if ways[0] == ways[1] else lambda _: True


def new_calls(before: Repository, after: Repository, path: str) -> list[ast.Call]:
    """The calls that do not stand in the same function of the file as it was."""
    return _new_calls(before.index.scopes(path), after.index.scopes(path))


@lru_cache(maxsize=8)
def _new_calls(before: Scopes, after: Scopes) -> list[ast.Call]:
    _, *changed = changed_members(before.source, after.source)
    old, new = map(_calls_in, (before, after), changed)
    known = Counter(key for key, _ in _keyed(before, old))
    out = []
    for key, call in _keyed(after, new):
        if known[key]:
            known[key] -= 1
        else:
            out.append(call)
    return out


def _calls_in(scopes: Scopes, changed: Sequence[ast.stmt]) -> list[ast.Call]:
    """The calls of a file but those in statements of the module that stayed; a call whose place is not known
    is there."""
    source, placed, starts = scopes.source, scopes.source.placed, scopes.source.starts
    lows = [starts[source.first_line(stmt)] for stmt in changed]
    highs = [0, *(starts[source.last_line(stmt)] for stmt in changed)]
    places = ((call, placed[call][0] if call in placed else starts[call.lineno - 1]) for call in scopes.calls)
    return [call for call, at in places if at < 0 or at < highs[bisect_right(lows, at)]]


def _keyed(
    scopes: Scopes, calls: Sequence[ast.Call]
) -> Iterator[tuple[tuple[tuple[str, ...], str], ast.Call]]:
    """Each call with its text and the names of the definitions around it."""
    for call in calls:
        at: Scope | None = scopes.scope_at[call]
        around = []
        while at is not None:
            around.append(getattr(at.node, "name", at.kind.name))
            at = at.outer
        yield (tuple(around), scopes.source.segment(call)), call


def called_function(repo: Repository, value: object) -> tuple[str, Function, bool] | None:
    """The function that a call of a value runs, its file, and whether its first parameter is filled."""
    if isinstance(value, FunctionValue):
        return value.path, value.node, value.bound
    if isinstance(value, ClassValue):
        member = repo.classes.lookup(value, "__init__")
        has_metaclass = bool(value.node.keywords)
        if member is not None and isinstance(member[1], Function) and not has_metaclass:
            return member[0].path, member[1], True
    return None


def called_anew(
    before: Repository, after: Repository, path: str
) -> Iterator[tuple[ast.Call, str, Function, bool]]:
    """The new calls of a file with the one function that each runs, as `called_function` gives it."""
    for call in new_calls(before, after, path):
        values = after.infer.values(path, call.func, after.index.scopes(path).around(call))
        called = [called_function(after, value) for value in values]
        if len(called) == 1 and called[0] is not None:
            yield call, *called[0]


def _changed_functions(
    before: Repository, after: Repository, now: Repository, paths: Collection[str]
) -> list[tuple[str, Function]]:
    out = []
    for path in paths:
        changed = _changed_signatures(before, after, path)
        source = now.index.source(path)
        out += [(path, one) for one in source.functions if source.qualname(one) in changed]
    return out


def _changed_signatures(
    before: Repository, after: Repository, path: str
) -> dict[str, tuple[Signature, Signature]]:
    """The functions of a file, by their qualified names, that have another signature than before."""
    sources = before.index.source(path), after.index.source(path)
    names = functions_in_change(*sources)
    old, new = (
        {name: Signature.of(one) for one in source.functions if (name := source.qualname(one)) in names}
        for source in sources
    )
    return {name: (old[name], new[name]) for name in old.keys() & new.keys() if old[name] != new[name]}


@lru_cache(maxsize=8)
def functions_in_change(old: Source, new: Source) -> frozenset[str]:
    """The qualified names of the functions in the statements of either that changed."""
    return frozenset(
        source.qualname(one)
        for source, statements in zip((old, new), changed_members(old, new)[1:], strict=True)
        for one in statements_below(ast.Module(statements, []))
        if isinstance(one, Function)
    )


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
    return all(name in KEEP_SIGNATURE for name in decorator_names(function))
