"""Objects of a `with` that are no context managers, or are those of an `async with`."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator

from spark_tui.codemods.checks.value_uses import changed_lines
from spark_tui.codemods.plan import Finding
from spark_tui.pysource.inference.values import FunctionValue, InstanceValue
from spark_tui.pysource.names.type_hints import decorator_names
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import values_set
from spark_tui.pysource.words import word_set

_AWAITED = word_set("Lock Semaphore BoundedSemaphore Condition timeout timeout_at TaskGroup")
"""What `asyncio` has for an `async with`."""
_PLAIN = word_set("Lock RLock Semaphore BoundedSemaphore Condition")
"""What `threading` has for a `with`."""
_ENTERING = {False: "__enter__", True: "__aenter__"}
_HEADS = {False: "with", True: "async with"}


def contexts(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a change enters a context that cannot be entered in this way."""
    for path in paths:
        lines = changed_lines(before, after, path)
        found = list(_wrong(after, path, lines)) if lines else []
        known = Counter(reason for _, reason in _wrong(before, path, None)) if found else Counter[str]()
        for line, reason in found:
            if not known[reason]:
                yield Finding(path, line, "contexts", reason, sure=False)


def _wrong(repo: Repository, path: str, lines: Collection[int] | None) -> Iterator[tuple[int, str]]:
    for node in repo.index.source(path).statements:
        for item in node.items if isinstance(node, ast.With | ast.AsyncWith) else ():
            one = item.context_expr
            if lines is None or one.lineno in lines:
                reason = _lacking(repo, path, one, isinstance(node, ast.AsyncWith))
                yield from [(one.lineno, reason)] if reason else ()


def _lacking(repo: Repository, path: str, node: ast.expr, awaited: bool) -> str:
    """Why a context cannot be entered; empty where it can be, or nobody knows."""
    shown, scopes = ast.unparse(node).splitlines()[0], repo.index.scopes(path)
    scope = scopes.around(node)
    called = repo.infer.values(path, node.func, scope) if isinstance(node, ast.Call) else ()
    for function in [one for one in called if isinstance(one, FunctionValue)]:
        kinds, home = decorator_names(function.node), repo.index.source(function.path)
        if {True: "contextmanager", False: "asynccontextmanager"}[awaited] in kinds:
            return f"{shown} is for {_HEADS[not awaited]}"
        if not kinds and home.returned(function.node) is None:
            return f"{shown} is a generator, and no context: @contextmanager makes one of it"
    values = repo.infer.values(path, node, scope)
    owners = [one.of for one in values if isinstance(one, InstanceValue)]
    if owners and len(owners) == len(values):
        if any(
            repo.classes.has_foreign_base(one) or repo.classes.lookup(one, "__getattr__") for one in owners
        ):
            return ""
        if all(repo.classes.lookup(one, _ENTERING[awaited]) is None for one in owners):
            other = all(repo.classes.lookup(one, _ENTERING[not awaited]) is not None for one in owners)
            return f"{shown} is for {_HEADS[not awaited]}" if other else f"{shown} is no context manager"
    module, words = ("threading", _PLAIN) if awaited else ("asyncio", _AWAITED)
    call = isinstance(node, ast.Call)
    found = [node] if call else values_set(scopes.source.statements, ast.unparse(node))
    made = {_of_module(scopes.source, one, module) for one in found}
    return f"{shown} is for {_HEADS[not awaited]}" if made and made <= words else ""


def _of_module(source: Source, made: ast.expr, module: str) -> str:
    """The name in a module of what a call makes; empty for something else."""
    match made:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)) if owner == module:
            return name
        case ast.Call(func=ast.Name(id=name)):
            imports = (one for one in source.body if isinstance(one, ast.ImportFrom) and one.module == module)
            return name if any(alias.name == name for one in imports for alias in one.names) else ""
    return ""
