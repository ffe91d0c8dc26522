"""Results that are worked out only when somebody reads them, after what stood around their `return`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from spark_tui.codemods.checks.value_kinds import ValueKind, value_kind
from spark_tui.codemods.plan import Unfollowed
from spark_tui.pysource.inference.values import FunctionValue
from spark_tui.pysource.names.type_hints import decorator_names
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk_each
from spark_tui.pysource.words import word_set

RUN_TO_THEIR_END = word_set("contextmanager asynccontextmanager fixture")
"""Decorators under which a generator is a part of what uses it."""


def deferred_results(
    repo: Repository, source: Source, run: Iterable[ast.stmt], around: str
) -> Iterator[Unfollowed]:
    """The `return` statements among some that give what works later, outside of what was put around them."""
    statements = list(run)
    function = source.function_of(statements[0])
    for node in walk_each(statements):
        value = node.value if isinstance(node, ast.Return) else None
        if value is not None and source.function_of(node) is function and is_deferred(repo, source, value):
            shown = ast.unparse(value).splitlines()[0]
            yield Unfollowed(
                source.path, value.lineno, f"{shown} does its work later, outside of the {around}"
            )


def is_deferred(repo: Repository, source: Source, value: ast.expr) -> bool:
    """Whether a value is an iterator or a coroutine that has done nothing yet."""
    scope = repo.index.scopes(source.path).around(value)
    if isinstance(value, ast.IfExp):
        return is_deferred(repo, source, value.body) or is_deferred(repo, source, value.orelse)
    if value_kind(repo, source.path, value, scope) is ValueKind.ITERATOR:
        return True
    called = repo.infer.values(source.path, value.func, scope) if isinstance(value, ast.Call) else ()
    nodes = [one.node for one in called if isinstance(one, FunctionValue)]
    return bool(nodes) and all(isinstance(one, ast.AsyncFunctionDef) for one in nodes)


def holds_between_items(source: Source, run: Iterable[ast.stmt], context: str) -> Iterator[Unfollowed]:
    """A doubt where a generator gives items from inside of a context: what takes them runs in it as well."""
    if (node := _yields(source, run)) is not None:
        yield Unfollowed(source.path, node.lineno, f"{context} is held between the items")


def _yields(source: Source, run: Iterable[ast.stmt]) -> ast.Yield | ast.YieldFrom | None:
    """The first `yield` among the statements of a generator, unless a decorator runs that to its end."""
    for node in walk_each(run):
        if not isinstance(node, ast.Yield | ast.YieldFrom):
            continue
        function = source.function_of(node)
        if function is not None and RUN_TO_THEIR_END.isdisjoint(decorator_names(function)):
            return node
    return None
