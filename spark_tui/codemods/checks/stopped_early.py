"""What is left of a collection, and not done for its other items, where going through it stops early."""

from __future__ import annotations

import ast

from spark_tui.codemods.checks.value_kinds import ONE_WAY, value_kind
from spark_tui.codemods.uses.callsites import call_sites
from spark_tui.pysource.calls.signatures import Signature, fit
from spark_tui.pysource.names.scopes import Role, Variable
from spark_tui.pysource.names.type_hints import called_name, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import values_set
from spark_tui.pysource.syntax.walking import find_nodes
from spark_tui.pysource.words import word_set

_PASSING_ON = word_set("enumerate zip map filter iter islice takewhile dropwhile chain")
_READING_ON = word_set("read readline readlines readinto seek tell send __next__")
_ONLY_ASKING = {name for kind in (str, bytes, dict) for name in dir(kind)}
_ONLY_ASKING -= word_set("pop popitem update clear setdefault")
_ONLY_ASKING |= word_set(
    "isinstance issubclass callable hasattr len str int float bool abs type ord chr repr id min max sum any"
    " all sorted list set tuple dict range zip enumerate round match fullmatch search exists is_file is_dir"
    " issubset issuperset isdisjoint isnan isinf isfinite"
)
"""Functions and methods that nobody misses where they are not called."""


def acting_call(node: ast.AST) -> ast.Call | None:
    """A call that somebody may miss where it is not made for each item."""
    calls = find_nodes(node, ast.Call)
    return next((one for one in calls if last_name(one.func) not in _ONLY_ASKING), None)


def what_is_read_on(repo: Repository, source: Source, gone_through: ast.expr, steps: int = 2) -> str:
    """The iterator or file behind a value that is gone through, where something reads on in it; empty where
    there is none, or nothing shows that it is one."""
    if isinstance(gone_through, ast.Call) and called_name(gone_through) in _PASSING_ON:
        found = (what_is_read_on(repo, source, one, steps) for one in gone_through.args)
        return next(filter(None, found), "")
    scopes = repo.index.scopes(source.path)
    if isinstance(gone_through, ast.Attribute):
        text = ast.unparse(gone_through)
        set_to = values_set(source.statements, text)
        kinds = {value_kind(repo, source.path, one, scopes.around(one)) for one in set_to}
        known = scopes.attributes_by_name.get(gone_through.attr, ())
        uses = [one.node for one in known if ast.unparse(one.node) == text]
        return text if kinds & {*ONE_WAY} or any(_reads_on(source, one) for one in uses) else ""
    if not isinstance(gone_through, ast.Name) or gone_through not in scopes.by_node:
        return ""
    variable = scopes.resolve(scopes.by_node[gone_through])
    others = _later(source, variable, gone_through)
    given = any(one.role is Role.PARAMETER for one in variable.bindings)
    kind = value_kind(repo, source.path, gone_through, scopes.around(gone_through))
    if kind in ONE_WAY:
        read_on = others or given or variable.scope is not scopes.around(gone_through)
    elif kind is None:
        read_on = any(_reads_on(source, one) for one in others)
        read_on = read_on or (given and _is_read_by_callers(repo, source, variable, bool(others), steps))
    else:
        read_on = False
    return variable.name if read_on else ""


def _later(source: Source, variable: Variable, node: ast.Name) -> list[ast.AST]:
    """Where a variable is read after a place, or in the next round of a loop around it."""
    end = source.span(node)[1]
    loops = (ast.For, ast.AsyncFor, ast.While)
    around = [one for below, one in source.climb(node) if isinstance(one, loops) and below in one.body]
    again = source.span(around[-1]) if around else (end, end)
    loads = (one for one in variable.loads if one.node is not node)
    return [one.node for one in loads if one.span[0] >= end or again[0] <= one.span[0] < again[1]]


def _reads_on(source: Source, node: ast.AST) -> bool:
    """Whether a use reads the next items of an iterator or a file."""
    holder = source.parents.get(node)
    if isinstance(holder, ast.Call) and called_name(holder) == "next" and holder.func is not node:
        return True
    return isinstance(holder, ast.Attribute) and holder.attr in _READING_ON


def _is_read_by_callers(
    repo: Repository, source: Source, variable: Variable, read_here: bool, steps: int
) -> bool:
    """Whether a call gives an iterator for a parameter, which the function or its caller reads on in."""
    function = variable.scope.node if variable.scope is not None else None
    if not isinstance(function, Function) or not steps:
        return False
    signature = Signature.of(function)
    for site in call_sites(repo, [(source.path, function)]).sites:
        value = fit(signature.bound() if site.bound else signature, site.call).arguments.get(variable.name)
        if value is None:
            continue
        scope = repo.index.scopes(site.path).around(value)
        if read_here and value_kind(repo, site.path, value, scope) in ONE_WAY:
            return True
        if what_is_read_on(repo, repo.index.source(site.path), value, steps - 1):
            return True
    return False
