"""Handlers and tests that expect an error which a changed function no longer raises."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator
from functools import lru_cache

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.inference.values import FOREIGN, FunctionValue
from spark_tui.pysource.names.type_hints import called, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source

EXPECTING = ("raises", "assertRaises", "assertRaisesRegex", "suppress")
"""The names of what expects an error."""
_MAKING = ("__init__", "__new__", "__post_init__")
"""Methods that run where an object of a class is made."""


def expected_errors(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Where a function that does not raise an error any more is called where that is expected."""
    changed: dict[str, list[tuple[Function, set[str], set[str]]]] = {}
    for path in paths:
        old, new = _raised(before.index.source(path)), _raised(after.index.source(path))
        # What another function raises now may have moved there.
        moved = (errors - old[name][1] if name in old else errors for name, (_, errors) in new.items())
        others = {error for errors in moved for error in errors}
        for name, (was, errors) in old.items():
            node, now = new.get(name) or (_function(after.index.source(path), name), set())
            if node is not None and errors - now and (now - errors or not errors - now <= others):
                let_through = _caught(was) - _caught(node)
                word = _called_as(after.index.source(path), node)
                changed.setdefault(word, []).append((node, errors - now, now | let_through))
    for error in {error for every in changed.values() for _, gone, _ in every for error in gone}:
        yield from _never_raised(after, error)
    for where in sorted(after.index.files_with(*changed)) if changed else ():
        scopes = after.index.scopes(where)
        for word in changed.keys() & (scopes.by_name.keys() | scopes.attributes_by_name.keys()):
            for node, gone, now in changed[word]:
                for line, error in _expects(after, where, word, node):
                    reason = f"expects {error} of {word}"
                    if _catches(error, gone) and not _catches(error, now):
                        yield Finding(where, line, "expected errors", reason, sure=False)
                own = {error for error in gone - now if after.index.symbols(error)}
                yield from _expected_further(after, where, word, node, own) if own else ()


def _expected_further(
    repo: Repository, path: str, word: str, node: Function, gone: Collection[str]
) -> Iterator[Finding]:
    """Where errors of the repository are expected of what only calls the function that raised them: it
    neither names them nor calls another one that raises them."""
    source = repo.index.source(path)
    callers = {
        function
        for use in uses_of(repo, path, word, node)
        if (function := source.function_of(use)) is not None and function is not node
    }
    for caller in sorted(callers, key=lambda item: item.lineno):
        named = {name for inner in ast.walk(caller) if (name := last_name(inner))}
        left = {
            error
            for error in gone
            if error not in named and named.isdisjoint(raising_functions(repo, error).values())
        }
        expecting = set(repo.index.files_with(*left)) if left else set()
        for where in sorted(expecting.intersection(repo.index.files_with(caller.name))):
            for line, error in _expects(repo, where, caller.name, caller):
                if error in left:
                    reason = f"expects {error} of {caller.name}, which had it from {word}"
                    yield Finding(where, line, "expected errors", reason, sure=False)


def raising_functions(repo: Repository, error: str) -> dict[Function, str]:
    """The functions that raise an error themselves, with the name by which each is called."""
    sources = map(repo.index.source, sorted(repo.index.files_with(error)))
    return {
        node: _called_as(source, node)
        for source in sources
        for node, errors in _raised(source).values()
        if error in errors
    }


def _called_as(source: Source, node: Function) -> str:
    owner = source.class_of(node)
    return owner.name if owner is not None and node.name in _MAKING else node.name


def _function(source: Source, name: str) -> Function | None:
    return next((one for one in source.functions if source.qualname(one) == name), None)


def _never_raised(repo: Repository, error: str) -> Iterator[Finding]:
    """Handlers of an error of the repository that no file raises, nor makes, any more."""
    paths = sorted(repo.index.files_with(error)) if repo.index.symbols(error) else []
    trees = {path: repo.index.source(path).tree or ast.Pass() for path in paths}
    nodes = [(path, node) for path, tree in trees.items() for node in ast.walk(tree)]
    made = [node.func for _, node in nodes if isinstance(node, ast.Call)]
    made += [node.exc for _, node in nodes if isinstance(node, ast.Raise) and node.exc is not None]
    bases = [base for _, node in nodes if isinstance(node, ast.ClassDef) for base in node.bases]
    if error in map(last_name, (*made, *bases)):
        return
    reason = f"nothing raises {error} any more"
    for path, node in nodes:
        if isinstance(node, ast.ExceptHandler) and error in _names(node.type):
            yield Finding(path, node.lineno, "expected errors", reason, sure=False)


@lru_cache(maxsize=32)
def _raised(source: Source) -> dict[str, tuple[Function, set[str]]]:
    """The errors that functions raise themselves, by the names of the functions."""
    out: dict[str, tuple[Function, set[str]]] = {}
    for one in source.statements:
        if isinstance(one, ast.Raise) and one.exc is not None and (function := source.function_of(one)):
            known = out.setdefault(source.qualname(function), (function, set()))
            known[1].add(last_name(called(one.exc)))
    return out


def uses_of(repo: Repository, path: str, word: str, node: Function) -> Iterator[ast.expr]:
    """Where a file calls, or passes on, what has that name and may be that function."""
    scopes = repo.index.scopes(path)
    named = (one.node for one in scopes.by_name.get(word, ()) if isinstance(one.node, ast.Name))
    for use in (*named, *(one.node for one in scopes.attributes_by_name.get(word, ()))):
        values = repo.infer.values(path, use, scopes.around(use))
        known = [value.node for value in values if isinstance(value, FunctionValue)]
        if node in known or (not known and set(values) != {FOREIGN}):
            yield use


def _expects(repo: Repository, path: str, word: str, node: Function) -> Iterator[tuple[int, str]]:
    """The lines and errors that a file expects where it calls, or passes on, what has that name."""
    source = repo.index.source(path)
    for use in uses_of(repo, path, word, node):
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


def _caught(function: Function) -> set[str]:
    handlers = (one.handlers for one in ast.walk(function) if isinstance(one, ast.Try))
    return {name for every in handlers for one in every for name in _names(one.type)}


def _names(kind: ast.expr | None) -> list[str]:
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return [last_name(one) for one in kinds if one is not None]


def _catches(kind: str, errors: Collection[str]) -> bool:
    """Whether a handler of one kind catches one of some errors."""
    above, known = getattr(builtins, kind, None), [getattr(builtins, one, None) for one in errors]
    below = [one for one in known if isinstance(one, type)]
    return kind in errors or (isinstance(above, type) and any(issubclass(one, above) for one in below))
