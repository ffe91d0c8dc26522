"""What is lost where a value gets no name any more: what it holds, what it goes through, and its error."""

from __future__ import annotations

import ast
import sys

from spark_tui.codemods.checks.expected_errors import EXPECTING
from spark_tui.codemods.checks.stopped_early import what_is_read_on
from spark_tui.codemods.rewriting.evaluation import has_effects
from spark_tui.pysource.inference.values import (
    FOREIGN,
    ClassValue,
    Container,
    FunctionValue,
    ModuleValue,
    Value,
    class_behind,
)
from spark_tui.pysource.names.type_hints import called_name, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source
from spark_tui.pysource.syntax.walking import find_nodes
from spark_tui.pysource.words import word_set

_HOLDING = word_set(
    "open create_task ensure_future TemporaryDirectory NamedTemporaryFile TemporaryFile SpooledTemporaryFile"
    " Popen socket finalize"
)
"""What closes, deletes or stops something once nobody has it any more."""
_FAILING = (ast.Attribute, ast.BinOp, ast.Starred)


def drop_doubt(repo: Repository, source: Source, statement: ast.Assign | ast.AnnAssign) -> str:
    """Why a statement that sets a local which nothing reads may be missed; empty where it is not."""
    value, shown = statement.value, source.segment(statement)
    if value is None:
        return ""
    if has_effects(value):
        called = value.value if isinstance(value, ast.Await) else value
        holds = isinstance(called, ast.Call) and _is_held(repo, source, called)
        return f"nothing holds what {source.segment(value)} gives any more" if holds else ""
    if any(isinstance(node, ast.Subscript) for node in ast.walk(value)):
        return f"{shown} may be there to fail"
    if any(isinstance(node, _FAILING) for node in ast.walk(value)) and _is_tried(source, statement):
        return f"{shown} may be there to fail"
    for made in find_nodes(value, ast.comprehension):
        if left := what_is_read_on(repo, source, made.iter):
            return f"{left}, which is read on, is no longer gone through"
    acting = (one for one in find_nodes(value, ast.Attribute) if _may_act(repo, source, one))
    return next((f"{source.segment(one)} may be a property that does something" for one in acting), "")


def _may_act(repo: Repository, source: Source, node: ast.Attribute) -> bool:
    """Whether reading an attribute may do more than that: what it is read from is not known, or finds it by
    a function that does something."""
    kinds = repo.infer.values(source.path, node.value, repo.index.scopes(source.path).around(node))
    return not kinds or any(_acts(repo, one, node.attr) for one in kinds)


def _acts(repo: Repository, value: Value, name: str) -> bool:
    if isinstance(value, ModuleValue | FunctionValue | Container) or value == FOREIGN:
        return False
    owner = class_behind(value)
    found = repo.classes.lookup(owner, name) if owner is not None else None
    if owner is None or found is None or repo.classes.lookup(owner, "__getattribute__"):
        return True
    member = found[1]
    if isinstance(member, Function):
        plain = all(isinstance(one, ast.Return | ast.Expr) and not has_effects(one) for one in member.body)
        return bool(member.decorator_list) and not plain
    return False


def _is_held(repo: Repository, source: Source, call: ast.Call) -> bool:
    """Whether the object of a call does something once nobody has it: one with `__del__`, a file, a task, or
    one of a class of another package."""
    name, scopes = last_name(call.func), repo.index.scopes(source.path)
    kinds = repo.infer.values(source.path, call.func, scopes.around(call))
    own = [one for one in kinds if isinstance(one, ClassValue)]
    if own:
        line = (up for one in own for up in repo.classes.ancestors(one))
        return any("__del__" in repo.classes.own_members(one) for one in line)
    head = ast.unparse(call.func).partition(".")[0]
    homes = {one.module for one in repo.index.summary(source.path).imports if one.alias == head}
    foreign = any(home.partition(".")[0] not in sys.stdlib_module_names for home in homes)
    return name in _HOLDING or (foreign and name[:1].isupper())


def _is_tried(source: Source, statement: ast.stmt) -> bool:
    """Whether an error of a statement is caught or expected."""
    for below, one in source.climb(statement):
        if isinstance(one, Definition):
            return False
        if isinstance(one, ast.Try | ast.TryStar) and one.handlers and below in one.body:
            return True
        if isinstance(one, ast.With) and any(
            called_name(item.context_expr) in EXPECTING for item in one.items
        ):
            return True
    return False
