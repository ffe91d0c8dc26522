"""What the calls of a function have to follow when its head was changed by hand."""

from __future__ import annotations

import ast

from spark_tui.codemods.families.functions.signature import MakeKeywordOnly, RemoveDefault, ReorderParameters
from spark_tui.codemods.plan import Plan, Refused
from spark_tui.codemods.signatures import rearrange
from spark_tui.codemods.signatures.edits import start_change
from spark_tui.codemods.slots import NewName, Symbol
from spark_tui.next_edit.changes import Change
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, parameters


def follow_signature(now: Repository, before: Repository, newest: Change) -> tuple[str, Plan] | None:
    """The edits of calls, as a plan of the repository before the change."""
    first, last = newest.before.line(newest.old[0])
    if "def" not in newest.before.texts[first:last]:
        return None
    source = before.index.source(newest.path)
    old = _function(source, newest.span_before[0])
    new = _function(now.index.source(newest.path), newest.span_after[0])
    if old is None or new is None or source.qualname(old) != now.index.source(newest.path).qualname(new):
        return None
    symbol = Symbol(source.qualname(old), newest.path, old.lineno)
    names, left = (
        [parameter.arg for parameter in parameters(old)],
        [parameter.arg for parameter in parameters(new)],
    )
    gone = [name for name in names if name not in left]
    if len(gone) == 1 and [name for name in names if name in left] == left:
        return _without(before, symbol, gone[0], old.name)
    if gone or len(left) != len(names):
        return None
    if names != left:
        order = tuple(NewName(item) for item in left if item not in ("self", "cls"))
        return _planned(ReorderParameters(symbol, order).plan(before), f"reorder the arguments of {old.name}")
    moved = [arg.arg for arg in new.args.kwonlyargs if arg.arg in [arg.arg for arg in old.args.args]]
    if moved:
        words = f"name the argument {moved[0]} of {old.name}"
        return _planned(MakeKeywordOnly(symbol, NewName(moved[0])).plan(before), words)
    lost = _with_default(old) - _with_default(new)
    if len(lost) == 1:
        words = f"pass {min(lost)} to {old.name}"
        return _planned(RemoveDefault(symbol, NewName(min(lost))).plan(before), words)
    return None


def _function(source: Source, offset: int) -> Function | None:
    """The function in whose head an offset is."""
    for definition in source.definitions:
        if isinstance(definition, Function):
            low, high = source.span(definition)[0], source.span(definition.body[0])[0]
            if low <= offset < high:
                return definition
    return None


def _with_default(function: Function) -> set[str]:
    spec = function.args
    plain = [*spec.posonlyargs, *spec.args]
    found = plain[len(plain) - len(spec.defaults) :]
    named = [one for one, value in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if value is not None]
    return {item.arg for item in (*found, *named)}


def _without(before: Repository, symbol: Symbol, name: str, function: str) -> tuple[str, Plan] | None:
    change = start_change(before, symbol)
    if isinstance(change, Refused) or len(change.functions) != 1:
        return None
    for site in change.sites.sites:
        rearrange.remove_argument(change, site, name)
    return _planned(change.done(), f"no longer pass {name} to {function}")


def _planned(plan: Plan | Refused, words: str) -> tuple[str, Plan] | None:
    return None if isinstance(plan, Refused) or not plan.edits else (words, plan)


def head_of(repo: Repository, change: Change) -> tuple[str, int, int]:
    """The characters of the head that was changed by hand, in the text before."""
    source = repo.index.source(change.path)
    found = _function(source, change.span_before[0])
    if found is None:
        return change.path, 0, 0
    first: ast.stmt = found.body[0]
    return change.path, source.span(found)[0], source.span(first)[0]
