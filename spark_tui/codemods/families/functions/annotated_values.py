"""What a variable is set to, where its type becomes another one."""

from __future__ import annotations

import ast
import builtins

from spark_tui.codemods.plan import Edit, Unfollowed
from spark_tui.codemods.rewriting.edits import read_expression, swap_expression
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source

_HOLDING = frozenset(("list", "dict", "set", "frozenset", "tuple"))
_BUILTIN = _HOLDING | {"str", "bytes", "int", "float", "bool"}
_WIDER = frozenset((("int", "float"), ("bool", "int"), ("bool", "float")))


def new_factory(source: Source, statement: ast.AnnAssign, hint: str) -> list[Edit]:
    """The change of `field(default_factory=list)` where the type is a set from then on."""
    factory, kind = _factory(statement.value), _outer(hint)
    if factory is None or kind not in _HOLDING or factory.id == kind:
        return []
    return [swap_expression(source, factory, kind)]


def unfit_value(source: Source, statement: ast.Assign | ast.AnnAssign, hint: str) -> list[Unfollowed]:
    """That the literal that a variable is set to is of another type."""
    value, kind = statement.value, _outer(hint)
    given = type(value.value).__name__ if isinstance(value, ast.Constant) else type(value).__name__.lower()
    if kind not in _BUILTIN or given not in _BUILTIN or given == kind or (given, kind) in _WIDER:
        return []
    shown = ast.unparse(value) if value is not None else ""
    return [Unfollowed(source.path, statement.lineno, f"{shown} is not of type {kind}")]


def lost_methods(repo: Repository, statement: ast.AnnAssign, hint: str) -> list[Unfollowed]:
    """Uses that what a field is made of from then on does not have: `append` of a set."""
    factory, kind = _factory(statement.value), _outer(hint)
    called = statement.target.id if isinstance(statement.target, ast.Name) else ""
    if factory is None or kind not in _HOLDING or factory.id == kind or not called:
        return []
    has = dir(getattr(builtins, kind))
    return [
        Unfollowed(path, use.node.lineno, f"{ast.unparse(use.node)} is not of type {kind}")
        for path in sorted(repo.index.files_with(called))
        for use in repo.index.scopes(path).attributes
        if last_name(use.node.value) == called and use.node.attr not in has
    ]


def _outer(hint: str) -> str:
    """The class that a type is of: `list` of `list[str]`."""
    tree = read_expression(hint)
    tree = tree.value if isinstance(tree, ast.Subscript) else tree
    return tree.id if isinstance(tree, ast.Name) else ""


def _factory(value: ast.expr | None) -> ast.Name | None:
    """The builtin class that makes the default of a field."""
    options = value.keywords if isinstance(value, ast.Call) and last_name(value.func) == "field" else []
    made = [one.value for one in options if one.arg == "default_factory"]
    return next((one for one in made if isinstance(one, ast.Name) and one.id in _HOLDING), None)
