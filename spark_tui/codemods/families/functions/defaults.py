"""Defaults of parameters that are made once: `items=[]` becomes `items=None` with a line that makes a new
one, and so does `today=date.today()`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.families.functions.annotations import union_doubts
from spark_tui.codemods.places.named import at_start, function
from spark_tui.codemods.plan import Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import names_in, planned, swap
from spark_tui.codemods.slots import CALLABLE, Expression, NewName, Symbol
from spark_tui.codemods.uses.callsites import HARMLESS, call_sites
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.words import word_set

_UNCHANGING = word_set(
    "tuple frozenset int float str bool bytes object compile field Field Depends Security Query Path Body"
    " Form Header Cookie File Option Argument"
)
"""What gives something that never changes, or that a framework reads where it stands."""


def is_made_once(node: ast.expr | None, named: bool) -> bool:
    """Whether a default is shared between calls: a list and the like; where the parameter is named, also what
    a call gave."""
    if isinstance(node, ast.Call) and not named:
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        return called in ("list", "dict", "set") and not node.args and not node.keywords
    if isinstance(node, ast.Call):
        return ast.unparse(node.func).rpartition(".")[2] not in _UNCHANGING
    return isinstance(node, ast.List | ast.Dict | ast.Set)


@codemod
class FixMutableDefault:
    """Create a mutable default in each call instead of sharing it; for a named parameter, a function's
    result too."""

    target: Symbol = slot("the function or method", kinds=CALLABLE)
    name: NewName = slot("the parameter; empty for all", default=NewName(""))
    value: Expression = slot("what it is in place of the default", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        source, target, node = function(repo, self.target)
        given = defaults(node)
        found = [
            one
            for one in parameters(node)
            if self.name in ("", one.arg) and is_made_once(given.get(one.arg), named=bool(self.name))
        ]
        if not found:
            raise Refusal(f"{target.qualname} has no such default that is mutable")
        edits = []
        doubts: list[Unfollowed] = []
        for one in found:
            default = given[one.arg]
            if one.annotation is not None and "None" not in ast.unparse(one.annotation):
                edits.append(swap(source, one.annotation, f"{source.segment(one.annotation)} | None"))
                doubts += union_doubts(repo, source, edits)
            edits.append(swap(source, default, "None"))
            made = f"if {one.arg} is None:\n    {one.arg} = {self.value.strip() or source.segment(default)}"
            edits.append(at_start(source, node, made))
        doubts += _doubts(repo, source, node, {one.arg for one in found})
        return planned(repo, edits, doubts, given=names_in(self.value))


def _doubts(repo: Repository, source: Source, node: Function, names: set[str]) -> Iterator[Unfollowed]:
    """Where it matters that a default is shared or may not be None: a cache, a call or condition with None,
    a look at the defaults."""
    for decorator, known in zip(node.decorator_list, decorator_names(node), strict=True):
        if known not in HARMLESS:
            reason = f"the decorator {known or 'here'} may read the default"
            yield Unfollowed(source.path, decorator.lineno, reason)
    for name in sorted(names):
        if name.startswith("_") or any(word in name for word in ("cache", "memo", "seen")):
            reason = f"{name} may keep its value from call to call on purpose"
            yield Unfollowed(source.path, node.lineno, reason)
    for one in ast.walk(node):
        compared = isinstance(one, ast.Compare) and isinstance(one.left, ast.Name) and one.left.id in names
        if isinstance(one, ast.Compare) and compared and ast.unparse(one.comparators[0]) == "None":
            yield Unfollowed(source.path, one.lineno, f"{ast.unparse(one)}: None means something here")
    for site in call_sites(repo, [(source.path, node)]).sites:
        given = [each.value for each in site.call.keywords if each.arg in names]
        if any(isinstance(each, ast.Constant) and each.value is None for each in (*site.call.args, *given)):
            yield Unfollowed(
                site.path, site.call.lineno, "this call passes None, which makes a new value now"
            )
    for path in sorted(repo.index.files_with(node.name)):
        for use in repo.index.scopes(path).attributes:
            if use.name in ("__defaults__", "__kwdefaults__") and last_name(use.node.value) == node.name:
                yield Unfollowed(path, use.node.lineno, f"{ast.unparse(use.node)} is read here")
