"""Handlers and tests that expect an error which a changed function no longer raises."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.inference.values import FunctionValue
from spark_tui.pysource.names.type_hints import called, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source

EXPECTING = ("raises", "assertRaises", "assertRaisesRegex", "suppress")
"""The names of what expects an error."""


def expected_errors(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Where a function that raises one error in place of another is called where the old one is expected."""
    for path in paths:
        old, new = _raised(before.index.source(path)), _raised(after.index.source(path))
        for name, (_, errors) in old.items():
            node, now = new.get(name, (None, errors))
            gone = errors - now
            if node is None or not gone or not now - errors:
                continue
            owner = after.index.source(path).class_of(node)
            word = owner.name if owner is not None and node.name == "__init__" else node.name
            for where in sorted(after.index.files_with(word)):
                for line, error in _expects(after, where, word, node):
                    if any(_catches(error, one) for one in gone) and not any(
                        _catches(error, one) for one in now
                    ):
                        yield Finding(
                            where, line, "expected errors", f"expects {error} of {word}", sure=False
                        )


def _raised(source: Source) -> dict[str, tuple[Function, set[str]]]:
    """The errors that functions raise themselves, by the names of the functions."""
    out: dict[str, tuple[Function, set[str]]] = {}
    for one in source.statements:
        function = source.function_of(one) if isinstance(one, ast.Raise) and one.exc is not None else None
        if function is not None and isinstance(one, ast.Raise) and one.exc is not None:
            known = out.setdefault(source.qualname(function), (function, set()))
            known[1].add(last_name(called(one.exc)))
    return out


def _expects(repo: Repository, path: str, word: str, node: Function) -> Iterator[tuple[int, str]]:
    """The lines and errors that a file expects where it calls, or passes on, what has that name."""
    source, scopes = repo.index.source(path), repo.index.scopes(path)
    for use in _uses(source, word):
        values = repo.infer.values(path, use, scopes.around(use))
        known = [value.node for value in values if isinstance(value, FunctionValue)]
        if known and node not in known:
            continue
        below: ast.AST = use
        for outer in source.ancestors(use):
            if isinstance(outer, Function):
                break
            if isinstance(outer, ast.Try) and below in outer.body:
                types = (one.type for one in outer.handlers)
                yield from ((use.lineno, error) for kind in types for error in _names(kind))
            items = outer.items if isinstance(outer, ast.With | ast.AsyncWith) else ()
            calls = [item.context_expr for item in items] + ([outer] if isinstance(outer, ast.Call) else [])
            for call in calls:
                if isinstance(call, ast.Call) and call.args and last_name(call.func) in EXPECTING:
                    yield from ((use.lineno, error) for error in _names(call.args[0]))
            below = outer


def _uses(source: Source, word: str) -> Iterator[ast.Name | ast.Attribute]:
    tree = source.tree
    for node in ast.walk(tree) if tree is not None and word in source.text else ():
        if isinstance(node, ast.Name | ast.Attribute) and last_name(node) == word:
            yield node


def _names(kind: ast.expr | None) -> list[str]:
    return [
        last_name(one) for one in (kind.elts if isinstance(kind, ast.Tuple) else [kind]) if one is not None
    ]


def _catches(kind: str, error: str) -> bool:
    """Whether a handler of one kind catches an error."""
    above, below = getattr(builtins, kind, None), getattr(builtins, error, None)
    return kind == error or (isinstance(above, type) and isinstance(below, type) and issubclass(below, above))
