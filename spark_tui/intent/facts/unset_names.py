"""The names that are bound on every path to a node, and lines that are moved or written to where a name of
theirs is not set yet, or where nothing comes to."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from spark_tui.codemods.checks.local_names import unset_reads
from spark_tui.codemods.checks.value_uses import changed_lines
from spark_tui.codemods.families.statements.guards import AddGuard
from spark_tui.codemods.plan import Edit, Plan, edited
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import Expression, Place
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, parameters
from spark_tui.pysource.syntax.parsing import walk_lines
from spark_tui.pysource.syntax.walking import LEAVING, find_nodes, walk

_MOST_EDITS = 200
"""Each takes a look at all of its file."""
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")


def doubts_of_moved(
    source: Source, lines: Sequence[str], only: frozenset[str] | None = None
) -> tuple[str, ...]:
    """What is doubtful about the place of lines in a file, where they stand once; `only`: of these names."""
    rows, places = _rows(source.text)
    moved = [line.strip() for line in lines]
    begins = places.get(moved[0], ())
    at = list(islice((item for item in begins if rows[item : item + len(moved)] == moved), 2))
    if len(at) != 1 or source.tree is None:
        return ()
    low, high = at[0] + 1, at[0] + len(moved)
    if any(one.lineno == low and _is_unreached(source.suite(one), low) for one in source.statements):
        return ("it is never reached there",)
    around: ast.AST = source.tree
    for node in source.functions:
        if node.lineno < low <= (node.end_lineno or 0):
            around = node
    inside = (item for item in walk_lines(around, range(low, high + 1)) if isinstance(item, ast.Name))
    read = [item.id for item in inside if low <= item.lineno <= high and isinstance(item.ctx, ast.Load)]
    read = [item for item in dict.fromkeys(read) if only is None or item in only]
    nodes = walk(around) if read else ()
    names = [item for item in nodes if isinstance(item, ast.Name)]
    given = {inner.arg for inner in nodes if isinstance(inner, ast.arg)}
    for name in read:
        sets = [item for item in names if item.id == name and isinstance(item.ctx, ast.Store)]
        reaching = [item for item in sets if item.lineno <= high and not _leaves(source, item, around, low)]
        if sets and name not in given and not reaching and any(item.lineno > high for item in sets):
            return (f"{name} is not set yet there",)
    return ()


@lru_cache(maxsize=8)
def _rows(text: str) -> tuple[list[str], dict[str, list[int]]]:
    """The stripped lines of a text, and where each stands. A plan asks for those of one text edit by edit."""
    rows, places = [part.strip() for part in text.split("\n")], dict[str, list[int]]()
    for at, row in enumerate(rows):
        places.setdefault(row, []).append(at)
    return rows, places


def reached_after(source: Source, node: ast.AST) -> ast.AST:
    """The statement after which something is reached: nothing comes behind a `raise`, but behind the `if`
    around it."""
    for outer in source.ancestors(node) if isinstance(node, LEAVING) else ():
        if isinstance(outer, Definition | ast.Module):
            break
        if isinstance(outer, ast.stmt):
            return outer
    return node


def _leaves(source: Source, node: ast.AST, around: ast.AST, line: int) -> bool:
    """Whether what follows a node in a branch above a line always leaves: nothing of it comes to the line."""
    for one in (node, *source.ancestors(node)):
        if one is around:
            return False
        suite = source.suite(one) if isinstance(one, ast.stmt) else []
        if suite and isinstance(suite[-1], LEAVING) and (suite[-1].end_lineno or line) < line:
            return True
    return False


def doubts_of_new(plan: Plan, repo: Repository) -> tuple[str, ...]:
    """What is doubtful about the place of the lines that a plan writes; of a plan with very many, the
    first."""
    after = repo.with_changes(plan.texts(repo))
    found = (
        _doubts_of_edit(after.index.source(edit.path), edit, repo.index.text(edit.path) or "")
        for edit in plan.edits[:_MOST_EDITS]
    )
    return next((item for item in found if item), ())


def _doubts_of_edit(source: Source, edit: Edit, text: str) -> tuple[str, ...]:
    """Of an edit within a line only the names are looked at that it adds to it."""
    low, high = text.rfind("\n", 0, edit.start) + 1, text.find("\n", edit.end)
    before, after = text[low : edit.start], text[edit.end : high if high >= 0 else None]
    if not edit.new.strip() or not (before.strip() or (after.strip() and edit.new[-1:] != "\n")):
        return doubts_of_moved(source, edit.new.rstrip("\n").split("\n"))
    line = f"{before}{edit.new}{after}"
    added = frozenset(_NAME.findall(edit.new)) - set(_NAME.findall(text[low : high if high >= 0 else None]))
    return doubts_of_moved(source, line.split("\n"), added) if added else ()


def never_set(plan: Plan, repo: Repository) -> str:
    """A local name that lines of a plan read where nothing before them sets it: reading it always fails."""
    after = repo.with_changes(plan.texts(repo))
    for path in dict.fromkeys(edit.path for edit in plan.edits if edit.path.endswith(".py")):
        if after.index.source(path).tree is None or repo.index.source(path).tree is None:
            continue
        before, now = repo.index.source(path), after.index.source(path)
        lines = changed_lines(repo, after, path)
        within = ((one, bisect_left(lines, one.lineno)) for one in now.functions)
        changed = [one for one, at in within if at < len(lines) and lines[at] <= now.last_line(one)]
        if not changed or not (found := unset_reads(after.index.scopes(path), changed)):
            continue
        names = {now.qualname(function) for function in changed}
        earlier = [function for function in before.functions if before.qualname(function) in names]
        known = unset_reads(repo.index.scopes(path), earlier)
        if (first := next((item for item in found if item not in known), None)) is not None:
            return first[1]
    return ""


def with_attribute(calls: Sequence[Operation], name: str, repo: Repository) -> tuple[Operation, ...] | None:
    """The calls with the attribute that the class of a method sets in a condition, in place of a local of
    that name which is only set behind it: `self.size` for `size`."""
    own = tuple(
        replace(one, condition=Expression(_of_self(one.condition, name)))
        if isinstance(one, AddGuard) and _class_sets(one.place, name, repo)
        else one
        for one in calls
    )
    return own if own != tuple(calls) else None


def _of_self(condition: str, name: str) -> str:
    """The condition with the attribute of that name wherever it reads the name."""
    source = Source(f"({condition})")
    read = [one for one in find_nodes(source.tree, ast.Name) if one.id == name] if source.tree else []
    if any(not isinstance(one.ctx, ast.Load) for one in read):
        return condition
    edits = [Edit("", *source.span(one), f"self.{name}") for one in read if source.span(one)[0] >= 0]
    return edited(source.text, edits)[1:-1]


def _class_sets(place: Place, name: str, repo: Repository) -> bool:
    path, _, symbol = place.symbol.rpartition("::")
    if path not in repo.index.paths:
        return False
    source = repo.index.source(path)
    methods = [one for one in source.functions if source.qualname(one) == symbol]
    owners = (
        source.class_of(one) for one in methods if [item.arg for item in parameters(one)][:1] == ["self"]
    )
    goals = (one for owner in owners if owner is not None for one in find_nodes(owner, ast.Attribute))
    return any(isinstance(one.ctx, ast.Store) and ast.unparse(one) == f"self.{name}" for one in goals)


def _is_unreached(suite: list[ast.stmt], line: int) -> bool:
    at = next((at for at, one in enumerate(suite) if one.lineno == line), 0)
    return at > 0 and isinstance(suite[at - 1], LEAVING)


def bound_at(source: Source, node: ast.AST) -> set[str]:
    """Parameters, and what is set on every way to a node in its function, or in the file outside of all."""
    out: set[str] = set()
    child: ast.AST = node
    for outer in source.ancestors(node):
        if isinstance(outer, Function):
            out |= {parameter.arg for parameter in parameters(outer)}
            out |= {item.arg for item in (outer.args.vararg, outer.args.kwarg) if item is not None}
        elif isinstance(outer, ast.For | ast.AsyncFor) and child in outer.body:
            out |= _names(outer.target)
        elif isinstance(outer, ast.With | ast.AsyncWith) and child in outer.body:
            out |= _opened(outer)
        elif isinstance(outer, ast.ExceptHandler) and outer.name:
            out.add(outer.name)
        elif isinstance(outer, ast.Try) and child in outer.orelse:
            out |= _after(outer.body)
        elif isinstance(outer, ast.If | ast.While) and child is not outer.test:
            out |= {inner.target.id for inner in find_nodes(outer.test, ast.NamedExpr)}
        if not isinstance(outer, ast.ClassDef):
            out |= _after(_before(outer, child))
        child = outer
    return out


def _before(outer: ast.AST, child: ast.AST) -> list[ast.stmt]:
    for name in ("body", "orelse", "finalbody"):
        rows = getattr(outer, name, None)
        if isinstance(rows, list) and child in rows:
            return rows[: rows.index(child)]
    return []


def _after(rows: Sequence[ast.stmt]) -> set[str]:
    """What is set after statements."""
    return {name for row in rows for name in _set(row)}


def _set(stmt: ast.stmt) -> Iterator[str]:
    if isinstance(stmt, ast.Assign):
        yield from (name for goal in stmt.targets for name in _names(goal))
    elif isinstance(stmt, ast.AnnAssign | ast.AugAssign) and stmt.value is not None:
        yield from _names(stmt.target)
    elif isinstance(stmt, ast.With | ast.AsyncWith):
        yield from _opened(stmt) | _after(stmt.body)
    elif isinstance(stmt, ast.If):
        branches = [_after(rows) for rows in (stmt.body, stmt.orelse) if not _ends_way(rows)]
        yield from set.intersection(*branches) if branches else ()
    elif isinstance(stmt, ast.Try):
        ways = [_after(rows) for rows in (handler.body for handler in stmt.handlers) if not _ends_way(rows)]
        yield from set.intersection(_after([*stmt.body, *stmt.orelse]), *ways) | _after(stmt.finalbody)


def _ends_way(rows: Sequence[ast.stmt]) -> bool:
    return bool(rows) and isinstance(rows[-1], LEAVING)


def _opened(node: ast.With | ast.AsyncWith) -> set[str]:
    return {name for item in node.items if item.optional_vars for name in _names(item.optional_vars)}


def _names(goal: ast.AST) -> set[str]:
    return {node.id for node in find_nodes(goal, ast.Name) if isinstance(node.ctx, ast.Store)}
