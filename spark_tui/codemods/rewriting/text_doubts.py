"""Doubts about text that is put together in another way: `"a" + x` fails, or is no plain text, where an
f-string is text whatever x is; `"%d" % x` cuts a float, where an f-string fails, and `"%.2f" % x` makes a
float of a Decimal."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from spark_tui.codemods.checks.expected_errors import EXPECTING
from spark_tui.codemods.checks.value_kinds import ValueKind, value_kind
from spark_tui.codemods.plan import Unfollowed
from spark_tui.pysource.inference.values import InstanceValue
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source

_COUNTS = frozenset(("len", "int", "ord", "id", "hash"))
_EXACT = ("Decimal", "Fraction", "__float__")
"""Words of numbers that an f-string writes in their own way, or not at all."""
_CAUGHT = frozenset(("TypeError", "Exception", "BaseException"))


def sum_doubts(
    repo: Repository, source: Source, node: ast.expr, operands: Iterable[ast.expr]
) -> Iterator[Unfollowed]:
    """Why a sum of texts may be something else than the f-string of its operands."""
    for operand in operands:
        if isinstance(operand, ast.Constant | ast.JoinedStr):
            continue
        if isinstance(operand, ast.Call) and last_name(operand.func) == "str":
            yield from format_doubts(repo, source, operand.args)
        elif _may_be_no_text(repo, source, operand):
            reason = f"{source.segment(operand)} may be no text: + may fail or make something else of it"
            yield Unfollowed(source.path, node.lineno, reason)
        elif _is_expected_to_fail(source, node):
            reason = "it may be expected to fail here: an f-string takes non-text values too"
            yield Unfollowed(source.path, node.lineno, reason)
            return


def format_doubts(repo: Repository, source: Source, values: Iterable[ast.expr]) -> Iterator[Unfollowed]:
    """Where the class of a value has a format of its own, which an f-string uses and str() does not."""
    for value in values:
        found = [item.of for item in _values(repo, source, value) if isinstance(item, InstanceValue)]
        if any(repo.classes.lookup(item, "__format__") is not None for item in found):
            reason = f"{source.segment(value)} has a format of its own, which str() does not use"
            yield Unfollowed(source.path, value.lineno, reason)


def percent_doubts(
    repo: Repository, source: Source, node: ast.BinOp, fields: Iterable[tuple[ast.expr, str]]
) -> Iterator[Unfollowed]:
    """Why `text % values` may be something else than its f-string. Each field: its value, and the letter of
    its conversion."""
    right = node.right
    if not isinstance(right, ast.Tuple | ast.BinOp) and _may_be_tuple(repo, source, right):
        yield Unfollowed(source.path, node.lineno, f"{source.segment(right)} may be a tuple")
    for value, kind in fields:
        shown, reason = source.segment(value), ""
        if kind in "sr":
            yield from format_doubts(repo, source, [value])
        elif kind == "d" and not _is_whole(repo, source, value):
            reason = f"{shown} may be no whole number: %d cuts it, an f-string fails"
        elif _is_expected_to_fail(source, node):
            reason = f"{shown} may be expected to fail here: an f-string may raise ValueError for TypeError"
        elif kind in "feEg" and not isinstance(value, ast.Constant) and any(repo.index.files_with(*_EXACT)):
            reason = (
                f"{shown} may be a Decimal or the like: %{kind} makes a float of it, an f-string does not"
            )
        if reason:
            yield Unfollowed(source.path, node.lineno, reason)


def _may_be_tuple(repo: Repository, source: Source, node: ast.expr) -> bool:
    scopes = repo.index.scopes(source.path)
    scope = scopes.around(node)
    kind = value_kind(repo, source.path, node, scope)
    if kind is not None or isinstance(node, ast.Constant):
        return kind is ValueKind.TUPLE
    home = scopes.lookup(node.id, scope) if isinstance(node, ast.Name) else None
    variable = scopes.variable(node.id, home) if home is not None and isinstance(node, ast.Name) else None
    bound = [one.node for one in variable.bindings] if variable else []
    return not bound or not all(isinstance(one, ast.ExceptHandler) for one in bound)


def _is_whole(repo: Repository, source: Source, node: ast.expr) -> bool:
    scopes = repo.index.scopes(source.path)
    name = node.func if isinstance(node, ast.Call) else node
    home = scopes.lookup(name.id, scopes.around(name)) if isinstance(name, ast.Name) else None
    if isinstance(node, ast.Call):
        return isinstance(name, ast.Name) and name.id in _COUNTS and home is None
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int)
    variable = scopes.variable(node.id, home) if isinstance(node, ast.Name) and home is not None else None
    bound = [one.node for one in variable.bindings] if variable else []
    hints = [one.annotation if isinstance(one, ast.arg) else None for one in bound]
    return bool(hints) and all(hint is not None and last_name(hint) == "int" for hint in hints)


def _values(repo: Repository, source: Source, node: ast.expr) -> Iterable[object]:
    return repo.infer.values(source.path, node, repo.index.scopes(source.path).around(node))


def _may_be_no_text(repo: Repository, source: Source, node: ast.expr) -> bool:
    """Whether it is an object of a class of the repository, or looks like one of another class."""
    if any(isinstance(value, InstanceValue) for value in _values(repo, source, node)):
        return True
    name = last_name(node.func).lstrip("_") if isinstance(node, ast.Call) else ""
    return (name[:1].isupper() and not name.isupper()) or "lazy" in name


def _is_expected_to_fail(source: Source, node: ast.expr) -> bool:
    """Whether nothing uses a value, or something near catches or expects that it cannot be made."""
    for below, one in source.climb(node):
        if isinstance(one, ast.Expr) and one.value is node:
            return True
        if isinstance(one, ast.With | ast.AsyncWith) and below not in one.items:
            calls = [item.context_expr for item in one.items]
            if any(isinstance(call, ast.Call) and _expects(call) for call in calls):
                return True
        if isinstance(one, ast.Call) and below is not one.func and _expects(one):
            return True
        if isinstance(one, ast.Try) and below in one.body:
            handled = (handler.type for handler in one.handlers)
            if any(item is not None and "TypeError" in ast.unparse(item) for item in handled):
                return True
        if isinstance(one, Function):
            return False
    return False


def _expects(call: ast.Call) -> bool:
    """Whether a call waits for an error that a sum may raise."""
    if last_name(call.func) not in EXPECTING:
        return False
    first = call.args[:1]
    kinds = first[0].elts if first and isinstance(first[0], ast.Tuple) else first
    named = set(map(last_name, kinds))
    return not named or bool(named & _CAUGHT) or any(not name.endswith("Error") for name in named)
