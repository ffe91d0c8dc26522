"""Defaults of parameters that are made once: `items=[]` becomes `items=None` with a line that makes a new
one, and so does `today=date.today()`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from spark_tui.codemods.families.functions.annotations import union_doubts
from spark_tui.codemods.places.named import insert_at_start, need_function
from spark_tui.codemods.plan import Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import is_none, names_in, plan_edits, swap_expression
from spark_tui.codemods.signatures.edits import match_arguments
from spark_tui.codemods.slots import CALLABLE, Expression, NewName, Symbol
from spark_tui.codemods.uses.cached_results import fills
from spark_tui.codemods.uses.callsites import HARMLESS, CallSite, call_sites
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.inference.values import NONE
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.parsing import values_set
from spark_tui.pysource.syntax.walking import walk_each
from spark_tui.pysource.words import word_set

_UNCHANGING = word_set(
    "tuple frozenset int float str bool bytes object compile field Field Depends Security Query Path Body"
    " Form Header Cookie File Option Argument Decimal Fraction timedelta datetime timezone UUID complex range"
)
"""What gives something that never changes, or that a framework reads where it stands."""


def is_made_once(node: ast.expr | None, named: bool) -> bool:
    """Whether a default is shared between calls: a list and the like; where the parameter is named, also what
    a call gave, or an attribute of it."""
    while isinstance(node, ast.Attribute) and named:
        node = node.value
    if isinstance(node, ast.Call) and not named:
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        return called in ("list", "dict", "set") and not node.args and not node.keywords
    if isinstance(node, ast.Call):
        return ast.unparse(node.func).rpartition(".")[2] not in _UNCHANGING
    return isinstance(node, ast.List | ast.Dict | ast.Set)


def changes_constant(source: Source, node: Function, name: str) -> bool:
    """Whether the default of a parameter is a list or the like that the module has a name for, and that the
    function changes."""
    default = defaults(node).get(name)
    values = list(values_set(source.body, default.id)) if isinstance(default, ast.Name) else []
    uses = (part for part in walk_each(node.body) if isinstance(part, ast.Name) and part.id == name)
    return (
        len(values) == 1
        and is_made_once(values[0], named=False)
        and any(_changed(source, one) for one in uses)
    )


def _is_read(repo: Repository, source: Source, name: str) -> bool:
    """Whether a name of a module stands for its value anywhere else than in defaults."""
    scopes = repo.index.scopes(source.path)
    variable = scopes.variable(name, scopes.module)
    uses = [one.node for one in variable.loads] if variable is not None else []
    is_default = (isinstance(source.parents.get(one), ast.arguments) for one in uses)
    return not all(is_default) or any(path != source.path for path in repo.index.files_with(name))


def _changed(source: Source, use: ast.Name) -> bool:
    outer = source.parents.get(use)
    return fills(source, outer) or (isinstance(outer, ast.AugAssign) and outer.target is use)


@codemod
class FixMutableDefault:
    """Create a mutable default in each call instead of sharing it; for a named parameter, a function's
    result too."""

    target: Symbol = slot("the function or method", kinds=CALLABLE)
    name: NewName = slot("the parameter; empty for all", default=NewName(""))
    value: Expression = slot("what it is in place of the default", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_function(repo, self.target)
        given = defaults(node)
        meant = [parameter for parameter in parameters(node) if self.name in ("", parameter.arg)]
        found = [
            item
            for item in meant
            if is_made_once(given.get(item.arg), named=bool(self.name))
            or changes_constant(source, node, item.arg)
        ]
        if not found:
            raise Refusal(f"{target.qualname} has no such default that is mutable")
        edits = []
        doubts: list[Unfollowed] = []
        for item in found:
            default = given[item.arg]
            if item.annotation is not None and "None" not in ast.unparse(item.annotation):
                hint = f"{source.segment(item.annotation)} | None"
                edits.append(swap_expression(source, item.annotation, hint))
                doubts += union_doubts(repo, source, edits)
            edits.append(swap_expression(source, default, "None"))
            anew = source.segment(default) + (".copy()" if isinstance(default, ast.Name) else "")
            if isinstance(default, ast.Name) and _is_read(repo, source, default.id):
                reason = f"{default.id} is read elsewhere, and may be meant to change"
                doubts.append(Unfollowed(source.path, default.lineno, reason))
            made = f"if {item.arg} is None:\n    {item.arg} = {self.value.strip() or anew}"
            edits.append(insert_at_start(source, node, made))
        doubts += _doubts(repo, source, node, {parameter.arg for parameter in found})
        if not self.value.strip():
            doubts += _set_again(repo, source, node, [given[item.arg] for item in found])
        return plan_edits(repo, edits, doubts, given=names_in(self.value))


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
    for inner in ast.walk(node):
        match inner:
            case ast.Compare(left=ast.Name(name), comparators=[ast.Constant(None), *_]) if name in names:
                reason = f"{ast.unparse(inner)}: None means something here"
                yield Unfollowed(source.path, inner.lineno, reason)
    sites = call_sites(repo, [(source.path, node)])
    for name in sorted(names):
        if _is_kept(source, node, name) and not any(_gives(site, name) for site in sites.sites):
            reason = f"{name} is read before it changes: it may keep its value on purpose"
            yield Unfollowed(source.path, node.lineno, reason)
    for site in (*sites.sites, *sites.unknown):
        given: list[ast.expr | ast.keyword] = [*site.call.args]
        given += (keyword for keyword in site.call.keywords if keyword.arg in (None, *names))
        scopes = repo.index.scopes(site.path)
        values = [one for arg in given for one in _passed(arg)]
        function = repo.index.source(site.path).function_of(site.call)
        unset = {name for name, value in defaults(function).items() if is_none(value)} if function else ()
        if any(
            NONE in repo.infer.values(site.path, value, scopes.scope_at[site.call])
            or (isinstance(value, ast.Name) and value.id in unset)
            for value in values
        ):
            reason = "where this call passes None, it makes a new value now"
            yield Unfollowed(site.path, site.call.lineno, reason)
    for path in sorted(repo.index.files_with(node.name)):
        for use in repo.index.scopes(path).attributes:
            if use.name in ("__defaults__", "__kwdefaults__") and last_name(use.node.value) == node.name:
                yield Unfollowed(path, use.node.lineno, f"{ast.unparse(use.node)} is read here")


def _passed(argument: ast.expr | ast.keyword) -> Sequence[ast.expr]:
    """What an argument passes: with stars, the items that are written out."""
    value = argument.value if isinstance(argument, ast.Starred | ast.keyword) else argument
    if isinstance(argument, ast.Starred):
        return getattr(value, "elts", [value])
    in_stars = isinstance(argument, ast.keyword) and argument.arg is None
    return value.values if in_stars and isinstance(value, ast.Dict) else [value]


def _set_again(
    repo: Repository, source: Source, node: Function, values: Sequence[ast.expr]
) -> Iterator[Unfollowed]:
    """Where a name of a default gets another value once the function is defined."""
    scopes = repo.index.scopes(source.path)
    for use in (one for value in values for one in ast.walk(value) if one in scopes.by_node):
        variable = scopes.resolve(scopes.by_node[use])
        if len(variable.bindings) > 1:
            yield Unfollowed(source.path, node.lineno, f"{variable.name} may be another one in a later call")


def _gives(site: CallSite, name: str) -> bool:
    """Whether a call may pass an argument."""
    found = match_arguments(site)
    return found.unsure or name in found.arguments


def _is_kept(source: Source, node: Function, name: str) -> bool:
    """Whether a parameter is looked at before it changes, and never given away as a whole."""
    parts = [part for part in walk_each(node.body) if isinstance(part, ast.Name) and part.id == name]
    outer = [source.parents.get(part) for part in sorted(parts, key=source.span)]
    changes = [fills(source, one) for one in outer]
    looks = [isinstance(one, ast.Compare | ast.Subscript) for one in outer]
    whole = any(not isinstance(one, ast.Compare | ast.Subscript | ast.Attribute) for one in outer)
    counted = any(isinstance(source.parents.get(one), ast.AugAssign) for one in outer if one is not None)
    return not whole and any(changes) and (counted or (looks[0] and not changes[0]))
