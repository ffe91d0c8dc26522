"""Calls that are given a function and may look at its parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from spark_tui.codemods.plan import Unfollowed
from spark_tui.pysource.inference.values import FunctionValue
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.words import word_set

_READING = word_set("signature getfullargspec getcallargs get_type_hints co_varnames co_argcount __code__")


def read_parameters(repo: Repository, uses: Iterable[tuple[str, ast.expr]]) -> Iterator[Unfollowed]:
    """The calls that functions are given to, of those uses as a value, which may read what they take."""
    for path, node in uses:
        parents = repo.index.source(path).parents
        call = parents.get(node)
        call = parents.get(call) if isinstance(call, ast.keyword) else call
        if isinstance(call, ast.Call) and call.func is not node and _reads(repo, path, call):
            yield Unfollowed(path, call.lineno, f"{ast.unparse(call.func)}(…) may look at its parameters")


def _reads(repo: Repository, path: str, call: ast.Call) -> bool:
    if last_name(call.func) in _READING:
        return True
    values = repo.infer.values(path, call.func, repo.index.scopes(path).scope_at[call])
    homes = {one.path for one in values if isinstance(one, FunctionValue)}
    return not homes.isdisjoint(repo.index.files_with(*_READING)) if homes else False
