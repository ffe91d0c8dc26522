"""A local that is set more than once: what one of the places gives it gets a name of its own."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import takewhile

from spark_tui.codemods.families.values.split_variables import is_plain
from spark_tui.codemods.places.named import find_region
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.renaming.edits import check_local_name
from spark_tui.codemods.rewriting.edits import plan_edits
from spark_tui.codemods.slots import NewName, Place
from spark_tui.codemods.uses.looked_up import local_lookups
from spark_tui.pysource.names.scope_records import Occurrence, ScopeKind
from spark_tui.pysource.names.scopes import Role, Scopes, Variable
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import LOOPS

_FOR = ast.For | ast.AsyncFor


@codemod
class SplitVariable:
    """Give a local another name from the line that sets it on, until it is set again."""

    place: Place = slot("the line that sets it, or several: shop/cart.py:12")
    name: NewName = slot("what it is called now")
    new: NewName = slot("what it is called from there on")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source, scopes = within.source, repo.index.scopes(within.path)
        named = [one for one in within.nodes_starting(ast.Name) if one.id == self.name]
        found = {scopes.resolve(scopes.by_node[one]) for one in named if one in scopes.by_node}
        sets = [one for item in found for one in assignments_of(source, item) if one.node in named]
        function = source.function_of(sets[0].node) if sets else None
        if function is None or len({scopes.resolve(one) for one in sets}) > 1:
            several = f"{self.name} is set more than once there"
            raise Refusal(several if sets else f"no local called {self.name} is set there")
        if self.new in scopes.scope_of[function].bound:
            raise Refusal(f"{source.qualname(function)} has a {self.new} already")
        check_local_name(scopes, sets[0].node, self.new)
        places = {one.span for first in sets for one in _of_setting(scopes, scopes.resolve(first), first)}
        doubts = [Unfollowed(*lookup) for lookup in local_lookups(source, function)]
        return plan_edits(repo, [Edit(source.path, *span, self.new) for span in sorted(places)], doubts)


def assignments_of(source: Source, variable: Variable) -> list[Occurrence]:
    """The places that set a local, as a parameter too, in the order in which they are run; what adds to it is
    none. Nothing for what is no local."""
    local = variable.scope is not None and variable.scope.kind is ScopeKind.FUNCTION
    every = (one for one in variable.occurrences if local and _sets(source, one))
    return sorted(every, key=lambda one: one.order)


def _sets(source: Source, one: Occurrence) -> bool:
    added = isinstance(source.parents.get(one.node), ast.AugAssign)
    return one.role is Role.PARAMETER or (one.role is Role.ASSIGN and not added)


def _of_setting(scopes: Scopes, variable: Variable, first: Occurrence) -> list[Occurrence]:
    """A place that sets a local, and all that reads what it sets and nothing else."""
    source, every = scopes.source, sorted(variable.occurrences, key=lambda one: one.order)
    plain = all(is_plain(scopes, one) and isinstance(one.node, ast.Name | ast.arg) for one in every)
    sets = assignments_of(source, variable)
    if not plain or any(isinstance(source.parents.get(one.node), ast.NamedExpr) for one in sets):
        raise Refusal(f"{variable.name} is also used in an inner function, or bound in another way")
    if first.role is Role.PARAMETER:
        raise Refusal(f"{variable.name} is a parameter there: the callers would have to follow")
    later = [one for one in every if one.order > first.order]
    own = list(takewhile(lambda one: one not in sets, later))
    uses = [one for one in every if one not in sets and one not in own]
    others = [one for one in sets if one is not first]
    line = source.first_line(first.node) + 1
    mixed = f"what reads {variable.name} after line {line} may have it from another place"
    if not all(_covers(source, first, one) and not _comes_back(source, first, one, others) for one in own):
        raise Refusal(mixed)
    loops = [one for one in source.ancestors(first.node) if isinstance(one, LOOPS)]
    loops = list(takewhile(lambda one: source.function_of(first.node) is source.function_of(one), loops))
    for one in uses:
        back = one.order < first.order
        around = [loop for loop in loops if not _binds(loop, first) and _holds(source, loop, one)]
        # From round to round what is set further down comes back up.
        again = [item for item in others if all(_holds(source, loop, item) for loop in around)]
        between = again if back else [item for item in others if item.order > first.order]
        if (around or not back) and not any(_covers(source, item, one) for item in between):
            raise Refusal(mixed)
    return [first, *own]


def _covers(source: Source, first: Occurrence, one: Occurrence) -> bool:
    """Whether one place is reached only through another, which sets the name in the same block before it."""
    low, high = _reach(source, first)
    return first.order < one.order and low <= one.span[0] < high


def _reach(source: Source, first: Occurrence) -> tuple[int, int]:
    """Where what follows a place that sets a name always comes after it: the block, of a loop over items its
    body, of a parameter the function."""
    if first.role is Role.PARAMETER and (function := source.function_of(first.node)) is not None:
        return source.span(function)
    statement = source.statement(first.node)
    if statement is None:
        return 0, 0
    bound = isinstance(statement, _FOR) and _binds(statement, first)
    suite = statement.body if isinstance(statement, _FOR) and bound else source.suite(statement)
    return source.span(suite[0])[0], source.span(suite[-1])[1]


def _binds(loop: ast.AST, one: Occurrence) -> bool:
    """Whether a loop sets a name anew in each round."""
    return isinstance(loop, _FOR) and one.node in set(ast.walk(loop.target))


def _holds(source: Source, node: ast.AST, one: Occurrence) -> bool:
    return node in source.ancestors(one.node)


def _comes_back(source: Source, first: Occurrence, one: Occurrence, others: Sequence[Occurrence]) -> bool:
    """Whether a loop around a place that reads a name, but not around the one that sets it, sets it too."""
    loops = (loop for loop in source.ancestors(one.node) if isinstance(loop, LOOPS))
    inner = (loop for loop in loops if not _holds(source, loop, first))
    return any(_holds(source, loop, item) for loop in inner for item in others)
