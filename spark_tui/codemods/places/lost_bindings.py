"""Names that are used before they are set once some statements are gone."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from spark_tui.codemods.places.named import extent
from spark_tui.codemods.plan import Unfollowed
from spark_tui.pysource.names.scopes import Role
from spark_tui.pysource.names.type_hints import names_set
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source, Span


def lost_bindings(
    repo: Repository, source: Source, run: Sequence[ast.stmt], instead: ast.AST | None = None
) -> Iterator[Unfollowed]:
    """A doubt for each name that the statements are the first to set and that is read below them, where it is
    also set later, or declared: it is defined, and yet has no value when it is read. What stands `instead`
    may set it."""
    if not run or source.tree is None:
        return
    for stmt in run:
        if isinstance(stmt, ast.ImportFrom) and stmt.names[0].name == "*":
            reason = "which names the import brings, and who uses them, is not followed"
            yield Unfollowed(source.path, stmt.lineno, reason)
    low, high = extent(source, run)
    others = list(_other_branches(source, run[0]))
    scopes = repo.index.scopes(source.path)
    kept = names_set(instead) if instead is not None else ()
    for variable in scopes.variables:
        if variable.name in kept:
            continue
        bound = [one for one in variable.bindings if one.role is not Role.ANNOTATE and one.span[0] >= 0]
        gone = {one.scope for one in bound if low <= one.span[0] < high}
        # A function above that declares the name global may not have been called.
        above = [one.span[0] for one in bound if one.span[0] < low and one.scope in gone]
        if not gone or not all(any(first <= at < last for first, last in others) for at in above):
            continue
        sets = [one.span[0] for one in bound if not low <= one.span[0] < high]
        behind = [source.statement(one.node) for one in bound if one.span[0] >= high]
        anew = [stmt for stmt in behind if isinstance(stmt, ast.Assign)]
        reads = [
            one.span[0]
            for one in variable.occurrences
            if not one.role.binds and one.span[0] >= high and not _is_behind(source, one.node, anew)
        ]
        declared = any(binding.role is Role.ANNOTATE for binding in variable.bindings)
        if reads and (declared or sets):
            line = source.line_number(min(reads))
            yield Unfollowed(source.path, line, f"{variable.name} may have no value there any more")


def _is_behind(source: Source, node: ast.AST, sets: Sequence[ast.stmt]) -> bool:
    """Whether one of some statements runs before a node does: it, or a statement around it, is further down
    among the same statements."""
    around = [one for one in (node, *source.ancestors(node)) if isinstance(one, ast.stmt)] if sets else []
    return any(one in source.following(stmt) for stmt in sets for one in around)


def _other_branches(source: Source, stmt: ast.stmt) -> Iterator[Span]:
    """The places of the branches above a statement that did not run, or not to their end, if it runs."""
    for below, outer in source.climb(stmt):
        in_else = isinstance(outer, ast.If) and below in outer.orelse
        if in_else or isinstance(below, ast.ExceptHandler):
            yield extent(source, outer.body)  # type: ignore[attr-defined]  # both have one
