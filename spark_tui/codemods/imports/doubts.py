"""Doubts about edits of code that runs while a module is imported: they may break everybody who imports it.

Files that nobody imports and that are in no package are programs: they do not count.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from spark_tui.codemods.imports.callers import enclosing_function, is_library, runs_on_import
from spark_tui.codemods.plan import Edit, Plan, Unfollowed
from spark_tui.codemods.rewriting.edits import plan_edits
from spark_tui.codemods.uses.callsites import find_words
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import parse_expression, targets

_NUMBERS = frozenset((int, float))
_COLLECTIONS = ast.Dict | ast.List | ast.Tuple | ast.Set
_PLAIN_HOLDERS = ast.Assign | ast.AnnAssign | ast.arguments | ast.Tuple | ast.List | ast.Dict | ast.keyword


def planned_change(
    repo: Repository, edits: list[Edit], unfollowed: Iterable[Unfollowed] = (), *, given: Iterable[str] = ()
) -> Plan:
    """The plan of edits after which code does something else: places that run on import are named."""
    plan = plan_edits(repo, edits, unfollowed, given=given)
    doubts = {*plan.unfollowed, *import_doubts(repo, plan.edits)}
    return replace(plan, unfollowed=tuple(sorted(doubts)))


def import_doubts(repo: Repository, edits: Iterable[Edit]) -> Iterator[Unfollowed]:
    """A doubt for each edit of code that runs while its module is imported."""
    for edit in edits:
        if edit.path not in repo.index.modules.paths:
            continue
        source = repo.index.source(edit.path)
        guard = _main_guard(source)
        if guard is not None and source.span(guard)[0] <= edit.start and edit.end <= source.span(guard)[1]:
            yield Unfollowed(edit.path, guard.lineno, "importing the file may run the program then")
            continue
        if not is_library(repo, edit.path):
            continue
        node = _node_at(source, edit)
        if isinstance(node, Function) and edit.start >= source.starts[source.first_line(node.body[0])]:
            node = node.body[0]
        if node is None or _is_value_that_nobody_reads(repo, source, node, edit):
            continue
        if runs_on_import(repo, edit.path, node):
            line = source.line_number(edit.start)
            yield Unfollowed(edit.path, line, "it may run when the module is imported, which is not tried")


def _main_guard(source: Source) -> ast.expr | None:
    """The condition under which a module runs as a program."""
    tests = (stmt.test for stmt in source.body if isinstance(stmt, ast.If))
    return next((test for test in tests if "__name__" in ast.unparse(test)), None)


def _node_at(source: Source, edit: Edit) -> ast.AST | None:
    """The innermost node around an edit; of whole lines that stay indented, the one around what they hold."""
    old = source.text[edit.start : edit.end]
    if old[:1].isspace() and old.strip() and not re.search(r"^\S", edit.new, re.MULTILINE):
        start = edit.start + len(old) - len(old.lstrip())
        edit = replace(edit, start=start, end=start + len(old.strip()))
    node: ast.AST | None = source.tree
    found = node
    while node is not None:
        found, node = node, next((inner for inner in _children(node) if _covers(source, inner, edit)), None)
    return found


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes below one that have a place; those without stand for what is in them."""
    for inner in ast.iter_child_nodes(node):
        if hasattr(inner, "lineno"):
            yield inner
        else:
            yield from _children(inner)


def _covers(source: Source, node: ast.AST, edit: Edit) -> bool:
    low, high = source.span(node)
    for decorator in getattr(node, "decorator_list", ()):
        low = min(low, source.span(decorator)[0])
    return 0 <= low <= edit.start and edit.end <= high


def _is_value_that_nobody_reads(repo: Repository, source: Source, node: ast.AST, edit: Edit) -> bool:
    """Whether a plain value takes the place of one of its kind, or of one that no import reads."""
    if _is_plain_addition(repo, source, node, edit) or _is_within_text(source, node, edit):
        return True
    if not isinstance(node, ast.expr) or source.span(node) != (edit.start, edit.end):
        return False
    new = parse_expression(edit.new)
    if new is None:
        return False
    holder = source.parents.get(node)
    same = _kind_of_value(node) is _kind_of_value(new) is not None
    text = _kind_of_value(node) is str and enclosing_function(source, node) is not None
    if same and (text or isinstance(holder, _PLAIN_HOLDERS)):
        return True
    plain = isinstance(new, ast.Lambda) or all(
        isinstance(inner, ast.Constant | ast.Tuple | ast.List | ast.expr_context) for inner in ast.walk(new)
    )
    return plain and _is_of_unread_name(repo, source, holder)


def _is_of_unread_name(repo: Repository, source: Source, holder: ast.AST | None) -> bool:
    """Whether a statement sets one name, which no import reads."""
    match targets(holder):
        case [ast.Name() as only]:
            return not _read_on_import(repo, source, only)
    return False


def _is_within_text(source: Source, node: ast.AST, edit: Edit) -> bool:
    """Whether a part of a text in a function is changed."""
    text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    part = text and source.span(node) != (edit.start, edit.end)
    return part and enclosing_function(source, node) is not None


def _is_plain_addition(repo: Repository, source: Source, node: ast.AST, edit: Edit) -> bool:
    """Whether constants are put into a collection that is written out and has others of their kind, or is
    empty and not read by an import."""
    old = source.text[edit.start : edit.end]
    if edit.new.startswith(old):  # `,` and the end of a line stay
        edit = replace(edit, start=edit.end, new=edit.new[len(old) :])
    # What is put directly after an element is at the end of that.
    around = node if isinstance(node, _COLLECTIONS) else source.parents.get(node)
    if not isinstance(around, _COLLECTIONS) or edit.start != edit.end or edit.start in source.span(around):
        return False
    added = edit.new.strip(", \n\t")
    new = parse_expression(f"{{{added}}}")
    if new is None:
        return False
    plain = ast.Dict | ast.Set | ast.Constant | ast.expr_context
    kinds = set(map(_kind_of_item, _items(around)))
    alike = kinds.issuperset(map(_kind_of_item, _items(new)))
    alike = alike if kinds else _is_of_unread_name(repo, source, source.parents.get(around))
    constant = all(isinstance(inner, plain) for inner in ast.walk(new))
    return alike and constant and not _is_slots(source, around)


def _items(node: ast.AST) -> list[ast.expr]:
    return node.values if isinstance(node, ast.Dict) else getattr(node, "elts", [])


def _kind_of_item(node: ast.expr) -> type:
    return _kind_of_value(node) or type(node)


def _is_slots(source: Source, node: ast.AST) -> bool:
    """Whether it names the attributes of a class: one that the class has already cannot be added."""
    found = targets(source.parents.get(node))
    return any(isinstance(target, ast.Name) and target.id == "__slots__" for target in found)


def _kind_of_value(node: ast.expr) -> type | None:
    """The type of a constant, or of numbers that are reckoned with (`64 * 1024`, `1 / 60`, `-1`)."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        kind = _kind_of_value(node.operand)
        return kind if kind in _NUMBERS else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
        kinds = {_kind_of_value(node.left), _kind_of_value(node.right)}
        divides = isinstance(node.op, ast.Div)
        if not kinds <= _NUMBERS or (divides and not getattr(node.right, "value", 0)):
            return None
        return float if divides or float in kinds else int
    return type(node.value) if isinstance(node, ast.Constant) else None


def _read_on_import(repo: Repository, source: Source, target: ast.Name) -> bool:
    scopes = repo.index.scopes(source.path)
    occurrence = scopes.by_node.get(target)
    if occurrence is None or (target.id.startswith("__") and target.id.endswith("__")):
        return True
    local = enclosing_function(source, target) is not None and occurrence.scope is not scopes.module
    for load in scopes.resolve(occurrence).loads:
        if local or runs_on_import(repo, source.path, load.node):
            return True
    if occurrence.scope.is_class:
        owner = occurrence.scope.node
        looked_at = getattr(owner, "bases", ()) or getattr(owner, "decorator_list", ())
        return bool(looked_at) or target.id in scopes.attributes_by_name
    for path in repo.index.importers(source.path):
        if target.id in repo.index.summary(path).words:
            other = repo.index.scopes(path)
            uses = find_words(other, [target.id])
            if any(enclosing_function(other.source, use) is None for use, _ in uses):
                return True
    return False
