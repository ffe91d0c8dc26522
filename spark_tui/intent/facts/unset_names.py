"""Lines that are moved or written to where a name of theirs is not set yet, or where nothing comes to."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from spark_tui.codemods.plan import Edit, Plan
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import LEAVING, walk


def doubts_of_moved(source: Source, lines: Sequence[str]) -> tuple[str, ...]:
    """What is doubtful about the place of lines in a file, where they stand once."""
    rows, moved = [part.strip() for part in source.text.split("\n")], [line.strip() for line in lines]
    begins = (item for item, row in enumerate(rows) if row == moved[0])
    at = [item for item in begins if rows[item : item + len(moved)] == moved]
    if len(at) != 1 or source.tree is None:
        return ()
    low, high = at[0] + 1, at[0] + len(moved)
    if any(one.lineno == low and _is_unreached(source.suite(one), low) for one in source.statements):
        return ("it is never reached there",)
    around: ast.AST = source.tree
    for node in source.definitions:
        if isinstance(node, Function) and node.lineno < low <= (node.end_lineno or 0):
            around = node
    names = [inner for inner in walk(around) if isinstance(inner, ast.Name)]
    read = [item.id for item in names if low <= item.lineno <= high and isinstance(item.ctx, ast.Load)]
    given = {inner.arg for inner in walk(around) if isinstance(inner, ast.arg)}
    for name in dict.fromkeys(read):
        sets = [item for item in names if item.id == name and isinstance(item.ctx, ast.Store)]
        reaching = [item for item in sets if item.lineno <= high and not _leaves(source, item, around, low)]
        if sets and name not in given and not reaching and any(item.lineno > high for item in sets):
            return (f"{name} is not set yet there",)
    return ()


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
    """What is doubtful about the place of the lines that a plan writes."""
    after = repo.with_changes(plan.texts(repo))
    found = (
        doubts_of_moved(after.index.source(edit.path), _whole_lines(edit, repo.index.text(edit.path) or ""))
        for edit in plan.edits
    )
    return next((item for item in found if item), ())


def _whole_lines(edit: Edit, text: str) -> list[str]:
    """The lines that an edit writes, with what stays beside it on its first and last line."""
    low, high = text.rfind("\n", 0, edit.start) + 1, text.find("\n", edit.end)
    before, after = text[low : edit.start], text[edit.end : high if high >= 0 else None]
    inside = bool(before.strip() or (after.strip() and edit.new[-1:] != "\n")) and bool(edit.new.strip())
    return (f"{before}{edit.new}{after}" if inside else edit.new.rstrip("\n")).split("\n")


def _is_unreached(suite: list[ast.stmt], line: int) -> bool:
    at = next((at for at, one in enumerate(suite) if one.lineno == line), 0)
    return at > 0 and isinstance(suite[at - 1], LEAVING)
