"""Edits that sort what the next statement reverses, so that the result has the opposite order."""

from __future__ import annotations

import ast

from spark_tui.codemods.plan import Plan
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk


def doubts_of_sorting(plan: Plan, repo: Repository) -> tuple[str, ...]:
    """A doubt where a plan changes how something is sorted that the next statement reverses."""
    if not any("sort" in edit.new or "reverse" in edit.new for edit in plan.edits):
        return ()
    after = repo.with_changes(plan.texts(repo))
    for path in plan.paths:
        before = set((repo.index.text(path) or "").splitlines())
        if (name := _sorted_and_reversed(after.index.source(path), before)) is not None:
            return (f"{name} is reversed right after",)
    return ()


def _sorted_and_reversed(source: Source, before: set[str]) -> str | None:
    """What a statement sorts that is none of the lines `before`, if the next statement reverses it."""
    for node in source.statements:
        behind = source.following(node)[:1]
        name = _sorted_name(node)
        if name is None or source.lines[node.lineno - 1].rstrip("\r\n") in before:
            continue
        if any(_reverses(inner, name) for one in behind for inner in walk(one)):
            return name
    return None


def _sorted_name(node: ast.stmt) -> str | None:
    """The name of what a statement sorts: `rows.sort()`, `rows = sorted(rows)`."""
    value = node.value if isinstance(node, ast.Expr | ast.Assign) else None
    if not isinstance(value, ast.Call):
        return None
    if isinstance(value.func, ast.Attribute) and value.func.attr == "sort":
        return ast.unparse(value.func.value)
    is_sorted = isinstance(value.func, ast.Name) and value.func.id == "sorted"
    return ast.unparse(node.targets[0]) if is_sorted and isinstance(node, ast.Assign) else None


def _reverses(node: ast.AST, name: str) -> bool:
    return ast.unparse(node) in (f"{name}.reverse()", f"reversed({name})", f"{name}[::-1]")
