"""Fixes of values that are None: a function lacks its `return`, or the value has to be looked at."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.anchors import Anchor
from spark_tui.intent.building import Built, call, place
from spark_tui.intent.seen_error import Seen
from spark_tui.intent.walking import walk
from spark_tui.pysource.source import Function, Source, parameters

_EMPTY = {"dict": "{}", "list": "[]", "str": '""', "set": "set()"}
_SAYS_NONE = re.compile(r"assert \(?None\b|where None|None !=|== None\b|\bNoneType\b")
_MOST_FILES = 40
_GIVING = ("copy", "count", "get", "index", "items", "keys", "pop", "setdefault", "union", "values")


def none_value(at: Seen) -> Iterator[Built]:
    """Something is None: a function that lacks its `return`, or a value that has to be looked at first."""
    yield from list(missing_return(at)) or bare_tails(at)
    for node in _none_nodes(at):
        yield from _guarded(at, node)


def _none_nodes(at: Seen) -> list[ast.expr]:
    """What may be None on the line: names and attributes of which something is asked."""
    name = at.groups.get("name", "")
    if name:
        holders = [one.value for one in at.nodes(ast.Attribute) if one.attr == name]
    elif "callable" in at.text:
        holders = [one.func for one in at.nodes(ast.Call)]
    elif "subscript" in at.text or "item" in at.text:
        holders = [one.value for one in at.nodes(ast.Subscript)]
    elif "argument of type" in at.text:
        holders = [each for one in at.nodes(ast.Compare) for each in one.comparators]
    elif "iterable" in at.text:
        holders = [one.iter for one in at.nodes(ast.For)]
        holders += [each for one in at.nodes(ast.Call) for each in one.args]
    else:
        holders = [side for one in at.nodes(ast.BinOp) for side in (one.left, one.right)]
        holders += [side for one in at.nodes(ast.Compare) for side in (one.left, *one.comparators)]
        holders += [each for one in at.nodes(ast.Call) for each in one.args]
    found: dict[str, ast.expr] = {
        ast.unparse(one): one for one in holders if isinstance(one, ast.Name | ast.Attribute)
    }
    return [one for text, one in found.items() if text not in ("self", "cls")][:3]


def _guarded(at: Seen, node: ast.expr) -> Iterator[Built]:
    """The function ends early where a parameter is None, or takes an empty one instead."""
    inside, statement = at.source.function_of(node), at.source.statement(node)
    if inside is None or statement is None or isinstance(statement, Function):
        return
    # Anything else that is None may be meant to raise here, and be caught.
    text = ast.unparse(node)
    if text not in {one.arg for one in parameters(inside)}:
        return
    weight = 0.6
    gives = any(isinstance(one, ast.Return) and one.value is not None for one in walk(inside))
    doubt = "what is done without a value was made up"
    actions = [("return None" if gives else "return", weight)]
    if inside.name == "__init__":
        actions = []
    actions += [(f"{text} = {empty}", 0.9 * weight) for empty in _empties(at)]
    for action, likely in actions:
        code = f"if {text} is None:\n    {action}"
        spot = place(at.context, Anchor(at.area, statement))
        made = call("insert_statements", place=spot, code=code, side="before")
        title = f"if {text} is None: {action} in {inside.name}"
        yield Built((made,), likely * at.area.weight, (doubt,), title)


def _empties(at: Seen) -> list[str]:
    """Empty values that have what is asked of the value."""
    name = at.groups.get("name", "")
    if name:
        kinds = (dict, list, str, set)
        return [_EMPTY[one.__name__] for one in kinds if hasattr(one, name)][:1]
    return ["()"] if "iterable" in at.text else ["{}"] if "container" in at.text else []


def missing_return(at: Seen) -> Iterator[Built]:
    """An expression at the end of a function that is to be its result."""
    if at.kind == "assertion" and not _SAYS_NONE.search(at.text):
        return
    for frame in at.frames():
        for source, node in _asked(frame):
            for tail in _tails(node.body):
                weight = 0.9 if _is_bare(tail) else 0.6
                if weight > 0.6 or (_may_give(tail) and _gives(source, node)):
                    low = source.span(tail)[0]
                    yield frame.within(source.path, tail).spliced(low, low, "return ", weight)


def _gives(source: Source, function: Function) -> bool:
    """Whether a function is to give something: by its annotation, or another `return`."""
    if function.returns is not None:
        return not (isinstance(function.returns, ast.Constant) and function.returns.value is None)
    return any(one is not None for one in source.returned(function) or ())


def bare_tails(at: Seen) -> Iterator[Built]:
    """Expressions at the end of a function that have no effect, wherever they stand in files on the way."""
    paths = dict.fromkeys(frame.source.path for frame in at.frames())
    repo = at.context.repo
    near = list(dict.fromkeys(one for path in paths for one in _imported(at, path)))
    far = [one for path in near for one in _imported(at, path)]
    for path in list(dict.fromkeys([*paths, *near, *far]))[:_MOST_FILES]:
        source = repo.index.source(path)
        for node in source.definitions:
            if not isinstance(node, Function) or node.name.startswith("test"):
                continue
            for tail in _tails(node.body, tried=False):
                if _is_bare(tail) or (_makes_object(tail) and _gives(source, node)):
                    low = source.span(tail)[0]
                    yield at.within(path, tail).spliced(low, low, "return ", 0.6)


def _imported(at: Seen, path: str) -> list[str]:
    """The files of the repository that a file imports."""
    repo = at.context.repo
    names = [repo.index.imported_module(path, one) for one in repo.index.summary(path).imports]
    inner = [f"{name}.{one.name}" for name, one in zip(names, repo.index.summary(path).imports, strict=True)]
    found = [repo.index.modules.find(name, path) for name in (*names, *inner)]
    return [one for one in found if one]


def _asked(at: Seen) -> Iterator[tuple[Source, Function]]:
    """The functions whose results the line uses: those that it calls, properties, and what gave its names;
    of a type checker the function itself."""
    statement, inside = at.statement, at.function
    if at.kind == "missing_return" and inside is not None:
        yield at.source, inside
        return
    parts: list[ast.AST] = [statement] if statement is not None else []
    if isinstance(statement, Function):
        parts = [*statement.decorator_list]
    nodes = [each for one in parts for each in walk(one)]
    names = {one.id for one in nodes if isinstance(one, ast.Name)}
    for one in walk(inside) if inside is not None else ():
        if isinstance(one, ast.Assign) and any(
            isinstance(t, ast.Name) and t.id in names for t in one.targets
        ):
            nodes += walk(one.value)
    wanted = {
        one.attr if isinstance(one, ast.Attribute) else one.id
        for one in nodes
        if isinstance(one, ast.Attribute | ast.Name)
    }
    repo = at.context.repo
    for name in sorted(wanted):
        found = [pair for pair in repo.index.symbols(name) if pair[1].kind in ("function", "method")]
        for path, symbol in found[:6]:
            source = repo.index.source(path)
            for one in source.definitions:
                if isinstance(one, Function) and source.qualname(one) == symbol.qualname:
                    yield source, one


def _tails(body: list[ast.stmt], *, tried: bool = True) -> Iterator[ast.Expr]:
    """The expressions with which a body may end; `tried`: those that are tried too, if only to see whether
    they raise."""
    for one in body:
        if isinstance(one, ast.If | ast.Try | ast.With | ast.ExceptHandler):
            for field in ("body", "orelse", "handlers"):
                if tried or field != "body" or not isinstance(one, ast.Try):
                    yield from _tails(getattr(one, field, []), tried=tried)
    last = body[-1] if body else None
    if isinstance(last, ast.Expr) and not isinstance(last.value, ast.Yield | ast.YieldFrom | ast.Await):
        yield last


def _is_bare(node: ast.Expr) -> bool:
    """Whether an expression stands there for nothing."""
    value = node.value
    if isinstance(value, ast.Constant):
        return not isinstance(value.value, str) and value.value is not ... and value.value is not None
    return not isinstance(value, ast.Call)


def _makes_object(node: ast.Expr) -> bool:
    """Whether it calls what looks like a class; `parser.Parse()` may be a method that is to do something."""
    called = node.value.func if isinstance(node.value, ast.Call) else None
    return str(getattr(called, "id", "")).lstrip("_")[:1].isupper()


def _may_give(node: ast.Expr) -> bool:
    """Whether what is called may give something: no method that changes a list, set or dictionary."""
    called = node.value.func if isinstance(node.value, ast.Call) else None
    changes = isinstance(called, ast.Attribute) and any(
        called.attr in dir(kind) and called.attr not in _GIVING for kind in (list, set, dict)
    )
    return called is not None and not changes
