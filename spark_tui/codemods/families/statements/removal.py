"""Definitions, variables and attributes that nothing uses, and locals that nothing reads: what defines or
sets them goes."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence

from spark_tui.codemods.families.statements.dropped_values import drop_doubt
from spark_tui.codemods.places.constants import constant_name
from spark_tui.codemods.places.displays import remove_item
from spark_tui.codemods.places.named import (
    Region,
    delete_definition,
    delete_statements,
    find_region,
    need_source,
)
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed, need
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits
from spark_tui.codemods.rewriting.evaluation import ACTS, has_effects
from spark_tui.codemods.slots import Place, Symbol, SymbolKind
from spark_tui.codemods.uses.looked_up import local_lookups
from spark_tui.codemods.uses.references import find_attribute_uses, find_doubtful_uses, find_uses
from spark_tui.codemods.uses.symbols import Target, find_symbol
from spark_tui.pysource.inference.values import ClassValue, class_behind
from spark_tui.pysource.names.scope_records import AttributeUse
from spark_tui.pysource.names.scopes import ScopeKind, Variable
from spark_tui.pysource.names.type_hints import decorator_names
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source
from spark_tui.pysource.syntax.parsing import targets

_UNREGISTERED = {"staticmethod", "classmethod", "property", "cached_property", "cache", "lru_cache", "wraps"}
"""Decorators that keep what they decorate nowhere else."""


@codemod
class RemoveDefinition:
    """Remove a function, method, class or variable that nothing uses."""

    target: Symbol = slot("what to remove")

    def plan(self, repo: Repository) -> Plan:
        target = need(find_symbol(repo, self.target))
        if target.is_special:
            raise Refusal(f"Python uses {target.name}")
        if target.kind in (SymbolKind.PARAMETER, SymbolKind.IMPORT):
            raise Refusal(f"{target.qualname} is a {target.kind.value}: it has its own operation")
        if target.variable is None and target.owner is not None:
            found, edits = _without_attribute(repo, target)
            return plan_edits(repo, edits, find_doubtful_uses(repo, target, found[0]))
        source = need_source(repo, target.path)
        parts = _property_parts(source, target)
        if target.variable is None or (len(target.variable.bindings) != 1 and not parts):
            raise Refusal(f"{target.qualname} is set in more than one place")
        one = source.statement(target.variable.bindings[0].node)
        single = not isinstance(one, ast.Assign) or bool(constant_name(one))
        if not isinstance(one, Definition | ast.Assign | ast.AnnAssign) or not single:
            raise Refusal(f"{target.qualname} is not defined by a statement of its own")
        offered = _offered(source, target)
        uses = find_uses(repo, target, one, [item for item, _ in offered])
        used = {use for use in uses if not any(_is_of(source, use, part) for part in parts)}
        lost: list[Unfollowed] = []
        if (inherited := _inherited(repo, target, one)) is not None:
            called = [*find_attribute_uses(repo, target, one)]
            used -= {Unfollowed(path, use.node.lineno, "uses it") for path, use in called}
            if _gives(one, source) and not _gives(inherited[1], repo.index.source(inherited[0].path)):
                lost = [*_using_result(repo, target, inherited[0].node.name, called)]
        if used:
            shown = ", ".join(f"{unfollowed.path}:{unfollowed.line}" for unfollowed in sorted(used)[:5])
            raise Refusal(f"{target.qualname} is used: {shown}", why="used")
        lines = [(target.path, item.lineno) for item, _ in offered]
        doubtful = find_doubtful_uses(repo, target, one)
        doubts = [*(doubt for doubt in doubtful if (doubt.path, doubt.line) not in lines), *lost]
        if isinstance(one, Definition) and set(decorator_names(one)) - _UNREGISTERED:
            doubts = [*doubts, Unfollowed(target.path, one.lineno, "its decorator may register it")]
        if not isinstance(one, Definition) and _acts(one.value):
            doubts = [*doubts, Unfollowed(target.path, one.lineno, "what it is set to may do something")]
        listed = [remove_item(source, display, display.elts.index(item)) for item, display in offered]
        return plan_edits(repo, [delete_definition(source, one, *parts[1:]), *listed], doubts)


def _property_parts(source: Source, target: Target) -> list[Function]:
    """The functions of a property with a setter or deleter, where they stand directly below each other."""
    nodes = [source.statement(one.node) for one in target.variable.bindings] if target.variable else []
    parts = [node for node in nodes if isinstance(node, Function)]
    if len(nodes) < 2 or len(parts) != len(nodes):
        return []
    own = {f"{target.name}.{kind}" for kind in ("getter", "setter", "deleter")}
    further = all(own & set(map(ast.unparse, part.decorator_list)) for part in parts[1:])
    suite = source.suite(parts[0])
    at = suite.index(parts[0])
    return parts if further and suite[at : at + len(parts)] == parts else []


def _is_of(source: Source, use: Unfollowed, part: Function) -> bool:
    """Whether a use stands in a function, or in its decorators."""
    return use.path == source.path and source.first_line(part) < use.line <= source.last_line(part)


def _inherited(repo: Repository, target: Target, node: ast.stmt) -> tuple[ClassValue, Function] | None:
    """The base class that has a method of that name too, which takes the same and does something: what calls
    it on an object finds that one."""
    if target.owner is None or not isinstance(node, Function):
        return None
    bases = (one for one in repo.classes.ancestors(target.owner) if one.node is not target.owner.node)
    found = ((base, own) for base in bases if (own := repo.classes.own_members(base).get(target.name)))
    base, members = next(found, (target.owner, []))
    kept = members[0] if members else None
    if not isinstance(kept, Function) or type(kept) is not type(node):
        return None
    if "abstractmethod" in decorator_names(kept):
        return None
    alike = ast.dump(kept.args) == ast.dump(node.args) and decorator_names(kept) == decorator_names(node)
    stub = all(isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) for one in kept.body)
    raises = any(isinstance(one, ast.Raise) for one in kept.body)
    return (base, kept) if alike and not stub and not raises else None


def _gives(node: ast.stmt, source: Source) -> bool:
    """Whether a call of a function may give anything but None."""
    results = source.returned(node) if isinstance(node, Function) else None
    return results is None or any(
        one is not None and not (isinstance(one, ast.Constant) and one.value is None) for one in results
    )


def _using_result(
    repo: Repository, target: Target, base: str, called: Sequence[tuple[str, AttributeUse]]
) -> Iterator[Unfollowed]:
    """The uses on objects of the class whose result is taken, as that of a base gives none."""
    owner = target.owner
    for path, use in called:
        source = repo.index.source(path)
        call = source.parents.get(use.node)
        if isinstance(source.parents.get(call) if call is not None else None, ast.Expr):
            continue
        behind = map(class_behind, repo.infer.values(path, use.node.value, use.scope))
        if owner is not None and any(one in repo.classes.descendants(owner) for one in behind if one):
            reason = f"takes what {target.name} gave; that of {base} gives None"
            yield Unfollowed(path, use.node.lineno, reason)


def _offered(source: Source, target: Target) -> list[tuple[ast.Constant, ast.List | ast.Tuple]]:
    """The items of lists that offer a definition, and the lists: of `__all__`."""
    nodes = [occurrence.node for occurrence in target.variable.occurrences] if target.variable else []
    items = [node for node in nodes if isinstance(node, ast.Constant)]
    found = [(item, source.parents.get(item)) for item in items]
    return [(item, display) for item, display in found if isinstance(display, ast.List | ast.Tuple)]


def _settings(repo: Repository, target: Target) -> list[ast.Assign | ast.AnnAssign]:
    """The statements of a class that set an attribute through `self`, of which each sets nothing else."""
    if target.owner is None:
        return []
    source, wanted = repo.index.source(target.path), f"self.{target.name}"
    methods = [stmt for stmt in target.owner.node.body if isinstance(stmt, Function)]
    return [
        statement
        for statement in source.statements
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        and source.function_of(statement) in methods
        and set(map(ast.unparse, targets(statement))) == {wanted}
    ]


def _without_attribute(repo: Repository, target: Target) -> tuple[list[ast.stmt], list[Edit]]:
    """What sets an attribute that nothing reads, and the edits that take that away."""
    source, found = repo.index.source(target.path), _settings(repo, target)
    if not found:
        raise Refusal(f"{target.qualname} is set in more than one place")
    if any(_acts(node.value) for node in found):
        raise Refusal(f"setting {target.qualname} may do something")
    goals = {id(goal) for node in found for goal in ast.walk(node) if isinstance(goal, ast.Attribute)}
    for path, use in find_attribute_uses(repo, target, found[0]):
        if id(use.node) not in goals:
            raise Refusal(f"{target.qualname} is used: {path}:{use.node.lineno}", why="used")
    return list(found), [delete_statements(source, [node]) for node in found]


_BUILDS = ("re.compile", "object", "frozenset", "set", "dict", "list", "tuple", "TypeVar", "typing.TypeVar")
"""Calls that do nothing but make what they give."""


def _acts(value: ast.expr | None) -> bool:
    """Whether to find a value may do something."""
    if value is None:
        return False
    if isinstance(value, ast.Call) and ast.unparse(value.func) in _BUILDS:
        return any(_acts(arg) for arg in (*value.args, *(keyword.value for keyword in value.keywords)))
    reads = [node for node in ast.walk(value) if isinstance(node, (*ACTS, ast.Subscript))]
    return any(not ast.unparse(read).startswith("sys.version_info[") for read in reads)


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
            found = _only_set(within, variable)
            if not found:
                continue
            owner = source.function_of(found[0])
            if owner is not None and any(local_lookups(source, owner)):
                reason = f"{variable.name} stays: the function looks its names up"
                left.append(Unfollowed(within.path, found[0].lineno, reason))
                continue
            for statement in found:
                if reason := drop_doubt(repo, source, statement):
                    left.append(Unfollowed(within.path, statement.lineno, reason))
                if statement.value is not None and has_effects(statement.value):
                    low, high = source.span(statement)[0], source.span(statement.value)[0]
                    edits.append(Edit(within.path, low, high, ""))
                else:
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


def _only_set(within: Region, variable: Variable) -> list[Setting]:
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
