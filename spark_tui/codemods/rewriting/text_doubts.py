"""Doubts about text that is put together in another way: `"a" + x` fails, or is no plain text, where an
f-string is text whatever x is."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from spark_tui.codemods.checks.expected_errors import EXPECTING
from spark_tui.codemods.plan import Unfollowed
from spark_tui.pysource.inference.values import InstanceValue
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source

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
