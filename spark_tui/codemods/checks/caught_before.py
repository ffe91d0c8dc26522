"""Handlers that nothing reaches any more, since one before them catches their errors."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source


def caught_before(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Where a change made a handler catch what a later one of its `try` is for."""
    for path in paths:
        found = list(_unreached(after.index.source(path)))
        old = _unreached(before.index.source(path)) if found else ()
        known = Counter(text for text, _ in old)
        for text, line in found:
            if not known[text]:
                yield Finding(path, line, "caught before", text, sure=False)
            known[text] -= 1


def _unreached(source: Source) -> Iterator[tuple[str, int]]:
    for node in source.statements:
        if not isinstance(node, ast.Try) or len(node.handlers) < 2:
            continue
        caught: list[str] = []
        for handler in node.handlers:
            errors = _errors(handler)
            wide = next((one for one in caught if errors and all(_holds(one, error) for error in errors)), "")
            if wide:
                yield f"except {', '.join(errors)} is not reached: {wide} is caught before", handler.lineno
            caught += errors


def _errors(handler: ast.ExceptHandler) -> list[str]:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return [last_name(one) for one in kinds if isinstance(one, ast.Name | ast.Attribute)]


def _holds(wide: str, error: str) -> bool:
    """Whether an error is one of a class; of an unknown class only what all errors are is known."""
    outer, inner = getattr(builtins, wide, None), getattr(builtins, error, Exception)
    if not isinstance(outer, type) or not isinstance(inner, type):
        return wide == error
    return issubclass(inner, outer)
