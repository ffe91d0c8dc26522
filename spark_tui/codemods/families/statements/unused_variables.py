"""Local variables that nothing reads."""

from __future__ import annotations

import ast
from collections import defaultdict

from spark_tui.codemods.places.named import Region, delete_statements, find_region
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits
from spark_tui.codemods.rewriting.evaluation import has_effects
from spark_tui.codemods.slots import Place
from spark_tui.codemods.uses.looked_up import local_lookups
from spark_tui.pysource.names.scopes import ScopeKind, Variable
from spark_tui.pysource.repository import Repository

Setting = ast.Assign | ast.AnnAssign


@codemod
class RemoveUnusedVariables:
    """Remove local variables that nothing reads; a value that does something is still evaluated."""

    place: Place = slot("where: `in fetch`, `in app.py`, or lines")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source, scopes = within.source, repo.index.scopes(within.path)
        gone: dict[int, list[ast.stmt]] = defaultdict(list)
        edits: list[Edit] = []
        left: list[Unfollowed] = []
        for variable in scopes.variables:
            found = _settings(within, variable)
            if not found:
                continue
            owner = source.function_of(found[0])
            if owner is not None and any(local_lookups(source, owner)):
                reason = f"{variable.name} stays: the function looks its names up"
                left.append(Unfollowed(within.path, found[0].lineno, reason))
                continue
            for statement in found:
                if statement.value is not None and has_effects(statement.value):
                    low, high = source.span(statement)[0], source.span(statement.value)[0]
                    edits.append(Edit(within.path, low, high, ""))
                else:
                    if any(isinstance(node, ast.Subscript) for node in ast.walk(statement)):
                        reason = f"{source.segment(statement)} may be there to fail"
                        left.append(Unfollowed(within.path, statement.lineno, reason))
                    gone[id(source.suite(statement))].append(statement)
        for run in gone.values():
            suite = source.suite(run[0])
            if len(run) == len(suite):
                edits.append(delete_statements(source, suite))
            else:
                edits += [delete_statements(source, [one]) for one in run]
        if not edits:
            reason = f" ({left[0].reason})" if left else ""
            raise Refusal(f"every local variable there is read{reason}", why="nothing")
        return plan_edits(repo, edits, left)


def _settings(within: Region, variable: Variable) -> list[Setting]:
    """The statements of a region that set a local variable, if they are all that is done with it."""
    if variable.scope is None or variable.scope.kind is not ScopeKind.FUNCTION or variable.name[:1] == "_":
        return []
    found: list[Setting] = []
    for one in variable.occurrences:
        node = within.source.parents.get(one.node)
        plain = isinstance(node, ast.AnnAssign) or (isinstance(node, ast.Assign) and len(node.targets) == 1)
        if not (one.role.binds and plain and isinstance(node, Setting) and node.value is not one.node):
            return []
        found.append(node)
    inside = within.nodes(ast.stmt)
    return found if all(node in inside for node in found) else []
