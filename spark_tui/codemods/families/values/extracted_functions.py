"""Extract a function from statements."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from spark_tui.codemods.families.values.extraction import refuse_taken_name
from spark_tui.codemods.places.named import extent, find_region, insert_at_line, own_lines, statements
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits, reindent
from spark_tui.codemods.slots import NewName, Place
from spark_tui.pysource.inference.bindings import OF_CLASS
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.imports import ImportNode
from spark_tui.pysource.names.scopes import Role, Variable
from spark_tui.pysource.names.type_hints import called_name, last_name, names_set
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, docstring
from spark_tui.pysource.syntax.parsing import receiver
from spark_tui.pysource.syntax.walking import LEAVING, LOOPS, walk, walk_each

_LEAVES = ast.Return | ast.Yield | ast.YieldFrom | ast.Await | ast.Global | ast.Nonlocal | ImportNode
_LOOKING = ("locals", "vars", "dir")
_CALLERS = ("stacklevel", "_getframe", "currentframe", "stack", "getframeinfo", "extract_stack")


@dataclass
class _Flow:
    """What statements take from around them and what they leave bound."""

    taken: list[str]
    left: list[str]


@codemod
class ExtractFunction:
    """Move statements of a function into a new function, and call it in their place."""

    place: Place = slot("the statements: shop/cart.py:12-14")
    name: NewName = slot("the name of the new function")

    def plan(self, repo: Repository) -> Plan:
        found = find_region(repo, self.place)
        source, run = found.source, statements(found)
        refuse_taken_name(repo, source.path, self.name)
        outer = source.function_of(run[0])
        around = (one for one in source.ancestors(run[0]) if isinstance(one, Definition))
        if outer is None or next(around, None) is not outer:
            raise Refusal("the statements are not in a function")
        self._can_move(source, run, outer)
        flow = _flow(repo, source, run, outer)
        owner, own = source.class_of(outer), receiver(outer)
        method = owner is not None and not outer.decorator_list and outer.name not in OF_CLASS
        method = method and own in flow.taken
        if not method:
            _refuse_private(source, run)
        elif owner is not None:
            self._no_such_member(repo, ClassValue(source.path, owner))
        taken = [item for item in flow.taken if not (method and item == own)]
        head = f"def {self.name}({', '.join([own, *taken] if method else taken)}):"
        call = f"{own}.{self.name}({', '.join(taken)})" if method else f"{self.name}({', '.join(taken)})"
        if flow.left:
            call = f"{', '.join(flow.left)} = {call}"
        first, last = own_lines(source, run)
        low, high = source.line_span(first, last)
        if source.text[low:high] and not source.text[low:high].endswith(("\n", "\r")):
            raise Refusal("the file does not end with a line ending")
        holder = outer if method else _top(source, outer)
        indent, newline = source.indent(holder), source.newline
        part, deeper = Source(source.text[low:high]), indent + source.indent_unit
        body = reindent(part, source, deeper, source.indent(run[0]))
        back = f"{indent}{source.indent_unit}return {', '.join(flow.left)}{newline}" if flow.left else ""
        gap = newline if isinstance(source.parents.get(holder), ast.ClassDef) else newline * 2
        text = gap + indent + head + newline + body + back
        line = own_lines(source, [holder])[1]
        cut = Edit(source.path, low, high, source.indent(run[0]) + call + newline)
        return plan_edits(repo, [cut, insert_at_line(source, line, text)], looks_at_callers(source, run))

    def _no_such_member(self, repo: Repository, owner: ClassValue) -> None:
        """Refuse a name that a related class of another file has for something else."""
        if repo.classes.lookup(owner, "__getattribute__") is not None:
            raise Refusal(f"{owner.node.name} looks up its members in its own way (__getattribute__)")
        for ancestor in (*repo.classes.ancestors(owner), *repo.classes.descendants(owner)):
            if self.name in repo.classes.own_members(ancestor):
                shown = f"{ancestor.node.name} ({ancestor.path}:{ancestor.node.lineno})"
                raise Refusal(f"{shown} already has {self.name}")

    def _can_move(self, source: Source, run: list[ast.stmt], outer: Function) -> None:
        if docstring(outer) in run:
            raise Refusal("the docstring stays")
        for node in walk(outer):
            if called_name(node) in _LOOKING and not getattr(node, "args", ()):
                raise Refusal(f"line {outer.lineno}: {called_name(node)}() sees the names of the function")
        nodes = list(walk_each(run))
        for node in nodes:
            if isinstance(node, _LEAVES) and not _inside(source, node, run, Function | ast.Lambda):
                raise Refusal(f"line {getattr(node, 'lineno', 0)}: {type(node).__name__.lower()} cannot move")
            if isinstance(node, ast.Break | ast.Continue):
                loops = [ancestor for ancestor in source.ancestors(node) if isinstance(ancestor, LOOPS)]
                if not loops or loops[0] not in nodes:
                    raise Refusal(f"line {node.lineno}: it leaves a loop that stays")
            if isinstance(node, ast.Name) and node.id in ("super", "__class__", "locals"):
                raise Refusal(f"line {node.lineno}: {node.id} means something else in another function")
            bare = isinstance(node, ast.Raise) and node.exc is None
            if bare and not _inside(source, node, run, ast.ExceptHandler):
                raise Refusal(f"line {getattr(node, 'lineno', 0)}: a bare raise stays in its handler")
            if isinstance(node, ast.Delete):
                raise Refusal(f"line {node.lineno}: del cannot move")


def _refuse_private(source: Source, run: list[ast.stmt]) -> None:
    """Refuse statements that leave a class and use a name that is private to it."""
    if any(isinstance(one, ast.ClassDef) for one in source.ancestors(run[0])):
        for node in walk_each(run):
            name = last_name(node)
            if name.startswith("__") and not name.endswith("__"):
                raise Refusal(f"line {getattr(node, 'lineno', 0)}: {name} is private to the class")


def looks_at_callers(source: Source, run: list[ast.stmt]) -> Iterator[Unfollowed]:
    """Where statements look at who called the function that runs them: it is another one then."""
    for inner in walk_each(run):
        name = inner.arg if isinstance(inner, ast.keyword) else last_name(inner)
        if name in _CALLERS and isinstance(inner, ast.expr | ast.keyword):
            reason = f"{name}: the function that runs it is another one"
            yield Unfollowed(source.path, inner.lineno, reason)


def _inside(source: Source, node: ast.AST, run: list[ast.stmt], kind: Any) -> bool:
    """Whether something of a kind holds a node among statements."""
    for ancestor in source.ancestors(node) if node not in run else ():
        if isinstance(ancestor, kind):
            return True
        if ancestor in run:
            return False
    return False


def _top(source: Source, node: ast.stmt) -> ast.stmt:
    """The statement of the module that holds a function."""
    around = {node, *source.ancestors(node)}
    return next(stmt for stmt in source.body if stmt in around)


def _flow(repo: Repository, source: Source, run: list[ast.stmt], outer: Function) -> _Flow:
    scopes = repo.index.scopes(source.path)
    low, high = extent(source, run)
    own = scopes.scope_of[outer]
    loops = [node for node in _until(source, run[0], outer) if isinstance(node, LOOPS)]
    looped, again = bool(loops), source.span(loops[-1])[0] if loops else high
    taken: dict[str, int] = {}
    left: list[str] = []
    for variable in scopes.variables:
        scope, name = variable.scope, variable.name
        inside = [one for one in variable.occurrences if low <= one.span[0] < high]
        outside = [one for one in variable.occurrences if not low <= one.span[0] < high]
        set_here = any(one.role.binds for one in inside)
        if scope is scopes.module and set_here:
            raise Refusal(f"{name} is declared global in the function")
        if scope is None or scope is scopes.module or scope.is_class or scope not in own.outwards():
            continue
        if not inside:
            continue
        if any(one.role in (Role.DECLARE, Role.DELETE) for one in variable.occurrences):
            raise Refusal(f"{name} is declared or deleted in the function")
        first = min(inside, key=lambda item: item.order)
        begun = first.role.binds and any(_sets(stmt) and source.statement(first.node) is stmt for stmt in run)
        if not begun and any(one.role.binds and one.role is not Role.ANNOTATE for one in outside):
            taken[name] = min(one.span[0] for one in inside)
        read_later = any(not one.role.binds and (looped or one.span[0] >= high) for one in outside)
        if set_here and scope is not own:
            raise Refusal(f"{name} belongs to another function")
        carried = looped and set_here and not first.role.binds
        if carried and name not in taken:
            raise Refusal(f"{name} is carried from one round of the loop to the next")
        if set_here and (read_later or carried):
            if not _surely_set(run, variable) and name not in taken:
                raise Refusal(f"{name} is not set on all ways through the statements")
            left.append(name)
        if set_here and any(one.scope is not own for one in outside):
            raise Refusal(f"{name} is used in a nested function")
        set_again = any(one.role.binds and one.span[0] >= again for one in outside)
        if set_again and any(_is_held(source, one.node, outer) for one in inside):
            raise Refusal(f"{name} is read in a nested function, and set again after that is made")
        if set_here and _is_seen_after_error(source, run, variable, outer):
            raise Refusal(f"{name} is read after an error, with what it has until then")
    _bound_before(repo, source, list(taken), outer, run)
    return _Flow(sorted(taken, key=lambda name: (taken[name], name)), left)


def _is_held(source: Source, node: ast.AST, outer: Function) -> bool:
    """Whether a nested function reads a name, or a lambda that is no key to sort by: they may do so later."""
    for below, one in source.climb(node):
        if one is outer:
            break
        if isinstance(one, Function) or (isinstance(below, ast.Lambda) and getattr(one, "arg", "") != "key"):
            return True
    return False


def _is_seen_after_error(source: Source, run: list[ast.stmt], variable: Variable, outer: Function) -> bool:
    """Whether a variable that all but the last of some statements set is read where an error between them
    leads: in a handler or `finally` around them, or behind a handler that goes on and does not set it."""
    sets = [one for one in variable.bindings if any(one.node in ast.walk(item) for item in run)]
    if all(source.statement(one.node) is run[-1] for one in sets) and isinstance(run[-1], ast.Assign):
        return False
    loads = [one.span[0] for one in variable.loads]
    for below, one in source.climb(run[0]):
        if one is outer:
            break
        if not isinstance(one, ast.Try) or below not in one.body:
            continue
        end = source.span(one.body[-1])[1]
        if any(end <= at < source.span(one)[1] for at in loads):
            return True
        going_on = [item for item in one.handlers if not isinstance(item.body[-1], LEAVING)]
        if any(variable.name not in names_set(*item.body) for item in going_on):
            return any(at >= source.span(one)[1] for at in loads)
    return False


def _until(source: Source, node: ast.AST, outer: Function) -> list[ast.AST]:
    return list(takewhile(lambda item: item is not outer, source.ancestors(node)))


def _sets(statement: ast.stmt) -> bool:
    """Whether a statement gives its target a value whenever it runs; a mere annotation gives none."""
    return isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None


def _surely_set(run: list[ast.stmt], variable: Variable) -> bool:
    tops = [stmt for stmt in run if _sets(stmt)]
    nodes = {id(node) for top in tops for node in ast.walk(top)}
    return any(id(binding.node) in nodes for binding in variable.bindings)


def _bound_before(
    repo: Repository, source: Source, names: list[str], outer: Function, run: list[ast.stmt]
) -> None:
    """Refuse to pass what is not set on every way to the statements: only parameters and plain assignments
    are."""
    scopes = repo.index.scopes(source.path)
    low, holders = extent(source, run)[0], _until(source, run[0], outer)
    for name in names:
        scope = scopes.lookup(name, scopes.scope_of[outer])
        variable = scopes.variable(name, scope) if scope is not None else None
        bindings = variable.bindings if variable is not None else []
        if scope is not scopes.scope_of[outer]:
            raise Refusal(f"{name} belongs to an enclosing function")
        sure = any(binding.role is Role.PARAMETER for binding in bindings)
        around = [outer.body, *(getattr(holder, "body", []) for holder in holders)]
        for suite in around:
            for one in suite if isinstance(suite, list) else []:
                if source.span(one)[0] < low and _sets(one):
                    sure = sure or any(source.statement(binding.node) is one for binding in bindings)
        loops = [holder for holder in holders if isinstance(holder, ast.For | ast.With)]
        sure = sure or any(source.statement(binding.node) is loop for loop in loops for binding in bindings)
        if not sure:
            raise Refusal(f"{name} is not set on all ways to the statements")
