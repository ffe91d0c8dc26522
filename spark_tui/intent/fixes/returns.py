"""A function lacks its `return`: an expression with which it may end is to be its result."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from spark_tui.intent.building.building import Built, call, place
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.fixes.seen_error import SeenError, functions_named
from spark_tui.pysource.modules import is_test_file
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import find_nodes, walk
from spark_tui.tables import read_table

_GAVE_NONE = re.compile(r"None = <(?:bound method|function) ([\w.<>]+)")
_SAYS_NONE = re.compile(r"assert \(?None\b|where None|None !=|== None\b|\bNoneType\b")
_MOST_FILES, _MOST_OF_A_NAME = 40, 6
_CERTAIN, _CLEAR, _LIKELY, _POSSIBLE = 0.9, 0.8, 0.6, 0.5
_GIVING = ("copy", "count", "get", "index", "items", "keys", "pop", "setdefault", "union", "values")


@dataclass(frozen=True)
class _Tail:
    """An expression at the end of a block, whose value is dropped."""

    node: ast.Expr
    last: bool
    """Whether the function ends with it, so that a `return` before it leaves nothing out."""
    tried: bool
    """Whether it is in a `try`, where it may stand to see whether it raises."""

    @property
    def called(self) -> ast.expr | None:
        return self.node.value.func if isinstance(self.node.value, ast.Call) else None


@lru_cache(maxsize=1)
def value_calls() -> dict[str, frozenset[str]]:
    data = read_table(__file__, "value_calls.toml")
    return {name: frozenset(words.split()) for name, words in data.items()}


def missing_return(at: SeenError) -> Iterator[Built]:
    """A `return` in the functions whose results the line uses, or those of its callers use."""
    if at.kind == "assertion" and not _SAYS_NONE.search(at.text):
        return
    for frame in at.frames():
        for source, node in _functions_called(frame):
            for tail in _tails(node):
                if _is_bare(tail):
                    yield _returned(frame, source.path, tail, _CERTAIN)
                elif tail.last and _may_give(at, source, node, tail):
                    yield _returned(frame, source.path, tail, _LIKELY)


def last_none(at: SeenError) -> Iterator[Built]:
    """A function that gives something on some ways only ends with `return None`."""
    inside = at.function if at.line else at.root
    if isinstance(inside, Function) and not isinstance(inside.body[-1], ast.Return | ast.Raise):
        spot = place(at.context, Anchor(at.area, inside.body[-1]))
        made = call("insert_statements", place=spot, code="return None", side="after")
        yield Built((made,), 0.9 * at.area.weight)


def dropped_values(at: SeenError) -> Iterator[Built]:
    """A `return` before an expression that does nothing else, wherever it stands in files on the way."""
    paths = dict.fromkeys(frame.source.path for frame in at.frames())
    near = list(dict.fromkeys(item for path in paths for item in _imported(at, path)))
    far = [item for path in near for item in _imported(at, path)]
    ours = [item for item in dict.fromkeys([*paths, *near, *far]) if not is_test_file(item)]
    for path in ours[:_MOST_FILES]:
        scopes = at.context.repo.index.scopes(path)
        source = scopes.source
        functions = [item for item in scopes.scope_of if isinstance(item, Function)]
        for node, tail in [(function, item) for function in functions for item in _tails(function)]:
            if tail.tried:
                continue
            if _is_bare(tail):
                yield _returned(at, path, tail, _CLEAR)
            elif _only_gives(at, source, node, tail):
                yield _returned(at, path, tail, _LIKELY)
            elif tail.last and _gives(source, node) and _calls_for_value(at, tail):
                yield _returned(at, path, tail, _POSSIBLE)


def _returned(at: SeenError, path: str, tail: _Tail, weight: float) -> Built:
    low = at.context.source(path).span(tail.node)[0]
    return at.within(path, tail.node).spliced(low, low, "return ", weight)


# -- where the value may be missing -------------------------------------------------------------------


def _functions_called(at: SeenError) -> Iterator[tuple[Source, Function]]:
    """The functions whose results are asked for: the one that the message names, else those that the line
    calls, properties, and what gave its names; of a type checker the function itself."""
    named = [pair for name in _GAVE_NONE.findall(at.text) for pair in functions_named(at, name)]
    if named:
        yield from named
        return
    statement, inside = at.statement, at.function
    if at.kind == "missing_return" and inside is not None:
        yield at.source, inside
        return
    parts: list[ast.AST] = [statement] if statement is not None else []
    if isinstance(statement, Function):
        parts = [*statement.decorator_list]
    nodes = [node for part in parts for node in walk(part)]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    for inner in find_nodes(inside, ast.Assign):
        if any(isinstance(t, ast.Name) and t.id in names for t in inner.targets):
            nodes += walk(inner.value)
    wanted = {
        node.attr if isinstance(node, ast.Attribute) else node.id
        for node in nodes
        if isinstance(node, ast.Attribute | ast.Name)
    }
    for name in sorted(wanted):
        yield from functions_named(at, name)[:_MOST_OF_A_NAME]


def _imported(at: SeenError, path: str) -> list[str]:
    """The files of the repository that a file imports."""
    index = at.context.repo.index
    imports = index.summary(path).imports
    names = [index.imported_module(path, imported) for imported in imports]
    inner = [f"{name}.{one.name}" for name, one in zip(names, imports, strict=True)]
    found = [index.modules.find(name, path) for name in (*names, *inner)]
    return [item for item in found if item]


# -- what may be the result ---------------------------------------------------------------------------


def _tails(function: Function) -> Iterator[_Tail]:
    """The expressions at the ends of the blocks of a function that may give something."""
    if function.name != "__init__":
        yield from _tails_of(function.body, last=True, tried=False)


def _tails_of(body: list[ast.stmt], *, last: bool, tried: bool) -> Iterator[_Tail]:
    for stmt in body:
        ends = last and stmt is body[-1]
        if isinstance(stmt, ast.If | ast.Try | ast.With | ast.AsyncWith | ast.For | ast.While):
            loops, tries = isinstance(stmt, ast.For | ast.While), isinstance(stmt, ast.Try)
            if not loops:
                yield from _tails_of(stmt.body, last=ends, tried=tried or tries)
            for rest in [
                getattr(stmt, "orelse", []),
                *(handler.body for handler in getattr(stmt, "handlers", ())),
            ]:
                yield from _tails_of(rest, last=ends, tried=tried)
        elif isinstance(stmt, ast.Match):
            for case in stmt.cases:
                yield from _tails_of(case.body, last=ends, tried=tried)
    end = body[-1] if body else None
    if isinstance(end, ast.Expr) and not isinstance(end.value, ast.Yield | ast.YieldFrom | ast.Await):
        yield _Tail(end, last, tried)


def _is_bare(tail: _Tail) -> bool:
    """Whether an expression stands there for nothing."""
    value = tail.node.value
    if tail.tried and not tail.last:
        return False
    if isinstance(value, ast.Constant):
        return not isinstance(value.value, str) and value.value is not ... and value.value is not None
    return tail.called is None


def _may_give(at: SeenError, source: Source, function: Function, tail: _Tail) -> bool:
    """Whether the call at the end of a function that gave None may be its result: no method that changes a
    list, set or dictionary."""
    called = tail.called
    if called is None or _calls_for_value(at, tail) or _only_gives(at, source, function, tail):
        return called is not None
    changes = isinstance(called, ast.Attribute) and any(
        called.attr in dir(kind) and called.attr not in _GIVING for kind in (list, set, dict)
    )
    return not changes and _gives(source, function)


def _only_gives(at: SeenError, source: Source, function: Function, tail: _Tail) -> bool:
    """Whether a call does nothing but give a value: by its name a class, or a known function or method."""
    called = tail.called
    if isinstance(called, ast.Name):
        made = called.id == "cls" or (called.id.lstrip("_")[:1].isupper() and not called.id.isupper())
        return called.id in value_calls()["builtins"] or (made and (tail.last or _gives(source, function)))
    if isinstance(called, ast.Attribute) and called.attr in value_calls()["methods"]:
        modules = {imported.alias for imported in at.context.repo.index.summary(source.path).imports}
        return not (isinstance(called.value, ast.Name) and called.value.id in modules)
    return called is not None and ast.unparse(called) in ("self.__class__", "type(self)")


def _gives(source: Source, function: Function) -> bool:
    """Whether a function is to give something: by its annotation, or another `return`."""
    if function.returns is not None:
        return not (isinstance(function.returns, ast.Constant) and function.returns.value is None)
    return any(item is not None for item in source.returned(function) or ())


def _calls_for_value(at: SeenError, tail: _Tail) -> bool:
    """Whether a function of the repository is called, by its bare name, that is there for its result."""
    if not isinstance(tail.called, ast.Name):
        return False
    found = functions_named(at, tail.called.id) or functions_named(at, tail.called.id.lstrip("_"))
    return any(_gives(where, one) for where, one in found[:_MOST_OF_A_NAME])
