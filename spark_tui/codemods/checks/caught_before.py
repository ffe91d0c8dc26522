"""Handlers that nothing reaches any more, since one before them catches their errors, and those that catch
errors which were none of theirs."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Collection, Iterator

from spark_tui.codemods.checks.expected_errors import raising_functions, uses_of
from spark_tui.codemods.plan import Finding
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.type_hints import called, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source

_OF_ALL = {"Exception", "BaseException", "object"}


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
        was = _classes(before.index.source(path))
        for name, one in _classes(after.index.source(path)).items():
            if name in was and list(map(ast.dump, one.bases)) != list(map(ast.dump, was[name].bases)):
                for below in after.classes.descendants(ClassValue(path, one)):
                    yield from _caught_now(before, after, below)


def _classes(source: Source) -> dict[str, ast.ClassDef]:
    return {source.qualname(one): one for one in source.definitions if isinstance(one, ast.ClassDef)}


def _above(repo: Repository, of: ClassValue) -> set[str]:
    """The names of the classes that a class is one of, but those that all errors are."""
    line = repo.classes.ancestors(of)
    names = {last_name(base) for one in line for base in one.node.bases} | {one.node.name for one in line}
    known = [one for name in names if isinstance(one := getattr(builtins, name, None), type)]
    return (names | {above.__name__ for one in known for above in one.__mro__}) - _OF_ALL


def _caught_now(before: Repository, after: Repository, of: ClassValue) -> Iterator[Finding]:
    """The handlers of what an error became one of, around code that raises it."""
    error = of.node.name
    old = before.classes.find(of.path, after.index.source(of.path).qualname(of.node))
    was = _above(before, old[0]) if old else set()
    # What the repository did not have is only called otherwise now.
    gained = {one for one in _above(after, of) - was if hasattr(builtins, one) or before.index.symbols(one)}
    if not was or not gained:
        return
    raising = raising_functions(after, error)
    words = {error, *raising.values()}
    for path in sorted({*after.index.files_with(*words)} & {*after.index.files_with(*gained)}):
        source = after.index.source(path)
        uses: list[ast.AST] = [
            one
            for one in source.statements
            if isinstance(one, ast.Raise) and one.exc is not None and last_name(called(one.exc)) == error
        ]
        uses += (use for node, word in raising.items() for use in uses_of(after, path, word, node))
        caught = {_caught_by(source, use, was, gained) for use in uses}
        for line, wide in sorted(one for one in caught if one is not None):
            yield Finding(path, line, "caught before", f"except {wide} catches {error} now", sure=False)


def _caught_by(
    source: Source, node: ast.AST, was: Collection[str], gained: Collection[str]
) -> tuple[int, str] | None:
    """The line and the name of the handler of what an error became one of, if none catches it before."""
    for below, outer in source.climb(node):
        if isinstance(outer, Function | ast.Lambda):
            break
        tried = isinstance(outer, ast.Try | ast.TryStar) and below in outer.body
        handlers: list[ast.ExceptHandler] = getattr(outer, "handlers", []) if tried else []
        for handler in handlers:
            names = _errors(handler)
            if handler.type is None or {*was, *_OF_ALL} & {*names}:
                return None
            if wide := next((one for one in names if one in gained), ""):
                return handler.lineno, wide
    return None


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
